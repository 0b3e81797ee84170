package import MediaTime

/// How far from the time that was asked for a frame may lie, so that it costs less.
package struct FrameTolerance: Hashable, Sendable {
    /// In seconds; nil: as far as the picture reaches.
    package var before: Rational?
    package var after: Rational?

    package init(before: Rational?, after: Rational?) { (self.before, self.after) = (before, after) }

    /// The frame that is held at the time.
    package static let exact = FrameTolerance(before: .zero, after: .zero)

    var isExact: Bool { before == .zero && after == .zero }

    /// The times within it, as far as the picture reaches.
    func times(around time: Rational, duration: Rational) -> ClosedRange<Rational> {
        let first = before.map { max(.zero, time - $0) } ?? .zero
        let last = after.map { min(duration, time + $0) } ?? duration
        return min(first, time)...max(last, time)
    }
}

/// What came of one time that was asked for.
package enum GeneratedFrame {
    /// `actual`: the output frame's start, or the held source frame's.
    case succeeded(Picture, actual: Rational)
    case failed(any Error)
    case cancelled
}
