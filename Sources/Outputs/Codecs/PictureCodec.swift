package import MediaTime
package import Pictures

/// A codec of pictures: its name, and all that this program knows of it.
///
/// Each value has a file of its own in this folder and says only where it differs from the usual. In plans, files and
/// documents it is its name. `Codecs.swift` has the list of all.
public struct PictureCodec: RawRepresentable, Sendable {
    /// The name on the command line, in compositions, plans and documents.
    public let rawValue: String
    /// libavcodec's name of the encoder that makes it here.
    package let encoderName: String
    /// libavcodec's name of the codec, as `splitreel probe` and ffprobe print it.
    package var libavName: String
    /// The names, in lower case, by which people mean it: of its standard, its encoders, its four-character codes.
    package var otherNames: [String] = []
    /// The preset that a name, in lower case, means besides the codec, such as `hq` in `prores422hq`; nil for none.
    package var presetMeant: @Sendable (_ name: String) -> String? = { _ in nil }
    /// The containers that hold it, each with the codec's place among theirs: 1 is the container's default.
    package var places: [Container: Int] = [:]

    // MARK: Pictures

    /// The samples that its encoder is given.
    package var samples = Samples.limitedRange
    /// The formats that it takes, the default first, but for high dynamic range.
    package var formats = WorkingFormat.allCases.filter { !$0.hasAlpha }
    /// The presets of its encoder, or its profiles where it is made of them.
    package var presets = Presets()
    /// The range of the quality, where lower is better, and its default; nil where quality is fixed.
    package var qualities: Qualities?
    /// The pictures that it has in high dynamic range.
    package var highDynamicRange = HighDynamicRange.all
    /// The matrix of all of its pictures, whatever else a container says: readers go by it. nil for the film's own.
    package var matrix: ColourMatrix?
    /// The least size that its encoder here takes, in pixels.
    package var leastSize = PixelSize(width: 1, height: 1)
    /// The largest size that its encoder here takes, in pixels.
    package var mostSize = PixelSize(width: VideoSettings.largestSide, height: VideoSettings.largestSide)
    /// The pixels of a picture at most; nil for no other limit than the sides.
    package var mostPixels: Int?
    /// The frame rates, in frames a second, that its headers can name; nil for any.
    package var rates: [Rational]?

    // MARK: Bits

    /// Whether a bit rate can be asked for.
    package var takesBitRate = false
    /// The way in which a film is held to a limited rate: each chunk to its part of it and of a decoder's buffer. nil
    /// where it cannot be.
    package var limitedRate: LimitedRate?
    /// Whether a film's bits can be shared out among its chunks: it can have two passes, and a limit of its length.
    package var sharesBits = false
    /// Whether its encoder takes twice an average rate in the two seconds of a chunk, where no buffer holds it: it
    /// comes down to the rate only later.
    package var overshootsInShort = false
    /// A guess of the bits of a pixel in films of people and places in 1080p.
    package var usualBits = UsualBits.of { _ in 1 }

    // MARK: Frames that depend on others

    /// Whether every frame stands alone.
    package var isIntraOnly = false
    /// The number of key frames in the time in which films of other codecs have one.
    package var keyFrameShare = 1
    /// Whether its encoder makes a key frame where it is told to.
    package var placesKeyFrames = true
    /// Whether its encoder is told to close its groups of pictures.
    package var hasClosedGroups = true
    /// The most B-frames in a row, stated to the encoder since they decide the parameter sets; nil where it is told
    /// nothing of the kind.
    package var bFrames: (@Sendable (VideoSettings) -> Int)?
    /// The most frames by which packets run ahead of their frames where there are B-frames.
    package var reorderDepth = 0
    /// Whether its encoder goes by the times of frames that are not even; others are told numbers.
    package var goesByTimes = false
    /// Whether the encoder works on several frames at once where it has several threads, and makes of one quality the
    /// same bits whenever they run.
    package var hasFrameThreads = false

    // MARK: Profiles, levels, tunes

    /// The names of the profiles that the encoder gives such a film for so named.
    package var profiles: @Sendable (VideoSettings) -> [String] = { _ in [] }
    /// The profiles that no film of key frames alone has.
    package var profilesBetweenFrames: [String] = []
    /// The levels; nil where there are none.
    package var levels: Levels?
    package var tunes: [String] = []

    // MARK: Encoders and files

    /// The numbers of the encoder's context that are its own; the duration is a frame's usual one, in seconds.
    package var fields: @Sendable (VideoSettings, _ frameDuration: MediaTime) -> EncoderFields = { _, _ in
        EncoderFields()
    }
    /// The encoder's own options; all others are set in its context.
    package var options: @Sendable (VideoSettings, EncoderPace) -> [(name: String, value: String)] = { _, _ in [] }
    /// Whether the chunks are FFV1, of which the film is made in the end.
    package var isMadeOfFFV1 = false
    /// The memory that its encoder takes for a chunk at its peak, as it was measured.
    package var memory: @Sendable (VideoSettings) -> EncoderMemory = { _ in EncoderMemory() }
    /// Whether one encoder may serve one chunk after the other: nothing of one could show in the next one's packets.
    package var isReusable = false
    /// The tag of the chunks' stream.
    package var segmentTag = SegmentTag.ofMuxer
    /// Whether the chunks are decoded a second time when all of them are there.
    package var isMadeAtEnd = false
    /// Whether the sound beside it is kept whole, too, in QuickTime: its films are for editing.
    package var isForEditing = false
    /// The facts that a file's header has of such a stream, beside those of all pictures.
    package var stream: @Sendable (VideoSettings, Container) -> StreamFacts = { _, _ in StreamFacts() }
    /// Whether alpha is a second picture beside each, for which Matroska alone has a place.
    package var isAlphaBeside = false
    /// libavutil's name of the pixel format in which a decoder gives it.
    package var decodedFormat: @Sendable (VideoSettings) -> String = { $0.format.rawValue }
    /// Whether its files say the pictures' colour.
    package var tellsColour = true

    package init(
        _ name: String, encoder: String, libav: String? = nil, _ describe: (inout PictureCodec) -> Void
    ) {
        rawValue = name
        encoderName = encoder
        libavName = libav ?? name
        describe(&self)
    }

    /// Finds the codec of a name; nil where there is none.
    public init?(rawValue: String) {
        guard let known = Self.all.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = known
    }
}

extension PictureCodec: Hashable, Codable, CustomStringConvertible {
    public static func == (one: PictureCodec, other: PictureCodec) -> Bool { one.rawValue == other.rawValue }
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
    /// The name.
    public var description: String { rawValue }
}

extension PictureCodec {
    /// The codec that the chunks are encoded with.
    package var ofSegments: PictureCodec { isMadeOfFFV1 ? .ffv1 : self }

    /// Whether pictures are encoded from R'G'B' or light.
    package var isOfImages: Bool {
        switch samples {
        case .limitedRange, .fullRange: false
        case .rgb, .light: true
        }
    }

    /// Whether its pictures use all codes, as JPEG's do.
    package var isFullRange: Bool {
        if case .fullRange = samples { true } else { false }
    }

    /// The formats of a profile, where profiles decide; all formats of other codecs.
    package func formats(ofPreset preset: String) -> [WorkingFormat] {
        guard let ofProfiles = presets.formats else { return formats }
        return ofProfiles.special[preset] ?? ofProfiles.usual
    }
}
