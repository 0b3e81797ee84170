public import Diagnostics
public import MediaTime
public import Pictures

/// The facts of an asset's file after probing it: all that validation, planning and rendering need.
///
/// Times are asset times: 0 is the earliest presentation time among the file's video and audio tracks after edit
/// lists, priming and discarded packets; all tracks keep their offsets to it.
public struct AssetFacts: Hashable, Sendable {
    public enum Kind: String, Codable, Sendable {
        case media, image, animatedImage, imageSequence, livePhoto, color, composition
        /// A file that no track plays; `contentSum` is the SHA-256 of all of it.
        case data

        /// Whether its pictures change with asset time.
        public var isMoving: Bool { self != .image && self != .color && self != .data }
    }

    public var kind: Kind
    public var location: AssetLocation
    public var identity: AssetIdentity
    /// The container's short name, such as `mov` or `matroska`.
    public var container: String
    /// The time from asset time 0 to the latest end of any audio or video track; zero for stills and generators.
    public var duration: MediaTime
    /// The number of times that an animated image says it is to be played, 0 for ever; nil for other kinds.
    public var plays: Int?
    /// The files of a sequence, or a live photo's still and its movie; nil where there is one file.
    public var parts: [AssetFacts]?
    /// The one file that is read in place of the first moving picture, nil for none; the times and the geometry are the
    /// asset's own.
    public var proxy: [AssetFacts]?
    /// All tracks in file order; `tracks[i].id == i + 1`.
    public var tracks: [TrackFacts]
    /// The contents of a file of subtitles or of timed data; nil for all other files.
    package var timedText: TimedText?
    /// The deinterlacing that the asset asks for; nil where interlaced film is shown as the file says.
    public var deinterlacing: Deinterlacing?
    /// The remarks that a person should know: packets that could not be read, estimated times.
    public var warnings: [String]

    public init(
        kind: Kind, path: String, byteCount: Int64 = 0, edgeHash: String = "", contentSum: String? = nil,
        mark: String? = nil, container: String = "", duration: MediaTime = .zero, plays: Int? = nil,
        tracks: [TrackFacts] = [], warnings: [String] = [],
        parts: [AssetFacts]? = nil
    ) {
        self.kind = kind
        location = AssetLocation(path: path)
        identity = AssetIdentity(byteCount: byteCount, edgeHash: edgeHash, contentSum: contentSum, mark: mark)
        self.container = container
        self.duration = duration
        self.plays = plays
        self.tracks = tracks
        self.warnings = warnings
        self.parts = parts
    }

    /// The facts without those that only planning needs.
    public var planned: AssetFacts {
        var facts = self
        for index in facts.tracks.indices {
            facts.tracks[index].video?.keyFrames = []
            if kind != .composition { facts.tracks[index].video?.frameTimes = nil }
        }
        facts.parts = parts?.map(\.planned)
        facts.proxy = proxy?.map(\.planned)
        return facts
    }

    /// The track with that id (its position in the file from 1), or nil.
    public func track(_ id: Int) -> TrackFacts? { tracks.first { $0.id == id } }

    /// The first track of a type; cover pictures do not count. Of several sound tracks the first one that the file
    /// marks as the one to play, as players do.
    public func firstTrack(of type: MediaType) -> TrackFacts? {
        let all = tracks.lazy.filter { $0.type == type && !$0.isCoverPicture }
        return all.first { $0.isDefault == true && $0.fault == nil } ?? all.first
    }
}

public enum MediaType: String, Codable, Sendable, CaseIterable {
    case video, audio, text, closedCaption, subtitle, metadata
}

public struct TrackFacts: Hashable, Codable, Sendable {
    public var id: Int
    public var type: MediaType
    /// The codec's name in libavcodec, such as `h264`; empty where there is none.
    public var codec: String
    public var isCoverPicture: Bool
    public var language: String?
    /// Whether the file marks a sound track as one to play where nobody chooses; nil for other tracks.
    public var isDefault: Bool?
    /// The start in asset time. A video track ends with its last frame, an audio track with its last sample.
    public var start: MediaTime
    public var duration: MediaTime
    /// The number of frames (video, from the packet index) or samples (audio, where the container tells); nil if not
    /// known.
    public var count: Int?
    public var video: VideoFacts?
    public var audio: AudioFacts?
    /// The reason why nothing of the track can be decoded; nil where it can. Only a track that is used hinders a
    /// render.
    public var fault: Fault?
    /// The cues of a track of text that is used, in asset time; nil for other tracks.
    package var timedText: TimedText?
    /// The samples of a track of data that is used; nil for other tracks.
    package var samples: [TimedSample]?

    public struct Fault: Hashable, Codable, Sendable {
        public var code: ErrorCode
        /// The reason in a sentence without the file and the track.
        public var reason: String

        public init(_ code: ErrorCode, _ reason: String) { (self.code, self.reason) = (code, reason) }
    }

    public init(
        id: Int, type: MediaType, codec: String, isCoverPicture: Bool = false, language: String? = nil,
        start: MediaTime = .zero, duration: MediaTime = .zero, count: Int? = nil, video: VideoFacts? = nil,
        audio: AudioFacts? = nil
    ) {
        self.id = id
        self.type = type
        self.codec = codec
        self.isCoverPicture = isCoverPicture
        self.language = language
        self.start = start
        self.duration = duration
        self.count = count
        self.video = video
        self.audio = audio
    }
}

/// The size of a picture as it is shown, in display pixels; a pixel aspect may leave no whole number.
public typealias DisplaySize = (width: Double, height: Double)

public struct VideoFacts: Hashable, Codable, Sendable {
    /// The size as coded, in pixels, before pixel aspect and rotation.
    public var codedSize: PixelSize
    /// The width of a pixel over its height, exact (1/1 where the file is silent).
    public var pixelAspectNumerator: Int
    public var pixelAspectDenominator: Int
    /// The transform of the display matrix, in display pixels (pixel aspect applied), y down, moved so that the upright
    /// picture's top-left corner is at the origin; identity where the file has none.
    public var preferredTransform: Affine
    /// The degrees that a player turns the picture clockwise: 0, 90, 180 or 270; after mirroring it left to right where
    /// `isMirrored`.
    public var rotation: Int
    /// The pixel format's name in libavutil, such as `yuv420p10le`.
    public var pixelFormat: String
    public var bitDepth: Int
    public var hasAlpha: Bool
    public var isFullRange: Bool
    public var isInterlaced: Bool
    /// The colour that the file's tags say; nil where the file has none.
    public var colour: ColourTriple?
    /// The tags that the composition says in place of the file's; they are in `colour` and `isFullRange` already.
    package var overrides: ColourOverrides?
    /// The film's HDR metadata; nil where the file says none.
    public var hdrMetadata: HDRMetadata?
    /// Whether an ICC profile says what the samples stand for, which is none of those that have names; nil counts as
    /// false.
    public var hasProfile: Bool?
    /// Whether the file names no primaries, so that those of `colour` follow from its other tags; nil counts as false.
    public var guessesPrimaries: Bool?
    /// The frame rate in frames a second, exact where the file is constant-rate, else estimated; nil for a single
    /// picture.
    public var nominalFrameRate: MediaTime?
    public var isVariableFrameRate: Bool
    /// The frame rate, in frames a second, of the film from which it was made by 2:3 pull-down, where its own times say
    /// so or where it is shown like that; nil for others.
    public var filmRate: MediaTime?
    /// The asset times of the key frames that decoding can start from, sorted. A frozen plan has none: only cutting
    /// needs them.
    public var keyFrames: [MediaTime]
    /// The asset times at which the frames begin, for tracks whose frames decide when the output's do. A frozen plan
    /// has those of nested compositions alone.
    public var frameTimes: FrameTimes?

    public init(
        codedSize: PixelSize, pixelAspectNumerator: Int = 1, pixelAspectDenominator: Int = 1,
        preferredTransform: Affine = .identity, rotation: Int = 0, pixelFormat: String, bitDepth: Int = 8,
        hasAlpha: Bool = false, isFullRange: Bool = false, isInterlaced: Bool = false, colour: ColourTriple? = nil,
        nominalFrameRate: MediaTime? = nil, isVariableFrameRate: Bool = false, keyFrames: [MediaTime] = []
    ) {
        self.codedSize = codedSize
        self.pixelAspectNumerator = pixelAspectNumerator
        self.pixelAspectDenominator = pixelAspectDenominator
        self.preferredTransform = preferredTransform
        self.rotation = rotation
        self.pixelFormat = pixelFormat
        self.bitDepth = bitDepth
        self.hasAlpha = hasAlpha
        self.isFullRange = isFullRange
        self.isInterlaced = isInterlaced
        self.colour = colour
        self.nominalFrameRate = nominalFrameRate
        self.isVariableFrameRate = isVariableFrameRate
        self.keyFrames = keyFrames
    }

    /// Whether `preferredTransform` shows the picture as in a mirror.
    public var isMirrored: Bool {
        preferredTransform.a * preferredTransform.d - preferredTransform.b * preferredTransform.c < 0
    }

    /// The width and height in display pixels, with the pixel aspect applied to the width, before rotation; not
    /// rounded.
    public var displaySize: DisplaySize {
        (
            Double(codedSize.width) * Double(pixelAspectNumerator) / Double(pixelAspectDenominator),
            Double(codedSize.height)
        )
    }
}

public struct AudioFacts: Hashable, Codable, Sendable {
    public var sampleRate: Int
    public var channels: Int
    /// The layout's description in libavutil, such as `stereo` or `5.1(side)`.
    public var layout: String

    public init(sampleRate: Int, channels: Int, layout: String) {
        self.sampleRate = sampleRate
        self.channels = channels
        self.layout = layout
    }
}
