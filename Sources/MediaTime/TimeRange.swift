/// A half-open stretch of time: `start` belongs to it, `end` does not.
///
/// The rules are those of Core Media's CMTimeRange.
public struct TimeRange: Sendable, Hashable {
    /// The first time of the range.
    public var start: MediaTime
    /// The length of the range, at least 0 and of epoch 0 in a valid one; `.positiveInfinity` where it has no end.
    public var duration: MediaTime

    /// Makes a range of two times, which are not looked at: see `isValid`.
    public init(start: MediaTime, duration: MediaTime) {
        self.start = start
        self.duration = duration
    }

    /// Makes the range from `start` up to `end`, which does not belong to it; invalid where `end` is the earlier one.
    public init(start: MediaTime, end: MediaTime) {
        self.init(start: start, duration: end - start)
    }

    /// The range between two exact times, whose length is exact wherever a time can be.
    package init(from start: Rational, to end: Rational) {
        self.init(start: start.mediaTime, duration: (end - start).mediaTime)
    }

    /// The range that begins at 0 and lasts 0 seconds.
    public static let zero = TimeRange(start: .zero, duration: .zero)
    /// The range that means nothing: the answer where there is none.
    public static let invalid = TimeRange(start: .invalid, duration: .invalid)

    /// The first time after the range, which does not belong to it.
    public var end: MediaTime { start + duration }

    /// Whether both times are valid, and the duration is of epoch 0 and not negative.
    public var isValid: Bool {
        start.isValid && duration.isValid && duration.epoch == 0 && duration.value >= 0
            && !duration.isNegativeInfinity
    }
    /// Whether the range is valid, and nobody knows its start or its duration.
    public var isIndefinite: Bool { isValid && (start.isIndefinite || duration.isIndefinite) }
    /// Whether the range is valid and lasts 0 seconds. An invalid range is not empty.
    public var isEmpty: Bool { isValid && duration == .zero }
    /// Whether the range is valid, and both times are numbers.
    public var isNumeric: Bool { isValid && start.isNumeric && duration.isNumeric }

    /// Whether a time belongs to the range: false for its end, for every time of an empty range, and for times that are
    /// not numbers.
    public func contains(_ time: MediaTime) -> Bool {
        isValid && time.isNumeric && start <= time && time < end
    }

    /// Whether all of a range belongs to this one. An empty range does where it stands in this one or at its end.
    public func contains(_ other: TimeRange) -> Bool {
        isValid && other.isValid && start <= other.start && other.end <= end
    }

    /// The smallest range that covers both, also what lies between them; invalid where one of them is.
    public func union(_ other: TimeRange) -> TimeRange {
        guard isValid, other.isValid else { return .invalid }
        return TimeRange(start: min(start, other.start), end: max(end, other.end))
    }

    /// The largest range within both; `.zero` where they have no time in common, and invalid where one of them is.
    public func intersection(_ other: TimeRange) -> TimeRange {
        guard isValid, other.isValid else { return .invalid }
        let from = max(start, other.start)
        let to = min(end, other.end)
        return from < to ? TimeRange(start: from, end: to) : .zero
    }
}

extension TimeRange {
    /// The nearest time of the range; later times give `end` itself. An empty range gives invalid.
    public func clamp(_ time: MediaTime) -> MediaTime {
        guard isValid, !isEmpty, time.isValid else { return .invalid }
        if time.isIndefinite { return time }
        return min(max(time, start), end)
    }

    /// The range moved into and cut to this one. An empty range to clamp to gives invalid.
    public func clamp(_ other: TimeRange) -> TimeRange {
        guard isValid, !isEmpty, other.isValid else { return .invalid }
        return TimeRange(start: clamp(other.start), end: clamp(other.end))
    }

    /// The time of `other` at the place that `time` has in this range: linear, exact where a timescale can hold it.
    ///
    /// Two endless ranges map by their offset alone. Empty ranges, and a time of another epoch, give invalid.
    public func map(_ time: MediaTime, to other: TimeRange) -> MediaTime {
        guard isValid, other.isValid, !isEmpty, !other.isEmpty, time.isValid else { return .invalid }
        guard !time.isNumeric || !start.isNumeric || time.epoch == start.epoch else { return .invalid }
        if duration.isPositiveInfinity && other.duration.isPositiveInfinity {
            return time - start + other.start
        }
        guard isNumeric, other.isNumeric else { return .invalid }
        guard time.isNumeric else { return time }
        let offset = Rational(time) - Rational(start)
        let mapped = offset * (Rational(other.duration) / Rational(duration)) + Rational(other.start)
        return mapped.mediaTime(
            preferring: [other.start.timescale, other.duration.timescale, time.timescale], epoch: other.start.epoch,
            alreadyRounded: hasBeenRounded || other.hasBeenRounded || time.hasBeenRounded)
    }

    /// The length in `other` of a part that lasts `length` in this range.
    public func map(duration length: MediaTime, to other: TimeRange) -> MediaTime {
        guard isValid, other.isValid, !isEmpty, !other.isEmpty, length.isValid, length.epoch == 0 else {
            return .invalid
        }
        if duration.isPositiveInfinity && other.duration.isPositiveInfinity { return length }
        guard duration.isNumeric, other.duration.isNumeric else { return .invalid }
        guard length.isNumeric else { return length }
        let mapped = Rational(length) * (Rational(other.duration) / Rational(duration))
        return mapped.mediaTime(
            preferring: [other.duration.timescale, length.timescale], epoch: 0,
            alreadyRounded: duration.hasBeenRounded || other.duration.hasBeenRounded || length.hasBeenRounded)
    }

    /// The range of `other` at the place that `part` has in this one: its start and its duration are mapped.
    public func map(range part: TimeRange, to other: TimeRange) -> TimeRange {
        guard part.isValid else { return .invalid }
        let mapped = TimeRange(start: map(part.start, to: other), duration: map(duration: part.duration, to: other))
        return mapped.isValid ? mapped : .invalid
    }

    /// The time of the range that a loop over it shows at `time`. Empty and indefinite ranges give invalid; an endless
    /// one has no loop, so times before its start are invalid there.
    public func fold(_ time: MediaTime) -> MediaTime {
        guard isValid, !isEmpty, start.isNumeric, time.isNumeric, time.epoch == start.epoch else { return .invalid }
        if duration.isPositiveInfinity { return time < start ? .invalid : time }
        guard duration.isNumeric else { return .invalid }
        let length = Rational(duration)
        let offset = Rational(time) - Rational(start)
        let loops = offset / length
        let rest = offset - length * loops.integerPart
        return (rest + Rational(start)).mediaTime(
            preferring: [time.timescale, start.timescale, duration.timescale], epoch: start.epoch,
            alreadyRounded: hasBeenRounded || time.hasBeenRounded)
    }

    private var hasBeenRounded: Bool { start.hasBeenRounded || duration.hasBeenRounded }
}

extension Rational {
    /// The largest whole number that is not larger.
    fileprivate var integerPart: Rational {
        Rational(numerator: divide(numerator, by: denominator, .towardNegativeInfinity).0, denominator: 1)
    }

    fileprivate func mediaTime(preferring scales: [Int32], epoch: Int64, alreadyRounded: Bool) -> MediaTime {
        let exact = scales.lazy.filter { Int128($0) % denominator == 0 }.map { mediaTime(timescale: $0) }
        let time = exact.first { $0.isNumeric } ?? mediaTime
        guard time.isNumeric else { return time }
        return MediaTime(
            value: time.value, timescale: time.timescale, epoch: epoch, rounded: time.hasBeenRounded || alreadyRounded)
    }
}

extension TimeRange: Codable, CustomStringConvertible {
    /// The range as `[start, duration]`, such as `[0/1, 5/2]`.
    public var description: String { "[\(start), \(duration)]" }

    /// Reads a list of two strings, the start and the duration; another value is a `DecodingError`.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        start = try container.decode(MediaTime.self)
        duration = try container.decode(MediaTime.self)
        guard container.isAtEnd else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a range is [start, duration], two times")
        }
    }

    /// Writes a list of two strings, the start and the duration, each as `MediaTime` is written.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(start)
        try container.encode(duration)
    }
}
