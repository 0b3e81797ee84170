internal import CFFmpeg
internal import Diagnostics
internal import Libav
internal import MediaTime
internal import Pictures
internal import SplitreelFiles

/// Finds the pictures of one video track by their place in presentation order, each the same whatever was asked for
/// before.
///
/// Every group of pictures is decoded on its own, from its key packet to the last packet that it needs, so that nothing
/// of another group can show in it. As soon as the decoder complains, its pictures may depend on what its memory held:
/// those from there on to the end of the group come from a decode that is a function of the file alone, see
/// `DamagedStretch`. Only of a spare picture, see `SparePictures`, the complaint concerns that picture alone. Spare
/// pictures before the wanted one are not decoded. Keeps one decoder open and two frames. Confined to one thread at a
/// time.
final class FrameFinder: PictureFinder {
    /// The picture that a place shows.
    struct Shown {
        /// The number of the packet that the picture came from.
        var number: Int
        /// Whether the last picture before it is shown since the place's own picture cannot be had.
        var isSubstitute: Bool
        /// Whether damage may show in the picture.
        var isDamaged: Bool
        /// Whether the picture may lack something because parts of the file before it cannot be read.
        var followsLoss: Bool
    }

    let track: PacketIndex
    let source: FrameSource
    let timeBase: Rational
    /// The picture that was found last.
    let held: Frame
    private var heldNumber: Int?
    let pending: Frame
    private var pendingNumber: Int?
    private var isAtEnd = false
    /// The group whose pictures are decoded at present, and the key that the decode began at, both by place in the
    /// track's keys; nil before the first decode.
    private var current: (group: Int, supplier: Int)?
    /// The packet that a decode of a group ends before, by the group's place in the track's keys.
    private var limits: [Int: Int] = [:]
    /// Whether each picture is a group of its own, and the decoder keeps nothing for the next one.
    private let isIntraOnly: Bool
    /// The aim of a careful decode, which depends on the file, the entry and this aim alone; nil in plain decodes.
    private var care: Decoder.Aim?
    /// The packet numbers that came out of the careful decode so far.
    private var seen: Set<Int> = []
    /// The damaged groups' stretches by the groups' place in the track's keys.
    private var stretches: [Int: DamagedStretch] = [:]
    /// The packet numbers of damaged spare pictures, by their group's place in the track's keys.
    private var damagedSpares: [Int: Set<Int>] = [:]
    /// The groups, by their place in the track's keys, of which spare pictures that nobody asked for are decoded too.
    private var entire: Set<Int> = []
    /// Whether spare pictures that nobody asked for are passed over where nothing speaks against it.
    var passesOver = true
    /// The numbers of packets that give no picture.
    private var missing: Set<Int> = []
    private var first: Int?
    private let alpha: AlphaItem?
    private let centresChroma: Bool

    init(track: PacketIndex, source: FrameSource, alpha: AlphaItem?, centresChroma: Bool) throws {
        self.track = track
        self.source = source
        self.alpha = alpha
        self.centresChroma = centresChroma
        timeBase = Rational(source.cursor.demuxer.stream(source.cursor.stream).time_base)
        isIntraOnly = track.keys.count == track.entries.count && !source.keepsTables
        held = try Frame()
        pending = try Frame()
    }

    /// The colours that the stream's ICC profile states; nil without one.
    var colourOfFilm: StillColour? {
        unsafe StillColour(ofFilm: source.cursor.demuxer.pointer(toStream: source.cursor.stream))
    }

    /// Whether the container leaves the pixel aspect to the pictures, each of which may have another one.
    var framesTellAspect: Bool {
        source.cursor.demuxer.stream(source.cursor.stream).sample_aspect_ratio.num <= 0
    }

    /// Opens the finder of a video stream. Throws where the stream has no pictures.
    static func open(
        _ source: any MediaSource, stream: Int, index: FileIndex, subject: String
    ) throws -> FrameFinder {
        let track = index.tracks[stream]
        let frames = try FrameSource(source, stream: stream, index: track)
        guard frames.cursor.demuxer.type(stream) == AVMEDIA_TYPE_VIDEO else {
            throw SplitreelError(
                .mediaHasNoSuchTrack, operation: "reading", subject: source.name,
                reason: "track \(stream + 1) is not video")
        }
        guard !track.display.isEmpty else {
            throw SplitreelError(
                .decodeFailed, operation: "reading", subject: subject, reason: "the track has no frames")
        }
        let codec = frames.cursor.demuxer.parameters(stream).codec_id
        // WebP is JPEG-like: chroma lies between the luma samples, and the decoder does not say so.
        let centresChroma = codec == AV_CODEC_ID_WEBP
        let alpha = index.isImage ? try AlphaItem.of(source, codec: codec) : nil
        return try FrameFinder(track: track, source: frames, alpha: alpha, centresChroma: centresChroma)
    }

    /// Makes `held` the picture for a place; nil where nothing of the track can be decoded.
    func find(_ place: Int) throws -> Shown? {
        let wanted = Int(track.display[place])
        for earlier in stride(from: place, through: 0, by: -1) {
            let target = Int(track.display[earlier])
            if try obtain(target) { return shown(target, insteadOf: wanted) }
            missing.insert(target)
        }
        guard let first = try firstPicture() else { return nil }
        if try obtain(first) { return shown(first, insteadOf: wanted) }
        return try run(from: 0, to: first, aim: .showing, limit: .max) ? shown(first, insteadOf: wanted) : nil
    }

    private func shown(_ number: Int, insteadOf wanted: Int) -> Shown {
        let group = track.keyPlace(for: number)
        let isDamaged = stretches[group]?.isDamaged(number) == true || isDamagedSpare(number, of: group)
        return Shown(
            number: number, isSubstitute: number != wanted, isDamaged: isDamaged,
            followsLoss: track.isLoss(before: number))
    }

    /// Makes `held` that packet's picture; false where it has none.
    private func obtain(_ target: Int) throws -> Bool {
        if heldNumber == target { return true }
        if missing.contains(target) { return false }
        let group = track.keyPlace(for: target)
        if let stretch = stretches[group] { return try obtain(target, in: stretch, of: group) }
        if isDamagedSpare(target, of: group) { return try runAlone(to: target, in: group) }
        if !canGoForward(to: target, group: group) { try enter(group, from: group) }
        while try !advance(to: target, in: group) {
            if let damaged = source.damagedSpare {
                damagedSpares[group, default: []].insert(damaged)
                if damaged == target { return try runAlone(to: target, in: group) }
            } else if isEntered(at: group), !source.hasPassedOver || !entire.insert(group).inserted {
                let stretch = try survey(group, isSuspect: source.isSuspect)
                stretches[group] = stretch
                return try obtain(target, in: stretch, of: group)
            }
            try enter(group, from: group)
        }
        return true
    }

    /// Whether no earlier group's pictures, which may have left something in the decoder, went through it.
    private func isEntered(at group: Int) -> Bool { !isIntraOnly || source.entry == Int(track.keys[group]) }

    private func isDamagedSpare(_ number: Int, of group: Int) -> Bool { damagedSpares[group]?.contains(number) == true }

    private func obtain(_ target: Int, in stretch: DamagedStretch, of group: Int) throws -> Bool {
        if isDamagedSpare(target, of: group) { return try runAlone(to: target, in: group) }
        if stretch.sound.contains(target) { return try run(from: group, to: target) }
        guard stretch.supplied.contains(target) else { return false }
        return try run(from: stretch.supplier, to: target, aim: .showing)
    }

    private func time(_ number: Int) -> Int64 { track.entries[number].pts }

    private func canGoForward(to target: Int, group: Int) -> Bool {
        guard care == nil, let current else { return false }
        guard isIntraOnly || current == (group, group) else { return false }
        guard !isAtEnd || pendingNumber != nil else { return false }
        guard let latest = pendingNumber ?? heldNumber else { return false }
        if let heldNumber, time(heldNumber) > time(target) { return false }
        if pendingNumber != nil, heldNumber == nil, time(latest) > time(target) { return false }
        // Ahead within what is already being decoded, or so near that entering anew saves nothing.
        return Int(track.keys[group]) <= source.cursor.next + 4
    }

    private func enter(_ group: Int, from supplier: Int, care: Decoder.Aim? = nil, limit: Int? = nil) throws {
        heldNumber = nil
        pendingNumber = nil
        isAtEnd = false
        self.care = care
        (current, seen) = ((group, supplier), [])
        let limit = limit ?? (isIntraOnly && care == nil ? .max : self.limit(of: group))
        try source.seek(
            to: Int(track.keys[supplier]), before: limit, clearsPictures: care != nil, aim: care ?? .noticing)
        source.passedOver = PassedOver(damaged: damagedSpares[group] ?? [])
    }

    /// The packet that a decode of that group ends before: the next key, or, in an open group, the end of the leading
    /// pictures that follow it.
    private func limit(of group: Int) -> Int {
        guard group + 1 < track.keys.count else { return .max }
        if let known = limits[group] { return known }
        var limit = Int(track.keys[group + 1])
        if let last = members(of: group).max(), last >= limit {
            limit = last + 1
            // Second fields belong to the picture before them.
            while limit < track.entries.count, track.entries[limit].flags.contains(.silent) { limit += 1 }
        }
        limits[group] = limit
        return limit
    }

    /// Decodes until the target is held; false where a later picture, the end, or a complaint comes first.
    private func advance(to target: Int, in group: Int) throws -> Bool {
        source.passedOver.before = passesOver && !entire.contains(group) ? time(target) : .min
        while true {
            if let number = pendingNumber {
                if time(number) > time(target) { return false }
                try promote()
                if number == target { return true }
            }
            guard !isSuspect, !isAtEnd else { return false }
            let number = try source.next(into: pending)
            guard !isSuspect else { return false }
            if let number {
                if isShown(number), isOfCurrent(number) { pendingNumber = number }
            } else {
                isAtEnd = true
            }
        }
    }

    private var isSuspect: Bool { source.isSuspect || source.damagedSpare != nil }

    private func isOfCurrent(_ number: Int) -> Bool { isIntraOnly || track.keyPlace(for: number) == current?.group }

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
    private func run(
        from supplier: Int, to target: Int, aim: Decoder.Aim = .noticing, limit: Int? = nil
    ) throws -> Bool {
        let group = track.keyPlace(for: target)
        let isSame = care == aim || care != nil && !source.hasTwoDecoders
        let goesOn = isSame && current.map { $0 == (group, supplier) } == true && !seen.contains(target)
        if !goesOn || limit != nil { try enter(group, from: supplier, care: aim, limit: limit) }
        return try take(target)
    }

    /// Makes `held` a damaged spare picture, from a decode of it and of what it needs; false where none comes out.
    private func runAlone(to target: Int, in group: Int) throws -> Bool {
        try enter(group, from: group, care: .noticing)
        // Nothing else can be had of this decode.
        current = nil
        source.passedOver = PassedOver(before: .max, wanted: target)
        return try take(target)
    }

    /// Makes `held` the picture as it comes out of the decode that was entered; false where it does not.
    private func take(_ target: Int) throws -> Bool {
        while let number = try source.next(into: pending) {
            guard seen.insert(number).inserted, number == target else { continue }
            pendingNumber = number
            try promote()
            return true
        }
        return false
    }

    /// The stretch that careful decodes make of a group in which the decoder complains, as `isSuspect` says, or does
    /// not give every picture.
    private func survey(_ group: Int, isSuspect: Bool) throws -> DamagedStretch {
        // Spare pictures that follow the first complaint of another picture are part of the stretch.
        damagedSpares[group] = nil
        var members = self.members(of: group)
        var own = try outputs(from: group, of: members, in: group)
        while let damaged = source.damagedSpare {
            damagedSpares[group, default: []].insert(damaged)
            members.remove(damaged)
            own = try outputs(from: group, of: members, in: group)
        }
        var stretch = DamagedStretch(supplier: group, sound: own.sound)
        stretch.hasGaps = isSuspect && own.sound.isSuperset(of: members)
        var most = (distinct: -1, clean: -1)
        let isKeySound = own.sound.contains(Int(track.keys[group]))
        for candidate in DamagedStretch.entries(for: group, keys: track.keys, isKeySound: isKeySound) {
            let isOwn = candidate == group && !source.hasTwoDecoders
            let outputs = isOwn ? own : try outputs(from: candidate, of: members, in: group, aim: .showing)
            let worth = (distinct: Set(outputs.sums.values).count, clean: outputs.sound.count)
            if worth > most {
                most = worth
                (stretch.supplier, stretch.supplied) = (candidate, Set(outputs.sums.keys))
                // A decoder that notices less makes nothing clean.
                stretch.clean = source.hasTwoDecoders ? [] : outputs.sound
            }
            if outputs.sound.count == members.count { break }
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

    /// The checksums of the members that come out, and the members that come out before the decoder first complains. A
    /// decode from the group's own key ends at the first damaged spare picture.
    private func outputs(
        from supplier: Int, of members: Set<Int>, in group: Int, aim: Decoder.Aim = .noticing
    ) throws -> (sums: [Int: UInt32], sound: Set<Int>) {
        var (sums, sound): ([Int: UInt32], Set<Int>) = ([:], [])
        try enter(group, from: supplier, care: aim)
        while let number = try source.next(into: pending) {
            guard seen.insert(number).inserted, members.contains(number) else { continue }
            if supplier == group, source.damagedSpare != nil { break }
            sums[number] = pending.firstPlaneSum
            if !isSuspect { sound.insert(number) }
        }
        return (sums, sound)
    }

    /// The number of the first picture that comes out of a decode from the start; nil where there is none.
    private func firstPicture() throws -> Int? {
        if let first { return first }
        try enter(0, from: 0, care: .showing, limit: .max)
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
