internal import CFFmpeg
internal import Libav
internal import MediaTime

/// The places at which a track of sound may be entered so that its samples are those of any other decode of the file.
///
/// A packet's samples depend on what its decoder met before it. Some codecs need only a little (blocks that overlap, a
/// reservoir of bits), others everything since the decoder began (a noise generator, traces of damage). Packets of
/// codecs that need only a little are decoded in cells. Each cell has a new decoder that begins some packets before it
/// and whose samples of those are thrown away, whether reading comes from the cell before or from elsewhere.
enum SoundEntry: UInt8, Sendable {
    /// One decoder reads on from the file's start.
    case start = 0
    /// Each cell has its own decoder.
    case cell = 1
    /// No packet needs another, and each may be entered.
    case packet = 2

    /// The number of packets in a cell.
    static let cellLength = 512
    /// The number of packets before a cell that its decoder begins with. The reservoir of MP3 at 8 kb/s reaches 24
    /// back.
    static let runUp = 32

    /// The packet at which decoding begins to count, for the sound from `number` on.
    func firstShown(for number: Int) -> Int {
        switch self {
        case .start: 0
        case .cell: number - number % Self.cellLength
        case .packet: number
        }
    }

    func isCellStart(_ number: Int) -> Bool { self == .cell && number > 0 && number % Self.cellLength == 0 }

    /// `hasStatedRate`: the decoder finds the sample rate that the file states.
    init(_ packets: PacketIndex, _ parameters: AVCodecParameters, _ timeBase: AVRational, hasStatedRate: Bool) {
        self = .start
        let known = Self.known(parameters)
        guard known != .start, hasStatedRate, !packets.isReconfigured,
            Self.isExact(timeBase, rate: Int(parameters.sample_rate)),
            Self.isRegular(packets.entries, slack: Self.slack(parameters, timeBase))
        else { return }
        self = known
    }

    private static func known(_ parameters: AVCodecParameters) -> SoundEntry {
        let codec = parameters.codec_id
        if codec.name.hasPrefix("pcm_") { return .packet }
        switch codec {
        case AV_CODEC_ID_FLAC, AV_CODEC_ID_ALAC: return .packet
        case AV_CODEC_ID_MP3, AV_CODEC_ID_VORBIS: return .cell
        case AV_CODEC_ID_AAC:
            // Others predict from all that came before, or lack their orders until some packet repeats them.
            let plain = [FF_PROFILE_AAC_LOW, FF_PROFILE_MPEG2_AAC_LOW]
            return plain.contains(parameters.profile) ? .cell : .start
        default: return .start
        }
    }

    /// Whether the format is a raw stream: libavformat adds up durations, each of which was rounded to its own clock.
    static func hasNoTimes(_ formatName: String) -> Bool {
        ["ac3", "eac3", "dts", "dtshd", "truehd", "mlp"].contains(formatName)
    }

    /// The seconds by which a packet's time may be off before it counts for more than the samples so far.
    ///
    /// Files with a coarse clock jitter by a tick; camera files by a little more; Vorbis packets next to a change of
    /// block size are off by up to half a block, since only whole pages have times.
    static func tolerance(_ parameters: AVCodecParameters, _ timeBase: AVRational) -> Rational {
        if parameters.codec_id == AV_CODEC_ID_VORBIS { return Rational(1, 10) }
        return isExact(timeBase, rate: Int(parameters.sample_rate)) ? Rational(2, 1000) : Rational(10, 1000)
    }

    private static func slack(_ parameters: AVCodecParameters, _ timeBase: AVRational) -> Int64 {
        Int64((tolerance(parameters, timeBase) / Rational(timeBase)).floor())
    }

    /// Whether a tick is a whole number of samples or a whole fraction of one.
    static func isExact(_ base: AVRational, rate: Int) -> Bool {
        guard base.num > 0, base.den > 0, rate > 0 else { return false }
        let (ticks, den) = (Int(base.num) * rate, Int(base.den))
        return ticks % den == 0 || den % ticks == 0
    }

    /// Whether each packet begins where the one before it ends, or after a hole that no jitter makes.
    private static func isRegular(_ entries: PacketEntries, slack: Int64) -> Bool {
        if entries.contains(where: { $0.flags.contains(.noTime) }) { return false }
        return zip(entries, entries.dropFirst()).allSatisfy { packet, next in
            let jump = next.pts &- (packet.pts &+ packet.duration)
            return jump == 0 || jump > slack
        }
    }
}
