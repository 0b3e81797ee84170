/// An affine map of the plane: `x' = a·x + c·y + tx`, `y' = b·x + d·y + ty`; y points down.
///
/// A file has it as `[a, b, c, d, tx, ty]`.
public struct Affine: Hashable, Codable, Sendable {
    public var a, b, c, d, tx, ty: Double

    public static let identity = Affine(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

    public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
        (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
    }

    public static func scale(_ x: Double, _ y: Double) -> Affine { Affine(a: x, b: 0, c: 0, d: y, tx: 0, ty: 0) }

    public static func translation(_ x: Double, _ y: Double) -> Affine {
        Affine(a: 1, b: 0, c: 0, d: 1, tx: x, ty: y)
    }

    public var determinant: Double { a * d - b * c }

    /// The map that applies `self` first and `next` after it.
    public func then(_ next: Affine) -> Affine {
        Affine(
            a: next.a * a + next.c * b, b: next.b * a + next.d * b,
            c: next.a * c + next.c * d, d: next.b * c + next.d * d,
            tx: next.a * tx + next.c * ty + next.tx, ty: next.b * tx + next.d * ty + next.ty)
    }

    /// The inverse; nil where the determinant is zero or not finite (nothing is visible then).
    public var inverse: Affine? {
        let det = determinant
        guard det.isFinite, det != 0 else { return nil }
        let (ia, ib, ic, id) = (d / det, -b / det, -c / det, a / det)
        return Affine(a: ia, b: ib, c: ic, d: id, tx: -(ia * tx + ic * ty), ty: -(ib * tx + id * ty))
    }

    public func apply(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
        (a * x + c * y + tx, b * x + d * y + ty)
    }
}

/// A rectangle, `[x, y, width, height]` in a file; an infinite one is `Rect.infinite`.
public struct Rect: Hashable, Codable, Sendable {
    public var x, y, width, height: Double

    public init(x: Double, y: Double, width: Double, height: Double) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    public static let infinite = Rect(
        x: -.greatestFiniteMagnitude / 2, y: -.greatestFiniteMagnitude / 2,
        width: .greatestFiniteMagnitude, height: .greatestFiniteMagnitude)

    public var isInfinite: Bool { width >= .greatestFiniteMagnitude }
    public var isEmpty: Bool { !(width > 0 && height > 0) }

    /// The rectangle that a map of quarter turns makes of this one; for other maps the smallest rectangle around the
    /// result.
    public func bounds(by map: Affine) -> Rect {
        let corners = [(x, y), (x + width, y), (x, y + height), (x + width, y + height)].map { map.apply($0.0, $0.1) }
        let (xs, ys) = (corners.map(\.x).sorted(), corners.map(\.y).sorted())
        return Rect(x: xs[0], y: ys[0], width: xs[3] - xs[0], height: ys[3] - ys[0])
    }
}

/// A size in pixels, `[width, height]` in a file.
public struct PixelSize: Hashable, Codable, Sendable {
    public var width, height: Int

    public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    /// The largest size of this one's shape within `most`, both sides multiples of `step` pixels; nil where this size
    /// lies within it as it is.
    public func shrunk(into most: PixelSize, inStepsOf step: Int = 1) -> PixelSize? {
        guard most.width > 0, most.height > 0, width > most.width || height > most.height else { return nil }
        let factor = min(Double(most.width) / Double(width), Double(most.height) / Double(height))
        func side(_ length: Int, _ most: Int) -> Int {
            let nearest = Int((Double(length) * factor / Double(step)).rounded()) * step
            return min(max(step, most / step * step), max(step, nearest))
        }
        return PixelSize(width: side(width, most.width), height: side(height, most.height))
    }
}

/// A colour as straight (not premultiplied) R'G'B'A in 0…1. A file's mean SDR, see `brought(into:)`.
public struct Colour: Hashable, Codable, Sendable {
    public var red, green, blue, alpha: Double

    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }

    public static let black = Colour(red: 0, green: 0, blue: 0)
    public static let clear = Colour(red: 0, green: 0, blue: 0, alpha: 0)
}
