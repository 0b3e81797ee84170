internal import CFFmpeg
internal import Libav
internal import MediaTime

/// The frames per second of a track's shown frames, and the even grid that they lie on.
struct FrameRate: Sendable {
    var nominal: MediaTime?
    var isVariable = false
    /// The length of one frame in ticks.
    var ticks: Int64 = 0
    /// The times that the file's ticks were rounded from; nil where the file's clock is fine enough for the rate.
    var grid: Grid?

    /// An even grid: frame n is due at `first + n × step` ticks, and the file's times are within a tick of it.
    struct Grid: Sendable {
        var first: Int64
        var step: Rational

        /// The tick by which the frame that is due at `time` (in ticks) is there, however it was rounded; nil before
        /// the first. A step of more than two ticks keeps its successor out.
        func latestTick(at time: Rational) -> Int64? {
            let number = ((time - Rational(Int(first))) / step).floor()
            guard number >= 0 else { return nil }
            let (tick, overflow) = first.addingReportingOverflow(Int64((step * Rational(number)).floor()))
            return overflow || tick == .max ? .max : tick + 1
        }

        /// The time on the grid that is nearest to a tick.
        func time(near tick: Int64) -> Rational {
            let origin = Rational(numerator: Int128(first), denominator: 1)
            let offset = Rational(numerator: Int128(tick), denominator: 1) - origin
            return origin + step * Rational((offset / step).rounded())
        }
    }

    /// The facts that readers go by.
    init(nominal: MediaTime?, grid: Grid?) { (self.nominal, self.grid) = (nominal, grid) }

    /// Measures the rate, which is constant where every frame lies within a tick of an even grid: the files' clocks are
    /// often too coarse for it. Grid places without a frame, as where a camera dropped some, change nothing while most
    /// steps are one place.
    init(_ packets: PacketIndex, base: AVRational, guesses: [AVRational]) {
        let count = packets.display.count
        let guesses = guesses.filter { $0.num > 0 && $0.den > 0 }.map { Self.standard($0, base: base) }
        guard count > 1, base.num > 0, base.den > 0 else {
            fillFromOne(packets, base: base, guesses: guesses)
            return
        }
        let first = packets.displayTime(0)
        let (span, overflow) = packets.displayTime(count - 1).subtractingReportingOverflow(first)
        guard span > 0, !overflow else { return }
        let usual = Self.usualStep(packets)
        ticks = usual ?? max(1, span / Int64(count - 1))
        var candidates: [Rational] = []
        if span % Int64(count - 1) == 0 {
            candidates.append(Rational(1) / Rational(ticks: span / Int64(count - 1), base))
        }
        if let usual { candidates.append(Rational(1) / Rational(ticks: usual, base)) }
        for candidate in candidates + guesses + Rational.standardFrameRates {
            let step = Rational(1) / (candidate * Rational(base))
            guard Self.fits(packets, first: first, step: step) else { continue }
            nominal = candidate.mediaTime
            if step.denominator != 1, step > Rational(2) { grid = Grid(first: first, step: step) }
            return
        }
        isVariable = true
        let mean = Rational(count - 1) / Rational(ticks: span, base)
        nominal = (usual.map { Rational(1) / Rational(ticks: $0, base) } ?? mean).mediaTime
    }

    /// The distance of two frames, in ticks, that nearly all neighbours have; nil where there is none.
    private static func usualStep(_ packets: PacketIndex) -> Int64? {
        let steps = packets.display.indices.dropFirst().map { packets.displayTime($0) - packets.displayTime($0 - 1) }
        let middle = steps.sorted()[steps.count / 2]
        return middle > 0 && isMost(steps.count { $0 == middle }, of: steps.count) ? middle : nil
    }

    private static func isMost(_ part: Int, of whole: Int) -> Bool { part * 4 >= whole * 3 }

    private static func fits(_ packets: PacketIndex, first: Int64, step: Rational) -> Bool {
        guard step > .zero else { return false }
        let slack: Int64 = step.denominator == 1 ? 0 : 1
        var (previous, single) = (-1, 0)
        for place in packets.display.indices {
            let offset = packets.displayTime(place) - first
            func isAt(_ number: Int) -> Bool { abs(Int64((step * Rational(number)).rounded()) - offset) <= slack }
            var number = previous + 1
            if !isAt(number) { number = max((Rational(Int(offset)) / step).rounded(), number) }
            guard isAt(number) else { return false }
            if number == previous + 1 { single += 1 }
            previous = number
        }
        return isMost(single, of: packets.display.count)
    }

    /// The standard rate that a container's rate means, or the stated one: Matroska's nanoseconds become 19001/317 for
    /// 60000/1001. A rate whose frames are whole ticks is meant as it stands.
    private static func standard(_ guess: AVRational, base: AVRational) -> Rational {
        let stated = Rational(Int(guess.num), Int(guess.den))
        guard base.num > 0, base.den > 0, (Rational(1) / (stated * Rational(base))).denominator != 1 else {
            return stated
        }
        return stated.standardFrameRate ?? stated
    }

    private mutating func fillFromOne(_ packets: PacketIndex, base: AVRational, guesses: [Rational]) {
        if let guess = guesses.first(where: { $0 <= Rational(1000) }) {
            nominal = guess.mediaTime
            if base.num > 0, base.den > 0 { ticks = Int64((Rational(1) / (guess * Rational(base))).rounded()) }
        } else if let duration = packets.display.first.map({ packets.entries[Int($0)].duration }), duration > 0 {
            ticks = duration
            nominal = (Rational(1) / (Rational(ticks: duration, base))).mediaTime
        }
    }
}
