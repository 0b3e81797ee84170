package import MediaTime
package import SplitreelProject

/// The times at which something plays in the time of what holds it, as CAMediaTiming says: a begin, a speed,
/// repetitions, and whether it holds before and after.
package struct MediaTiming: Sendable, Hashable {
    package var begin = Rational.zero
    /// The length of one play in seconds; nil for ever.
    package var duration: Rational?
    package var speed = Rational(1)
    package var offset = Rational.zero
    /// The number of plays, which may be a fraction; nil for ever.
    var repeats: Rational? = Rational(1)
    package var autoreverse = false
    var fill = FillMode.removed
    /// Whether it is there before its begin, whatever `fill` says.
    package var hasNoBegin = false

    /// The place in its plays.
    package struct Phase: Sendable, Hashable {
        /// The number of plays before this one; there and back is one.
        package var iteration: Int
        /// The time within the play in seconds, from 0 to the duration.
        package var elapsed: Rational
    }

    /// The length of all plays together, in seconds; nil for ever.
    private var active: Rational? {
        guard let duration, let repeats else { return nil }
        return duration * repeats * Rational(autoreverse ? 2 : 1)
    }

    /// The times just before its first play ends, and before all of them do, in seconds of its own time: at the ends
    /// themselves it acts no more, unless it is filled.
    package var lastMoments: [Rational] {
        [duration, active].compactMap { end in end.map { $0 * Rational(1_048_575, 1_048_576) } }
    }

    /// The phase at a time of what holds it, in seconds; nil where it does nothing then.
    package func phase(at parent: Rational) -> Phase? {
        var time = (parent - begin) * speed + offset
        if time.isNegative, !hasNoBegin {
            guard fill.isBackwards else { return nil }
            time = .zero
        }
        guard let duration, duration > .zero else { return Phase(iteration: 0, elapsed: time) }
        let span = duration * Rational(autoreverse ? 2 : 1)
        var iteration = (time / span).floor()
        if let active, time >= active {
            guard fill.isForwards else { return nil }
            time = active
            iteration = (time / span).ceil() - 1
        }
        var elapsed = time - Rational(iteration) * span
        if elapsed > duration { elapsed = span - elapsed }
        return Phase(iteration: max(0, iteration), elapsed: elapsed)
    }

    /// Whether it stands still from one time of what holds it to another: not begun, or over.
    package func rests(from start: Rational, to end: Rational) -> Bool {
        let (first, last) = ((start - begin) * speed + offset, (end - begin) * speed + offset)
        if last <= .zero, !hasNoBegin { return true }
        return active.map { first >= $0 } ?? false
    }
}

extension MediaTiming {
    /// Makes the timing of a layer.
    package init(_ layer: AnimationLayer) {
        begin = layer.beginTime?.exact ?? .zero
        duration = layer.duration?.exact
        speed = layer.speed?.exact ?? Rational(1)
        offset = layer.timeOffset?.exact ?? .zero
        repeats = layer.repeats.map(\.exact) ?? Rational(1)
        autoreverse = layer.autoreverse ?? false
        fill = layer.fill ?? .removed
        hasNoBegin = layer.beginTime == nil
    }

    /// Makes the timing of an animation, which lasts `standard` seconds where it does not say.
    package init(_ animation: LayerAnimation, standard: Rational?) {
        begin = animation.begin?.exact ?? .zero
        duration = animation.duration?.exact ?? standard
        speed = animation.speed?.exact ?? Rational(1)
        offset = animation.timeOffset?.exact ?? .zero
        repeats = animation.repeats.map(\.exact) ?? Rational(1)
        autoreverse = animation.autoreverse ?? false
        fill = animation.fill ?? .removed
    }
}

extension FillMode {
    fileprivate var isForwards: Bool { self == .forwards || self == .both }
    fileprivate var isBackwards: Bool { self == .backwards || self == .both }
}
