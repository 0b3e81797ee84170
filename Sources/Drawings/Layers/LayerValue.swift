import Pictures
import SplitreelProject

/// A value of an animated property.
package enum LayerValue: Sendable, Hashable {
    case numbers([Double])
    case transform(TransformState)
    case path(DrawingPath)
    case flag(Bool)
    case word(String)
    case contents(LayerPicture)

    /// The value at a share of the way from one to the other; values with nothing between change at the end.
    package static func mix(_ from: LayerValue, _ to: LayerValue, _ share: Double) -> LayerValue {
        switch (from, to) {
        case (.numbers(let first), .numbers(let last)) where first.count == last.count:
            return .numbers(zip(first, last).map { .mix($0, $1, share) })
        case (.transform(let first), .transform(let last)): return .transform(.mix(first, last, share))
        case (.path(let first), .path(let last)):
            if let path = DrawingPath.mix(first, last, share) { return .path(path) }
        default: break
        }
        return share < 1 ? from : to
    }

    /// The value with `other` added, its numbers `count` times; a transform that is added acts before this one.
    package func adding(_ other: LayerValue, times count: Double = 1) -> LayerValue {
        switch (self, other) {
        case (.numbers(let mine), .numbers(let added)) where mine.count == added.count:
            .numbers(zip(mine, added).map { $0 + $1 * count })
        case (.transform(let mine), .transform(let added)): .transform(.joined(added, mine))
        default: self
        }
    }

    /// The value that adds nothing to one of this kind.
    package var zero: LayerValue {
        switch self {
        case .numbers(let numbers): .numbers(numbers.map { _ in 0 })
        case .transform: .transform(TransformState(nil))
        default: self
        }
    }

    /// The distance of two values, for even speed; 1 where there is nothing between.
    static func distance(_ from: LayerValue, _ to: LayerValue) -> Double {
        guard case .numbers(let first) = from, case .numbers(let last) = to, first.count == last.count else { return 1 }
        return zip(first, last).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
    }
}

extension DrawingPath {
    /// The path point by point between two; nil where they are not of the same segments.
    fileprivate static func mix(_ from: DrawingPath, _ to: DrawingPath, _ share: Double) -> DrawingPath? {
        guard from.segments.count == to.segments.count else { return nil }
        func between(_ a: DrawingPoint, _ b: DrawingPoint) -> DrawingPoint {
            DrawingPoint(.mix(a.x, b.x, share), .mix(a.y, b.y, share))
        }
        var segments: [Segment] = []
        for (first, last) in zip(from.segments, to.segments) {
            switch (first, last) {
            case (.move(let a), .move(let b)): segments.append(.move(between(a, b)))
            case (.line(let a), .line(let b)): segments.append(.line(between(a, b)))
            case (.curve(let a, let b, let c), .curve(let d, let e, let f)):
                segments.append(.curve(between(a, d), between(b, e), between(c, f)))
            case (.close, .close): segments.append(.close)
            default: return nil
            }
        }
        return DrawingPath(segments)
    }
}
