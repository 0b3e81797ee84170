import ExactMath

/// An affine map of the plane: `x' = a·x + c·y + tx`, `y' = b·x + d·y + ty`. Lengths are pixels of the canvas unless
/// the place where it is used says otherwise; x points to the right and y down.
///
/// A file has it as `[a, b, c, d, tx, ty]`. Maps are put together with `then`:
/// `Affine.scale(2, 2).then(.translation(10, 0))` scales, and moves after that.
public struct Affine: Hashable, Codable, Sendable {
    /// The part of x that goes into x', and the part of it that goes into y'.
    public var a, b: Double
    /// The part of y that goes into x', and the part of it that goes into y'.
    public var c, d: Double
    /// The way that the origin goes, in pixels to the right and down.
    public var tx, ty: Double

    /// The map that leaves every point where it is.
    public static let identity = Affine(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

    /// Makes a map of its six numbers, which are taken as they are.
    public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
        (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
    }

    /// The map that makes everything `x` times as wide and `y` times as high, about the origin.
    public static func scale(_ x: Double, _ y: Double) -> Affine { Affine(a: x, b: 0, c: 0, d: y, tx: 0, ty: 0) }

    /// The map that moves everything by `x` pixels to the right and `y` down.
    public static func translation(_ x: Double, _ y: Double) -> Affine {
        Affine(a: 1, b: 0, c: 0, d: 1, tx: x, ty: y)
    }

    /// The map that turns everything clockwise about the origin; negative degrees turn counter-clockwise. It is the
    /// same on every machine, and quarter turns are exact. Degrees that are not finite give NaN.
    public static func rotation(degrees: Double) -> Affine {
        let angle = ExactAngle(degrees: degrees)
        return Affine(a: angle.cosine, b: angle.sine, c: -angle.sine, d: angle.cosine, tx: 0, ty: 0)
    }

    /// The factor by which areas grow; negative where the map mirrors, and 0 where it leaves nothing to see.
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

    /// The point to which the map takes the point (`x`, `y`).
    public func apply(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
        (a * x + c * y + tx, b * x + d * y + ty)
    }
}

/// A rectangle, `[x, y, width, height]` in a file; an infinite one is `Rect.infinite`.
///
/// `x` and `y` are its top left corner, in pixels to the right and down.
public struct Rect: Hashable, Codable, Sendable {
    /// The place of the left edge and of the upper one, in pixels.
    public var x, y: Double
    /// The lengths of the sides in pixels.
    public var width, height: Double

    /// Makes a rectangle of its corner and its sides, in pixels; they are taken as they are.
    public init(x: Double, y: Double, width: Double, height: Double) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    /// The rectangle that holds every picture: nothing is cropped by it.
    public static let infinite = Rect(
        x: -.greatestFiniteMagnitude / 2, y: -.greatestFiniteMagnitude / 2,
        width: .greatestFiniteMagnitude, height: .greatestFiniteMagnitude)

    /// Whether the rectangle holds every picture, as `infinite` does.
    public var isInfinite: Bool { width >= .greatestFiniteMagnitude }
    /// Whether nothing is in the rectangle: a side is not above 0.
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
    /// The number of columns and of rows.
    public var width, height: Int

    /// Makes a size of a number of columns and one of rows, which are taken as they are.
    public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    /// The largest size of this one's shape within `most`, both sides multiples of `step` pixels; nil where this size
    /// lies within it as it is.
    package func shrunk(into most: PixelSize, inStepsOf step: Int = 1) -> PixelSize? {
        guard most.width > 0, most.height > 0, width > most.width || height > most.height else { return nil }
        let factor = min(Double(most.width) / Double(width), Double(most.height) / Double(height))
        func side(_ length: Int, _ most: Int) -> Int {
            let nearest = Int((Double(length) * factor / Double(step)).rounded()) * step
            return min(max(step, most / step * step), max(step, nearest))
        }
        return PixelSize(width: side(width, most.width), height: side(height, most.height))
    }
}

/// A colour: red, green, blue and alpha, each from 0 to 1.
///
/// Red, green and blue are encoded (R'G'B', as in CSS and in files of pictures), and straight: not multiplied by alpha.
/// The colours of a composition mean SDR; a film in HDR shows their white at 203 cd/m².
public struct Colour: Hashable, Codable, Sendable {
    /// The encoded components, from 0 for none to 1 for all.
    public var red, green, blue: Double
    /// The opacity: 0 for nothing to see, 1 for nothing to see through.
    public var alpha: Double

    /// Makes a colour of its components in 0…1, which are taken as they are.
    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }

    /// Opaque black.
    public static let black = Colour(red: 0, green: 0, blue: 0)
    /// Opaque white.
    public static let white = Colour(red: 1, green: 1, blue: 1)
    /// Nothing: black of alpha 0.
    public static let clear = Colour(red: 0, green: 0, blue: 0, alpha: 0)
}
