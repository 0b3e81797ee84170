import Foundation
import MediaTime
import Testing

@Suite("Exact fractions, frames and samples")
struct RationalTests {
    @Test func lowestTermsWithAPositiveDenominator() {
        #expect(Rational(6, -4) == Rational(-3, 2))
        #expect(Rational(6, -4).numerator == -3 && Rational(6, -4).denominator == 2)
        #expect(Rational(0, -7).denominator == 1)
        #expect(Rational(time(300, 600)) == Rational(1, 2))
        #expect(Rational(-3, 2).description == "-3/2")
        #expect(Rational(7).description == "7/1")
        #expect(Rational(-3, 2).magnitude == Rational(3, 2))
    }

    @Test func secondsForPeople() {
        #expect(Rational(7, 15).shortSeconds == "0.467")
        #expect(Rational(100).shortSeconds == "100")
        #expect(Rational(-5, 2).shortSeconds == "-2.5")
        #expect(Rational(1, 20).shortSeconds == "0.05")
        #expect(Rational(-1, 20).shortSeconds == "-0.05")
        #expect(Rational(1, 3000).shortSeconds == "0")
        #expect(Rational(1999_9999, 1000_0000).shortSeconds == "2")
    }

    @Test func arithmetic() {
        #expect(Rational(1, 24) + Rational(1, 30) == Rational(3, 40))
        #expect(Rational(1, 24) - Rational(1, 24) == .zero)
        #expect(Rational(2, 3) * Rational(-9, 4) == Rational(-3, 2))
        #expect(Rational(2, 3) / Rational(-4, 9) == Rational(-3, 2))
        #expect(Rational(1, 3) < Rational(34, 100))
        #expect(Rational(-1, 3) > Rational(-34, 100))
        #expect(Rational(1001, 30000) * Rational(30000) == Rational(1001))
        #expect(Rational(1, 4).double == 0.25)
    }

    @Test(arguments: [
        (Rational(5, 2), 2, 3, 3), (Rational(-5, 2), -3, -2, -3), (Rational(7, 3), 2, 3, 2),
        (Rational(-7, 3), -3, -2, -2), (Rational(4), 4, 4, 4), (Rational(1, 2), 0, 1, 1), (Rational(-1, 2), -1, 0, -1),
    ])
    func wholeNumbers(number: Rational, floor: Int, ceil: Int, rounded: Int) {
        #expect(number.floor() == floor)
        #expect(number.ceil() == ceil)
        #expect(number.rounded() == rounded)
    }

    @Test func extremesNeverTrap() {
        let huge = Rational(numerator: .max, denominator: 1)
        let least = Rational(numerator: .min, denominator: .min + 1)
        let tiny = Rational(numerator: 1, denominator: .max)
        let all = [huge, -huge, least, -least, tiny, -tiny, .zero, Rational(Int.max), Rational(Int.min)]
        for a in all {
            for b in all {
                let results = [a + b, a - b, a * b]
                for result in results { #expect(result.denominator > 0) }
                if b != .zero { #expect((a / b).denominator > 0) }
                #expect((a < b) == (b > a))
            }
            #expect(a.floor() <= a.ceil())
        }
        #expect(huge.floor() == .max)
        #expect((-huge).ceil() == .min)
        #expect(huge > Rational(Int.max))
        #expect(tiny > .zero)
    }

    @Test func overflowRoundsToTwoToTheMinus62() {
        // Denominators 2^100 and 3^60: the exact sum needs more than 128 bits.
        var third = Rational(1)
        for _ in 0..<60 { third = third / Rational(3) }
        let sum = Rational(numerator: (1 << 101) + 1, denominator: 1 << 100) + third
        #expect(sum == Rational(2))
        let product = Rational(numerator: (1 << 90) + 1, denominator: 1 << 90) * (Rational(1) - third)
        #expect((product - Rational(1)).magnitude <= Rational(numerator: 2, denominator: 1 << 62))
        // (10^12 + 1/3^30) × (1/2^70 … ) stays accurate to 2^-62 × 10^12.
        let large = Rational(1_000_000_000_000) + Rational(1, 205_891_132_094_649)
        let scaled = large * (Rational(1) + Rational(numerator: 1, denominator: 1 << 100))
        #expect((scaled - large).magnitude < Rational(1, 1_000_000))
    }

    @Test func backToMediaTime() {
        #expect(Stored(Rational(1, 3).mediaTime) == Stored(1, 3))
        #expect(Stored(Rational(1, 3).mediaTime(timescale: 600)) == Stored(200, 600))
        #expect(Stored(Rational(1, 3).mediaTime(timescale: 10)) == Stored(3, 10, rounded: true))
        #expect(Stored(Rational(-1, 2).mediaTime(timescale: 1)) == Stored(-1, 1, rounded: true))
        #expect(Stored(Rational(1, 1 << 32).mediaTime) == Stored(0, .max, rounded: true))
        #expect(Stored(Rational(3, 1 << 32).mediaTime) == Stored(1, .max, rounded: true))
        #expect(!Rational(1).mediaTime(timescale: 0).isValid)
        #expect(Rational(numerator: 1 << 100, denominator: 1).mediaTime.isPositiveInfinity)
        #expect(Rational(numerator: -1 << 100, denominator: 1).mediaTime.isNegativeInfinity)
    }

    @Test func codesAsText() throws {
        let data = try JSONEncoder().encode([Rational(-3, 2)])
        #expect(try JSONDecoder().decode([Rational].self, from: data) == [Rational(-3, 2)])
        for hostile in ["[\"1/0\"]", "[\"1/-2\"]", "[\"1\"]", "[\"/\"]", "[\"1/2/3\"]"] {
            #expect(throws: DecodingError.self) { try JSONDecoder().decode([Rational].self, from: Data(hostile.utf8)) }
        }
    }

    @Test func framesAtNTSCRate() {
        let grid = FrameGrid(frameDuration: time(1001, 30000))
        #expect(grid.rateText == "30000/1001")
        #expect(grid.time(ofFrame: 30000) == Rational(1001))
        #expect(grid.frame(at: Rational(1001)) == 30000)
        #expect(grid.frame(at: Rational(1001) - Rational(1, 1_000_000_000)) == 29999)
        #expect(grid.firstFrame(atOrAfter: Rational(1001)) == 30000)
        #expect(grid.firstFrame(atOrAfter: Rational(1)) == 30)
        #expect(grid.frame(at: Rational(1)) == 29)
        #expect(grid.frame(at: Rational(-1, 1000)) == -1)
        #expect(grid.frameCount(duration: Rational(1)) == 30)
        #expect(grid.frameCount(duration: .zero) == 0)
        #expect(grid.frameCount(duration: Rational(-5)) == 0)
        #expect(grid.frameCount(duration: Rational(1001, 30000)) == 1)
        #expect(FrameGrid(frameDuration: time(40, 1000)).rateText == "25/1")
    }

    @Test func everyFrameFindsItself() {
        for duration in [time(1001, 30000), time(1001, 24000), time(1, 25), time(1, 60), time(7, 600), time(3, 1)] {
            let grid = FrameGrid(frameDuration: duration)
            for index in [0, 1, 2, 29, 30, 1799, 107_892, 1 << 40, -1, -30] {
                #expect(grid.frame(at: grid.time(ofFrame: index)) == index)
                #expect(grid.firstFrame(atOrAfter: grid.time(ofFrame: index)) == index)
            }
        }
    }

    @Test func samples() {
        #expect(sampleIndex(of: Rational(1001, 30000), rate: 48000) == 1602)  // 1601.6
        #expect(sampleIndex(of: Rational(1, 96000), rate: 48000) == 1)  // exactly half
        #expect(sampleIndex(of: Rational(-1, 96000), rate: 48000) == -1)
        #expect(sampleIndex(of: Rational(1, 96001), rate: 48000) == 0)
        #expect(sampleIndex(of: Rational(1001), rate: 44100) == 44_144_100)
        // Five NTSC frames hold 8008 samples at 48 kHz, in the well-known 1602 1601 1602 1601 1602 pattern.
        let edges = (0...5).map { sampleIndex(of: Rational($0) * Rational(1001, 30000), rate: 48000) }
        #expect(zip(edges.dropFirst(), edges).map { $0 - $1 } == [1602, 1601, 1602, 1601, 1602])
    }

    @Test(arguments: [
        (Rational(9), "9s"), (Rational(5, 2), "2.5s"), (Rational(751, 250), "3.004s"), (Rational(1, 8), "0.125s"),
        (Rational(1, 16), "1/16"), (Rational(1001, 30000), "1001/30000"), (.zero, "0s"), (Rational(-3, 2), "-1.5s"),
    ])
    func plainTimesAreExact(number: Rational, text: String) {
        #expect(number.plainTime.text == text)
        #expect(Rational(number.plainTime) == number)
    }
}
