internal import Libav

/// The beginning of a file as it was indexed: its tracks before a packet was read, and their first packets. First
/// frames are decoded from it without opening the file once more. Confined to one thread at a time.
final class FileBeginning {
    /// Knows the tracks, and sleeps.
    let demuxer: Demuxer
    /// The first packets by stream, as they were read.
    private(set) var packets: [[HeldPacket]]
    /// The bytes that packets may still take.
    private var bytesLeft = 16 << 20

    /// Takes down the tracks of a file that was just opened.
    init(of opened: Demuxer) throws {
        demuxer = try Demuxer(asleep: opened)
        packets = Array(repeating: [], count: opened.streamCount)
    }

    /// Keeps the next packet of a stream where it is one of the first few. From one that is too large on none is kept:
    /// no stream has a gap.
    func take(_ packet: borrowing Packet) throws {
        guard packets[packet.streamIndex].count < 32 else { return }
        bytesLeft = max(0, bytesLeft - packet.byteCount)
        guard bytesLeft > 0 else { return }
        packets[packet.streamIndex].append(HeldPacket(try packet.reference()))
    }
}

/// A packet that several may hold.
final class HeldPacket {
    let packet: Packet
    init(_ packet: consuming Packet) { self.packet = packet }
}
