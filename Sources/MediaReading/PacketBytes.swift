internal import CFFmpeg
internal import Diagnostics
internal import Glibc
internal import Libav
internal import SplitreelFiles

/// Makes packets of a source's bytes where packets lie in it as they are. Confined to one thread at a time.
@safe
final class PacketBytes {
    private let source: any MediaSource
    private let window: UnsafeMutableRawBufferPointer
    /// The bytes of the file that are in the window.
    private var held: Range<Int64> = 0..<0

    /// The window's bytes. Packets of sound have some hundred: one call of the system reads many.
    private static let windowLength = 1 << 15

    init(_ source: any MediaSource) {
        self.source = source
        unsafe window = .allocate(byteCount: Self.windowLength, alignment: 64)
    }

    deinit { unsafe window.deallocate() }

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
        let count = unsafe (try? source.read(at: Int(place), into: window)) ?? 0
        held = count > 0 ? place..<place + Int64(count) : 0..<0
        return count > 0
    }
}
