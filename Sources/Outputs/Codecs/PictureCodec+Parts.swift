package import MediaTime

extension PictureCodec {
    /// The samples that encoders are given.
    package enum Samples: Sendable {
        /// Y'CbCr in limited range, as it is composed.
        case limitedRange
        /// Y'CbCr of 8 bits that use all codes.
        case fullRange
        case rgb(RGBFormats)
        /// Light as floats, 1 being reference white.
        case light
    }

    /// The presets of an encoder, or the profiles of a codec that is made of them.
    package struct Presets: Sendable {
        package var known: [String] = []
        /// The preset that is taken where nothing is said.
        package var fallback = ""
        /// The pixel formats of each profile; nil where presets are no profiles.
        package var formats: (usual: [WorkingFormat], special: [String: [WorkingFormat]])?
        /// The profile of pictures with whole colour, which have odd sizes; nil where the pixel format says it.
        package var ofWholeColour: String?
        /// The profile of pictures in high dynamic range; nil where there is none of the kind.
        package var ofHighDynamicRange: String?
    }

    /// The qualities of an encoder, where lower is better.
    package struct Qualities: Sendable {
        package let range: ClosedRange<Double>
        package let fallback: Double
        /// Whether they are whole numbers.
        package var areWhole = false
        /// Whether they are quantisers, which are the encoder's context's.
        package var areQuantisers = false
        /// Whether 0 is lossless, by another rate control that knows no limits.
        package var isZeroLossless = false
    }

    /// The pictures that a codec has in high dynamic range.
    package enum HighDynamicRange: Sendable {
        case all
        /// Only pictures of ten bits or more.
        case deep
        case none

        package func has(_ format: WorkingFormat) -> Bool {
            switch self {
            case .all: true
            case .deep: format.bitDepth >= 10
            case .none: false
            }
        }
    }

    /// The way in which a film is held to a limited rate.
    package struct LimitedRate: Sendable {
        /// The bytes with which filler begins, before as many ones as it takes; empty where zeros are filler.
        package var fillerHead: [UInt8] = []
        /// Whether its coarsest pictures may take more than the rate: an average rate has to be said, and the finished
        /// film is held to the buffer.
        package var mayRunDry = false
        /// Whether packets tell the limit, as sequence headers of MPEG-2 do.
        package var isToldInPackets = false
    }

    /// The guesses of the bits of a pixel.
    package enum UsualBits: Sendable {
        /// The bits at the default quality, which so many steps of the quality halve.
        case halving(_ bits: Double, every: Double)
        case of(@Sendable (VideoSettings) -> Double)
    }

    /// The levels of a codec: what decoders must cope with. Numbers are ten times the levels'.
    package struct Levels: Sendable {
        package let numbers: [Int]
        /// The number of the lowest level for such pictures, each of which lasts so many seconds.
        package let lowest: @Sendable (VideoSettings, _ frameDuration: MediaTime) -> Int
        /// The limit of a level; nil for a number that no level has.
        package let limit: @Sendable (_ number: Int, VideoSettings) -> RateLimit?
    }

    /// The numbers of an encoder's context that are its codec's own; nil leaves the encoder's.
    package struct EncoderFields: Sendable {
        package var level: Int?
        package var references: Int?
        package var slices: Int?
    }

    /// The times of an encoder's frames.
    package struct EncoderPace: Sendable {
        /// A frame's usual duration in seconds.
        package let frameDuration: MediaTime
        /// Whether all frames last equally long.
        package let isEven: Bool

        package init(frameDuration: MediaTime, isEven: Bool) {
            self.frameDuration = frameDuration
            self.isEven = isEven
        }
    }

    /// The facts of a stream that headers have beside size, rate and colour.
    package struct StreamFacts: Sendable {
        package enum Tag: Sendable {
            case ofMuxer
            /// Four characters.
            case code(String)
            /// The code that libavcodec has for the pixel format.
            case ofPixelFormat
        }

        package var tag = Tag.ofMuxer
        /// libavcodec's number of the profile; nil for none.
        package var profile: Int?
        /// The bits of a pixel as they are coded, by which QuickTime is told of alpha; nil where that means nothing.
        package var codedBits: Int?
    }
}

/// The pixel formats of R'G'B' that an encoder takes, by libavutil's names.
package struct RGBFormats: Sendable {
    package var plain: String
    package var alpha: String
    package var deep: String
    package var deepAlpha: String

    package init(plain: String, alpha: String, deep: String, deepAlpha: String) {
        self.plain = plain
        self.alpha = alpha
        self.deep = deep
        self.deepAlpha = deepAlpha
    }

    /// The same format for all pictures.
    package init(always name: String) {
        self.init(plain: name, alpha: name, deep: name, deepAlpha: name)
    }

    package func name(hasAlpha: Bool, isDeep: Bool) -> String {
        switch (hasAlpha, isDeep) {
        case (false, false): plain
        case (true, false): alpha
        case (false, true): deep
        case (true, true): deepAlpha
        }
    }
}

extension VideoSettings {
    /// Whether every frame stands alone.
    package var isIntraOnly: Bool { codec.isIntraOnly }

    /// The most B-frames in a row: none beside copies without any. Where a container has no decoding times, readers
    /// guess them by the first packets' order, and would have to go back at the join.
    package var bFrames: Int {
        guard keyFrameInterval > 1, !isIntraOnly, copiedReorderDepth != 0 else { return 0 }
        return codec.bFrames?(self) ?? 0
    }

    /// The most frames by which a packet's place in decoding order may run ahead of its frame's place in time. The
    /// settings decide it, so that the first frame of a film can be stamped before its last chunk is rendered.
    package var reorderDepth: Int { max(copiedReorderDepth ?? 0, bFrames > 0 ? codec.reorderDepth : 0) }

    /// Whether `crf` 0 was asked for where that is lossless.
    package var isLossless: Bool { codec.qualities?.isZeroLossless == true && crf == 0 && bitRate == nil }

    /// Whether the film's limit, or its average where it has none, is within `most`.
    func fits(_ most: RateLimit) -> Bool {
        guard let rateLimit else { return bitRate ?? 0 <= most.rate }
        return rateLimit.rate <= most.rate && rateLimit.buffer <= most.buffer
    }

    /// The limit of the level that was asked for; nil where none was, or there is no such level.
    package var levelLimit: RateLimit? { level.flatMap { codec.levels?.limit($0, self) } }

    /// The options of a quality, for the encoders that have `crf`; none for a bit rate.
    var rateOptions: [(name: String, value: String)] {
        // At 10 bits x264's crf 0 is far from lossless; its qp 0 always is.
        if isLossless { return [("qp", "0")] }
        guard bitRate == nil, let qualities = codec.qualities else { return [] }
        let value = crf ?? qualities.fallback
        return [("crf", qualities.areWhole ? "\(Int(value))" : "\(value)")]
    }

    var tuneOption: [(name: String, value: String)] { tune.map { [("tune", $0)] } ?? [] }
}
