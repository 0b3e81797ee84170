import MediaTime
import Testing

@Suite("Sums and products of times")
struct MediaTimeArithmeticTests {
    struct Sum: Sendable {
        let left: MediaTime, right: MediaTime, expected: Stored
        init(_ left: MediaTime, _ right: MediaTime, _ expected: Stored) {
            (self.left, self.right, self.expected) = (left, right, expected)
        }
    }

    @Test(arguments: [
        // The same scale is kept, also where the result could be reduced.
        Sum(time(1, 600), time(599, 600), Stored(600, 600)),
        // Otherwise the lowest common multiple.
        Sum(time(1, 24), time(1, 30), Stored(9, 120)),
        Sum(time(1, 44100), time(1, 48000), Stored(160 + 147, 7_056_000)),
        Sum(time(-1, 2), time(1, 3), Stored(-1, 6)),
        // 2^31 - 1 is prime, so its multiple with 2 is too large: rounded in Int32.max, halves away from zero.
        Sum(time(1, .max), time(1, 2), Stored(1_073_741_825, .max, rounded: true)),
        Sum(time(-1, .max), time(-1, 2), Stored(-1_073_741_825, .max, rounded: true)),
        // Too large a common scale, yet the result is a whole number of its ticks.
        Sum(time(1, .max), time(2, 2), Stored(1 << 31, .max)),
        // Overflow halves the scale until the value fits: (2^63 - 1 + 2^63 - 1) / 600 = (2^63 - 1) / 300.
        Sum(time(.max, 600), time(.max, 600), Stored(.max, 300)),
        Sum(time(.max, 4), time(2, 4), Stored(4_611_686_018_427_387_905, 2, rounded: true)),
        Sum(time(.min, 2), time(.min, 2), Stored(.min, 1)),
    ])
    func addition(_ sum: Sum) {
        #expect(Stored(sum.left + sum.right) == sum.expected)
        #expect(Stored(sum.right + sum.left) == sum.expected)
    }

    @Test func overflowAtScaleOneIsInfinite() {
        #expect((time(.max, 1) + time(1, 1)).isPositiveInfinity)
        #expect((time(.min, 1) - time(1, 1)).isNegativeInfinity)
        #expect((time(.min, 1) + time(-1, 1)).isNegativeInfinity)
        #expect((time(0, 1) - time(.min, 1)).isPositiveInfinity)
        #expect(Stored(time(-1, 1) - time(.min, 1)) == Stored(.max, 1))
    }

    @Test func subtractionFollowsTheSameRules() {
        #expect(Stored(time(1, 24) - time(1, 30)) == Stored(1, 120))
        #expect(Stored(time(5, 600) - time(7, 600)) == Stored(-2, 600))
        #expect(Stored(-time(3, 600)) == Stored(-3, 600))
        #expect(Stored(-time(.min, 2)) == Stored(4_611_686_018_427_387_904, 1))
        #expect(Stored(time(-7, 30).absolute) == Stored(7, 30))
        #expect(MediaTime.negativeInfinity.absolute.isPositiveInfinity)
    }

    @Test func theRoundedFlagIsSticky() {
        let rounded = time(1, 3).convertScale(10)
        #expect(rounded.hasBeenRounded)
        #expect((rounded + time(1, 10)).hasBeenRounded)
        #expect((time(1, 10) - rounded).hasBeenRounded)
        #expect((rounded * 10).hasBeenRounded)
        #expect(rounded.multiplied(by: 10, dividedBy: 5).hasBeenRounded)
        #expect(rounded.multiplied(byDouble: 2).hasBeenRounded)
        #expect(rounded.convertScale(20).hasBeenRounded)
        #expect((-rounded).hasBeenRounded)
        #expect(!(time(1, 10) + time(2, 10)).hasBeenRounded)
    }

    @Test func infinitiesAddByTheTable() {
        let up = MediaTime.positiveInfinity
        let down = MediaTime.negativeInfinity
        let rows: [(MediaTime, MediaTime, MediaTime)] = [
            (up, down, .invalid), (down, up, .invalid), (up, up, up), (down, down, down), (up, .zero, up),
            (.zero, down, down), (up, .invalid, .invalid), (.invalid, .invalid, .invalid), (.zero, .invalid, .invalid),
            (.indefinite, up, up), (down, .indefinite, down), (.indefinite, .zero, .indefinite),
            (.indefinite, .indefinite, .indefinite), (.indefinite, .invalid, .invalid),
        ]
        for (left, right, sum) in rows { #expect(left + right == sum, "\(left) + \(right)") }
        let differences: [(MediaTime, MediaTime, MediaTime)] = [
            (up, up, .invalid), (down, down, .invalid), (up, down, up), (down, up, down), (.zero, up, down),
            (.zero, down, up), (.indefinite, up, down), (.zero, .indefinite, .indefinite), (up, .zero, up),
        ]
        for (left, right, difference) in differences {
            #expect(left - right == difference, "\(left) - \(right)")
        }
    }

    @Test func epochsOfSums() {
        func at(_ epoch: Int64) -> MediaTime { MediaTime(value: 2, timescale: 1, epoch: epoch) }
        #expect(!(at(1) + at(2)).isValid)
        #expect(!(at(1) - at(2)).isValid)
        #expect((at(3) - at(3)).epoch == 0)
        #expect((at(3) + at(3)).epoch == 0)
        #expect((at(3) + at(0)).epoch == 3)
        #expect((at(0) + at(3)).epoch == 3)
        #expect((at(3) - at(0)).epoch == 3)
    }

    @Test func multiplyByAnInteger() {
        #expect(Stored(time(1001, 30000) * 30000) == Stored(30_030_000, 30000))
        #expect(time(1001, 30000) * 30000 == time(1001, 1))
        #expect(Stored(time(.max, 600) * -4) == Stored(-.max, 150))
        #expect((time(.max, 1) * -2).isNegativeInfinity)
        #expect((MediaTime.positiveInfinity * -3).isNegativeInfinity)
        #expect((MediaTime.negativeInfinity * -3).isPositiveInfinity)
        #expect(!(MediaTime.positiveInfinity * 0).isValid)
        #expect((MediaTime.indefinite * 2).isIndefinite)
        #expect(!(MediaTime.invalid * 2).isValid)
    }

    @Test func multiplyByADouble() {
        // 600 doubles to 76800 (the first at or above 65536).
        #expect(Stored(time(1, 600).multiplied(byDouble: 0.5)) == Stored(64, 76800))
        #expect(Stored(time(90000, 90000).multiplied(byDouble: 2.5)) == Stored(225_000, 90000))
        #expect(Stored(time(-1, 1).multiplied(byDouble: 0.1)) == Stored(-6554, 65536, rounded: true))
        #expect(Stored(time(1 << 60, 1).multiplied(byDouble: 4)) == Stored(1 << 62, 1))
        #expect(Stored(time(1 << 60, 1).multiplied(byDouble: 4).convertScale(1)) == Stored(1 << 62, 1))
        #expect(Stored(time(.max, 90000).multiplied(byDouble: 8)) == Stored(.max, 11250))
        // The half second is kept where the value leaves room for it.
        #expect(Stored(time(1 << 50 | 1, 1).multiplied(byDouble: 0.5)) == Stored(1 << 62 | 4096, 8192))
        #expect(time(.max, 1).multiplied(byDouble: 2).isPositiveInfinity)
        #expect(time(1, 1).multiplied(byDouble: -.infinity).isNegativeInfinity)
        #expect(time(-1, .max).multiplied(byDouble: 1e300).isNegativeInfinity)
        #expect(!time(1, 1).multiplied(byDouble: .nan).isValid)
        #expect(!time(0, 1).multiplied(byDouble: .infinity).isValid)
        #expect(Stored(time(1, 1).multiplied(byDouble: 1e-300)) == Stored(0, 65536, rounded: true))
        #expect(Stored(time(1, 1).multiplied(byDouble: 0)) == Stored(0, 65536))
        #expect(MediaTime.positiveInfinity.multiplied(byDouble: -0.5).isNegativeInfinity)
    }

    @Test func multiplyByARatio() {
        // Exact in its own scale; else in the finer one; else in lowest terms.
        #expect(Stored(time(600, 600).multiplied(by: 1, dividedBy: 2)) == Stored(300, 600))
        #expect(Stored(time(1, 600).multiplied(by: 2, dividedBy: 4)) == Stored(1, 1200))
        #expect(Stored(time(1, 600).multiplied(by: 1, dividedBy: -7)) == Stored(-1, 4200))
        #expect(Stored(time(3, 2).multiplied(by: 1, dividedBy: .max)).rounded)
        #expect(Stored(time(1001, 30000).multiplied(by: 30000, dividedBy: 1001)) == Stored(30000, 30000))
        #expect(time(.max, 1).multiplied(by: .max, dividedBy: 1).isPositiveInfinity)
        #expect(Stored(time(.max, 1).multiplied(by: 3, dividedBy: 3)) == Stored(.max, 1))
        #expect(time(5, 1).multiplied(by: 1, dividedBy: 0).isPositiveInfinity)
        #expect(time(5, 1).multiplied(by: -1, dividedBy: 0).isNegativeInfinity)
        #expect(!time(5, 1).multiplied(by: 0, dividedBy: 0).isValid)
        #expect(!time(0, 1).multiplied(by: 5, dividedBy: 0).isValid)
        #expect(MediaTime.positiveInfinity.multiplied(by: 1, dividedBy: -2).isNegativeInfinity)
        #expect(Stored(time(1, 1).multiplied(by: .min, dividedBy: .min)) == Stored(1, 1))
    }

    @Test func aThousandAndOneSecondsExactly() {
        let frame = time(1001, 30000)
        var sum = MediaTime.zero
        for _ in 0..<30000 { sum += frame }
        #expect(sum == time(1001, 1))
        #expect(!sum.hasBeenRounded)
        #expect(FrameGrid(frameDuration: frame).time(ofFrame: 30000) == Rational(1001))
    }
}
