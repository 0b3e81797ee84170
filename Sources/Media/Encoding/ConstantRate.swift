internal import CFFmpeg
internal import Diagnostics
import MediaTime
internal import Planning

/// Filler for a constant rate: bits come into a decoder's buffer at the limit's rate without a break, and what would
/// make it run over stands after a picture as filler data or zeros, which decoders drop. Goes by the film's packets in
/// their order, so that the chunks' own sizes do not matter. Integers only.
struct ConstantRate {
    /// All in parts of a bit, so many in one.
    private let scale: Int
    private let income: Int
    /// A little below the buffer: containers write start codes of another length.
    private let most: Int
    private var fullness: Int
    private let head: [UInt8]

    /// nil where the rate is not constant, or frames are not even.
    init?(_ track: FilmVideoTrack) {
        guard track.settings.isConstantRate == true, let limit = track.settings.rateLimit,
            case .even(let grid) = track.timing
        else { return nil }
        let step = Rational(grid.frameDuration)
        (scale, income) = (Int(clamping: step.denominator), limit.rate * Int(clamping: step.numerator))
        most = limit.buffer / 64 * 63 * scale
        fullness = limit.buffer / 10 * 9 * scale
        // A start code and the NAL unit's header; MPEG-2 has zeros before its next start code.
        switch track.settings.codec {
        case .mpeg2: head = []
        case .hevc: head = [0, 0, 0, 1, 38 << 1, 1]
        default: head = [0, 0, 0, 1, 12]
        }
    }

    /// Takes the next packet of so many bytes; answers the filler that is to follow it, empty for none.
    mutating func filler(afterBytes count: Int) -> [UInt8] {
        fullness += income - 8 * count * scale
        let surplus = (fullness - most) / (8 * scale) + 1
        guard fullness > most, surplus > head.count else { return [] }
        fullness -= 8 * surplus * scale
        guard !head.isEmpty else { return [UInt8](repeating: 0, count: surplus) }
        return head + [UInt8](repeating: 0xFF, count: surplus - head.count - 1) + [0x80]
    }
}

extension Packet {
    /// Puts bytes after its own; the data is its own then.
    borrowing func append(_ bytes: [UInt8]) throws {
        guard !bytes.isEmpty else { return }
        let place = byteCount
        try unsafe check(
            av_grow_packet(pointer, Int32(clamping: bytes.count)), "av_grow_packet", subject: "packet",
            as: .internalFault)
        guard let data = unsafe fields.data else { return }
        unsafe UnsafeMutableRawBufferPointer(start: data + place, count: bytes.count).copyBytes(from: bytes)
    }
}
