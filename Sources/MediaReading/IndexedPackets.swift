internal import CFFmpeg
package import Libav
package import MediaTime
package import SplitreelFiles

/// The packets of a track by their numbers in the source's index. Confined to one thread at a time.
package final class IndexedPackets {
    /// The SHA-256 of the index, in hex: see `contentSum`.
    package let sum: String
    package let source: any MediaSource
    private let cursor: PacketCursor
    private let index: PacketIndex

    /// Opens a track by its position in the file, from 1. Throws where the source has none such.
    package init(_ source: any MediaSource, track: Int) throws {
        let file = try FileIndex.of(source)
        index = file.tracks.indices.contains(track - 1) ? file.tracks[track - 1] : PacketIndex()
        (self.source, sum) = (source, file.contentSum)
        cursor = try PacketCursor(source, stream: track - 1, index: index)
    }

    /// The packets' presentation times in ticks of the track's clock; nil where some packet is none of the track's, or
    /// gives no frame of its own at a time that the file says.
    package func times(of packets: Range<Int>) -> [Int64]? {
        guard packets.lowerBound >= 0, packets.upperBound <= index.entries.count, !index.areTimesEstimated else {
            return nil
        }
        let entries = packets.map { index.entries[$0] }
        let others: PacketEntry.Flags = [.discard, .noTime, .silent, .afterLoss, .mendedTime]
        return entries.allSatisfy { $0.flags.isDisjoint(with: others) } ? entries.map(\.pts) : nil
    }

    /// The presentation times of a sound's packets, in ticks, up to the first that is not heard as it is; nil where the
    /// file does not say them. `dropped` is the number of first packets that are not heard, and `cut` that of samples
    /// that the last one has too many, or nil where more packets follow.
    package var soundTimes: (ticks: [Int64], dropped: Int, cut: Int?)? {
        guard index.edits == nil, !index.areTimesEstimated, !index.isReconfigured else { return nil }
        let others: PacketEntry.Flags = [.noTime, .silent, .afterLoss, .mendedTime, .part]
        let dropped = index.entries.prefix { $0.flags.contains(.discard) }.count
        // Entries are unpacked one by one: all of them take 48 bytes each.
        let own = (0..<index.entries.count).prefix {
            index.entries[$0].flags.isDisjoint(with: $0 < dropped ? others : others.union(.discard))
        }
        return (own.map { index.entries[$0].pts }, dropped, own.count == index.entries.count ? index.endTrim : nil)
    }

    /// A tick in seconds, the zero of asset time in the track's own, and the codec's global header.
    package func soundClock() throws -> (tick: Rational, origin: Rational, header: [UInt8]) {
        let (demuxer, stream) = (cursor.demuxer, cursor.stream)
        let parameters = demuxer.parameters(stream)
        return (
            Rational(demuxer.stream(stream).time_base), try FileIndex.of(source).origin,
            unsafe bytes(parameters.extradata, count: parameters.extradata_size)
        )
    }

    /// The packet of that number; nil where another one is there. Packets in their order are read without a search.
    package func packet(_ number: Int) throws -> Packet? {
        guard index.entries.indices.contains(number) else { return nil }
        try cursor.seek(to: number)
        let entry = index.entries[number]
        guard try cursor.read() == number, cursor.packet.byteCount == entry.size, cursor.packet.sum == entry.sum else {
            return nil
        }
        cursor.packet.update { $0.flags = entry.flags.contains(.key) ? AV_PKT_FLAG_KEY : 0 }
        return try cursor.packet.reference()
    }
}
