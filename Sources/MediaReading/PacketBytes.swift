internal import CFFmpeg
internal import Diagnostics
internal import Glibc
internal import Libav

/// Makes packets of a file's bytes where packets lie in the file as they are. Confined to one thread at a time.
@safe
final class PacketBytes {
    private let descriptor: Int32
    private let window: UnsafeMutableRawBufferPointer
    /// The bytes of the file that are in the window.
    private var held: Range<Int64> = 0..<0

    /// The window's bytes. Packets of sound have some hundred: one call of the system reads many.
    private static let windowLength = 1 << 15

    /// Opens the file; nil where it cannot be opened.
    init?(path: String) {
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        unsafe window = .allocate(byteCount: Self.windowLength, alignment: 64)
        if descriptor < 0 { return nil }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        unsafe window.deallocate()
    }

    /// Makes the packet one of the `count` bytes, 1 to 65535, at a place; false where the file does not have them.
    func read(_ place: Int64, count: Int, into packet: borrowing Packet) throws -> Bool {
        guard place >= 0, (1...Int(UInt16.max)).contains(count), place <= Int64.max - Int64(count) else { return false }
        packet.clear()
        try unsafe check(av_new_packet(packet.pointer, Int32(count)), "av_new_packet", subject: "packet")
        guard let data = unsafe packet.fields.data, let start = unsafe window.baseAddress else { return false }
        var done = 0
        while done < count {
            let next = place + Int64(done)
            if !held.contains(next), !fill(from: next) { return false }
            let part = min(count - done, Int(held.upperBound - next))
            unsafe memcpy(data + done, start + Int(next - held.lowerBound), part)
            done += part
        }
        return true
    }

    private func fill(from place: Int64) -> Bool {
        while true {
            let count = unsafe pread(descriptor, window.baseAddress, window.count, off_t(place))
            if count < 0, errno == EINTR { continue }
            held = count > 0 ? place..<place + Int64(count) : 0..<0
            return count > 0
        }
    }
}
