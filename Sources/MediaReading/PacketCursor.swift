internal import CFFmpeg
internal import Diagnostics
internal import Libav
internal import SplitreelFiles

/// Reads one track's packets in decode order and knows each packet's number in the track's index.
///
/// In damaged files a demuxer may cut other packets after a seek than it did when the file was indexed. Each packet is
/// compared with the index; where one differs the file is read from its start, as it was then.
///
/// Long sound in MP4 lies in the file packet by packet, at places that the index knows. Once one such packet is wanted,
/// the demuxer, whose memory grows with the file's length, sleeps. It wakes for packets that it cuts itself. Confined
/// to one thread at a time.
final class PacketCursor {
    let demuxer: Demuxer
    let stream: Int
    /// The packet that `read` handed out last.
    let packet: Packet
    private let index: PacketIndex
    /// Whether a seek left the next packet to be handed out in `packet`.
    private var isHolding = false
    /// Whether the demuxer was sent elsewhere since it was opened.
    private var hasSought = false
    /// The number of the packet that `read` hands out next.
    private(set) var next = 0
    /// The last packet that decoding may come back to, and the packets since; empty once they are more than
    /// `SoundEntry.runUp`. Decoding comes back where a group of pictures ends a few packets after the next one's
    /// beginning, and before a cell of sound.
    private var kept: [HeldPacket]
    private var firstKept = 0
    /// The file's bytes, where packets can be read without the demuxer; nil until the first such packet.
    private var bytes: PacketBytes?
    private var canRest: Bool
    /// Whether the demuxer sleeps because the first packets are there already, and for no other reason.
    private let sleepsAtFirst: Bool

    /// Opens the file; with its `beginning`, which has the stream, only once a packet behind that is wanted.
    init(_ source: any MediaSource, stream: Int, index: PacketIndex, beginning: FileBeginning? = nil) throws {
        (self.stream, self.index) = (stream, index)
        kept = beginning?.packets[stream] ?? []
        if let beginning, !kept.isEmpty {
            demuxer = try Demuxer(asleep: beginning.demuxer)
        } else {
            demuxer = try Demuxer(source)
        }
        packet = try Packet()
        guard stream < demuxer.streamCount else { throw FileIndex.noTrack(stream + 1, of: source) }
        demuxer.select([stream])
        canRest =
            demuxer.type(stream) == AVMEDIA_TYPE_AUDIO && demuxer.formatName.hasPrefix("mov")
            && !index.areTimesEstimated && !index.isReconfigured
            && (Self.fewestToRest..<ReadLimits.packets / demuxer.streamCount).contains(index.entries.count)
        sleepsAtFirst = demuxer.isAsleep && !canRest
    }

    /// The fewest packets for which the demuxer sleeps; a demuxer of less sound is small.
    private static let fewestToRest = 1 << 14

    /// Makes `packet` the next one of the track and answers its number; nil at the end.
    func read() throws -> Int? {
        if !isHolding, kept.indices.contains(next - firstKept) {
            try packet.take(kept[next - firstKept].packet)
            if isMended { restoreTimes() }
            return count()
        }
        let number = try readFromFile()
        try keep(number)
        return number
    }

    private func keep(_ number: Int?) throws {
        guard let number, index.entries.indices.contains(number + 1) else { return }
        let isEntry = index.isReadAgain(number)
        if isEntry { (kept, firstKept) = ([], number) }
        guard isEntry || !kept.isEmpty else { return }
        if kept.count < SoundEntry.runUp { kept.append(HeldPacket(try packet.reference())) } else { kept = [] }
    }

    /// Whether the packet is nothing but its bytes in the file.
    private func isPlain(_ number: Int) -> Bool {
        guard canRest, index.entries.indices.contains(number) else { return false }
        let entry = index.entries[number]
        return entry.flags == .key && entry.position >= 0 && entry.size > 0
    }

    /// Reads the next packet without the demuxer and returns its number; nil where only the demuxer can read it.
    private func readBytes() throws -> Int? {
        guard !isHolding, isPlain(next) else { return nil }
        let entry = index.entries[next]
        let bytes = bytes ?? PacketBytes(demuxer.source)
        self.bytes = bytes
        guard try bytes.read(entry.position, count: Int(entry.size), into: packet), packet.sum == entry.sum
        else {
            canRest = false
            return nil
        }
        try demuxer.sleep()
        packet.update {
            $0.pts = entry.pts
            $0.dts = entry.dts
            $0.duration = entry.duration
            $0.pos = entry.position
            ($0.stream_index, $0.flags) = (Int32(stream), AV_PKT_FLAG_KEY)
        }
        return count()
    }

    private func readFromFile() throws -> Int? {
        if let number = try readBytes() { return number }
        if demuxer.isAsleep {
            guard next < index.entries.count else { return nil }
            try wake()
        }
        let number = try readFromDemuxer()
        if canRest, next >= index.entries.count { try demuxer.sleep() }
        return number
    }

    private func wake() throws {
        if sleepsAtFirst { return try readFromStart(to: next) }
        try demuxer.reopen()
        demuxer.select([stream])
        (isHolding, hasSought) = (false, false)
        if next > 0 { try enter(next) }
    }

    private func readFromDemuxer() throws -> Int? {
        let isThere = try isHolding || readOfTrack()
        isHolding = false
        if isThere ? isOther : next < index.entries.count {
            guard hasSought else {
                try demuxer.source.checkUnchanged()
                return isThere ? count() : nil
            }
            let number = next
            try readFromStart(to: number)
            return try readFromFile()
        }
        if isThere, hasSought || isMended { restoreTimes() }
        return isThere ? count() : nil
    }

    private func count() -> Int {
        next += 1
        return next - 1
    }

    /// Whether the packet in hand is not the one that the index knows by the next number.
    private var isOther: Bool {
        guard index.entries.indices.contains(next) else { return false }
        let entry = index.entries[next]
        return packet.fields.size != entry.size || packet.sum != entry.sum
    }

    private var isMended: Bool {
        index.entries.indices.contains(next) && index.entries[next].flags.contains(.mendedTime)
    }

    /// Gives the packet the index's times: after a seek libavformat guesses some of them from other packets than it did
    /// when the file was read from its start.
    private func restoreTimes() {
        guard index.entries.indices.contains(next), !index.areTimesEstimated else { return }
        let entry = index.entries[next]
        packet.update {
            ($0.pts, $0.dts) = (entry.flags.contains(.noTime) ? SR_NOPTS : entry.pts, entry.dts)
            $0.duration = entry.duration
        }
    }

    /// Makes `number` the next packet. The cost is a few packets more than the distance from a place where the file can
    /// be entered; files that cannot be entered are read from their start.
    func seek(to number: Int) throws {
        if number == next { return }
        if kept.indices.contains(number - firstKept) {
            next = number
            return
        }
        if isNear(number) {
            while next < number, try read() != nil {}
            if next == number { return }
        }
        if isPlain(number) {
            next = number
            kept = []
            isHolding = false
            return try demuxer.sleep()
        }
        if demuxer.isAsleep {
            next = number
            return try wake()
        }
        try enter(number)
    }

    /// Whether a packet comes so soon that reading on costs less than entering anew: large packets are not read over.
    private func isNear(_ number: Int) -> Bool {
        guard number > next, number - next < 64 else { return false }
        let (here, there) = (index.entries[next].position, index.entries[number].position)
        return here < 0 || there < 0 || there - here <= 1 << 20
    }

    private func enter(_ number: Int) throws {
        (hasSought, kept) = (true, [])
        let flags = demuxer.formatFlags
        let prefersBytes = flags & (AVFMT_TS_DISCONT | AVFMT_NOTIMESTAMPS) != 0 && flags & AVFMT_NO_BYTE_SEEK == 0
        if prefersBytes {
            if try seekByBytes(to: number) { return }
        } else if try seekByTime(to: number) {
            return
        } else if flags & AVFMT_NO_BYTE_SEEK == 0, try seekByBytes(to: number) {
            return
        }
        try readFromStart(to: number)
    }

    private func readFromStart(to number: Int) throws {
        try demuxer.reopen()
        demuxer.select([stream])
        next = 0
        isHolding = false
        hasSought = false
        kept = []
        while next < number, try readFromFile() != nil {}
        guard next == number else {
            throw SplitreelError(
                .mediaChanged, operation: "seeking", subject: demuxer.source.name,
                reason: "packet \(number) of track \(stream + 1) is not there any more")
        }
    }

    /// Enters by byte position, some packets early: parsers need the packets before the wanted one to cut it out as
    /// they did when the file was indexed. A packet whose place is not known is counted from the one before it whose
    /// is.
    private func seekByBytes(to number: Int) throws -> Bool {
        guard let known = placed(number) else { return false }
        for back in [4, 64] {
            guard let start = placed(max(0, known - back)) else { return false }
            let position = start == 0 ? 0 : index.entries[start].position
            guard demuxer.seek(toByte: position), try synchronise(to: known) else { continue }
            while next < number, try read() != nil {}
            return next == number
        }
        return false
    }

    /// The last packet up to that number whose place in the file is known; nil where there is none.
    private func placed(_ number: Int) -> Int? {
        (0...number).reversed().first { index.entries[$0].position >= 0 }
    }

    private func seekByTime(to number: Int) throws -> Bool {
        for back in [0, 32, 512] {
            let entry = index.entries[max(0, number - back)]
            let time = index.areTimesEstimated ? (ticks(entry.dts) ?? entry.pts) : entry.pts
            if demuxer.seek(stream: stream, to: time), try synchronise(to: number) { return true }
            if number <= back { break }
        }
        return false
    }

    /// Drops packets until the wanted one, which is then held; false where it was passed or did not come.
    private func synchronise(to number: Int) throws -> Bool {
        let wanted = index.entries[number]
        for _ in 0..<4096 {
            guard try readOfTrack() else { return false }
            let raw = packet.fields
            if isSame(raw, wanted) {
                (next, isHolding) = (number, true)
                return true
            }
            if !wanted.flags.contains(.mendedTime), let dts = ticks(raw.dts), let limit = ticks(wanted.dts) {
                if dts > limit { return false }
            } else if raw.pos > wanted.position, wanted.position >= 0 {
                return false
            }
        }
        return false
    }

    private func isSame(_ packet: AVPacket, _ entry: PacketEntry) -> Bool {
        guard packet.size == entry.size, packet.pos == entry.position, self.packet.sum == entry.sum else {
            return false
        }
        if packet.pts == SR_NOPTS || index.areTimesEstimated || !entry.flags.isDisjoint(with: [.noTime, .mendedTime]) {
            return packet.dts == entry.dts || packet.dts == SR_NOPTS || entry.position >= 0
        }
        return packet.pts == entry.pts
    }

    private func readOfTrack() throws -> Bool {
        while try demuxer.read(into: packet) {
            if packet.streamIndex == stream { return true }
        }
        return false
    }
}
