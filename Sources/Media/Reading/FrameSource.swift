internal import CFFmpeg
internal import Diagnostics

/// Decoded frames of one track in output order, each with the number of its packet in the index.
///
/// Video packets travel through the decoder with their number as their time, so that a frame is known by what it was
/// cut from and not by a guess at its time. Audio keeps its times: the decoder moves them when it trims samples.
/// Confined to one thread at a time.
final class FrameSource {
    let cursor: PacketCursor
    let decoder: Decoder
    private let isAudio: Bool
    private var isDraining = false
    private var lastSent = 0
    /// Audio packets up to this number lose their orders to trim samples: they are for a start of the file.
    private var untrimmedUntil = 0
    /// Packets that the decoder refused.
    private(set) var damagedPackets = 0

    init(path: String, stream: Int, index: PacketIndex, threads: Int) throws {
        cursor = try PacketCursor(path: path, stream: stream, index: index)
        isAudio = cursor.demuxer.type(stream) == AVMEDIA_TYPE_AUDIO
        decoder = try unsafe Decoder(
            stream: cursor.demuxer.pointer(toStream: stream), threads: threads, subject: "\(path), track \(stream + 1)")
    }

    /// Decoding goes on from that packet, which must be one that decoding can start from.
    func seek(to number: Int) throws {
        try cursor.seek(to: number)
        decoder.flush()
        isDraining = false
        lastSent = number
        untrimmedUntil = number == 0 ? 0 : number + 32
    }

    /// The next frame's packet number; nil at the end.
    func next(into frame: borrowing Frame) throws -> Int? {
        while true {
            switch try decoder.receive(into: frame) {
            case .frame:
                guard !isAudio else { return lastSent }
                guard let number = ticks(frame.fields.pts) else { continue }
                return Int(number)
            case .finished: return nil
            case .damaged:
                damagedPackets += 1
                // A decoder that fails while draining may never say that it is done.
                if isDraining { return nil }
            case .needsPacket: try feed()
            }
        }
    }

    private func feed() throws {
        guard !isDraining, let number = cursor.read() else {
            isDraining = true
            return try decoder.drain()
        }
        lastSent = number
        guard cursor.packet.byteCount <= ReadLimits.packetBytes else {
            damagedPackets += 1
            return
        }
        if isAudio {
            if number < untrimmedUntil { unsafe av_packet_free_side_data(cursor.packet.pointer) }
        } else {
            cursor.packet.update { ($0.pts, $0.dts) = (Int64(number), Int64(number)) }
        }
        if try !decoder.send(cursor.packet) { damagedPackets += 1 }
    }
}
