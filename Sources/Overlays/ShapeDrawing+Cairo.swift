internal import CPango
import Drawings
internal import SplitreelProject

extension DrawingPath {
    /// The number held within those that Cairo can count with.
    private static func bounded(_ value: Double) -> Double { min(max(value, -1_000_000), 1_000_000) }

    /// The length of the path's lines in its own units, and more where it is curved.
    var reach: Double {
        var place = DrawingPoint(0, 0)
        var reach = 0.0
        for segment in segments {
            for point in segment.points {
                if case .move = segment {} else { reach += place.distance(point) }
                place = point
            }
        }
        return reach
    }

    func add(to context: Pen) {
        unsafe cairo_new_path(context.pointer)
        for segment in segments {
            let points = segment.points.map { (Self.bounded($0.x), Self.bounded($0.y)) }
            switch segment {
            case .move: unsafe cairo_move_to(context.pointer, points[0].0, points[0].1)
            case .line: unsafe cairo_line_to(context.pointer, points[0].0, points[0].1)
            case .curve:
                unsafe cairo_curve_to(
                    context.pointer, points[0].0, points[0].1, points[1].0, points[1].1, points[2].0, points[2].1)
            case .close: unsafe cairo_close_path(context.pointer)
            }
        }
    }
}

extension ShapeDrawing {
    /// The most dashes that one path has; with more it has a line without gaps.
    private static let mostDashes = 100_000.0

    /// - Parameters:
    ///   - pixelsPerUnit: The scale by which curves are cut into lines where the path is shown in part.
    func stroke(on context: Pen, pixelsPerUnit: Double) {
        unsafe cairo_set_line_width(context.pointer, lineWidth)
        unsafe cairo_set_miter_limit(context.pointer, miterLimit)
        unsafe cairo_set_line_cap(
            context.pointer,
            cap == .butt ? CAIRO_LINE_CAP_BUTT : cap == .round ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_SQUARE)
        unsafe cairo_set_line_join(
            context.pointer,
            join == .miter ? CAIRO_LINE_JOIN_MITER : join == .round ? CAIRO_LINE_JOIN_ROUND : CAIRO_LINE_JOIN_BEVEL)
        let isWhole = strokeStart <= 0 && strokeEnd >= 1
        guard !isWhole || !dashPattern.isEmpty else {
            path.add(to: context)
            unsafe cairo_stroke(context.pointer)
            return
        }
        let lines = PathLines(path, pixelsPerUnit: pixelsPerUnit)
        let pattern = dashPattern.reduce(0, +)
        let hasGaps = pattern > 0 && lines.length / pattern * Double(dashPattern.count) <= Self.mostDashes
        if isWhole {
            path.add(to: context)
            if hasGaps { unsafe cairo_set_dash(context.pointer, dashPattern, Int32(dashPattern.count), dashPhase) }
            unsafe cairo_stroke(context.pointer)
            return
        }
        unsafe cairo_new_path(context.pointer)
        for part in lines.parts(from: strokeStart * lines.length, to: strokeEnd * lines.length) {
            if hasGaps {
                // The dashes of a part go on where those of the whole path are by then.
                unsafe cairo_set_dash(context.pointer, dashPattern, Int32(dashPattern.count), dashPhase + part.passed)
            }
            for (index, point) in part.points.enumerated() {
                if index == 0 {
                    unsafe cairo_move_to(context.pointer, point.x, point.y)
                } else {
                    unsafe cairo_line_to(context.pointer, point.x, point.y)
                }
            }
            if part.isClosed { unsafe cairo_close_path(context.pointer) }
            if hasGaps { unsafe cairo_stroke(context.pointer) }
        }
        unsafe cairo_stroke(context.pointer)
    }
}

/// A path as lines, with their length in the path's units.
struct PathLines {
    /// A line of points that follow one another.
    struct Part {
        var points: [DrawingPoint]
        /// Whether the line ends where it begins, by a `close`.
        var isClosed = false
        /// The length of the same line that lies before this part.
        var passed = 0.0
    }

    private(set) var parts: [Part] = []
    private(set) var length = 0.0

    init(_ path: DrawingPath, pixelsPerUnit: Double) {
        var part = Part(points: [])
        func end() {
            if part.points.count > 1 { parts.append(part) }
        }
        for segment in path.segments {
            switch segment {
            case .move(let point):
                end()
                part = Part(points: [point])
            case .line(let point): part.points.append(point)
            case .curve(let first, let second, let last):
                guard let start = part.points.last else { continue }
                let reach = start.distance(first) + first.distance(second) + second.distance(last)
                let count = Int(min(max((reach * pixelsPerUnit / 2).rounded(.up), 8), 256))
                for step in 1...count {
                    part.points.append(.onCurve(start, first, second, last, Double(step) / Double(count)))
                }
            case .close:
                guard let start = part.points.first else { continue }
                part.points.append(start)
                part.isClosed = true
                end()
                part = Part(points: [start])
            }
        }
        end()
        length = parts.reduce(0) { $0 + $1.length }
    }

    /// The parts between two places on the whole length.
    func parts(from: Double, to: Double) -> [Part] {
        var result: [Part] = []
        var start = 0.0
        for part in parts {
            let length = part.length
            defer { start += length }
            guard start < to, start + length > from else { continue }
            if start >= from, start + length <= to {
                result.append(part)
            } else {
                result.append(part.cut(from: from - start, to: to - start))
            }
        }
        return result
    }
}

extension PathLines.Part {
    var length: Double { zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.distance($1.1) } }

    fileprivate func cut(from: Double, to: Double) -> PathLines.Part {
        var result = PathLines.Part(points: [], passed: max(from, 0))
        var place = 0.0
        for (start, end) in zip(points, points.dropFirst()) {
            let length = start.distance(end)
            defer { place += length }
            guard length > 0, place < to, place + length > from else { continue }
            func point(_ share: Double) -> DrawingPoint {
                DrawingPoint(start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share)
            }
            if result.points.isEmpty { result.points.append(from > place ? point((from - place) / length) : start) }
            result.points.append(to < place + length ? point((to - place) / length) : end)
        }
        return result
    }
}

extension DrawingPoint {
    func distance(_ other: DrawingPoint) -> Double {
        ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
    }

    fileprivate static func onCurve(
        _ a: DrawingPoint, _ b: DrawingPoint, _ c: DrawingPoint, _ d: DrawingPoint, _ place: Double
    ) -> DrawingPoint {
        func between(_ from: DrawingPoint, _ to: DrawingPoint) -> DrawingPoint {
            DrawingPoint(from.x + (to.x - from.x) * place, from.y + (to.y - from.y) * place)
        }
        let (first, second, third) = (between(a, b), between(b, c), between(c, d))
        return between(between(first, second), between(second, third))
    }
}
