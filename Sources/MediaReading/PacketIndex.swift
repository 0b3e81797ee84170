internal import CFFmpeg
internal import Libav
internal import MediaTime

/// One packet of a track, in decode order.
struct PacketEntry: Sendable {
    /// The presentation time in ticks of the track's time base; where the file has none, see
    /// `PacketIndex.areTimesEstimated`.
    var pts: Int64
    /// The decode time in ticks; NOPTS where unknown.
    var dts: Int64
    /// The byte position in the file, or -1.
    var position: Int64
    var duration: Int64
    var size: Int32
    /// The Adler-32 of the packet's bytes.
    var sum: UInt32 = 0
    var flags: Flags

    struct Flags: OptionSet, Sendable {
        let rawValue: UInt8
        static let key = Flags(rawValue: 1)
        /// The packet is decoded for its successors' sake and not shown: an edit list cut it away.
        static let discard = Flags(rawValue: 2)
        static let noTime = Flags(rawValue: 4)
        /// The packet gives no frame of its own: a second field, or a leading picture without its reference.
        static let silent = Flags(rawValue: 8)
        /// The packet of sound carries an order to cut samples off.
        static let trims = Flags(rawValue: 16)
        /// The demuxer complained of the file before it came to this packet, or marked it corrupt.
        static let afterLoss = Flags(rawValue: 32)
        /// The file's time cannot be right, and `pts` was put in its place.
        static let mendedTime = Flags(rawValue: 64)
        /// The packet begins a part of a file whose clock begins again.
        static let part = Flags(rawValue: 128)
    }
}

/// All packets of one track: what frames there are, when they show, and where decoding can start.
struct PacketIndex: Sendable {
    var entries = PacketEntries()
    /// The numbers of the entries that show a frame, by presentation time.
    var display: PacketNumbers = []
    /// The numbers of the entries that decoding can start from, in decode order; entry 0 always counts.
    var keys: PacketNumbers = []
    /// The number of audio samples to be cut from the end of the last packet.
    var endTrim = 0
    var corruptCount = 0
    /// The places where audio may be entered.
    var soundEntry = SoundEntry.start
    /// Whether some packet brings new settings for the decoder.
    var isReconfigured = false
    /// The numbers of the entries that follow a loss.
    private var losses: [Int32] = []
    var areTimesEstimated = false
    /// The edit list that tells the times of the presentation; nil where the entries' own times are those.
    var edits: EditList?
    /// The frame rate of video; nil for sound.
    var rate: FrameRate?

    /// Whether decoding may come back to that packet soon after it was read: to an open group's key, which leading
    /// pictures follow, and to the packet that a cell's decoder begins with.
    func isReadAgain(_ number: Int) -> Bool {
        guard entries.indices.contains(number + 1) else { return false }
        if soundEntry.isCellStart(number + SoundEntry.runUp) { return true }
        let (entry, following) = (entries[number], entries[number + 1])
        return entry.flags.contains(.key) && !following.flags.contains(.key) && following.pts < entry.pts
    }

    /// The presentation time in ticks of a shown frame by its place in `display`.
    func displayTime(_ place: Int) -> Int64 { entries[Int(display[place])].pts }

    /// The place in `display` of the frame that is held at a time in ticks, or nil before the first.
    ///
    /// The held frame is the last one presented no later. A constant rate that the ticks are too coarse for counts by
    /// the times that were rounded to them too: frame 1 of 24 in a second is due at 1/24 s, though Matroska writes
    /// 0.042 s.
    func place(heldAt time: Rational) -> Int? {
        place(heldAt: max(Int64(time.floor()), rate?.grid?.latestTick(at: time) ?? .min))
    }

    /// The time in ticks at which that frame is due: the file's, or the even time that this was rounded from.
    func evenTime(_ place: Int) -> Rational {
        let time = displayTime(place)
        return rate?.grid?.time(near: time) ?? Rational(numerator: Int128(time), denominator: 1)
    }

    /// The time in ticks at which its second field is due: half a frame after the first one, but no later than half-way
    /// to the next frame. nil where the rate is not known.
    func secondFieldTime(_ place: Int, base: Rational) -> Rational? {
        guard let rate = rate?.nominal.map({ Rational($0) }), rate > .zero else { return nil }
        let start = evenTime(place)
        let half = Rational(1) / (rate * Rational(2) * base)
        guard place + 1 < display.count else { return start + half }
        return start + min(half, (evenTime(place + 1) - start) / Rational(2))
    }

    /// The place in `display` of the last frame presented no later than `ticks`, by the file's own ticks only; nil
    /// before the first.
    func place(heldAt ticks: Int64) -> Int? {
        let after = display.partitionPoint { entries[Int($0)].pts <= ticks }
        return after == 0 ? nil : after - 1
    }

    /// The place in `keys` to decode from for the frame of `entry`: the last key packet that is presented no later
    /// and comes no later. Leading pictures of an open group are presented before their key and so need the previous.
    func keyPlace(for entry: Int) -> Int {
        let own = max(0, keys.partitionPoint { Int($0) <= entry } - 1)
        var place = own
        while place > 0 && entries[Int(keys[place])].pts > entries[entry].pts { place -= 1 }
        // Leading pictures that follow other pictures than leading ones do not reach so far back: the time is wrong.
        let run = (Int(keys[own])...entry).dropFirst()
        let isLeading = { run.count <= 64 && run.allSatisfy { isEarlier($0, than: own) } }
        return place < own - 1 && !isLeading() ? own : place
    }

    private func isEarlier(_ entry: Int, than key: Int) -> Bool { entries[entry].pts < entries[Int(keys[key])].pts }

    /// The places in the file of the packets from which the frames at places in `display` are decoded, from the key
    /// that the first one needs; without packets whose place is not known.
    func packetPlaces(from first: Int, through last: Int) -> [Range<Int>] {
        guard display.indices.contains(first), display.indices.contains(last), first <= last else { return [] }
        let numbers = display[first...last].map { Int($0) }
        let start = min(Int(keys[keyPlace(for: numbers[0])]), numbers.min() ?? 0)
        return entries[start...(numbers.max() ?? start)].compactMap { entry in
            guard entry.position >= 0, entry.position < 1 << 60 else { return nil }
            return Int(entry.position)..<Int(entry.position) + max(1, Int(entry.size))
        }
    }

    /// Whether parts of the file that cannot be read lie before the packet, in its own group of pictures or directly.
    func isLoss(before number: Int) -> Bool {
        guard let loss = losses.last(where: { $0 <= number }) else { return false }
        return loss == number || loss > keys[keyPlace(for: number)]
    }

    /// The same index in little memory, where it is of sound that goes on evenly.
    var packed: PacketIndex {
        guard rate == nil, !areTimesEstimated else { return self }
        var packed = self
        packed.entries.pack()
        return packed
    }

    /// The approximate number of bytes that the index takes in memory.
    var byteCount: Int {
        entries.byteCount + display.byteCount + keys.byteCount + 4 * losses.count
    }

    mutating func rebuild() {
        var shown = entries.indices.filter { entries[$0].flags.isDisjoint(with: [.discard, .silent]) }.map { Int32($0) }
        shown.sort { (entries[Int($0)].pts, $0) < (entries[Int($1)].pts, $1) }
        display = PacketNumbers(shown)
        keys = PacketNumbers(
            entries.indices.filter { $0 == 0 || entries[$0].flags.contains(.key) }.map { Int32($0) })
        losses = entries.indices.filter { entries[$0].flags.contains(.afterLoss) }.map { Int32($0) }
    }

    /// The time in ticks at which the last shown frame ends; nil where none is shown. `lastDuration` stands in where
    /// its packet has no length.
    func displayEnd(lastDuration: Int64) -> Int64? {
        guard let last = display.last else { return nil }
        let entry = entries[Int(last)]
        return entry.pts &+ (entry.duration > 0 ? entry.duration : lastDuration)
    }
}
