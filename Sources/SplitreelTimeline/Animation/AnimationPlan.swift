import Drawings
import ExactMath
import MediaTime
import SplitreelProject

/// An animation in exact time, joined to the property that it changes.
indirect enum AnimationPlan: Sendable {
    case property(PropertyAnimation)
    case group(MediaTiming, pace: Easing, [AnimationPlan])

    /// The number of properties that it changes.
    var count: Int {
        switch self {
        case .property: 1
        case .group(_, _, let animations): animations.reduce(0) { $0 + $1.count }
        }
    }

    /// Changes the state as it does at `time`, a time of the layer or the group that holds it.
    func apply(to state: inout LayerState, at time: Rational) {
        switch self {
        case .property(let animation): animation.apply(to: &state, at: time)
        case .group(let timing, let pace, let animations):
            guard let phase = timing.phase(at: time) else { return }
            var inner = phase.elapsed
            if pace != .linear, let duration = timing.duration, duration > .zero {
                // A curve's shares are doubles; what follows is exact again.
                let share = pace.share(at: (inner / duration).double).held(in: -100...100)
                inner = duration * Rational(Int((share * 1_073_741_824).rounded()), 1_073_741_824)
            }
            for animation in animations { animation.apply(to: &state, at: inner) }
        }
    }

    private var timing: MediaTiming {
        switch self {
        case .property(let animation): animation.timing
        case .group(let timing, _, _): timing
        }
    }

    func rests(from start: Rational, to end: Rational) -> Bool { timing.rests(from: start, to: end) }

    /// The times of the holder at which its first play has one of its values, or it ends, of the properties that
    /// `isWanted`.
    func keyTimes(_ isWanted: (AnimatedProperty) -> Bool) -> [Rational] {
        switch self {
        case .property(let animation): isWanted(animation.property) ? animation.keyTimes : []
        case .group(let timing, _, let animations):
            timing.outside(animations.flatMap { $0.keyTimes(isWanted) } + timing.lastMoments)
        }
    }
}

extension MediaTiming {
    /// The holder's times of times of its own.
    fileprivate func outside(_ times: [Rational]) -> [Rational] { times.map { begin + ($0 - offset) / speed } }
}

/// A change of one property.
struct PropertyAnimation: Sendable {
    indirect enum Course: Sendable {
        /// Two of the three values, or one: the rest is what the property is without the animation.
        case basic(from: LayerValue?, to: LayerValue?, by: LayerValue?)
        case keyframes(Keyframes)
        /// The pictures of the asset of that number, all of them in one play; `period` is that play's length in
        /// seconds.
        case pictures(Int, period: Rational)
    }

    var timing: MediaTiming
    let property: AnimatedProperty
    let course: Course
    /// The pace of the whole; keyframes have paces of their own besides.
    var pace = Easing.linear
    var isAdditive = false
    var isCumulative = false

    func apply(to state: inout LayerState, at time: Rational) {
        guard let phase = timing.phase(at: time), let duration = timing.duration, duration > .zero,
            let under = property.get(state)
        else { return }
        let share = pace.share(at: (phase.elapsed / duration).double)
        var value: LayerValue
        switch course {
        case .basic(let from, let to, let by):
            let (first, last) = Self.ends(from, to, by, isAdditive ? under.zero : under)
            value = .mix(first, last, share)
            if isCumulative { value = value.adding(timing.autoreverse ? first : last, times: Double(phase.iteration)) }
        case .keyframes(let keyframes):
            value = keyframes.value(at: share)
            if isCumulative {
                let end = keyframes.value(at: timing.autoreverse ? 0 : 1)
                value = value.adding(end, times: Double(phase.iteration))
            }
        case .pictures(let number, let period):
            // The end has no picture: the last one stands.
            let last = period - Rational(1, 1_000_000_000)
            value = .contents(.media(number, .at(min(phase.elapsed * period / duration, last))))
        }
        property.set(&state, isAdditive ? under.adding(value) : value)
    }

    /// The values between which the property goes, as CABasicAnimation has them.
    private static func ends(
        _ from: LayerValue?, _ to: LayerValue?, _ by: LayerValue?, _ under: LayerValue
    ) -> (LayerValue, LayerValue) {
        switch (from, to, by) {
        case (let from?, let to?, _): (from, to)
        case (let from?, nil, let by?): (from, from.adding(by))
        case (nil, let to?, let by?): (to.adding(by, times: -1), to)
        case (let from?, nil, nil): (from, under)
        case (nil, let to?, nil): (under, to)
        case (nil, nil, let by?): (under, under.adding(by))
        case (nil, nil, nil): (under, under)
        }
    }

    /// The holder's times of its values and its ends; see `AnimationPlan.keyTimes`.
    fileprivate var keyTimes: [Rational] {
        guard let duration = timing.duration else { return [] }
        var shares = [0.0, 1.0]
        if case .keyframes(let keyframes) = course { shares += keyframes.times }
        let own = shares.map { share in
            duration * Rational(Int((share.held(in: 0...1) * 1_048_576).rounded()), 1_048_576)
        }
        return timing.outside(own + timing.lastMoments)
    }
}
