package import MediaTime
package import Pictures

/// A value that can be mixed with another, component by component.
package protocol Interpolated: Sendable, Hashable {
    /// The value from + (to − from) · fraction, for each component alone.
    static func mix(_ from: Self, _ to: Self, _ fraction: Double) -> Self
}

extension Double: Interpolated {
    package static func mix(_ from: Double, _ to: Double, _ fraction: Double) -> Double {
        from + (to - from) * fraction
    }
}

extension Affine: Interpolated {
    package static func mix(_ from: Affine, _ to: Affine, _ fraction: Double) -> Affine {
        Affine(
            a: .mix(from.a, to.a, fraction), b: .mix(from.b, to.b, fraction),
            c: .mix(from.c, to.c, fraction), d: .mix(from.d, to.d, fraction),
            tx: .mix(from.tx, to.tx, fraction), ty: .mix(from.ty, to.ty, fraction))
    }
}

extension Rect: Interpolated {
    package static func mix(_ from: Rect, _ to: Rect, _ fraction: Double) -> Rect {
        if from == to { return from }
        return Rect(
            x: .mix(from.x, to.x, fraction), y: .mix(from.y, to.y, fraction),
            width: .mix(from.width, to.width, fraction), height: .mix(from.height, to.height, fraction))
    }
}

/// Keys of one property in exact time, ready to be evaluated.
package struct KeyTrack<Value: Interpolated>: Sendable, Hashable {
    /// A ramp, or a hold where start and end are equal; after `end` the value `to` stays until the next span.
    package struct Span: Sendable, Hashable {
        package let start: Rational
        package let end: Rational
        package let from: Value
        package let to: Value
        /// The way in which a ramp gets from `from` to `to`.
        package let easing: Easing

        package init(start: Rational, end: Rational, from: Value, to: Value, easing: Easing) {
            self.start = start
            self.end = end
            self.from = from
            self.to = to
            self.easing = easing
        }
    }

    /// The spans, sorted and not overlapping.
    package let spans: [Span]

    package init(spans: [Span]) { self.spans = spans }

    /// Makes the spans of keys; those that are not valid (see `validate`) are passed over.
    package init(_ keys: [Key<Value>]?) where Value: KeyedValue {
        spans = (keys ?? []).compactMap { key in
            if let range = key.range?.exact, let from = key.from, let to = key.to {
                return Span(start: range.start, end: range.end, from: from, to: to, easing: key.easing ?? .linear)
            }
            if let time = key.at?.exact, let value = key.value {
                return Span(start: time, end: time, from: value, to: value, easing: .linear)
            }
            return nil
        }
    }

    /// The value at an exact time, in seconds; nil before the first key. O(log n).
    package func value(at time: Rational) -> Value? {
        guard let index = spans.lastIndexStarting(atOrBefore: time, { $0.start }) else { return nil }
        let span = spans[index]
        if time >= span.end { return span.to }
        return .mix(span.from, span.to, span.easing.share(at: ((time - span.start) / (span.end - span.start)).double))
    }

    /// Whether the value is the same at every time of [start, end).
    package func isConstant(from start: Rational, to end: Rational) -> Bool {
        let first = spans.lastIndexStarting(atOrBefore: start, { $0.start })
        let initial = value(at: start)
        for index in (first ?? 0)..<spans.count where spans[index].start < end {
            let span = spans[index]
            if index == first {
                if span.end > start && span.from != span.to { return false }
            } else if span.from != initial || span.to != initial {
                return false
            }
        }
        return true
    }
}

extension Array {
    /// The index of the last element whose start is not after `time`, by binary search; nil where all are after it.
    ///
    /// It is inlined and takes a closure, not a key path: neither is an element copied then nor a key path made, for
    /// every layer of every frame.
    @inline(__always)
    package func lastIndexStarting(atOrBefore time: Rational, _ start: (Element) -> Rational) -> Int? {
        var (low, length) = (0, count)
        while length > 0 {
            let half = length / 2
            if start(self[low + half]) <= time {
                (low, length) = (low + half + 1, length - half - 1)
            } else {
                length = half
            }
        }
        return low == 0 ? nil : low - 1
    }
}
