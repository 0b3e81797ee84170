import MediaTime
import Testing

@Suite("Ranges and mappings")
struct TimeRangeTests {
    let sample = range(time(2, 1), time(3, 1))

    @Test func validity() {
        #expect(sample.isValid)
        #expect(range(.zero, .positiveInfinity).isValid)
        #expect(range(.zero, .indefinite).isIndefinite)
        #expect(!range(.invalid, .zero).isValid)
        #expect(!range(.zero, .invalid).isValid)
        #expect(!range(.zero, time(-1, 1)).isValid)
        #expect(!range(.zero, .negativeInfinity).isValid)
        #expect(!range(.zero, MediaTime(value: 1, timescale: 1, epoch: 1)).isValid)
        #expect(range(MediaTime(value: 1, timescale: 1, epoch: 1), .zero).isValid)
        #expect(range(.zero, time(0, 600)).isEmpty)
        #expect(!TimeRange.invalid.isEmpty)
        #expect(!range(.zero, .indefinite).isEmpty)
        #expect(TimeRange(start: time(2, 1), end: time(5, 1)) == sample)
    }

    @Test func containmentIsHalfOpen() {
        #expect(sample.end == time(5, 1))
        #expect(sample.contains(time(2, 1)))
        #expect(sample.contains(time(4999, 1000)))
        #expect(!sample.contains(sample.end))
        #expect(!sample.contains(time(1999, 1000)))
        #expect(!range(time(2, 1), .zero).contains(time(2, 1)))
        #expect(!TimeRange.invalid.contains(MediaTime.zero))
        #expect(range(.zero, .positiveInfinity).contains(time(.max, 1)))
        #expect(!range(.zero, .positiveInfinity).contains(.positiveInfinity))
        #expect(sample.contains(sample))
        #expect(sample.contains(range(time(5, 2), time(5, 2))))
        #expect(!sample.contains(range(time(5, 2), time(3, 1))))
        #expect(range(.zero, .positiveInfinity).contains(sample))
    }

    @Test func unionAndIntersection() {
        let later = range(time(7, 1), time(1, 1))
        #expect(sample.union(later) == range(time(2, 1), time(6, 1)))
        #expect(later.union(sample) == range(time(2, 1), time(6, 1)))
        #expect(sample.intersection(later) == .zero)
        #expect(sample.intersection(range(sample.end, time(1, 1))) == .zero)
        #expect(sample.intersection(range(time(9, 2), time(9, 1))) == range(time(9, 2), time(1, 2)))
        #expect(sample.intersection(range(.zero, .positiveInfinity)) == sample)
        #expect(!sample.union(.invalid).isValid)
        #expect(!TimeRange.invalid.intersection(sample).isValid)
    }

    @Test func clamping() {
        #expect(sample.clamp(time(1, 1)) == time(2, 1))
        #expect(sample.clamp(time(3, 1)) == time(3, 1))
        #expect(sample.clamp(time(9, 1)) == sample.end)
        #expect(sample.clamp(.positiveInfinity) == sample.end)
        #expect(!range(time(2, 1), .zero).clamp(time(2, 1)).isValid)
        #expect(!sample.clamp(MediaTime.invalid).isValid)
        #expect(sample.clamp(range(.zero, time(3, 1))) == range(time(2, 1), time(1, 1)))
        #expect(sample.clamp(range(time(8, 1), time(3, 1))) == range(time(5, 1), .zero))
    }

    @Test func mappingTimes() {
        let slow = range(time(10, 1), time(6, 1))
        #expect(sample.map(time(2, 1), to: slow) == time(10, 1))
        #expect(sample.map(time(3, 1), to: slow) == time(12, 1))
        #expect(sample.map(time(0, 1), to: slow) == time(6, 1))
        #expect(sample.map(duration: time(1, 2), to: slow) == time(1, 1))
        // A third of a second has no tick in any scale at hand: it is exact in lowest terms.
        let third = range(.zero, time(3, 1)).map(time(1, 1), to: range(.zero, time(1, 1)))
        #expect(Stored(third) == Stored(1, 3))
        let wide = range(time(.max - 3, .max), time(.max, .max)).map(time(1, 1), to: range(.zero, time(1, 2)))
        #expect(wide.isNumeric)
        #expect(Stored(sample.map(time(7, 2), to: range(time(0, 600), time(3, 1)))) == Stored(900, 600))
    }

    @Test func mappingWhatCannotBe() {
        let endless = range(time(5, 1), .positiveInfinity)
        #expect(range(.zero, .positiveInfinity).map(time(2, 1), to: endless) == time(7, 1))
        #expect(range(.zero, .positiveInfinity).map(duration: time(2, 1), to: endless) == time(2, 1))
        #expect(!sample.map(time(3, 1), to: endless).isValid)
        #expect(!sample.map(time(3, 1), to: range(.zero, .zero)).isValid)
        #expect(!range(.zero, .zero).map(time(3, 1), to: sample).isValid)
        #expect(!sample.map(MediaTime(value: 3, timescale: 1, epoch: 1), to: sample).isValid)
        #expect(!sample.map(duration: MediaTime(value: 3, timescale: 1, epoch: 1), to: sample).isValid)
        #expect(sample.map(.indefinite, to: sample).isIndefinite)
        #expect(!sample.map(.invalid, to: sample).isValid)
    }

    @Test func folding() {
        #expect(sample.fold(time(2, 1)) == time(2, 1))
        #expect(sample.fold(time(5, 1)) == time(2, 1))
        #expect(sample.fold(time(13, 1)) == time(4, 1))
        #expect(sample.fold(time(1, 1)) == time(4, 1))
        #expect(sample.fold(time(-7, 2)) == time(5, 2))
        #expect(!range(time(2, 1), .zero).fold(time(2, 1)).isValid)
        #expect(!sample.fold(.indefinite).isValid)
        #expect(range(.zero, .positiveInfinity).fold(time(9, 1)) == time(9, 1))
        #expect(!range(.zero, .positiveInfinity).fold(time(-9, 1)).isValid)
    }

    @Test func mappings() {
        let double = TimeMapping(source: range(time(1, 1), time(4, 1)), target: range(time(10, 1), time(2, 1)))
        #expect(double.rate == Rational(2))
        #expect(double.isValid && !double.isEmptyEdit)
        #expect(double.sourceTime(at: time(21, 2)) == .seconds(2))
        #expect(double.targetTime(of: .seconds(2)) == time(21, 2))
        #expect(double.sourceRange(in: double.target) == double.source)
        #expect(double.targetRange(of: range(.seconds(3), .seconds(1))) == range(.seconds(11), time(1, 2)))
        let frames = TimeMapping(source: range(.zero, time(1001, 30000)), target: range(.zero, time(1, 30)))
        #expect(frames.rate == Rational(1001, 1000))
        let empty = TimeMapping(emptyFor: sample)
        #expect(empty.isEmptyEdit && empty.isValid)
        #expect(empty.rate == .zero)
        #expect(!empty.sourceTime(at: .zero).isValid && !empty.targetTime(of: .zero).isValid)
        #expect(!empty.sourceRange(in: sample).isValid && !empty.targetRange(of: sample).isValid)
        #expect(!TimeMapping(source: sample, target: .invalid).isValid)
        #expect(TimeMapping(source: sample, target: .zero).rate == .zero)
    }
}
