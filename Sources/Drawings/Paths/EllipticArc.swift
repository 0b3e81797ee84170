import ExactMath

/// A part of an ellipse between two points, as SVG's `A` has it. It is computed by additions, multiplications and roots
/// alone, so that it is the same on every machine.
struct EllipticArc {
    private let sine, cosine: Double
    private let width, height: Double
    private let centreX, centreY: Double
    /// The ways from the centre to the ends, where the ellipse is a circle of radius 1.
    private let from, to: DrawingPoint
    /// The direction: 1 where angles grow, with y down, which is clockwise; -1 where they fall.
    private let sign: Double
    private let end: DrawingPoint

    /// - Parameters:
    ///   - radii: the radii, above 0; enlarged where they are too small to reach.
    ///   - degrees: the angle by which the ellipse's x axis is turned.
    init(
        from start: DrawingPoint, to end: DrawingPoint, radii: (Double, Double), degrees: Double, isLarge: Bool,
        isClockwise: Bool
    ) {
        let angle = ExactAngle(degrees: degrees)
        sine = angle.sine
        cosine = angle.cosine
        self.end = end
        sign = isClockwise ? 1 : -1
        let (halfX, halfY) = ((start.x - end.x) / 2, (start.y - end.y) / 2)
        let x = angle.cosine * halfX + angle.sine * halfY
        let y = angle.cosine * halfY - angle.sine * halfX
        let reach = (x / radii.0) * (x / radii.0) + (y / radii.1) * (y / radii.1)
        let grow = reach > 1 ? reach.squareRoot() : 1
        (width, height) = (radii.0 * grow, radii.1 * grow)
        // Half the chord, and how far the centre lies beside it, where the ellipse is a circle.
        let (u, v) = (x / width, y / height)
        let square = u * u + v * v
        let aside = (max(0, 1 - square) / square).squareRoot() * (isLarge == isClockwise ? -1 : 1)
        let (centreU, centreV) = (aside * v, -aside * u)
        from = DrawingPoint(u - centreU, v - centreV)
        to = DrawingPoint(-u - centreU, -v - centreV)
        let (turnedX, turnedY) = (centreU * width, centreV * height)
        centreX = cosine * turnedX - sine * turnedY + (start.x + end.x) / 2
        centreY = sine * turnedX + cosine * turnedY + (start.y + end.y) / 2
    }

    /// The arc as at most four curves, each of a quarter or less.
    var curves: [DrawingPath.Segment] {
        var segments: [DrawingPath.Segment] = []
        var here = from
        for _ in 0..<3 {
            let across = sign * (here.x * to.y - here.y * to.x)
            if here.x * to.x + here.y * to.y >= 0, across >= 0 { break }
            let next = DrawingPoint(-sign * here.y, sign * here.x)
            segments.append(curve(here, next, end: nil))
            here = next
        }
        return segments + [curve(here, to, end: end)]
    }

    private func curve(_ a: DrawingPoint, _ b: DrawingPoint, end: DrawingPoint?) -> DrawingPath.Segment {
        // The tangent of a quarter of the angle between, from its sine and cosine.
        let half = abs(a.x * b.y - a.y * b.x) / (1 + a.x * b.x + a.y * b.y)
        let lean = 4.0 / 3 * half / (1 + (1 + half * half).squareRoot()) * sign
        return .curve(
            place(DrawingPoint(a.x - lean * a.y, a.y + lean * a.x)),
            place(DrawingPoint(b.x + lean * b.y, b.y - lean * b.x)), end ?? place(b))
    }

    private func place(_ point: DrawingPoint) -> DrawingPoint {
        let (x, y) = (point.x * width, point.y * height)
        return DrawingPoint(cosine * x - sine * y + centreX, sine * x + cosine * y + centreY)
    }
}
