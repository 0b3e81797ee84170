package import Outputs
package import Pictures
package import SplitreelProject

/// An output that a person asked for on the command line or in the file's `outputs`, before defaults; see `resolve`.
package struct OutputRequest: Hashable, Codable, Sendable {
    /// The absolute path of the film.
    package var path: String
    /// The container, where the path's extension does not say it.
    package var fileType: String?
    package var videoCodec: String?
    package var audioCodec: String?
    package var crf: Double?
    package var videoBitRate: Int?
    /// The bit rate in bits a second that is never exceeded, for a decoder's buffer of `bufferSize` bits.
    package var maximumBitRate: Int?
    package var bufferSize: Int?
    /// Whether the bit rate is `videoBitRate` all the time; absent counts as false.
    package var isConstantRate: Bool?
    /// The composition time of the frame that is the film's cover.
    package var posterTime: String?
    /// The number of frames for which that frame stands in front of the film; nil for none.
    package var coverFrames: Int?
    /// The number of the first image of a sequence; nil for 1.
    package var startNumber: Int?
    /// The number of times that moving images play; nil and 0 for ever.
    package var loopCount: Int?
    /// The number of passes. With 2 the film is measured first, and its bits are shared out by that. nil for 1.
    package var passes: Int?
    package var profile: String?
    package var level: String?
    package var tune: String?
    package var keyFrameInterval: Int?
    /// Whether a key frame stands wherever a segment or an instruction begins; absent counts as false.
    package var keyFramesAtCuts: Bool?
    package var isFragmented: Bool?
    package var fileLengthLimit: Int?
    /// Whether the film is passed on as `OutputSettings.isPassedOn` says; for raw films alone.
    package var isPassedOn: Bool?
    /// The tags of the film; nil where the project's tags are meant.
    package var tags: FilmTagRequest?
    /// The renditions that a stream is offered in; nil for one as it is. See `streamed`.
    package var renditions: [Rendition]?
    /// The time from one segment of a stream to the next, each of which begins with a key frame, such as `6s`.
    package var segmentInterval: String?
    /// The path of the document of the stream that this output is a part of; nil where it is a part of none.
    package var streamPath: String?
    /// The number of the stream's rendition that this is, from 1; nil where none are asked for.
    package var rendition: Int?
    /// The kind of stream document that this output is; nil where it is a film.
    package var stream: StreamDocument?
    /// The name of a family of settings; whatever else is said goes before it.
    package var exportPreset: String?
    /// The encoder's own preset.
    package var preset: String?
    package var pixelFormat: String?
    package var audioBitRate: Int?
    package var sampleRate: Int?
    package var channels: Int?
    /// The name of the channel layout; see `ChannelLayout`.
    package var channelLayout: String?
    /// The film's sound tracks; nil for one of all that is heard.
    package var audioTracks: [SoundTrackRequest]?
    /// The film's size in pixels, whatever renderSize and renderScale say: the canvas is fitted into it.
    package var size: PixelSize?
    /// The width and the height of a pixel, as a ratio; nil for square pixels. The command line has no option for it.
    package var pixelAspect: [Int]?
    /// The frame rate in frames a second, as `30` or `30000/1001`; only the frame grid changes.
    package var frameRate: String?
    /// The moments of the composition of which images are made, in this order, in place of all frames; nil for a film.
    package var stillTimes: [String]?
    /// The size in pixels inside which the canvas is made to fit; it is never enlarged.
    package var maximumSize: PixelSize?
    /// The pitch algorithm of audio inputs that name none.
    package var pitch: PitchAlgorithm?
    /// The samples in a bucket of a waveform; nil for 256.
    package var samplesPerBucket: Int?
    /// The range's start in composition time; nil for the composition's start.
    package var rangeStart: String?
    /// The range's duration; nil for all that follows its start.
    package var rangeDuration: String?
    /// The longest chunk's length: a time such as `3s`, `none` for one chunk, nil for the default.
    package var chunkSeconds: String?
    /// The length of the parts that a long sound is mixed in: whole seconds, `none` for one part, nil for a length by
    /// its cost.
    package var soundPartSeconds: String?
    package var overwrite: Bool
    /// Whether warnings of the validation count as errors; absent counts as false.
    package var strict: Bool?
    /// Whether pictures are read from the assets' proxies; absent counts as false.
    package var proxy: Bool?
    /// The absolute path of the composition's own file, which the film must not replace; nil where there is none.
    package var compositionPath: String?
    /// The place in the composition's outputs of the one that it was filled from, from 0, for messages; nil where there
    /// is none.
    package var entry: Int?

    package init(path: String) {
        self.path = path
        overwrite = false
    }
}
