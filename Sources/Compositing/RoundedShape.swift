import Pictures

/// A rectangle with round corners, transformed, and the stretches in it of lines of the canvas.
///
/// It is made of two rectangles (each without the corners' rows, or columns) and four ellipses. All are convex, and so
/// is the whole, so that a line's stretch in it reaches from the first of their stretches to the last.
struct RoundedShape {
    /// The rectangle and its radii in the layer's display pixels.
    private let x0, y0, x1, y1, radiusX, radiusY: Double
    /// The map from canvas pixels to the layer's display pixels.
    private let inverse: Affine

    /// A shape of a rectangle; nil where nothing is inside.
    init?(_ rect: Rect, radiusX: Double, radiusY: Double, inverse: Affine) {
        guard rect.width > 0, rect.height > 0 else { return nil }
        (x0, y0, x1, y1) = (rect.x, rect.y, rect.x + rect.width, rect.y + rect.height)
        let share = Self.share(of: radiusX, radiusY, fitting: rect)
        (self.radiusX, self.radiusY) = radiusX > 0 && radiusY > 0 ? (radiusX * share, radiusY * share) : (0, 0)
        self.inverse = inverse
    }

    /// The factor by which both radii have room: neither becomes more than half of its side, and the corner keeps its
    /// form.
    static func share(of radiusX: Double, _ radiusY: Double, fitting rect: Rect) -> Double {
        guard radiusX > 0, radiusY > 0 else { return 1 }
        return min(1, rect.width / (2 * radiusX), rect.height / (2 * radiusY))
    }

    /// The stretch of a line of the canvas that is inside, in canvas pixels; nil where none is.
    func stretch(atLine y: Double) -> (low: Double, high: Double)? {
        // A point x of the line lies at (a·x + u, b·x + v).
        let (a, b) = (inverse.a, inverse.b)
        let (u, v) = (inverse.c * y + inverse.tx, inverse.d * y + inverse.ty)
        var result: (low: Double, high: Double)?
        func add(_ part: (low: Double, high: Double)?) {
            guard let part, part.high > part.low else { return }
            result = (min(result?.low ?? part.low, part.low), max(result?.high ?? part.high, part.high))
        }
        add(Self.both(Self.between(x0, x1, a, u), Self.between(y0 + radiusY, y1 - radiusY, b, v)))
        add(Self.both(Self.between(x0 + radiusX, x1 - radiusX, a, u), Self.between(y0, y1, b, v)))
        guard radiusX > 0 else { return result }
        for centreX in [x0 + radiusX, x1 - radiusX] {
            for centreY in [y0 + radiusY, y1 - radiusY] {
                add(Self.inCircle(a / radiusX, (u - centreX) / radiusX, b / radiusY, (v - centreY) / radiusY))
            }
        }
        return result
    }

    private typealias Stretch = (low: Double, high: Double)

    /// The x for which slope · x + offset lies between the two.
    private static func between(_ low: Double, _ high: Double, _ slope: Double, _ offset: Double) -> Stretch? {
        guard slope != 0 else {
            return (low...max(low, high)).contains(offset) && high >= low
                ? (-.greatestFiniteMagnitude, .greatestFiniteMagnitude) : nil
        }
        let (first, second) = ((low - offset) / slope, (high - offset) / slope)
        return high >= low ? (min(first, second), max(first, second)) : nil
    }

    private static func both(_ one: Stretch?, _ other: Stretch?) -> Stretch? {
        guard let one, let other else { return nil }
        return (max(one.low, other.low), min(one.high, other.high))
    }

    /// The x for which (a·x + u, b·x + v) lies in the circle of radius 1 about the origin.
    private static func inCircle(_ a: Double, _ u: Double, _ b: Double, _ v: Double) -> Stretch? {
        let square = a * a + b * b
        guard square > 0 else { return nil }
        // The point of the line that is nearest to the centre, and its distance.
        let nearest = -(a * u + b * v) / square
        let distance = (a * v - b * u) * (a * v - b * u) / square
        guard distance < 1 else { return nil }
        let reach = ((1 - distance) / square).squareRoot()
        return (nearest - reach, nearest + reach)
    }
}

/// The painted part of a layer with round corners or a border.
struct EdgedShape {
    /// The shape with the border, if it has one.
    let outer: RoundedShape
    /// The shape inside the border; nil where the border fills it all.
    let inner: RoundedShape?
    let hasBorder: Bool
    /// The lines from `plainTop` to `plainBottom`, in canvas pixels, cross no round corner and no border above or
    /// below.
    let plainTop, plainBottom: Double

    /// - Parameters:
    ///   - rect: The visible part of the picture, in its display pixels.
    ///   - top, bottom: The lines of the canvas at which the shape would end if its corners were square.
    init?(_ edge: LayerEdge, rect: Rect, transform: Affine, isAxisAligned: Bool, top: Double, bottom: Double) {
        guard let inverse = transform.inverse,
            let whole = RoundedShape(rect, radiusX: edge.radiusX, radiusY: edge.radiusY, inverse: inverse)
        else { return nil }
        outer = whole
        hasBorder = edge.hasBorder
        let inside = Rect(
            x: rect.x + edge.borderX, y: rect.y + edge.borderY, width: rect.width - 2 * edge.borderX,
            height: rect.height - 2 * edge.borderY)
        let share = RoundedShape.share(of: edge.radiusX, edge.radiusY, fitting: rect)
        let (radiusX, radiusY) = (edge.radiusX * share, edge.radiusY * share)
        inner = RoundedShape(
            inside, radiusX: radiusX - edge.borderX, radiusY: radiusY - edge.borderY, inverse: inverse)
        guard isAxisAligned else {
            (plainTop, plainBottom) = (bottom, top)
            return
        }
        // Corners that are cut off by the canvas make it smaller than it could be.
        let (reachX, reachY) = (max(radiusX, edge.borderX), max(radiusY, edge.borderY))
        let reach = transform.d != 0 ? abs(transform.d) * reachY : abs(transform.b) * reachX
        (plainTop, plainBottom) = (top + reach, bottom - reach)
    }
}
