package import Diagnostics
package import MediaTime
package import Pictures

/// What is known of an asset's file after probing it: all that validation, planning and rendering need.
///
/// Times are asset times: 0 is the earliest presentation time among the file's video and audio tracks after edit
/// lists, priming and discarded packets; all tracks keep their offsets to it.
package struct AssetFacts: Hashable, Codable, Sendable {
    package enum Kind: String, Codable, Sendable {
        case media, image, animatedImage, imageSequence, livePhoto, color, composition
        /// A file that no track plays; `contentSum` is the SHA-256 of all of it.
        case data

        /// Its pictures change with asset time.
        package var isMoving: Bool { self != .image && self != .color && self != .data }
    }

    package var kind: Kind
    /// Absolute path; empty for generators and nested compositions.
    package var path: String
    package var byteCount: Int64
    /// SHA-256 (hex) of the first and the last MiB; empty for generators.
    package var edgeHash: String
    /// SHA-256 (hex) of what readers go by of all packets, of data of all bytes; nil for generators.
    package var contentSum: String?
    /// Which file it was, and when it was last changed: while that stays, so does its content. nil: not known.
    package var mark: String?
    /// The container's short name, such as `mov` or `matroska`.
    package var container: String
    /// From asset time 0 to the latest end of any audio or video track; zero for stills and generators.
    package var duration: MediaTime
    /// How often an animated image says that it is to be played, 0 for ever; nil for other kinds.
    package var plays: Int?
    /// The files of a sequence, or a live photo's still and its movie; nil where there is one file.
    package var parts: [AssetFacts]?
    /// One, read in place of the first moving picture; the times and the geometry are the asset's own.
    package var proxy: [AssetFacts]?
    /// All tracks in file order; `tracks[i].id == i + 1`.
    package var tracks: [TrackFacts]
    /// Of a file of subtitles or of timed data: all that it says. nil for all else.
    package var timedText: TimedText?
    /// What the asset says of it; nil: interlaced film is shown as the file says.
    package var deinterlacing: Deinterlacing?
    /// Things a person should know: packets that could not be read, estimated times.
    package var warnings: [String]

    package init(
        kind: Kind, path: String, byteCount: Int64 = 0, edgeHash: String = "", contentSum: String? = nil,
        mark: String? = nil, container: String = "", duration: MediaTime = .zero, plays: Int? = nil,
        tracks: [TrackFacts] = [], warnings: [String] = [],
        parts: [AssetFacts]? = nil
    ) {
        self.kind = kind
        self.path = path
        self.byteCount = byteCount
        self.edgeHash = edgeHash
        self.contentSum = contentSum
        self.mark = mark
        self.container = container
        self.duration = duration
        self.plays = plays
        self.tracks = tracks
        self.warnings = warnings
        self.parts = parts
    }

    /// Without what only planning needs.
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
    package func track(_ id: Int) -> TrackFacts? { tracks.first { $0.id == id } }

    /// The first track of a type; cover pictures do not count.
    package func firstTrack(of type: MediaType) -> TrackFacts? {
        tracks.first { $0.type == type && !$0.isCoverPicture }
    }
}

package enum MediaType: String, Codable, Sendable, CaseIterable {
    case video, audio, text, closedCaption, subtitle, metadata
}

package struct TrackFacts: Hashable, Codable, Sendable {
    package var id: Int
    package var type: MediaType
    /// libavcodec's name of the codec, such as `h264`; empty where there is none.
    package var codec: String
    package var isCoverPicture: Bool
    package var language: String?
    /// In asset time. A video track's end is its last frame's end; an audio track's its last sample's end.
    package var start: MediaTime
    package var duration: MediaTime
    /// Frames (video, from the packet index) or samples (audio, where the container tells); nil if not known.
    package var count: Int?
    package var video: VideoFacts?
    package var audio: AudioFacts?
    /// Why nothing can be decoded of it; nil where it can. Only a track that is used hinders a render.
    package var fault: Fault?
    /// Of a track of text that is used: all that it says, in asset time.
    package var timedText: TimedText?
    /// Of a track of data that is used: all that it holds.
    package var samples: [TimedSample]?

    package struct Fault: Hashable, Codable, Sendable {
        package var code: ErrorCode
        /// A sentence without the file and the track.
        package var reason: String

        package init(_ code: ErrorCode, _ reason: String) { (self.code, self.reason) = (code, reason) }
    }

    package init(
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

/// Pixels of a picture as it is shown; a pixel aspect may leave no whole number.
package typealias DisplaySize = (width: Double, height: Double)

package struct VideoFacts: Hashable, Codable, Sendable {
    /// As coded, before pixel aspect and rotation.
    package var codedSize: PixelSize
    /// Width of a pixel over its height, exact (1/1 where the file is silent).
    package var pixelAspectNumerator: Int
    package var pixelAspectDenominator: Int
    /// From the display matrix, in display pixels (pixel aspect applied), y down, moved so that the upright picture's
    /// top-left corner is at the origin; identity where the file has none.
    package var preferredTransform: Affine
    /// Degrees that a player turns the picture clockwise: 0, 90, 180 or 270; after mirroring it left to right where
    /// `isMirrored`.
    package var rotation: Int
    /// libavutil's name, such as `yuv420p10le`.
    package var pixelFormat: String
    package var bitDepth: Int
    package var hasAlpha: Bool
    package var isFullRange: Bool
    package var isInterlaced: Bool
    /// nil where the file does not tag it.
    package var colour: ColourTriple?
    /// What the composition says in place of the file's tags; it is in `colour` and `isFullRange` already.
    package var overrides: ColourOverrides?
    /// nil where the file does not say any.
    package var hdrMetadata: HDRMetadata?
    /// Its ICC profile says what its samples stand for, and it is none of those that have names.
    package var hasProfile: Bool?
    /// The file names no primaries: those of `colour` follow from its other tags.
    package var guessesPrimaries: Bool?
    /// Frames per second, exact where the file is constant-rate, else estimated; nil for a single picture.
    package var nominalFrameRate: MediaTime?
    package var isVariableFrameRate: Bool
    /// Frames per second of the film that it was made of by 2:3 pull-down: where its own times say so, or where that is
    /// how it is shown.
    package var filmRate: MediaTime?
    /// Asset times of the key frames that decoding can start from, sorted. A frozen plan has none: only cutting needs
    /// them.
    package var keyFrames: [MediaTime]
    /// Asset times at which its frames begin, of tracks whose frames decide when the output's are. A frozen plan has
    /// those of nested compositions alone.
    package var frameTimes: FrameTimes?

    package init(
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
    package var isMirrored: Bool {
        preferredTransform.a * preferredTransform.d - preferredTransform.b * preferredTransform.c < 0
    }

    /// Width and height with the pixel aspect applied to the width, before rotation; not rounded.
    package var displaySize: DisplaySize {
        (
            Double(codedSize.width) * Double(pixelAspectNumerator) / Double(pixelAspectDenominator),
            Double(codedSize.height)
        )
    }
}

package struct AudioFacts: Hashable, Codable, Sendable {
    package var sampleRate: Int
    package var channels: Int
    /// libavutil's description, such as `stereo` or `5.1(side)`.
    package var layout: String

    package init(sampleRate: Int, channels: Int, layout: String) {
        (self.sampleRate, self.channels, self.layout) = (sampleRate, channels, layout)
    }
}
