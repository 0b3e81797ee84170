/// A stretch of a source, and the stretch of a timeline that it plays in.
///
/// The rules are those of Core Media's CMTimeMapping. Times outside the two ranges are mapped along the same line.
public struct TimeMapping: Sendable, Hashable {
    /// The stretch of the source; `.invalid` for an empty edit.
    public var source: TimeRange
    /// The stretch of the timeline.
    public var target: TimeRange

    /// Makes a mapping of two ranges, which are not looked at: see `isValid`.
    public init(source: TimeRange, target: TimeRange) {
        self.source = source
        self.target = target
    }

    /// Makes an empty edit: a stretch of the timeline where nothing plays.
    public init(emptyFor target: TimeRange) {
        self.init(source: .invalid, target: target)
    }

    /// Whether nothing of a source plays: the source's start is not a number.
    public var isEmptyEdit: Bool { !source.start.isNumeric }

    /// Whether the target is a valid range, and the source too unless this is an empty edit.
    public var isValid: Bool { target.isValid && (isEmptyEdit || source.isValid) }

    /// Source seconds per timeline second: 2 is twice as fast. 0 where nothing moves: an empty edit, an empty target,
    /// and ranges that are not numbers.
    public var rate: Rational {
        guard source.isNumeric, target.isNumeric, target.duration.value > 0 else { return .zero }
        return Rational(source.duration) / Rational(target.duration)
    }

    /// The source's time that plays at a time of the timeline, as `TimeRange.map(_:to:)` has it; invalid for an empty
    /// edit.
    public func sourceTime(at time: MediaTime) -> MediaTime { target.map(time, to: source) }

    /// The timeline's time at which a time of the source plays; invalid for an empty edit.
    public func targetTime(of time: MediaTime) -> MediaTime { source.map(time, to: target) }

    /// The stretch of the source that plays in a range of the timeline; invalid for an empty edit.
    public func sourceRange(in range: TimeRange) -> TimeRange { target.map(range: range, to: source) }

    /// The stretch of the timeline in which a range of the source plays; invalid for an empty edit.
    public func targetRange(of range: TimeRange) -> TimeRange { source.map(range: range, to: target) }
}
