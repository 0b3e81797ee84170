public import Diagnostics
public import MediaTime
public import Pictures

/// The facts of an asset's file after probing it: all that validation, planning and rendering need.
///
/// Times are asset times: 0 is the earliest presentation time among the file's video and audio tracks after edit
/// lists, priming and discarded packets; all tracks keep their offsets to it.
public struct AssetFacts: Hashable, Sendable {
    /// The kind of an asset, by which it is read.
    public enum Kind: String, Codable, Sendable {
        /// A file of moving pictures, sound, or both.
        case media
        /// A still picture, which lasts as long as it is wanted.
        case image
        /// Pictures in one file with times of their own, such as a GIF.
        case animatedImage
        /// Numbered files of pictures, shown one after the other.
        case imageSequence
        /// A still with its movie.
        case livePhoto
        /// A generator: a colour, a gradient, bars, a checker, noise or a tone.
        case color
        /// A nested composition.
        case composition
        /// A file that no track plays, such as a table of colours. It is known by the sum of all its bytes.
        case data

        /// Whether its pictures change with asset time.
        package var isMoving: Bool { self != .image && self != .color && self != .data }
    }

    /// The kind of the asset.
    public package(set) var kind: Kind
    package var location: AssetLocation
    package var identity: AssetIdentity
    /// The container's short name, such as `mov` or `matroska`.
    public package(set) var container: String
    /// The time from asset time 0 to the latest end of any audio or video track; zero for stills and generators.
    public package(set) var duration: MediaTime
    /// The number of times that an animated image says it is to be played, 0 for ever; nil for other kinds.
    public package(set) var plays: Int?
    /// The files of a sequence, or a live photo's still and its movie; nil where there is one file.
    package var parts: [AssetFacts]?
    /// The one file that is read in place of the first moving picture, nil for none; the times and the geometry are the
    /// asset's own.
    package var proxy: [AssetFacts]?
    /// All tracks in file order; `tracks[i].id == i + 1`.
    public package(set) var tracks: [TrackFacts]
    /// The contents of a file of subtitles or of timed data; nil for all other files.
    package var timedText: TimedText?
    /// The deinterlacing that the asset asks for; nil where interlaced film is shown as the file says.
    package var deinterlacing: Deinterlacing?
    /// The words of `warnings`.
    package var remarks: [String]

    /// Makes facts of a file that is known already, for building a composition without reading it; the file itself is
    /// read before it is rendered.
    @_disfavoredOverload
    public init(kind: Kind = .media, path: String, duration: MediaTime = .zero, tracks: [TrackFacts] = []) {
        self.init(kind: kind, path: path, byteCount: 0, duration: duration, tracks: tracks)
    }

    package init(
        kind: Kind, path: String, byteCount: Int64 = 0, edgeHash: String = "", contentSum: String? = nil,
        mark: String? = nil, container: String = "", duration: MediaTime = .zero, plays: Int? = nil,
        tracks: [TrackFacts] = [], remarks: [String] = [],
        parts: [AssetFacts]? = nil
    ) {
        self.kind = kind
        location = AssetLocation(path: path)
        identity = AssetIdentity(byteCount: byteCount, edgeHash: edgeHash, contentSum: contentSum, mark: mark)
        self.container = container
        self.duration = duration
        self.plays = plays
        self.tracks = tracks
        self.remarks = remarks
        self.parts = parts
    }

    /// The warnings that a person should know: packets that could not be read, estimated times.
    public var warnings: [Notice] { remarks.map { Notice(.sourceRemark, subject: path, reason: $0) } }

    /// The facts without those that only planning needs.
    package var planned: AssetFacts {
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

/// The type of what a track holds.
public enum MediaType: String, Codable, Sendable, CaseIterable {
    /// Pictures.
    case video
    /// Sound.
    case audio
    /// Text with times, such as chapters' titles.
    case text
    /// Closed captions (CEA-608 or 708).
    case closedCaption
    /// Subtitles, as text or as pictures.
    case subtitle
    /// Data with times, such as places of a camera.
    case metadata
}

/// The facts of one track of a file. Times are asset times, see `AssetFacts`.
public struct TrackFacts: Hashable, Codable, Sendable {
    /// The position of the track in the file, from 1.
    public package(set) var id: Int
    /// The type of what it holds.
    public package(set) var type: MediaType
    /// The codec's name in libavcodec, such as `h264`; empty where there is none.
    public package(set) var codec: String
    /// Whether its one picture is the file's cover and no film.
    public package(set) var isCoverPicture: Bool
    /// The language as the file says it, such as `deu`; nil where it says none.
    public package(set) var language: String?
    /// Whether the file marks a sound track as one to play where nobody chooses; nil for other tracks.
    public package(set) var isDefault: Bool?
    /// The start in asset time. A video track ends with its last frame, an audio track with its last sample.
    public package(set) var start: MediaTime
    /// The time from the start to the end.
    public package(set) var duration: MediaTime
    /// The number of frames (video, from the packet index) or samples (audio, where the container tells); nil if not
    /// known.
    public package(set) var count: Int?
    /// The facts of its pictures; nil for other types.
    public package(set) var video: VideoFacts?
    /// The facts of its sound; nil for other types.
    public package(set) var audio: AudioFacts?
    /// The reason why nothing of the track can be decoded; nil where it can. Only a track that is used hinders a
    /// render.
    public package(set) var fault: Fault?
    /// The cues of a track of text that is used, in asset time; nil for other tracks.
    package var timedText: TimedText?
    /// The samples of a track of data that is used; nil for other tracks.
    package var samples: [TimedSample]?

    /// The reason why a track cannot be decoded.
    public struct Fault: Hashable, Codable, Sendable {
        /// The code of the error that using the track is.
        public package(set) var code: ErrorCode
        /// The reason in a sentence without the file and the track.
        public package(set) var reason: String

        package init(_ code: ErrorCode, _ reason: String) { (self.code, self.reason) = (code, reason) }
    }

    /// Makes the facts of a track that is known already; its type says which of `video` and `audio` it has.
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

/// The facts of a track of pictures.
public struct VideoFacts: Hashable, Codable, Sendable {
    /// The size as coded, in pixels, before pixel aspect and rotation.
    public package(set) var codedSize: PixelSize
    /// The width of a pixel over its height, exact (1/1 where the file is silent).
    public package(set) var pixelAspectNumerator: Int
    /// The part of the pixel aspect below the line.
    public package(set) var pixelAspectDenominator: Int
    /// The transform of the display matrix, in display pixels (pixel aspect applied), y down, moved so that the upright
    /// picture's top-left corner is at the origin; identity where the file has none.
    public package(set) var preferredTransform: Affine
    /// The degrees that a player turns the picture clockwise: 0, 90, 180 or 270; after mirroring it left to right where
    /// `isMirrored`.
    public package(set) var rotation: Int
    /// The pixel format's name in libavutil, such as `yuv420p10le`.
    public package(set) var pixelFormat: String
    /// The bits of each component, from 8 to 16.
    public package(set) var bitDepth: Int
    /// Whether the pictures have an alpha channel.
    public package(set) var hasAlpha: Bool
    /// Whether black and white are the least and the greatest code, and not those of film.
    public package(set) var isFullRange: Bool
    /// Whether the file says that its frames are two fields each.
    public package(set) var isInterlaced: Bool
    /// The colour that the file's tags say; nil where the file has none.
    public package(set) var colour: ColourTriple?
    /// The tags that the composition says in place of the file's; they are in `colour` and `isFullRange` already.
    package var overrides: ColourOverrides?
    /// The film's HDR metadata; nil where the file says none.
    public package(set) var hdrMetadata: HDRMetadata?
    /// Whether an ICC profile says what the samples stand for, which is none of those that have names; nil counts as
    /// false.
    package var hasProfile: Bool?
    /// Whether the file names no primaries, so that those of `colour` follow from its other tags; nil counts as false.
    package var guessesPrimaries: Bool?
    /// The frame rate in frames a second, exact where the file is constant-rate, else estimated; nil for a single
    /// picture.
    public package(set) var nominalFrameRate: MediaTime?
    /// Whether the frames last unevenly long.
    public package(set) var isVariableFrameRate: Bool
    /// The frame rate, in frames a second, of the film from which it was made by 2:3 pull-down, where its own times say
    /// so or where it is shown like that; nil for others.
    public package(set) var filmRate: MediaTime?
    /// The asset times of the key frames that decoding can start from, sorted. A frozen plan has none: only cutting
    /// needs them.
    public package(set) var keyFrames: [MediaTime]
    /// The asset times at which the frames begin, for tracks whose frames decide when the output's do. A frozen plan
    /// has those of nested compositions alone.
    package var frameTimes: FrameTimes?

    /// Makes the facts of pictures that are known already.
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

/// The facts of a track of sound.
public struct AudioFacts: Hashable, Codable, Sendable {
    /// The number of samples a second, in Hz.
    public package(set) var sampleRate: Int
    /// The number of channels, from 1.
    public package(set) var channels: Int
    /// The layout's description in libavutil, such as `stereo` or `5.1(side)`.
    public package(set) var layout: String

    /// Makes the facts of sound that is known already.
    public init(sampleRate: Int, channels: Int, layout: String) {
        self.sampleRate = sampleRate
        self.channels = channels
        self.layout = layout
    }
}
