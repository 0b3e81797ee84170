package import MediaFacts

/// A codec of sound: its name, and all that this program knows of it.
///
/// Each value has a file of its own in this folder and says only where it differs from the usual. In plans, files and
/// documents it is its name. `Codecs.swift` has the list of all.
public struct SoundCodec: RawRepresentable, Sendable {
    /// The name on the command line, in compositions, plans and documents.
    public let rawValue: String
    /// libavcodec's name of the encoder that makes it here.
    package let encoderName: String
    /// libavcodec's name of the codec, as `splitreel probe` and ffprobe print it.
    package var libavName: String
    /// The name in sentences, such as `Opus`.
    package var displayName: String
    /// The names, in lower case, by which people mean it: of its standard, its encoders, its four-character codes.
    package var otherNames: [String] = []
    /// The containers that hold it, each with the codec's place among theirs: 1 is the container's default.
    package var places: [Container: Int] = [:]

    /// Whether all 24 bits of a sample come back.
    package var isLossless = false
    /// Whether its packets are the samples as they are, so that their length follows from their number.
    package var isUncompressed = false
    /// The samples that its encoder takes.
    package var sampleFormat = SampleFormat.planarFloats
    /// The numbers of channels whose standard layouts it has.
    package var channelCounts = [1, 2, 6, 8]
    /// The layouts that a film in that container tells of its sound, so that every channel is played where it belongs.
    package var layouts: @Sendable (Container) -> [ChannelLayout] = { _ in [.mono, .stereo, .fiveOne, .sevenOne] }

    /// The sampling rates in hertz that it knows; nil for all.
    package var sampleRates: [Int]?
    /// The lowest sampling rate in hertz in containers that have one.
    package var leastSampleRates: [Container: Int] = [:]
    /// The sampling rate in hertz above which it tells tens of them alone; nil for none.
    package var mostExactSampleRate: Int?

    /// The bit rates that can be asked for.
    package var bitRates = BitRates.none
    /// The bit rate in bits a second where nothing is said; nil where there is none, or a quality in its place.
    package var usualBitRate: @Sendable (SoundShape) -> Int? = { _ in nil }
    /// The bit rate in bits a second for settings of a lossy codec that name none; nil for the encoder's quality.
    package var assumedBitRate: Int?
    /// The encoder's quality where there is no bit rate, in libavcodec's units; nil where it has no such thing.
    package var quality: Int?
    /// The way in which no second takes more than the rate; nil where that is so anyway, or cannot be.
    package var rateHolding: RateHolding?
    /// The seconds of sound, beside the programme's, for which its encoder may take bits at most.
    package var mostDelaySeconds = 0.05
    /// A guess of the bits a second of a channel where no bit rate is known; nil for those of its samples.
    package var usualChannelBits: Int?
    /// The share of its samples' bits that packets without loss usually take.
    package var usualShare = 1.0
    /// The bytes of its headers at most.
    package var headerBytes = 1024

    /// The number of samples of a whole packet by the sampling rate in hertz; 0 where packets have no one length.
    package var frameLength: @Sendable (_ sampleRate: Int) -> Int = { _ in 0 }
    /// The samples of its longest packet, where packets have no one length; 0 where the encoder says it.
    package var longestPacket = 0
    /// Whether its encoder tells its priming only with the first packet.
    package var tellsPrimingLate = false
    /// Whether its encoder ends with packets that hold nothing but the coder's delay.
    package var endsWithEmptyPackets = false
    /// Whether its encoder ends with the header anew, which then has the sum of all samples, as FLAC's STREAMINFO.
    package var hasFinalHeader = false
    /// The samples of priming that Matroska cannot tell, so that films there begin so much later; 0 for none.
    package var untoldPriming = 0
    /// Whether Matroska has a place for its priming, and for the samples to drop at its end.
    package var isCutInMatroska = false
    /// The containers in which films can hold a run of a source's packets, and tell the sample at which it begins.
    package var copyContainers: Set<Container> = []
    /// The packets that the decoder of such a run is given before the one with the run's first sample; `.max` where its
    /// samples follow from all packets before them, so that only a run from the source's start on can be copied.
    package var copyLead = Int.max
    /// The encoder's own options.
    package var options: @Sendable (AudioSettings) -> [(name: String, value: String)] = { _ in [] }
    /// The tag of the stream in the file that the sound is first encoded to.
    package var segmentTag = SegmentTag.ofMuxer
    /// The facts that a file's header has of its stream, beside those of all sound.
    package var stream = StreamFacts()

    package init(
        _ name: String, encoder: String, libav: String? = nil, _ describe: (inout SoundCodec) -> Void
    ) {
        rawValue = name
        encoderName = encoder
        libavName = libav ?? name
        displayName = name
        describe(&self)
    }

    /// Finds the codec of a name; nil where there is none.
    public init?(rawValue: String) {
        guard let known = Self.all.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = known
    }
}

extension SoundCodec: Hashable, Codable, CustomStringConvertible {
    public static func == (one: SoundCodec, other: SoundCodec) -> Bool { one.rawValue == other.rawValue }
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
    /// The name.
    public var description: String { rawValue }
}

extension SoundCodec {
    /// The forms of samples that encoders take.
    package enum SampleFormat: Sendable {
        /// Floats from −1 to 1.
        case floats, planarFloats
        /// Integers of 32 bits, the upper 24 of which count.
        case integers, planarIntegers

        package var isPlanar: Bool { self == .planarFloats || self == .planarIntegers }
        package var isInteger: Bool { self == .integers || self == .planarIntegers }
    }

    /// The bit rates, in bits a second, that a codec takes.
    package enum BitRates: Sendable {
        /// No choice: every bit is kept.
        case none
        case range(@Sendable (SoundShape) -> ClosedRange<Int>)
        /// The rates that a packet can name.
        case list(@Sendable (SoundShape) -> [Int])
        /// A range for sound of few channels at some sampling rates in hertz; a quality where nothing is said.
        case orQuality(@Sendable (SoundShape) -> ClosedRange<Int>, sampleRates: [Int], mostChannels: Int)
    }

    /// The way in which an encoder, whose rate is an average otherwise, holds each second to it.
    package enum RateHolding: Sendable {
        case option(name: String, value: String)
        /// The bit rate is the encoder's maximum, too.
        case maximum
    }

    /// The facts of a stream that headers have beside rate, channels and bits.
    package struct StreamFacts: Sendable {
        /// libavcodec's number of the profile; nil for none.
        package var profile: Int32?
        /// The samples that a decoder has to be given in front of a place that is sought.
        package var seekPreroll: Int32 = 0
        /// The bits of a sample as they are coded; 0 where that means nothing.
        package var codedBits: Int32 = 0
    }

    /// The sampling rate in hertz of all of its sound; nil where there are several.
    package var onlySampleRate: Int? { sampleRates?.count == 1 ? sampleRates?.first : nil }

    /// The bit rate in bits a second that is nearest to `bitRate` of those that the codec takes for such sound.
    package func bitRate(near bitRate: Int, _ shape: SoundShape) -> Int {
        switch bitRates {
        case .none, .orQuality: bitRate
        case .range(let range): min(bitRate, range(shape).upperBound)
        case .list(let list): list(shape).min { abs($0 - bitRate) < abs($1 - bitRate) } ?? bitRate
        }
    }
}

/// The four-character code of a stream in a segment, which is a file of NUT.
package enum SegmentTag: Sendable {
    /// NUT has a code of its own.
    case ofMuxer
    /// The encoder says one, which NUT knows.
    case ofEncoder
    /// NUT's writer or its reader does not know the codec, which is known by this code again.
    case code(String)
}

/// A sound's sampling rate in hertz and the number of its channels.
package struct SoundShape: Sendable {
    package let sampleRate: Int
    package let channels: Int

    package init(sampleRate: Int, channels: Int) {
        self.sampleRate = sampleRate
        self.channels = channels
    }
}
