public import JSONText
public import MediaTime

/// One thing to make of the project. Properties that its type does not use are nil. Its groups are those of a request,
/// which takes from them what the command line does not say: see `OutputRequest.filled`.
public struct OutputEntry: ProjectObject {
    public enum Kind: String, ProjectWord { case file, images, waveform }

    public var id: String?
    public var type: Kind?
    public var url: String?
    public var delivery = DeliveryRequest()
    public var canvas = CanvasRequest()
    public var stills = StillsRequest()
    public var tags = TagsRequest()
    public var videoSettings: PictureRequest?
    public var audioSettings: SoundRequest?
    public var audioTracks: [SoundRequest]?
    public var range: TimeRange?
    public var frameDuration: MediaTime?
    public var segmentInterval: MediaTime?
    public var posterTime: MediaTime?
    public var coverFrames: Int?
    public var optimizeForNetwork: Bool?
    public var multiPass: Bool?
    public var toleranceBefore: MediaTime?
    public var toleranceAfter: MediaTime?
    public var unknown: [String: JSONValue] = [:]

    public init() {}

    /// An entry of these groups alone.
    public init(_ delivery: DeliveryRequest, _ canvas: CanvasRequest, _ stills: StillsRequest, _ tags: TagsRequest) {
        self.delivery = delivery
        self.canvas = canvas
        self.stills = stills
        self.tags = tags
    }

    /// The number of frames that may stand in front of a film; longer is a segment of the composition.
    public static let coverFrames = 1...250
    /// The values that `fileLengthLimit` may have, in bytes.
    public static let fileLengths = 1...1_000_000_000_000_000
    /// The most sound tracks of one output.
    public static let mostSoundTracks = 16
    /// The most times of images; more are a film's frames.
    public static let mostTimes = 10_000

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
