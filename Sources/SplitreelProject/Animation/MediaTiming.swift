package import MediaTime

/// When something plays in the time of what holds it, as CAMediaTiming says: a begin, a speed, repetitions, and what
/// holds before and after.
package struct MediaTiming: Sendable, Hashable {
    package var begin = Rational.zero
    /// Of one play; nil for ever.
    package var duration: Rational?
    package var speed = Rational(1)
    package var offset = Rational.zero
    /// nil for ever.
    var repeats: Rational? = Rational(1)
    package var autoreverse = false
    var fill = FillMode.removed
    /// Whether it is there before its begin, whatever `fill` says.
    package var hasNoBegin = false

    /// Where it stands.
    package struct Phase: Sendable, Hashable {
        /// Plays before this one; there and back is one.
        package var iteration: Int
        /// 0 to the duration.
        package var elapsed: Rational
    }

    /// All plays together; nil for ever.
    private var active: Rational? {
        guard let duration, let repeats else { return nil }
        return duration * repeats * Rational(autoreverse ? 2 : 1)
    }

    /// Just before its first play ends, and before all of them do, in its own time: at the ends themselves it acts no
    /// more, unless it is filled.
    package var lastMoments: [Rational] {
        [duration, active].compactMap { end in end.map { $0 * Rational(1_048_575, 1_048_576) } }
    }

    /// nil where it does nothing.
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
    /// Of a layer.
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

    /// Of an animation that lasts so long where it does not say.
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
