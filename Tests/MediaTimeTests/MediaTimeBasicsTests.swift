import MediaTime
import Testing

@Suite("A time's fields, kinds and order")
struct MediaTimeBasicsTests {
    @Test func fieldsAreStoredAsGiven() {
        let half = MediaTime(value: 300, timescale: 600, epoch: 7, rounded: true)
        #expect(half.value == 300)
        #expect(half.timescale == 600)
        #expect(half.epoch == 7)
        #expect(half.flags == [.valid, .rounded])
        #expect(half.hasBeenRounded)
        #expect(MediaTime.zero.value == 0 && MediaTime.zero.timescale == 1)
    }

    @Test func flagsHaveCoreMediasValues() {
        #expect(MediaTime.Flags.valid.rawValue == 1)
        #expect(MediaTime.Flags.rounded.rawValue == 2)
        #expect(MediaTime.Flags.positiveInfinity.rawValue == 4)
        #expect(MediaTime.Flags.negativeInfinity.rawValue == 8)
        #expect(MediaTime.Flags.indefinite.rawValue == 16)
        #expect(MediaTime.Flags.impliedValue.rawValue == 28)
        #expect(MediaTime.invalid.flags.rawValue == 0)
        #expect(MediaTime.positiveInfinity.flags.rawValue == 5)
        #expect(MediaTime.negativeInfinity.flags.rawValue == 9)
        #expect(MediaTime.indefinite.flags.rawValue == 17)
    }

    @Test(arguments: [Int32(0), -1, .min]) func timescaleBelowOneIsInvalid(scale: Int32) {
        #expect(!MediaTime(value: 5, timescale: scale).isValid)
    }

    @Test func kindsExcludeEachOther() {
        let kinds: [(MediaTime, [Bool])] = [
            (.zero, [true, true, false, false, false]),
            (.positiveInfinity, [true, false, true, false, false]),
            (.negativeInfinity, [true, false, false, true, false]),
            (.indefinite, [true, false, false, false, true]),
            (.invalid, [false, false, false, false, false]),
        ]
        for (time, expected) in kinds {
            let found = [
                time.isValid, time.isNumeric, time.isPositiveInfinity, time.isNegativeInfinity, time.isIndefinite,
            ]
            #expect(found == expected, "\(time)")
            #expect(time.isInfinite == (expected[2] || expected[3]))
        }
    }

    @Test func secondsAreADivisionInDouble() {
        #expect(time(1001, 30000).seconds == 1001.0 / 30000.0)
        #expect(MediaTime(value: 3, timescale: 2, epoch: 9).seconds == 1.5)
        #expect(MediaTime.invalid.seconds.isNaN)
        #expect(MediaTime.indefinite.seconds.isNaN)
        #expect(MediaTime.positiveInfinity.seconds == .infinity)
        #expect(MediaTime.negativeInfinity.seconds == -.infinity)
    }

    @Test func orderOfKinds() {
        let ascending: [MediaTime] = [
            .negativeInfinity, time(.min, 1), time(-1, 2), .zero, time(1, .max), time(.max, 1), .indefinite,
            .positiveInfinity, .invalid,
        ]
        for (i, left) in ascending.enumerated() {
            for (j, right) in ascending.enumerated() {
                #expect((left < right) == (i < j), "\(left) < \(right)")
                #expect((left == right) == (i == j), "\(left) == \(right)")
            }
        }
    }

    @Test func equalFractionsAreEqualAndHashAlike() {
        let halves = [time(1, 2), time(300, 600), MediaTime(value: 2, timescale: 4, epoch: 0, rounded: true)]
        #expect(Set(halves).count == 1)
        #expect(Set([time(0, 1), time(0, 600), .zero]).count == 1)
        #expect(Set([MediaTime.invalid, .indefinite, .positiveInfinity, .negativeInfinity, .zero]).count == 5)
    }

    @Test func compareNeverLosesAUnit() {
        let big = Int64.max
        // As Doubles these are the same number.
        #expect(time(big, 3) > time(big - 1, 3))
        #expect(time(big, .max) < time(big, .max - 1))
        #expect(time(-big, .max) > time(-big, .max - 1))
    }

    @Test func aGreaterEpochIsLater() {
        let late = MediaTime(value: -1000, timescale: 1, epoch: 2)
        let early = MediaTime(value: 1000, timescale: 1, epoch: 1)
        #expect(early < late)
        #expect(MediaTime(value: 1, timescale: 1, epoch: 1) != MediaTime(value: 1, timescale: 1, epoch: 2))
        #expect(late < .indefinite)
    }
}
