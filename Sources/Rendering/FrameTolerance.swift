package import MediaTime

/// The distance from the time that was asked for at which a frame may lie, so that it costs less.
package struct FrameTolerance: Hashable, Sendable {
    /// The seconds before the time, and those after it; nil for as far as the picture reaches.
    package var before: Rational?
    package var after: Rational?

    package init(before: Rational?, after: Rational?) { (self.before, self.after) = (before, after) }

    /// No distance: the frame that is held at the time.
    package static let exact = FrameTolerance(before: .zero, after: .zero)

    var isExact: Bool { before == .zero && after == .zero }

    /// The times within the tolerance, as far as the picture reaches.
    func times(around time: Rational, duration: Rational) -> ClosedRange<Rational> {
        let first = before.map { max(.zero, time - $0) } ?? .zero
        let last = after.map { min(duration, time + $0) } ?? duration
        return min(first, time)...max(last, time)
    }
}

/// The result for one time that was asked for.
package enum GeneratedFrame {
    /// The picture; `actual` is the start of the output frame, or of the held source frame, in seconds.
    case succeeded(Picture, actual: Rational)
    case failed(any Error)
    case cancelled
}
