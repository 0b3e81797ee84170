package import Outputs
package import Pictures
package import SplitreelProject

/// What a person asked for on the command line or in the file's `outputs`, before defaults; see `resolve`.
package struct OutputRequest: Hashable, Codable, Sendable {
    /// Absolute path of the film.
    package var path: String
    /// The container, where the path's extension does not say it.
    package var fileType: String?
    package var videoCodec: String?
    package var audioCodec: String?
    package var crf: Double?
    package var videoBitRate: Int?
    /// Bits per second that are never exceeded, for a decoder's buffer of so many bits.
    package var maximumBitRate: Int?
    package var bufferSize: Int?
    /// `videoBitRate` all the time; absent counts as false.
    package var isConstantRate: Bool?
    /// Composition time of the frame that is the film's cover.
    package var posterTime: String?
    /// So many frames of that one stand in front of the film; nil: none.
    package var coverFrames: Int?
    /// Of a sequence of images; nil: 1.
    package var startNumber: Int?
    /// How often moving images play; nil and 0: for ever.
    package var loopCount: Int?
    /// 2: the film is measured first, and its bits are shared out by that. nil: 1.
    package var passes: Int?
    package var profile: String?
    package var level: String?
    package var tune: String?
    package var keyFrameInterval: Int?
    /// A key frame where a segment or an instruction begins.
    package var keyFramesAtCuts: Bool?
    package var isFragmented: Bool?
    package var fileLengthLimit: Int?
    /// See `OutputSettings.isPassedOn`; of raw films alone.
    package var isPassedOn: Bool?
    /// nil: as the project says.
    package var tags: FilmTagRequest?
    /// What a stream is offered in; nil: as it is. See `streamed`.
    package var renditions: [Rendition]?
    /// A stream's segments begin so far from one another, each with a key frame: a time such as `6s`.
    package var segmentInterval: String?
    /// The document of the stream that this is a part of; and what it is, where it is a document itself.
    package var streamPath: String?
    /// Which of the stream's renditions it is, from 1, where some are asked for.
    package var rendition: Int?
    package var stream: StreamDocument?
    /// A named family of settings; what else is said goes before it.
    package var exportPreset: String?
    /// The encoder's own.
    package var preset: String?
    package var pixelFormat: String?
    package var audioBitRate: Int?
    package var sampleRate: Int?
    package var channels: Int?
    /// A layout's name; see `ChannelLayout`.
    package var channelLayout: String?
    /// Its sound tracks; nil: one of all that is heard.
    package var audioTracks: [SoundTrackRequest]?
    /// The film's size, whatever renderSize and renderScale say: the canvas is fitted into it.
    package var size: PixelSize?
    /// `[width, height]` of its pixels; nil: square. Absent from the command line.
    package var pixelAspect: [Int]?
    /// Frames per second, as `30` or `30000/1001`; only the frame grid changes.
    package var frameRate: String?
    /// Images of these moments of the composition, in this order, in place of all frames.
    package var stillTimes: [String]?
    /// The canvas is made to fit inside; never larger.
    package var maximumSize: PixelSize?
    /// For audio inputs that name none.
    package var pitch: PitchAlgorithm?
    /// Of a waveform; nil: 256.
    package var samplesPerBucket: Int?
    /// Start and duration in composition time; nil for all of it.
    package var rangeStart: String?
    package var rangeDuration: String?
    /// Longest chunk: a time such as `3s`, `none` for one chunk, nil for the default.
    package var chunkSeconds: String?
    /// How long the parts are that a long sound is mixed in: whole seconds, `none` for one part, nil for what it costs.
    package var soundPartSeconds: String?
    package var overwrite: Bool
    /// Warnings of the validation count as errors; absent counts as false.
    package var strict: Bool?
    /// Pictures are read from the assets' proxies; absent counts as false.
    package var proxy: Bool?
    /// Absolute path of the composition's own file, which the film must not replace; nil where there is none.
    package var compositionPath: String?
    /// Which of the composition's outputs it was filled from, for messages; nil where none.
    package var entry: Int?

    package init(path: String) {
        self.path = path
        overwrite = false
    }
}
