public import JSONText
public import MediaTime

/// One thing to make of the project. Properties that its type does not use are nil.
///
/// Settings of the command line, or of a session of export, go before it.
public struct OutputEntry: ProjectObject {
    /// The kind of an output.
    public enum Kind: String, Codable, ProjectWord {
        /// A film, sound or a stream; images of moments or of each frame; the peaks of the sound.
        case file, images, waveform
    }

    /// The name for people and logs, used once; nil for none.
    public var id: String?
    /// The kind; nil for a file.
    public var type: Kind?
    /// The path of the output, relative to the project file; nil where whoever renders says it.
    public var url: String?
    package var delivery = DeliveryRequest()
    package var canvas = CanvasRequest()
    package var stills = StillsRequest()
    package var tags = TagsRequest()
    /// The picture's encoding; nil for the container's usual one.
    public var videoSettings: PictureRequest?
    /// The sound's encoding; nil for the container's usual one.
    public var audioSettings: SoundRequest?
    /// The sound tracks, each mixed of the audio inputs whose `output` names it; nil for one sound of all tracks.
    public var audioTracks: [SoundRequest]?
    /// The part of the composition that is made; nil for all of it.
    public var range: TimeRange?
    /// The length of a frame; nil for the composition's.
    public var frameDuration: MediaTime?
    /// The time from segment to segment of m3u8 and mpd; nil for 6 seconds.
    public var segmentInterval: MediaTime?
    /// The composition time of the frame that is the film's cover, in mp4 and mkv; nil for none.
    public var posterTime: MediaTime?
    /// The number of frames, 1…250, that the frame of `posterTime` stands in front of the film; nil for none.
    public var coverFrames: Int?
    /// Whether the index stands first; it always does in mp4 and mov.
    public var optimizeForNetwork: Bool?
    /// Whether two passes are made where they help: of a bitRate, in h264 and hevc. nil counts as false.
    public var multiPass: Bool?
    /// The time by which an image's frame may be earlier; nil for 0.
    public var toleranceBefore: MediaTime?
    /// The time by which an image's frame may be later; nil for 0.
    public var toleranceAfter: MediaTime?
    /// The keys that this version does not know, kept and written back as they are.
    public var unknown: [String: JSONValue] = [:]

    package init() {}

    /// An entry of these groups alone.
    package init(_ delivery: DeliveryRequest, _ canvas: CanvasRequest, _ stills: StillsRequest, _ tags: TagsRequest) {
        self.delivery = delivery
        self.canvas = canvas
        self.stills = stills
        self.tags = tags
    }

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
            "fileType", \.delivery.fileType,
            "mp4, mov, mkv, webm, mxf, m4a, wav, flac, ogg, mp3, gif, webp, for images png, jpg, tiff or exr, for "
                + "streams m3u8 or mpd, for raw films y4m or nut; absent: by the url's extension."),
        Field(
            "preset", \.delivery.preset,
            "A named family of settings, see `splitreel presets`; what else is said here goes before it."),
        Field("range", \.range, "The part of the composition that is made; absent: all of it."),
        Field("size", \.canvas.size, "file: [width, height] of its picture; absent: the canvas's."),
        Field("frameDuration", \.frameDuration, "file: seconds per frame; absent: the composition's."),
        Field("optimizeForNetwork", \.optimizeForNetwork, "file: the index first; it always is in mp4 and mov."),
        Field("fragmented", \.delivery.fragmented, "file: mp4 and mov in fragments, one from each key frame."),
        Field(
            "renditions", \.delivery.renditions,
            "m3u8 and mpd: the pictures that the stream is offered in; absent: one."),
        Field("segmentInterval", \.segmentInterval, "m3u8 and mpd: from segment to segment; absent: 6 seconds."),
        Field("pitch", \.canvas.pitch, "file: for audio inputs that name none."),
        Field("metadata", \.tags.metadata, "file: its own, before the project's; names are the same."),
        Field(
            "metadataFilter", \.tags.filter, default: .string("all"),
            "file: which of the project's metadata it has: all, none, sharing or a list of names."),
        Field("chapters", \.tags.chapters, "file: its own, in place of the project's; an empty list for none."),
        Field(
            "fileLengthLimit", \.delivery.fileLengthLimit,
            "file: bytes at most; the picture's rate is limited to it. h264, hevc and sound alone."),
        Field("multiPass", \.multiPass, "file: two passes where they help: of a bitRate, in h264 and hevc."),
        Field("posterTime", \.posterTime, "mp4, mkv: the composition time of the frame that is the film's cover."),
        Field(
            "coverFrames", \.coverFrames,
            "The frame of `posterTime` stands in front of the film, so many frames long."),
        Field(
            "startNumber", \.stills.startNumber, default: .integer(1), "images of a sequence: the first one's number."),
        Field("loopCount", \.stills.loopCount, default: .integer(0), "gif and webp: how often it plays; 0 for ever."),
        Field("videoSettings", \.videoSettings, "file: the picture's encoding."),
        Field("audioSettings", \.audioSettings, "file: the sound's encoding."),
        Field(
            "audioTracks", \.audioTracks,
            "file: its sound tracks, each mixed of the audio inputs whose `output` names it; what one leaves out is as "
                + "in audioSettings. Absent: one sound of all tracks."),
        Field("times", \.stills.times, "images: which moments; absent: each frame."),
        Field("toleranceBefore", \.toleranceBefore, "images: how much earlier a frame may be."),
        Field("toleranceAfter", \.toleranceAfter, "images: how much later a frame may be."),
        Field("maximumSize", \.canvas.maximumSize, "images: fit inside; never scales up."),
        Field("samplesPerBucket", \.delivery.samplesPerBucket, "waveform: samples per peak."),
    ]
}
