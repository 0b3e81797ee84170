import Foundation

/// The way back from the canvas to the source's display pixels.
struct InverseMap {
    typealias Box = (left: Double, top: Double, right: Double, bottom: Double)

    private let affine: [Double]
    private let determinant: Double

    init(_ affine: [Double]) {
        self.affine = affine
        determinant = affine[0] * affine[3] - affine[2] * affine[1]
    }

    /// One map and then another.
    static func joined(_ a: [Double], _ b: [Double]) -> [Double] {
        func point(_ x: Double, _ y: Double, _ move: Double) -> [Double] {
            [b[0] * x + b[2] * y + move * b[4], b[1] * x + b[3] * y + move * b[5]]
        }
        return point(a[0], a[1], 0) + point(a[2], a[3], 0) + point(a[4], a[5], 1)
    }

    /// Nothing can be seen through it.
    var isFlat: Bool { abs(determinant) < 1e-12 || !determinant.isFinite }

    func back(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
        let (dx, dy) = (x - affine[4], y - affine[5])
        return ((affine[3] * dx - affine[2] * dy) / determinant, (affine[0] * dy - affine[1] * dx) / determinant)
    }

    /// Display pixels along the source's x and y to one cell of the canvas: the lengths of the inverse's rows.
    func reach(_ cell: (x: Int, y: Int)) -> (x: Double, y: Double) {
        let (x, y) = (Double(cell.x), Double(cell.y))
        return (
            hypot(affine[3] * x, affine[2] * y) / abs(determinant),
            hypot(affine[1] * x, affine[0] * y) / abs(determinant)
        )
    }

    /// How much of a canvas rectangle lies in a box of the source: its corners mapped back, clipped by each side.
    func coverage(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ box: Box) -> Double {
        let (a, b) = (back(x, y), back(x + width, y))
        let (c, d) = (back(x + width, y + height), back(x, y + height))
        let (left, right) = (min(a.x, b.x, c.x, d.x), max(a.x, b.x, c.x, d.x))
        let (top, bottom) = (min(a.y, b.y, c.y, d.y), max(a.y, b.y, c.y, d.y))
        if right <= box.left || left >= box.right || bottom <= box.top || top >= box.bottom { return 0 }
        if left >= box.left && right <= box.right && top >= box.top && bottom <= box.bottom { return 1 }
        let corners = [a, b, c, d]
        var shape = corners
        for inside in [
            { $0.x - box.left }, { box.right - $0.x }, { $0.y - box.top }, { box.bottom - $0.y },
        ] as [((x: Double, y: Double)) -> Double] {
            shape = Self.clip(shape, inside)
        }
        return Self.area(shape) / Self.area(corners)
    }

    /// The corners of a canvas rectangle in the source.
    func corners(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> [(x: Double, y: Double)] {
        [back(x, y), back(x + width, y), back(x + width, y + height), back(x, y + height)]
    }

    /// The same of a convex outline of the source, which goes clockwise.
    func coverage(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, of outline: [(x: Double, y: Double)]
    ) -> Double {
        let corners = corners(x, y, width, height)
        var shape = corners
        for (index, point) in outline.enumerated() {
            let next = outline[(index + 1) % outline.count]
            let (dx, dy) = (next.x - point.x, next.y - point.y)
            if shape.isEmpty { return 0 }
            // Arcs that meet: no side.
            if abs(dx) + abs(dy) < 1e-9 { continue }
            shape = Self.clip(shape) { dx * ($0.y - point.y) - dy * ($0.x - point.x) }
        }
        return Self.area(shape) / Self.area(corners)
    }

    /// The part of a convex shape where `inside` is not negative.
    private static func clip(_ shape: [(x: Double, y: Double)], _ inside: ((x: Double, y: Double)) -> Double)
        -> [(x: Double, y: Double)]
    {
        var left: [(x: Double, y: Double)] = []
        for (index, point) in shape.enumerated() {
            let next = shape[(index + 1) % shape.count]
            let (here, there) = (inside(point), inside(next))
            if here >= 0 { left.append(point) }
            if (here < 0) != (there < 0) {
                let part = here / (here - there)
                left.append((point.x + (next.x - point.x) * part, point.y + (next.y - point.y) * part))
            }
        }
        return left
    }

    private static func area(_ shape: [(x: Double, y: Double)]) -> Double {
        var sum = 0.0
        for (index, point) in shape.enumerated() {
            let next = shape[(index + 1) % shape.count]
            sum += point.x * next.y - next.x * point.y
        }
        return abs(sum) / 2
    }
}
