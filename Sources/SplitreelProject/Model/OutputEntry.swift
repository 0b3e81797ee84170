package import JSONText
package import MediaFacts
package import MediaTime
package import Pictures

/// One thing to make of the project. Properties that its type does not use are nil.
package struct OutputEntry: ProjectObject {
    package enum Kind: String, ProjectWord { case file, images, waveform }

    package var id: String?
    package var type: Kind?
    package var url: String?
    package var fileType: String?
    package var preset: String?
    package var range: TimeRange?
    package var size: PixelSize?
    package var frameDuration: MediaTime?
    package var optimizeForNetwork: Bool?
    package var fragmented: Bool?
    package var renditions: [RenditionEntry]?
    package var segmentInterval: MediaTime?
    package var pitch: PitchAlgorithm?
    package var metadata: [String: JSONValue]?
    package var metadataFilter: MetadataFilter?
    package var chapters: ChapterList?
    package var fileLengthLimit: Int?
    package var multiPass: Bool?
    package var posterTime: MediaTime?
    package var coverFrames: Int?
    package var startNumber: Int?
    package var loopCount: Int?
    package var videoSettings: VideoOutputSettings?
    package var audioSettings: AudioOutputSettings?
    package var audioTracks: [AudioOutputSettings]?
    package var times: [MediaTime]?
    package var toleranceBefore: MediaTime?
    package var toleranceAfter: MediaTime?
    package var maximumSize: PixelSize?
    package var samplesPerBucket: Int?
    package var unknown: [String: JSONValue] = [:]

    package init() {}

    /// The number of frames that may stand in front of a film; longer is a segment of the composition.
    package static let coverFrames = 1...250
    /// The values that `fileLengthLimit` may have, in bytes.
    package static let fileLengths = 1...1_000_000_000_000_000
    /// The most sound tracks of one output.
    package static let mostSoundTracks = 16
    /// The most times of images; more are a film's frames.
    package static let mostTimes = 10_000

    package static let typeName = "Output"
    package static let summary = "A film, images or a waveform to make of the project."
    package static let fields: [Field<OutputEntry>] = [
        Field("id", \.id, "For people and logs; used once."),
        Field(
            "type", \.type, default: .string("file"),
            "`images`: of `times`; `waveform`: of the sound's peaks, a .json or a .dat."),
        Field("url", \.url, "Where it goes, relative to the project file."),
        Field(
            "fileType", \.fileType,
            "mp4, mov, mkv, webm, mxf, m4a, wav, flac, ogg, mp3, gif, webp, for images png, jpg, tiff or exr, for "
                + "streams m3u8 or mpd, for raw films y4m or nut; absent: by the url's extension."),
        Field(
            "preset", \.preset,
            "A named family of settings, see `splitreel presets`; what else is said here goes before it."),
        Field("range", \.range, "The part of the composition that is made; absent: all of it."),
        Field("size", \.size, "file: [width, height] of its picture; absent: the canvas's."),
        Field("frameDuration", \.frameDuration, "file: seconds per frame; absent: the composition's."),
        Field("optimizeForNetwork", \.optimizeForNetwork, "file: the index first; it always is in mp4 and mov."),
        Field("fragmented", \.fragmented, "file: mp4 and mov in fragments, one from each key frame."),
        Field("renditions", \.renditions, "m3u8 and mpd: the pictures that the stream is offered in; absent: one."),
        Field("segmentInterval", \.segmentInterval, "m3u8 and mpd: from segment to segment; absent: 6 seconds."),
        Field("pitch", \.pitch, "file: for audio inputs that name none."),
        Field("metadata", \.metadata, "file: its own, before the project's; names are the same."),
        Field(
            "metadataFilter", \.metadataFilter, default: .string("all"),
            "file: which of the project's metadata it has: all, none, sharing or a list of names."),
        Field("chapters", \.chapters, "file: its own, in place of the project's; an empty list for none."),
        Field(
            "fileLengthLimit", \.fileLengthLimit,
            "file: bytes at most; the picture's rate is limited to it. h264, hevc and sound alone."),
        Field("multiPass", \.multiPass, "file: two passes where they help: of a bitRate, in h264 and hevc."),
        Field("posterTime", \.posterTime, "mp4, mkv: the composition time of the frame that is the film's cover."),
        Field(
            "coverFrames", \.coverFrames,
            "The frame of `posterTime` stands in front of the film, so many frames long."),
        Field("startNumber", \.startNumber, default: .integer(1), "images of a sequence: the first one's number."),
        Field("loopCount", \.loopCount, default: .integer(0), "gif and webp: how often it plays; 0 for ever."),
        Field("videoSettings", \.videoSettings, "file: the picture's encoding."),
        Field("audioSettings", \.audioSettings, "file: the sound's encoding."),
        Field(
            "audioTracks", \.audioTracks,
            "file: its sound tracks, each mixed of the audio inputs whose `output` names it; what one leaves out is as "
                + "in audioSettings. Absent: one sound of all tracks."),
        Field("times", \.times, "images: which moments; absent: each frame."),
        Field("toleranceBefore", \.toleranceBefore, "images: how much earlier a frame may be."),
        Field("toleranceAfter", \.toleranceAfter, "images: how much later a frame may be."),
        Field("maximumSize", \.maximumSize, "images: fit inside; never scales up."),
        Field("samplesPerBucket", \.samplesPerBucket, "waveform: samples per peak."),
    ]
}

/// A rendition of a stream; what is nil is as the output says.
package struct RenditionEntry: ProjectObject {
    package var size: PixelSize?
    package var videoSettings: RenditionSettings?
    package var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let typeName = "Rendition"
    package static let summary = "One of the pictures that a stream is offered in."
    package static let fields: [Field<RenditionEntry>] = [
        Field("size", \.size, "[width, height]; absent: the canvas's own."),
        Field("videoSettings", \.videoSettings, "Its rate or quality; the rest is the output's."),
    ]
}

/// The settings in which renditions differ.
package struct RenditionSettings: ProjectObject {
    package var bitRate: Int?
    package var crf: Double?
    package var maximumBitRate: Int?
    package var bufferSize: Int?
    package var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let typeName = "RenditionSettings"
    package static let summary = "The rate or quality of a rendition's picture."
    package static let fields: [Field<RenditionSettings>] = [
        Field("bitRate", \.bitRate, "Bits per second; excludes crf."),
        Field("crf", \.crf, "Constant rate factor; excludes bitRate."),
        Field("maximumBitRate", \.maximumBitRate, "Bits per second that it never exceeds."),
        Field("bufferSize", \.bufferSize, "Bits of the decoder's buffer; absent: two seconds of maximumBitRate."),
    ]
}

/// The encoding of the picture. Settings here go before the defaults of the command line's page; words are those of the
/// command line.
package struct VideoOutputSettings: ProjectObject {
    package var codec: String?
    package var profile: String?
    package var bitRate: Int?
    package var crf: Double?
    package var encoderPreset: String?
    package var pixelFormat: String?
    package var maximumBitRate: Int?
    package var bufferSize: Int?
    package var constantBitRate: Bool?
    package var passes: Int?
    package var level: String?
    package var tune: String?
    package var keyFrameInterval: Int?
    package var keyFramesAtCuts: Bool?
    package var pixelAspect: [Int]?
    package var language: String?
    package var name: String?
    package var disposition: [TrackDisposition]?
    package var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let typeName = "VideoSettings"
    package static let summary = "The picture's encoding."
    package static let fields: [Field<VideoOutputSettings>] = [
        Field(
            "codec", \.codec,
            "h264, hevc, av1, vp9, prores, dnxhr, ffv1, mjpeg or mpeg2; gif, webp and images have their own."),
        Field("profile", \.profile, "h264's or hevc's profile, such as high; absent: by the pixel format."),
        Field("bitRate", \.bitRate, "Bits per second; excludes crf."),
        Field("crf", \.crf, "Constant rate factor; excludes bitRate."),
        Field("encoderPreset", \.encoderPreset, "The encoder's own preset, such as medium."),
        Field("pixelFormat", \.pixelFormat, "Such as yuv420p."),
        Field("maximumBitRate", \.maximumBitRate, "Bits per second that the film never exceeds; h264, hevc and mpeg2."),
        Field("bufferSize", \.bufferSize, "Bits of the decoder's buffer; absent: two seconds of maximumBitRate."),
        Field(
            "constantBitRate", \.constantBitRate,
            "bitRate all the time, with filler where the pictures need less; h264, hevc and mpeg2."),
        Field("passes", \.passes, "2: the film is measured before its bitRate is shared out; h264 and hevc."),
        Field("level", \.level, "Such as 4.1; absent: the lowest that suffices."),
        Field("tune", \.tune, "What the encoder is to be good at, such as film, animation or grain."),
        Field("keyFrameInterval", \.keyFrameInterval, "Frames between key frames at most; absent: two seconds."),
        Field("keyFramesAtCuts", \.keyFramesAtCuts, "A key frame wherever a segment or an instruction begins."),
        Field("pixelAspect", \.pixelAspect, "[width, height] of a pixel; absent: square."),
        Field("language", \.language, "BCP 47 tag; absent: that of the composition's tracks."),
        Field("name", \.name, "The track's name; absent: that of the composition's tracks."),
        Field("disposition", \.disposition, "What the track is for; absent: as the composition's tracks say."),
    ]
}

package struct AudioOutputSettings: ProjectObject {
    package var codec: String?
    package var bitRate: Int?
    package var sampleRate: Int?
    package var channels: Int?
    package var channelLayout: String?
    package var language: String?
    package var name: String?
    package var disposition: [TrackDisposition]?
    package var unknown: [String: JSONValue] = [:]

    package init() {}

    package static let typeName = "AudioSettings"
    package static let summary = "The sound's encoding."
    package static let fields: [Field<AudioOutputSettings>] = [
        Field("codec", \.codec, "aac, flac, pcm, opus, alac, mp3 or vorbis."),
        Field("bitRate", \.bitRate, "Bits per second."),
        Field("sampleRate", \.sampleRate, "Samples per second."),
        Field("channels", \.channels, "1, 2, 6 or 8; others by channelLayout."),
        Field(
            "channelLayout", \.channelLayout,
            "Which channel is played where: mono, stereo, 2.1, 3.0, 4.0, quad, 5.0, 5.1, 5.1(side), 6.1, 7.1, others; "
                + "a sound field: ambisonic 1, 2 or 3; absent: the usual one of channels."),
        Field("language", \.language, "BCP 47 tag; absent: that of the composition's tracks."),
        Field("name", \.name, "The track's name; absent: that of the composition's tracks."),
        Field("disposition", \.disposition, "What the track is for; absent: as the composition's tracks say."),
    ]
}
