internal import MediaTime

/// The times at which frames of film are due in video that was made of it by 2:3 pull-down: four of them in the time of
/// five of the video's, evenly, whatever the video's own times are. They depend on the index alone.
struct FilmClock: Sendable {
    /// The time of the first picture in ticks.
    var first: Int64
    /// The length of a video frame, two fields, in ticks.
    var step: Rational
    /// The number of film frames.
    var count: Int
    /// Whether the pictures' own times are those of film, of two and three fields each, so that only times have to be
    /// mended.
    var isFlagged: Bool

    private var filmStep: Rational { step * Rational(5, 4) }

    /// The rate in film frames a second; `base` is a tick in seconds.
    func rate(_ base: Rational) -> Rational { Rational(1) / (filmStep * base) }

    /// The time of a film frame in ticks.
    func time(ofFilm number: Int) -> Rational { Rational(Int(first)) + filmStep * Rational(number) }

    /// The film frame that is due at a time in ticks; the first or the last one for times beyond them.
    func film(at time: Rational) -> Int { min(max(0, ((time - Rational(Int(first))) / filmStep).floor()), count - 1) }

    /// The tick by which the picture of a video frame is there: half a field after the frame begins, for rounded times.
    func tick(ofVideo number: Int) -> Int64 {
        Int64((Rational(Int(first)) + step * Rational(number) + step / Rational(4)).floor())
    }
}

extension PacketIndex {
    /// The clock of the film in this video; nil where the video's rate is not one that pull-down makes of film.
    func filmClock(base: Rational) -> FilmClock? {
        guard display.count > 1 else { return nil }
        let (first, last) = (displayTime(0), display.count - 1)
        let rates = [Rational(30_000, 1001), Rational(30)]
        let nominal = rate?.nominal.map { Rational($0) }
        let frame: Rational
        let fits = rates.map { fit(field: Rational(1) / ($0 * Rational(2) * base)) }
        if let rate = rates.first(where: { $0 == nominal }) {
            frame = Rational(1) / (rate * base)
        } else {
            // Short films that both rates fit thus have the usual one.
            let isThirty = fits[1].isPulledDown && (!fits[0].isPulledDown || fits[1].error * 2 < fits[0].error)
            guard isThirty || fits[0].isPulledDown else { return nil }
            frame = Rational(1) / (rates[isThirty ? 1 : 0] * base)
        }
        let field = frame / Rational(2)
        // A file may state any times. The bound is more fields than any file that is read has.
        func fields(_ ticks: Int64) -> Int { min(max((Rational(Int(ticks)) / field).rounded(), 0), 1 << 40) }
        let begin = fields(displayTime(last) &- first)
        let length = fields(entries[Int(display[last])].duration)
        // Two fields in five are a film frame.
        let count = (max(begin + max(2, length), 1) * 2 + 4) / 5
        return FilmClock(first: first, step: frame, count: count, isFlagged: fits.contains { $0.isPulledDown })
    }

    /// Whether pictures last two and three fields, and by how much, in 2⁻³² of a field, their mean field differs from
    /// `field`.
    private func fit(field: Rational) -> (isPulledDown: Bool, error: Int) {
        let slack = max(Rational(1), field / Rational(8))
        var (twos, threes, ticks) = (0, 0, 0)
        for place in display.indices.dropFirst() {
            let step = Rational(Int(displayTime(place) &- displayTime(place - 1)))
            let isThree = step > field * Rational(5, 2)
            guard (step - field * Rational(isThree ? 3 : 2)).magnitude <= slack else { continue }
            if isThree { threes += 1 } else { twos += 1 }
            ticks += Int(displayTime(place) &- displayTime(place - 1))
        }
        let all = display.count - 1
        guard (twos + threes) * 10 >= all * 9, threes * 8 >= all else { return (false, .max) }
        let mean = Rational(ticks, twos * 2 + threes * 3)
        return (true, ((mean - field).magnitude / field * Rational(1 << 32)).rounded())
    }
}
