internal import CFFmpeg
internal import Diagnostics
internal import Libav
internal import SplitreelFiles

/// Decoded frames of one track in output order, each with the number of its packet in the index.
///
/// Video packets travel through the decoder with their number as their time, so that a frame is known by what it was
/// cut from and not by a guess at its time. Audio has the times of the index: the decoder moves them when it trims
/// samples. Confined to one thread at a time.
final class FrameSource {
    let cursor: PacketCursor
    private var decoder: Decoder
    private var aim = Decoder.Aim.noticing
    private let index: PacketIndex
    private let stream: Int
    private let subject: String
    private let isAudio: Bool
    private var isDraining = false
    private(set) var lastSent = 0
    /// The number of the packet that decoding was last entered at.
    private(set) var entry = 0
    /// The number of the first packet that is not decoded.
    private var limit = Int.max
    /// Whether the video packets so far follow the entry and are presented before it. They lack their references, and
    /// no picture of theirs is shown.
    private var isLeading = false
    /// The number of the first audio packet whose samples are handed out; those of earlier packets are thrown away.
    private var shownFrom = 0
    /// The number of the first audio packet whose damage is counted.
    private var toldFrom = 0
    /// The number of packets that the decoder refused; of sound also those that a gap in the file lies before.
    private(set) var damagedPackets = 0
    /// Whether the decoder complained of anything but a spare picture since decoding was entered.
    private(set) var isSuspect = false
    /// The number of the packet of the first spare picture that the decoder complained of, before anything else.
    private(set) var damagedSpare: Int?
    /// The spare pictures that are not decoded.
    var passedOver = PassedOver()
    private(set) var hasPassedOver = false
    private var spares: SparePictures?
    /// The numbers of the packets of spare pictures that were decoded since decoding was entered.
    private var sentSpares: Set<Int> = []

    init(_ source: any MediaSource, stream: Int, index: PacketIndex, beginning: FileBeginning? = nil) throws {
        (self.index, self.stream) = (index, stream)
        subject = "\(source.name), track \(stream + 1)"
        cursor = try PacketCursor(source, stream: stream, index: index, beginning: beginning)
        isAudio = cursor.demuxer.type(stream) == AVMEDIA_TYPE_AUDIO
        decoder = try unsafe Decoder(stream: cursor.demuxer.pointer(toStream: stream), subject: subject)
        spares = index.isReconfigured ? nil : SparePictures(cursor.demuxer.parameters(stream))
    }

    /// Enters at a packet that decoding can start from; packets from `limit` on are not decoded.
    ///
    /// A decoder that met damage may keep something of it, so the next one is new. A new one is also made for codecs
    /// whose decoders may keep something without a complaint. With `clearsPictures` the decoder is new too, and its
    /// frames, damaged or not, depend on the file and the entry alone.
    func seek(
        to number: Int, before limit: Int = .max, clearsPictures: Bool = false, aim: Decoder.Aim = .noticing
    ) throws {
        try cursor.seek(to: number)
        if clearsPictures || isSuspect || damagedSpare != nil || decoder.mayRemember || aim != self.aim {
            try renewDecoder(clearsPictures: clearsPictures, aim: aim)
        } else {
            decoder.flush()
        }
        isDraining = false
        isSuspect = false
        isLeading = false
        (damagedSpare, hasPassedOver, sentSpares) = (nil, false, [])
        spares?.begin()
        lastSent = number
        entry = number
        self.limit = limit
    }

    /// Enters sound: the next frame is that of the packet's cell, or an earlier one where the track is decoded from its
    /// start. Damage counts from the packet on.
    func seekSound(to number: Int) throws {
        toldFrom = number
        let start = index.soundEntry.firstShown(for: number)
        if start > 0 { try enterSound(at: start) }
    }

    private func enterSound(at start: Int) throws {
        try cursor.seek(to: index.soundEntry == .cell ? start - SoundEntry.runUp : start)
        try renewDecoder()
        (isDraining, shownFrom) = (false, start)
    }

    private func renewDecoder(clearsPictures: Bool = false, aim: Decoder.Aim = .noticing) throws {
        decoder = try unsafe Decoder(
            stream: cursor.demuxer.pointer(toStream: stream), aim: aim, clearsPictures: clearsPictures,
            subject: subject)
        self.aim = aim
    }

    /// Whether a damaged picture may be decoded with tables that another one left.
    var keepsTables: Bool { decoder.keepsTables }

    /// Whether one decoder notices damage and another one shows more of it.
    var hasTwoDecoders: Bool { unsafe Decoder.hasTwo(for: cursor.demuxer.pointer(toStream: stream)) }

    /// The next frame's packet number; nil at the end.
    func next(into frame: borrowing Frame) throws -> Int? {
        while true {
            _ = Libav.takeComplaints()
            let output = try decoder.receive(into: frame)
            listen()
            switch output {
            case .frame:
                if isAudio {
                    if lastSent < shownFrom { continue }
                    return lastSent
                }
                let number = ticks(frame.fields.pts).map { Int($0) }
                if frame.fields.decode_error_flags != 0 || frame.fields.flags & SR_FRAME_CORRUPT != 0 {
                    suspect(number ?? lastSent)
                }
                guard let number else { continue }
                return number
            case .finished: return nil
            case .damaged:
                refuse()
                // A decoder that fails while draining may never say that it is done.
                if isDraining { return nil }
            case .needsPacket: try feed()
            }
        }
    }

    private func feed() throws {
        if index.soundEntry.isCellStart(cursor.next), cursor.next > shownFrom { try enterSound(at: cursor.next) }
        guard !isDraining, cursor.next < limit, let number = try cursor.read() else {
            isDraining = true
            _ = Libav.takeComplaints()
            try decoder.drain()
            return listen()
        }
        if !isAudio, index.entries.indices.contains(number) {
            isLeading = number > entry && (isLeading || number == entry + 1) && isBeforeEntry(number)
            if isSpare(number) {
                guard !passedOver.contains(number, time: index.entries[number].pts) else {
                    hasPassedOver = true
                    return
                }
                sentSpares.insert(number)
            }
        }
        lastSent = number
        guard cursor.packet.byteCount <= ReadLimits.packetBytes else { return refuse() }
        if isAudio, number >= toldFrom, index.entries.indices.contains(number),
            index.entries[number].flags.contains(.afterLoss)
        {
            damagedPackets += 1
        }
        if isAudio {
            // A demuxer that was sent elsewhere may take that for a start of the file.
            let isTrimmed = index.entries.indices.contains(number) && index.entries[number].flags.contains(.trims)
            if !isTrimmed { cursor.packet.dropTrim() }
        } else {
            cursor.packet.update { ($0.pts, $0.dts) = (Int64(number), Int64(number)) }
        }
        _ = Libav.takeComplaints()
        let isTaken = try decoder.send(cursor.packet)
        listen()
        if !isTaken { refuse() }
    }

    /// Whether the packet in hand holds the whole of a spare picture. A second field has a packet of its own.
    private func isSpare(_ number: Int) -> Bool {
        guard spares?.isSpare(cursor.packet) == true else { return false }
        return !index.entries[number...].prefix(2).contains { $0.flags.contains(.silent) }
    }

    private func isBeforeEntry(_ number: Int) -> Bool {
        index.entries.indices.contains(entry) && index.entries[number].pts < index.entries[entry].pts
    }

    private func listen() {
        let isIncomplete = decoder.takeUnwritten()
        if Libav.takeComplaints() > 0 || isIncomplete { suspect(lastSent) }
    }

    /// Counts a complaint of that packet.
    private func suspect(_ number: Int) {
        guard !isLeading else { return }
        guard sentSpares.contains(number) else { return isSuspect = true }
        if !isSuspect, damagedSpare == nil { damagedSpare = number }
    }

    private func refuse() {
        if !isAudio || lastSent >= max(shownFrom, toldFrom) { damagedPackets += 1 }
        suspect(lastSent)
    }
}

/// The spare pictures, see `SparePictures`, that a decode passes over.
struct PassedOver {
    /// Frames presented before this time, in ticks.
    var before = Int64.min
    /// Frames with these numbers.
    var damaged: Set<Int> = []
    /// The one that is decoded in any case.
    var wanted: Int?

    func contains(_ number: Int, time: Int64) -> Bool {
        number != wanted && (time < before || damaged.contains(number))
    }
}
