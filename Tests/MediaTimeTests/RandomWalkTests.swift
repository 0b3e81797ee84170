import MediaTime
import TestTools
import Testing

/// Random operands against plain 128-bit arithmetic written out here.
@Suite("Random walks")
struct RandomWalkTests {
    @Test func comparisonIsCrossMultiplication() {
        var random = SeededNumbers(seed: 1)
        for _ in 0..<20000 {
            let (a, s, b, t) = (random.value(), random.timescale(), random.value(), random.timescale())
            let left = Int128(a) * Int128(t)
            let right = Int128(b) * Int128(s)
            #expect((time(a, s) < time(b, t)) == (left < right))
            #expect((time(a, s) == time(b, t)) == (left == right))
            #expect((Rational(time(a, s)) < Rational(time(b, t))) == (left < right))
        }
    }

    @Test func sumsAreExactOrMarked() {
        var random = SeededNumbers(seed: 2)
        for _ in 0..<20000 {
            let (a, s, b, t) = (random.value(), random.timescale(), random.value(), random.timescale())
            let numerator = Int128(a) * Int128(t) + Int128(b) * Int128(s)
            let denominator = Int128(s) * Int128(t)
            let sum = time(a, s) + time(b, t)
            guard sum.isNumeric else {
                #expect((numerator / denominator).magnitude >= Int128(Int64.max).magnitude)
                #expect(sum.isPositiveInfinity == (numerator > 0))
                continue
            }
            // |sum - exact| × scale: 0 where it is not marked, else at most half a tick.
            let error = Int128(sum.value) * denominator - numerator * Int128(sum.timescale)
            #expect(sum.hasBeenRounded == (error != 0))
            #expect(error.magnitude * 2 <= denominator.magnitude)
            #expect(
                Rational(time(a, s)) + Rational(time(b, t)) == Rational(numerator: numerator, denominator: denominator))
        }
    }

    @Test func addingAndTakingAwayAgain() {
        var random = SeededNumbers(seed: 3)
        for _ in 0..<5000 {
            let a = time(random.value() >> 20, random.timescale() >> 16 | 1)
            let b = time(random.value() >> 20, random.timescale() >> 16 | 1)
            #expect(a + b - b == a)
            #expect(a - b == -(b - a))
            #expect(a + b == b + a)
            #expect((a + b).hashValue == (b + a).hashValue)
        }
    }

    @Test func everyRoundingMethodKeepsItsPromise() {
        var random = SeededNumbers(seed: 4)
        for _ in 0..<5000 {
            let (value, from, to) = (random.value() >> 30, random.timescale(), random.timescale() >> 8 | 1)
            let exact = Int128(value) * Int128(to)
            for method in RoundingMethod.allCases {
                let result = time(value, from).convertScale(to, method: method)
                // Ticks of the result and the exact value, both times `from`.
                let error = Int128(result.value) * Int128(from) - exact
                #expect(result.hasBeenRounded == (error != 0))
                #expect(error.magnitude < UInt128(from))
                switch method {
                case .halfAwayFromZero: #expect(error.magnitude * 2 <= UInt128(from))
                case .towardZero: #expect(error == 0 || (error < 0) == (value > 0))
                case .awayFromZero: #expect(error == 0 || (error > 0) == (value > 0))
                case .towardPositiveInfinity: #expect(error >= 0)
                case .towardNegativeInfinity: #expect(error <= 0)
                case .quickTime: #expect(value >= 0 || result.value < 0)
                }
            }
        }
    }

    @Test func ratiosAndProducts() {
        var random = SeededNumbers(seed: 5)
        for _ in 0..<10000 {
            let start = time(random.value() >> 8, random.timescale())
            let multiplier = Int32(truncatingIfNeeded: random.next())
            let divisor = Int32(truncatingIfNeeded: random.next()) | 1
            let result = start.multiplied(by: Int(multiplier), dividedBy: Int(divisor))
            guard result.isNumeric else { continue }
            let numerator = Int128(start.value) * Int128(multiplier)
            let denominator = Int128(start.timescale) * Int128(divisor)
            let exact = Rational(numerator: numerator, denominator: denominator)
            let error = (Rational(result) - exact).magnitude
            #expect((error == .zero) == !result.hasBeenRounded)
            #expect(error * Rational(2 * Int(result.timescale)) <= Rational(1))
        }
    }

    @Test func doublesScaleAsIntegersDo() {
        var random = SeededNumbers(seed: 6)
        for _ in 0..<10000 {
            let start = time(random.value() >> 30, random.timescale())
            let whole = Int32(truncatingIfNeeded: random.next()) >> 16
            let byDouble = start.multiplied(byDouble: Double(whole))
            #expect(byDouble == start * Int(whole))
            #expect(!byDouble.hasBeenRounded)
            #expect(byDouble.timescale >= 65536)
        }
    }

    @Test func textComesBack() {
        var random = SeededNumbers(seed: 7)
        for _ in 0..<5000 {
            let original = time(random.value(), random.timescale())
            #expect(MediaTime(text: original.description).map { Stored($0) } == Stored(original))
        }
    }

    @Test func foldingLandsInTheRange() {
        var random = SeededNumbers(seed: 8)
        for _ in 0..<5000 {
            let loop = range(time(random.value() >> 40, 600), time(random.value() >> 40 & 0xFFFF | 1, 1001))
            let folded = loop.fold(time(random.value() >> 40, 1000))
            #expect(loop.contains(folded))
        }
    }
}
