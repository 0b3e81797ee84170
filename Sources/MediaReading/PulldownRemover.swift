internal import Diagnostics
internal import Libav
internal import MediaFacts
internal import MediaTime

/// Film's own frames out of video that was made of it by 2:3 pull-down (inverse telecine).
///
/// *Fields are matched*: to a picture's top field goes the bottom field, of its own or of the pictures beside it, that
/// fits best between its rows. Where none fits (true video, a field that lost its other half), bwdif makes a frame of
/// the picture. *The frame that comes twice is dropped*: video frames count in cycles of five from the film's first,
/// and of each cycle the one is dropped whose top field differs least from the one before; the cycles beside it say
/// which where several hardly differ. A film frame depends on the pictures of three cycles and on one picture on each
/// side, wherever reading began. Confined to one thread at a time; keeps some seventeen pictures.
final class PulldownRemover {
    /// The frame that `show` made last, good until its next call.
    let output: Frame
    /// The film's clock; nil where the video's rate is not one that pull-down makes. Fields are matched all the same,
    /// as in film whose fields are one off.
    let clock: FilmClock?
    private let track: PacketIndex
    private let deinterlacer: Deinterlacer
    private var pictures: [Int: KeptPicture] = [:]
    /// The measured difference of a frame's top field from the one before, by video frame.
    private var changes: [Int: Int32] = [:]
    private var shown: Int?

    /// The sums of differences, over a block's 256 samples, from which on fields are as different as can be, and up to
    /// which they may be noise.
    private static let (mostChange, noise): (Int32, Int32) = (16 << 8, 1 << 8)
    /// The least number of teeth, of a block's 128 samples, that make a comb.
    private static let mostTeeth: Int32 = 40

    init(track: PacketIndex, base: Rational, subject: String) throws {
        (self.track, clock) = (track, track.filmClock(base: base))
        var setting = Deinterlacing()
        setting.order = .pulldown
        deinterlacer = try Deinterlacer(setting, subject: subject)
        output = try Frame()
    }

    /// Makes the next `show` begin anew, since the same places have other pictures now.
    func forget() {
        pictures = [:]
        changes = [:]
        shown = nil
        deinterlacer.forget()
    }

    /// Makes `output` a film frame and returns the place of the picture that its top field is of. `picture` gives a
    /// place's picture, planar, which the remover then owns.
    func show(film number: Int, picture: (Int) throws -> Frame) throws -> Int {
        let cycle = number / 4
        let dropped = try dropped(of: cycle, picture)
        let video = cycle * 5 + number % 4
        let place = self.place(ofVideo: video < cycle * 5 + dropped ? video : video + 1)
        try show(place, picture: picture)
        return place
    }

    /// Makes `output` the matched frame for the picture at a place, where no frame is dropped.
    func show(_ place: Int, picture: (Int) throws -> Frame) throws {
        if shown == place { return }
        shown = nil
        if clock == nil { forget(outside: place - 1...place + 1) }
        let own = try kept(place, picture)
        guard let partner = try partner(of: place, own, picture) else {
            try deinterlacer.show(place, isSecondField: false, count: track.display.count) { neighbour in
                try kept(neighbour, picture).frame.reference()
            }
            let made = try deinterlacer.output.reference()
            output.take(from: made)
            shown = place
            return
        }
        let made = partner === own ? try own.frame.reference() : try own.woven(with: partner)
        output.take(from: made)
        shown = place
    }

    private func place(ofVideo number: Int) -> Int {
        guard let clock else { return number }
        return track.place(heldAt: clock.tick(ofVideo: number)) ?? 0
    }

    private func kept(_ place: Int, _ picture: (Int) throws -> Frame) throws -> KeptPicture {
        if let known = pictures[place] { return known }
        let made = KeptPicture(try picture(place))
        pictures[place] = made
        return made
    }

    private func forget(outside places: ClosedRange<Int>) {
        for known in pictures.keys where !places.contains(known) { pictures[known] = nil }
    }

    // MARK: Fields

    /// The picture whose bottom field belongs to the own one's top field; nil where there is none.
    private func partner(
        of place: Int, _ own: KeptPicture, _ picture: (Int) throws -> Frame
    ) throws -> KeptPicture? {
        var best = own
        var others: [KeptPicture] = []
        for neighbour in [place - 1, place + 1] where track.display.indices.contains(neighbour) {
            let other = try kept(neighbour, picture)
            guard other.isLike(own) else { continue }
            others.append(other)
        }
        var contests: [(loser: KeptPicture, FieldKernels.Contest)] = []
        for other in others {
            var contest = Self.contest(own, best, other)
            if contest.energies.1 < contest.energies.0 {
                contest.energies = (contest.energies.1, contest.energies.0)
                contest.combed = (contest.combed.1, contest.combed.0)
                contests = [(best, contest)]
                best = other
            } else {
                contests.append((other, contest))
            }
        }
        for other in [own] + others where other !== best && !contests.contains(where: { $0.loser === other }) {
            contests.append((other, Self.contest(own, best, other)))
        }
        let isCombed = contests.contains { _, contest in
            contest.combed.0 >= Self.mostTeeth && contest.energies.0 * 5 > contest.energies.1 * 4
        }
        return isCombed ? nil : best
    }

    private static func contest(
        _ top: KeptPicture, _ one: KeptPicture, _ other: KeptPicture
    ) -> FieldKernels.Contest {
        top.withLuma { top in
            one.withLuma { one in
                other.withLuma { other in FieldKernels.contest(top: top, one, other) }
            }
        }
    }

    // MARK: Cycles

    /// The place, 0 to 4, of the video frame that is dropped of a cycle's five.
    private func dropped(of cycle: Int, _ picture: (Int) throws -> Frame) throws -> Int {
        let first = cycle * 5
        let around = max(0, first - 5)..<first + 10
        for video in around {
            try measure(video, picture)
            let still = min(place(ofVideo: video), place(ofVideo: first) - 1)
            forget(outside: still...max(still, place(ofVideo: first + 9) + 1))
        }
        changes = changes.filter { around.contains($0.key) }
        let own = (0..<5).map { changes[first + $0] ?? .max }
        // After a cut a scene that hardly moves may differ less than what coding made of the repeated field: the cycles
        // beside it have their say among all that differ little.
        let least = min(own.min() ?? 0, Self.mostChange)
        let most = max(least * 3, least + 4 * Self.noise)
        // Nothing comes before the very first frame: it may be the one.
        let candidates = (0..<5).filter { own[$0] <= most || first + $0 == 0 }
        func sum(_ phase: Int) -> Int {
            (-1...1).reduce(0) { $0 + Int(min(changes[first + $1 * 5 + phase] ?? 0, Self.mostChange)) }
        }
        return candidates.min { (sum($0), -$0) < (sum($1), -$1) } ?? 4
    }

    /// Whether a frame comes twice at the same place in cycles of one stretch of the film.
    func findsRepeats(picture: (Int) throws -> Frame) throws -> Bool {
        guard let clock else { return false }
        let first = max(1, clock.count / 12)
        var phases: [Int: Int] = [:]
        for cycle in first..<first + 6 {
            for video in cycle * 5..<cycle * 5 + 5 {
                try measure(video, picture)
                forget(outside: place(ofVideo: video)...place(ofVideo: video))
            }
            let own = (0..<5).sorted { (changes[cycle * 5 + $0] ?? 0) < (changes[cycle * 5 + $1] ?? 0) }
            let (least, next) = (changes[cycle * 5 + own[0]] ?? 0, changes[cycle * 5 + own[1]] ?? 0)
            if next / 4 > least, next > Self.noise { phases[own[0], default: 0] += 1 }
        }
        forget()
        return phases.count == 1 && phases.values.allSatisfy { $0 > 2 }
    }

    private func measure(_ video: Int, _ picture: (Int) throws -> Frame) throws {
        guard video > 0, changes[video] == nil else { return }
        let (before, place) = (place(ofVideo: video - 1), place(ofVideo: video))
        guard before != place else {
            changes[video] = 0
            return
        }
        let (one, other) = (try kept(before, picture), try kept(place, picture))
        guard one.isLike(other) else {
            changes[video] = .max
            return
        }
        changes[video] = one.withLuma { one in
            other.withLuma { other in FieldKernels.worstBlock(one, other) }
        }
    }
}
