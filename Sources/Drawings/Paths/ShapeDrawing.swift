package import Pictures
package import SplitreelProject

/// A path that is filled and stroked, the stroke over the fill; everything evaluated.
package struct ShapeDrawing: Sendable, Hashable {
    package var path: DrawingPath
    package var fillColour: Colour?
    package var fillRule = ShapeSettings.FillRule.nonZero
    package var strokeColour: Colour?
    package var lineWidth = 1.0
    /// The lengths of lines and gaps in turn; empty for a line without gaps.
    package var dashPattern: [Double] = []
    package var dashPhase = 0.0
    package var cap = ShapeSettings.Cap.butt
    package var join = ShapeSettings.Join.miter
    package var miterLimit = 10.0
    /// The part of the path's length that is stroked, 0…1; nothing where the end is not behind the start.
    package var strokeStart = 0.0
    package var strokeEnd = 1.0

    package init(path: DrawingPath) { self.path = path }

    var bounds: Rect {
        var bounds = path.bounds
        guard strokeColour != nil else { return bounds }
        let reach = lineWidth / 2 * max(join == .miter ? miterLimit : 1, cap == .square ? 1.5 : 1)
        bounds.x -= reach
        bounds.y -= reach
        bounds.width += 2 * reach
        bounds.height += 2 * reach
        return bounds
    }
}

/// A path of lines and cubic curves.
package struct DrawingPath: Sendable, Hashable {
    package enum Segment: Sendable, Hashable {
        case move(DrawingPoint)
        case line(DrawingPoint)
        case curve(DrawingPoint, DrawingPoint, DrawingPoint)
        case close
    }

    /// The most segments of a path.
    package static let mostSegments = 100_000

    /// The segments, of which the first is a `move`.
    package private(set) var segments: [Segment]
    /// The bounds of all points, those that curves only lean to included; zero without any.
    package private(set) var bounds: Rect

    package init(_ segments: [Segment]) {
        self.segments = segments
        let points = segments.flatMap(\.points)
        let (left, top) = (points.map(\.x).min() ?? 0, points.map(\.y).min() ?? 0)
        let (right, bottom) = (points.map(\.x).max() ?? 0, points.map(\.y).max() ?? 0)
        bounds = Rect(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// The hash of a part of the path: a long path is asked for with every frame, and some of its segments tell it from
    /// most others.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(segments.count)
        hasher.combine(bounds)
        for segment in segments.prefix(16) { hasher.combine(segment) }
    }
}

extension DrawingPath.Segment {
    package var points: [DrawingPoint] {
        switch self {
        case .move(let point), .line(let point): [point]
        case .curve(let first, let second, let end): [first, second, end]
        case .close: []
        }
    }
}
