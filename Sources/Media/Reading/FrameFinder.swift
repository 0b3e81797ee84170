internal import CFFmpeg
internal import Diagnostics

/// Finds the pictures of one video track by their place in presentation order, each the same whatever was asked for
/// before.
///
/// While nothing is wrong, decoding goes on from wherever it is, which saves entering anew. As soon as the decoder
/// complains, what it gives may depend on where it began and on what its memory held: pictures from there on to the
/// end of their group come from a decode that is a function of the file alone, see `DamagedStretch`.
/// Keeps one decoder open and two frames. Confined to one thread at a time.
final class FrameFinder {
    /// What a place shows.
    struct Shown {
        /// The number of the packet that the picture came from.
        var number: Int
        /// The place's own picture is not to be had; the last one before it is shown.
        var isSubstitute: Bool
        /// Damage may show in the picture.
        var isDamaged: Bool
    }

    enum Outcome { case reached, passed, suspect }

    let track: PacketIndex
    let source: FrameSource
    /// The picture that was found last.
    let held: Frame
    private var heldNumber: Int?
    let pending: Frame
    private var pendingNumber: Int?
    private var isAtEnd = false
    /// Whether decoding goes on in a way that is a function of the file and of the entry alone.
    private var isCareful = false
    /// What came out of the careful decode so far.
    private var seen: Set<Int> = []
    /// By place in the track's keys.
    private var stretches: [Int: DamagedStretch] = [:]
    /// Packets that give no picture.
    private var missing: Set<Int> = []
    private var first: Int?
    private let alpha: AlphaItem?
    private let centresChroma: Bool

    init(track: PacketIndex, source: FrameSource, alpha: AlphaItem?, centresChroma: Bool) throws {
        (self.track, self.source, self.alpha, self.centresChroma) = (track, source, alpha, centresChroma)
        held = try Frame()
        pending = try Frame()
    }

    /// Makes `held` what that place shows; nil where nothing of the track can be decoded.
    func find(_ place: Int) throws -> Shown? {
        let wanted = Int(track.display[place])
        for earlier in stride(from: place, through: 0, by: -1) {
            let target = Int(track.display[earlier])
            if try obtain(target) { return shown(target, insteadOf: wanted) }
            missing.insert(target)
        }
        guard let first = try firstPicture() else { return nil }
        if try obtain(first) { return shown(first, insteadOf: wanted) }
        return try run(from: 0, to: first) ? shown(first, insteadOf: wanted) : nil
    }

    private func shown(_ number: Int, insteadOf wanted: Int) -> Shown {
        let stretch = stretches[track.keyPlace(for: number)]
        let isDamaged = stretch.map { !$0.sound.contains(number) } ?? false
        return Shown(number: number, isSubstitute: number != wanted, isDamaged: isDamaged)
    }

    /// Makes `held` that packet's picture; false where it has none.
    private func obtain(_ target: Int) throws -> Bool {
        if heldNumber == target { return true }
        if missing.contains(target) { return false }
        let group = track.keyPlace(for: target)
        if let stretch = stretches[group], !stretch.sound.contains(target) { return try obtain(target, in: stretch) }
        return try obtain(target, group: group)
    }

    private func obtain(_ target: Int, in stretch: DamagedStretch) throws -> Bool {
        guard stretch.supplied.contains(target) else { return false }
        return try run(from: stretch.supplier, to: target)
    }

    private func obtain(_ target: Int, group: Int) throws -> Bool {
        let key = Int(track.keys[group])
        if !canGoForward(to: target, key: key) { try enter(at: key) }
        var attempt = group
        var (triedOwnKey, triedPrevious) = (false, false)
        while true {
            triedOwnKey = triedOwnKey || source.entry == key
            switch try advance(to: target) {
            case .reached: return true
            case .passed:
                // What came out may be due to where decoding began: begin earlier, once or until a picture is there.
                let beganBefore = key > source.entry || source.entry == 0
                if source.entry == 0 || beganBefore && heldNumber != nil { return false }
                attempt = group - attempt > 4 ? 0 : max(0, attempt - 1)
                try enter(at: Int(track.keys[attempt]))
            case .suspect where !triedOwnKey:
                // The damage may be of an earlier group.
                try enter(at: key)
            case .suspect where !triedPrevious && group > 0:
                // An open group may make the decoder complain where it is entered, though nothing is damaged.
                triedPrevious = true
                try enter(at: Int(track.keys[group - 1]))
            case .suspect:
                let stretch = try stretches[group] ?? survey(group)
                stretches[group] = stretch
                guard stretch.sound.contains(target) else { return try obtain(target, in: stretch) }
                return try run(from: group, to: target)
            }
        }
    }

    private func time(_ number: Int) -> Int64 { track.entries[number].pts }

    private func canGoForward(to target: Int, key: Int) -> Bool {
        guard !isCareful else { return false }
        guard !isAtEnd || pendingNumber != nil, let latest = pendingNumber ?? heldNumber else {
            return heldNumber == nil && pendingNumber == nil && !isAtEnd && source.cursor.next == 0 && key == 0
        }
        if let heldNumber, time(heldNumber) > time(target) { return false }
        if pendingNumber != nil, heldNumber == nil, time(latest) > time(target) { return false }
        // Ahead within what is already being decoded, or so near that entering anew saves nothing.
        return key <= source.cursor.next + 4
    }

    private func enter(at key: Int, carefully: Bool = false) throws {
        (heldNumber, pendingNumber, isAtEnd, isCareful) = (nil, nil, false, carefully)
        seen = []
        try source.seek(to: key, clearsPictures: carefully)
    }

    /// Decodes until the target is held, or a later picture is pending, or the end, or the decoder complains.
    private func advance(to target: Int) throws -> Outcome {
        while true {
            if let number = pendingNumber {
                if time(number) > time(target) { return .passed }
                try promote()
                if number == target { return .reached }
            }
            guard !source.isSuspect else { return .suspect }
            guard !isAtEnd else { return .passed }
            let number = try source.next(into: pending)
            guard !source.isSuspect else { return .suspect }
            if let number {
                if isShown(number) { pendingNumber = number }
            } else {
                isAtEnd = true
            }
        }
    }

    private func isShown(_ number: Int) -> Bool {
        track.entries.indices.contains(number) && !track.entries[number].flags.contains(.discard)
    }

    private func promote() throws {
        held.take(from: pending)
        try alpha?.join(to: held)
        (heldNumber, pendingNumber) = (pendingNumber, nil)
        if centresChroma, held.fields.chroma_location == AVCHROMA_LOC_UNSPECIFIED {
            held.update { $0.chroma_location = AVCHROMA_LOC_CENTER }
        }
    }
}

/// Decodes that are functions of the file and of the entry alone.
extension FrameFinder {
    /// Makes `held` the picture that a careful decode from that key gives for the target; false where it gives none.
    private func run(from group: Int, to target: Int) throws -> Bool {
        let key = Int(track.keys[group])
        if !isCareful || source.entry != key || seen.contains(target) { try enter(at: key, carefully: true) }
        while source.lastSent <= target + DamagedStretch.delay {
            guard let number = try source.next(into: pending) else { return false }
            guard seen.insert(number).inserted, number == target else { continue }
            pendingNumber = number
            try promote()
            return true
        }
        return false
    }

    /// What careful decodes make of a group in which the decoder complains.
    private func survey(_ group: Int) throws -> DamagedStretch {
        let members = self.members(of: group)
        let own = try outputs(from: group, of: members)
        var stretch = DamagedStretch(supplier: group, sound: own.sound)
        var most = -1
        let isKeySound = own.sound.contains(Int(track.keys[group]))
        for candidate in DamagedStretch.entries(for: group, keys: track.keys, isKeySound: isKeySound) {
            let outputs = candidate == group ? own : try outputs(from: candidate, of: members)
            let distinct = Set(outputs.sums.values).count
            if distinct > most {
                most = distinct
                (stretch.supplier, stretch.supplied) = (candidate, Set(outputs.sums.keys))
            }
            if distinct == members.count { break }
        }
        return stretch
    }

    private func members(of group: Int) -> Set<Int> {
        let start = Int(track.keys[group])
        // Leading pictures come after the next key.
        let end = group + 2 < track.keys.count ? Int(track.keys[group + 2]) : track.entries.count
        return Set(
            (start..<end).filter {
                track.entries[$0].flags.isDisjoint(with: [.discard, .silent]) && track.keyPlace(for: $0) == group
            })
    }

    /// Those of the members that come out, each with a checksum, and those that come out before the decoder first
    /// complains.
    private func outputs(from group: Int, of members: Set<Int>) throws -> (sums: [Int: UInt32], sound: Set<Int>) {
        var (sums, sound): ([Int: UInt32], Set<Int>) = ([:], [])
        try enter(at: Int(track.keys[group]), carefully: true)
        let last = (members.max() ?? 0) + DamagedStretch.delay
        while sums.count < members.count, source.lastSent <= last, let number = try source.next(into: pending) {
            guard seen.insert(number).inserted, members.contains(number) else { continue }
            sums[number] = pending.firstPlaneSum
            if !source.isSuspect { sound.insert(number) }
        }
        return (sums, sound)
    }

    /// The first picture that comes out of a decode from the start.
    private func firstPicture() throws -> Int? {
        if let first { return first }
        try enter(at: 0, carefully: true)
        while let number = try source.next(into: pending) {
            seen.insert(number)
            if isShown(number) {
                first = number
                return number
            }
        }
        return nil
    }
}
