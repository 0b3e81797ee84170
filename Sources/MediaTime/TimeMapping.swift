/// A stretch of a source, and the stretch of a timeline that it plays in.
public struct TimeMapping: Sendable, Hashable {
    public let source: TimeRange
    public let target: TimeRange

    public init(source: TimeRange, target: TimeRange) {
        self.source = source
        self.target = target
    }

    /// Makes an empty edit: a stretch of the timeline where nothing plays.
    public init(emptyFor target: TimeRange) {
        self.init(source: .invalid, target: target)
    }

    public var isEmptyEdit: Bool { !source.start.isNumeric }

    /// Whether the target is a valid range, and the source too unless this is an empty edit.
    public var isValid: Bool { target.isValid && (isEmptyEdit || source.isValid) }

    /// Source seconds per timeline second: 2 is twice as fast. 0 where nothing moves: an empty edit, an empty target,
    /// and ranges that are not numbers.
    public var rate: Rational {
        guard source.isNumeric, target.isNumeric, target.duration.value > 0 else { return .zero }
        return Rational(source.duration) / Rational(target.duration)
    }

    /// The source's time in seconds at a time of the timeline, also outside the target; nil for an empty edit and for
    /// ranges that are not numbers.
    public func sourceTime(at time: Rational) -> Rational? {
        guard source.isNumeric, target.isNumeric else { return nil }
        return Rational(source.start) + (time - Rational(target.start)) * rate
    }
}
