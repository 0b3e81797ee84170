import CFFmpeg
import Diagnostics
import Libav
import MediaReading
import MediaTime
import Outputs

/// A model of a decoder's buffer, into which bits come at the limit's rate.
///
/// At a constant rate bits come without a break. Filler data or zeros, which decoders drop, then follow a picture so
/// that the buffer does not run over. MPEG-2 must not make it run dry: its encoder goes on where its coarsest pictures
/// take more. The model goes by the film's packets in their order, so that the chunks' own sizes do not matter.
/// Integers only.
struct DecoderBuffer {
    private let limit: RateLimit
    private let mayRunDry: Bool
    private let isConstant: Bool
    /// The number of parts in one bit; the buffer's numbers below are in such parts.
    private let scale: Int
    private let income: Int
    /// The fullness that filler keeps it below, a little less than the buffer: containers write start codes of another
    /// length.
    private let most: Int
    private var fullness: Int
    private let head: [UInt8]
    private let codec: PictureCodec

    /// The buffer of a track; nil where neither filler nor a check is needed, or frames are not even.
    init?(_ track: FilmVideoTrack) {
        let held = track.settings.codec.limitedRate
        mayRunDry = held?.mayRunDry == true
        isConstant = track.settings.isConstantRate == true
        guard mayRunDry || isConstant, let limit = track.settings.rateLimit, case .even(let grid) = track.timing else {
            return nil
        }
        self.limit = limit
        codec = track.settings.codec
        let step = Rational(grid.frameDuration)
        (scale, income) = (Int(clamping: step.denominator), limit.rate * Int(clamping: step.numerator))
        most = limit.buffer / 64 * 63 * scale
        fullness = limit.buffer / 10 * 9 * scale
        head = held?.fillerHead ?? []
    }

    /// Takes the next packet of `count` bytes and returns the filler that is to follow it, empty for none. Throws
    /// `.settingsImpossible` where MPEG-2 would make the buffer run dry.
    mutating func filler(afterBytes count: Int) throws -> [UInt8] {
        fullness -= 8 * count * scale
        guard !mayRunDry || fullness >= 0 else {
            throw SplitreelError(
                .settingsImpossible, operation: "limiting the rate", subject: "\(limit.rate) bit/s in \(codec)",
                reason: "the coarsest pictures that it has take more",
                hint: "say a higher bit rate, a smaller size, or h264")
        }
        fullness += income
        guard isConstant else {
            fullness = min(fullness, limit.buffer * scale)
            return []
        }
        let surplus = (fullness - most) / (8 * scale) + 1
        guard fullness > most, surplus > head.count else { return [] }
        fullness -= 8 * surplus * scale
        guard !head.isEmpty else { return [UInt8](repeating: 0, count: surplus) }
        return head + [UInt8](repeating: 0xFF, count: surplus - head.count - 1) + [0x80]
    }
}

extension Packet {
    /// Appends bytes to the packet's own; the packet then owns all of its data.
    package borrowing func append(_ bytes: [UInt8]) throws {
        guard !bytes.isEmpty else { return }
        let place = byteCount
        try unsafe check(
            av_grow_packet(pointer, Int32(clamping: bytes.count)), "av_grow_packet", subject: "packet",
            as: .internalFault)
        guard let data = unsafe fields.data else { return }
        unsafe UnsafeMutableRawBufferPointer(start: data + place, count: bytes.count).copyBytes(from: bytes)
    }
}
