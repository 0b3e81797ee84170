import MediaTime
import TestTools
import Testing

/// Times, ranges and mappings against the table of Core Media's rules by random cases. What the table says is written
/// out in `TableTime` and `TableRange`, with 128-bit integers.
@Suite("The table of times")
struct TimeTableTests {
    /// The cases of which the table's answer was another one. They are collected: an expectation for each answer would
    /// cost more than the answer.
    private struct Findings {
        var texts: [String] = []

        mutating func check(_ holds: Bool, _ text: @autoclosure () -> String) {
            if !holds, texts.count < 20 { texts.append(text()) }
        }
    }

    @Test(arguments: 0..<10) func arithmetic(part: Int) {
        var random = SeededNumbers(seed: UInt64(100 + part))
        var findings = Findings()
        for _ in 0..<10_000 {
            let (a, b) = (random.tableTime(), random.tableTime())
            let (x, y) = (a.time, b.time)
            findings.check((a + b).isStored(x + y), "\(a) + \(b) is not \(x + y)")
            findings.check((a - b).isStored(x - y), "\(a) - \(b) is not \(x - y)")
            let factor = random.factor()
            findings.check(a.times(factor).isStored(x * factor), "\(a) × \(factor) is not \(x * factor)")
            findings.check(a.times(factor).isStored(factor * x), "\(factor) × \(a) is not \(factor * x)")
            findings.check(a.times(-1).isStored(-x), "-(\(a)) is not \(-x)")
            findings.check(a.absolute.isStored(x.absolute), "|\(a)| is not \(x.absolute)")
            let divisor = random.factor()
            let ratio = x.multiplied(by: factor, dividedBy: divisor)
            findings.check(
                a.times(factor, over: divisor).isStored(ratio), "\(a) × \(factor)/\(divisor) is not \(ratio)")
            findings.check(a.times(1, over: divisor).isStored(x / divisor), "\(a) / \(divisor) is not \(x / divisor)")
            let (whole, halvings) = (Int32(truncatingIfNeeded: random.next()) >> random.shift(31), random.shift(40))
            let double = Double(whole) / Double(1 << halvings)
            let product = x.multiplied(byDouble: double)
            findings.check(
                a.times(whole, halved: halvings).isStored(product), "\(a) × \(whole)/2^\(halvings) is not \(product)")
        }
        #expect(findings.texts.isEmpty)
    }

    @Test(arguments: 0..<10) func orderAndScales(part: Int) {
        var random = SeededNumbers(seed: UInt64(200 + part))
        var findings = Findings()
        for _ in 0..<10_000 {
            let a = random.tableTime()
            // Equal fractions in another scale are as many as chance would not make.
            let finer = a.scale < 1 << 30 ? a.scale * 2 : a.scale
            let b = random.shift(3) > 0 ? random.tableTime() : a.converted(finer, .towardZero)
            let (x, y, order) = (a.time, b.time, TableTime.compare(a, b))
            findings.check((x < y) == (order < 0), "\(a) < \(b)")
            findings.check((x == y) == (order == 0), "\(a) == \(b)")
            findings.check((x >= y) == (order >= 0), "\(a) >= \(b)")
            findings.check(order != 0 || x.hashValue == y.hashValue, "\(a) and \(b) hash differently")
            let scale = random.shift(50) == 0 ? -5 : random.timescale()
            for method in RoundingMethod.allCases {
                let converted = x.convertScale(scale, method: method)
                findings.check(
                    a.converted(scale, method).isStored(converted), "\(a) in \(scale) \(method): \(converted)")
            }
            findings.check(a.isStored(MediaTime(dictionary: x.dictionary)), "\(a) as a dictionary")
            let plain = a.kind == .number ? TableTime(a.value, a.scale) : a
            for text in [x.description, x.text] {
                findings.check(MediaTime(text: text).map(plain.isStored) == true, "\(a) as \(text)")
            }
            let kinds = [x.isNumeric, x.isIndefinite, x.isPositiveInfinity, x.isNegativeInfinity, !x.isValid]
            findings.check(kinds.firstIndex(of: true) == [3, 0, 1, 2, 4][a.kind.rawValue], "the kind of \(a)")
            findings.check(kinds.count { $0 } == 1 && x.isInfinite == a.isInfinite, "the kinds of \(a)")
        }
        #expect(findings.texts.isEmpty)
    }

    @Test(arguments: 0..<10) func secondsAsDoubles(part: Int) {
        var random = SeededNumbers(seed: UInt64(300 + part))
        var findings = Findings()
        for _ in 0..<10_000 {
            let whole = Int64(bitPattern: random.next()) >> Int64(11 + random.shift(52))
            let (up, down) = random.shift(2) == 0 ? (random.shift(25), 0) : (0, random.shift(60))
            let (numerator, denominator) = (Int128(whole) << Int128(up), Int128(1) << Int128(down))
            let seconds = Double(whole) * Double(Int128(1) << Int128(up)) / Double(denominator)
            let scale = random.timescale()
            var expected = TableTime.halving(numerator, denominator, scale)
            expected.rounded = expected.kind == .number && Double(expected.value) / Double(expected.scale) != seconds
            let made = MediaTime(seconds: seconds, preferredTimescale: scale)
            findings.check(expected.isStored(made), "\(whole)·2^\(up - down) s in \(scale) is not \(made)")
            let back = expected.kind == .number ? Double(expected.value) / Double(expected.scale) : made.seconds
            findings.check(made.seconds == back, "\(made) is \(made.seconds) s")
        }
        #expect(findings.texts.isEmpty)
    }

    @Test(arguments: 0..<10) func ranges(part: Int) {
        var random = SeededNumbers(seed: UInt64(400 + part))
        var findings = Findings()
        for _ in 0..<10_000 {
            let (a, b, t) = (random.tableRange(), random.tableRange(), random.tableTime())
            let (x, y, time) = (a.range, b.range, t.time)
            findings.check(x.isValid == a.isValid && x.isEmpty == a.isEmpty, "the kind of \(a)")
            findings.check(x.isNumeric == a.isNumeric && x.isIndefinite == a.isIndefinite, "the kind of \(a)")
            findings.check(a.end.isStored(x.end), "the end of \(a) is not \(x.end)")
            let made = TimeRange(start: x.start, end: time)
            findings.check(TableRange(start: a.start, end: t).isSame(made), "\(a.start) to \(t) is not \(made)")
            for place in [t, a.start, a.end] {
                findings.check(x.contains(place.time) == a.contains(place), "\(place) in \(a)")
            }
            findings.check(x.contains(y) == a.contains(b), "\(b) in \(a)")
            findings.check(a.union(b).isSame(x.union(y)), "\(a) ∪ \(b) is not \(x.union(y))")
            findings.check(a.intersection(b).isSame(x.intersection(y)), "\(a) ∩ \(b) is not \(x.intersection(y))")
            findings.check(a.clamp(t).isSame(x.clamp(time)), "\(t) clamped to \(a) is not \(x.clamp(time))")
            findings.check(a.clamp(b).isSame(x.clamp(y)), "\(b) clamped to \(a) is not \(x.clamp(y))")
        }
        #expect(findings.texts.isEmpty)
    }

    @Test(arguments: 0..<10) func mappings(part: Int) {
        var random = SeededNumbers(seed: UInt64(500 + part))
        var findings = Findings()
        for _ in 0..<10_000 {
            let (a, b, t) = (random.tableRange(isShort: true), random.tableRange(isShort: true), random.shortTime())
            let (x, y, time) = (a.range, b.range, t.time)
            findings.check(a.map(t, to: b).isStored(x.map(time, to: y)), "\(t) of \(a) in \(b): \(x.map(time, to: y))")
            let length = x.map(duration: time, to: y)
            findings.check(a.map(length: t, to: b).isStored(length), "\(t) long of \(a) in \(b): \(length)")
            findings.check(a.fold(t).isStored(x.fold(time)), "\(t) folded into \(a): \(x.fold(time))")
            let part = random.tableRange(isShort: true)
            let mapped = x.map(range: part.range, to: y)
            findings.check(a.map(part, to: b).isSame(mapped), "\(part) of \(a) in \(b): \(mapped)")
            let edit = TimeMapping(source: x, target: y)
            findings.check(edit.isEmptyEdit == (a.start.kind != .number), "empty edit \(a)")
            findings.check(edit.isValid == (b.isValid && (edit.isEmptyEdit || a.isValid)), "valid edit \(a) to \(b)")
            findings.check(b.map(t, to: a).isStored(edit.sourceTime(at: time)), "the source of \(t) in \(b)")
            findings.check(a.map(t, to: b).isStored(edit.targetTime(of: time)), "the target of \(t) in \(a)")
            findings.check(b.map(part, to: a).isSame(edit.sourceRange(in: part.range)), "the source of \(part)")
            findings.check(a.map(part, to: b).isSame(edit.targetRange(of: part.range)), "the target of \(part)")
            if a.isNumeric, b.isNumeric, !b.isEmpty {
                let (top, bottom) = (edit.rate.numerator, edit.rate.denominator)
                let own = Int128(a.duration.value) * Int128(b.duration.scale) * bottom
                findings.check(
                    own == top * Int128(b.duration.value) * Int128(a.duration.scale), "the rate of \(a) to \(b)")
            } else {
                findings.check(edit.rate == .zero, "the rate of \(a) to \(b)")
            }
        }
        #expect(findings.texts.isEmpty)
    }

    @Test func shortFormsOfTimes() {
        #expect(Stored(MediaTime(1, 25)) == Stored(1, 25))
        #expect(Stored(MediaTime(-1001, 30000)) == Stored(-1001, 30000))
        #expect(!MediaTime(1, 0).isValid && !MediaTime(1, -1).isValid && !MediaTime(1, 1 << 31).isValid)
        #expect(Stored(MediaTime.seconds(-2)) == Stored(-2, 1))
        #expect(Stored(MediaTime(1, 25) * 50 / 4) == Stored(50, 100))
        #expect(Stored(Rational(5_000_000_000).mediaTime + MediaTime(1, 3)) == Stored(15_000_000_001, 3))
        let long = Rational(numerator: (1 << 33) * 0x1_0000_0001 + 1, denominator: 0x1_0000_0001)
        #expect(Stored(long.mediaTime) == Stored(.max - (1 << 33) + 1, 0x3FFF_FFFF, rounded: true))
    }
}

extension SeededNumbers {
    /// A number from 0 up to but not including `count`.
    fileprivate mutating func shift(_ count: Int) -> Int { next(in: 0..<count) }

    /// Small and large numbers alike, 0 and the extremes now and then.
    fileprivate mutating func factor() -> Int {
        switch shift(20) {
        case 0: [0, 1, -1, .max, .min][shift(5)]
        default: Int(Int64(bitPattern: next()) >> Int64(shift(63)))
        }
    }

    private mutating func special() -> TableTime {
        TableTime([.invalid, .indefinite, .positiveInfinity, .negativeInfinity][shift(4)])
    }

    /// Numbers of all sizes; every tenth is none, and some have epochs.
    fileprivate mutating func tableTime() -> TableTime {
        if shift(10) == 0 { return special() }
        return TableTime(
            shift(30) == 0 ? [0, .max, .min][shift(3)] : value(), timescale(),
            epoch: shift(5) == 0 ? Int64(shift(3)) : 0, rounded: shift(8) == 0)
    }

    /// A time of up to 31 bits in a scale of up to 15, see `TableRange.map`.
    fileprivate mutating func shortTime() -> TableTime {
        if shift(15) == 0 { return special() }
        let usual: [Int32] = [1, 24, 25, 30, 600, 1001, 1000, 24000, 30000]
        return TableTime(
            Int64(Int32(truncatingIfNeeded: next()) >> Int32(shift(31))),
            shift(2) == 0 ? usual[shift(9)] : Int32(1 + shift(32767)), epoch: shift(12) == 0 ? Int64(shift(3)) : 0,
            rounded: shift(8) == 0)
    }

    /// A range that is valid as a rule; some are empty, endless or none.
    fileprivate mutating func tableRange(isShort: Bool = false) -> TableRange {
        let start = isShort ? shortTime() : tableTime()
        var duration = isShort ? shortTime() : tableTime()
        if shift(20) > 0 {
            duration.epoch = 0
            duration.value = duration.value == .min ? 1 : duration.value.magnitude == 0 ? 1 : abs(duration.value)
            if duration.kind != .number { duration.value = 0 }
        }
        switch shift(30) {
        case 0: duration = TableTime(0, 600)
        case 1, 2: duration = TableTime(.positiveInfinity)
        default: break
        }
        return TableRange(start: start, duration: duration)
    }
}
