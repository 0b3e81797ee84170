import MediaTime
import Testing

@Suite("Rounding into a scale")
struct MediaTimeScalingTests {
    struct Row: Sendable {
        let from: MediaTime
        let scale: Int32
        /// The values by method, in the order of the enumeration: half away, to zero, away, QuickTime, up, down.
        let values: [Int64]
    }

    @Test(arguments: [
        Row(from: time(3, 2), scale: 1, values: [2, 1, 2, 1, 2, 1]),
        Row(from: time(-3, 2), scale: 1, values: [-2, -1, -2, -1, -1, -2]),
        Row(from: time(4, 3), scale: 1, values: [1, 1, 2, 1, 2, 1]),
        Row(from: time(-4, 3), scale: 1, values: [-1, -1, -2, -1, -1, -2]),
        // QuickTime: away from zero into a larger scale.
        Row(from: time(4, 3), scale: 4, values: [5, 5, 6, 6, 6, 5]),
        Row(from: time(-4, 3), scale: 4, values: [-5, -5, -6, -6, -5, -6]),
        // QuickTime: a negative never becomes 0.
        Row(from: time(-1, 3), scale: 1, values: [0, 0, -1, -1, 0, -1]),
        Row(from: time(1, 3), scale: 1, values: [0, 0, 1, 0, 1, 0]),
        Row(
            from: time(.max, .max), scale: 1,
            values: [1 << 32, 1 << 32, (1 << 32) + 1, 1 << 32, (1 << 32) + 1, 1 << 32]
                .map { $0 + 2 }),
    ])
    func everyMethod(_ row: Row) {
        let methods: [RoundingMethod] = [
            .halfAwayFromZero, .towardZero, .awayFromZero, .quickTime, .towardPositiveInfinity, .towardNegativeInfinity,
        ]
        #expect(methods.count == RoundingMethod.allCases.count)
        for (method, value) in zip(methods, row.values) {
            let converted = row.from.convertScale(row.scale, method: method)
            #expect(Stored(converted) == Stored(value, row.scale, rounded: true), "\(row.from) \(method)")
        }
    }

    @Test func exactConversionsAreNotMarked() {
        for method in RoundingMethod.allCases {
            #expect(Stored(time(-300, 600).convertScale(48000, method: method)) == Stored(-24000, 48000))
            #expect(Stored(time(600, 600).convertScale(1, method: method)) == Stored(1, 1))
        }
    }

    @Test func whatIsNotANumberStaysSo() {
        let specials: [MediaTime] = [.positiveInfinity, .negativeInfinity, .indefinite, .invalid]
        for special in specials { #expect(special.convertScale(600) == special) }
        #expect(!time(1, 2).convertScale(0).isValid)
        #expect(!time(1, 2).convertScale(-5).isValid)
        #expect(time(.max, 1).convertScale(2).isPositiveInfinity)
        #expect(time(.min, 1).convertScale(2).isNegativeInfinity)
        #expect(MediaTime(value: 1, timescale: 2, epoch: 4).convertScale(4).epoch == 4)
    }

    @Test func fromSeconds() {
        #expect(Stored(MediaTime(seconds: 2.5, preferredTimescale: 600)) == Stored(1500, 600))
        // 0.1 is not exactly 1/10, but 1/10 gives the same Double back.
        #expect(Stored(MediaTime(seconds: 0.1, preferredTimescale: 10)) == Stored(1, 10))
        #expect(Stored(MediaTime(seconds: 1.0 / 3.0, preferredTimescale: 600)) == Stored(200, 600))
        #expect(Stored(MediaTime(seconds: 0.1, preferredTimescale: 3)) == Stored(0, 3, rounded: true))
        #expect(Stored(MediaTime(seconds: -0.5, preferredTimescale: 1)) == Stored(-1, 1, rounded: true))
        #expect(Stored(MediaTime(seconds: -0.0, preferredTimescale: 7)) == Stored(0, 7))
    }

    @Test func fromExtremeSeconds() {
        #expect(!MediaTime(seconds: 1, preferredTimescale: 0).isValid)
        #expect(!MediaTime(seconds: 1, preferredTimescale: -600).isValid)
        #expect(!MediaTime(seconds: .nan, preferredTimescale: 600).isValid)
        #expect(MediaTime(seconds: .infinity, preferredTimescale: 600).isPositiveInfinity)
        #expect(MediaTime(seconds: -1e300, preferredTimescale: 600).isNegativeInfinity)
        // 2^62 × 600 does not fit; × 1 (600 → 300 → … → 2 → 1) does.
        #expect(Stored(MediaTime(seconds: 0x1p62, preferredTimescale: 600)) == Stored(1 << 62, 1))
        #expect(Stored(MediaTime(seconds: -0x1p63, preferredTimescale: 600)) == Stored(.min, 1))
        #expect(MediaTime(seconds: 0x1p63, preferredTimescale: 600).isPositiveInfinity)
        #expect(Stored(MediaTime(seconds: 0x1p60, preferredTimescale: 16)) == Stored(1 << 62, 4))
        #expect(Stored(MediaTime(seconds: .leastNonzeroMagnitude, preferredTimescale: .max)).rounded)
    }
}
