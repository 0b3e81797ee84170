/// Sine and cosine of an angle in degrees, the same on every machine: from additions and multiplications in a fixed
/// order. Quarter turns are exact, and other values within 1e-15; an angle that is not finite has NaN for both.
package struct ExactAngle {
    package let sine: Double
    package let cosine: Double

    package init(degrees: Double) {
        guard degrees.isFinite else {
            (sine, cosine) = (.nan, .nan)
            return
        }
        // Both steps are exact: the nearest quarter turn, and what is left, from -45 to 45.
        let turned = degrees.remainder(dividingBy: 360)
        let quarters = (turned / 90).rounded()
        let (s, c) = Self.small((turned - quarters * 90) * (Double.pi / 180))
        switch Int(quarters) {
        case 1: (sine, cosine) = (c, -s)
        case 2, -2: (sine, cosine) = (-s, -c)
        case -1: (sine, cosine) = (-c, s)
        default: (sine, cosine) = (s, c)
        }
    }

    package var tangent: Double { sine / cosine }

    /// Sine and cosine of an angle of up to an eighth of a turn, in radians, by Taylor's series.
    private static func small(_ angle: Double) -> (sine: Double, cosine: Double) {
        let square = angle * angle
        var (sine, cosine) = (1.0, 1.0)
        for step in stride(from: 22.0, through: 2, by: -2) {
            sine = 1 - sine * square / (step * (step + 1))
            cosine = 1 - cosine * square / ((step - 1) * step)
        }
        return (angle * sine, cosine)
    }
}

extension ExactAngle {
    /// The direction of the way from the origin to a point, in degrees above -180 and at most 180; 0 for the origin. It
    /// is the same on every machine, within 1e-13, and exact for quarter turns.
    package static func degrees(x: Double, y: Double) -> Double {
        guard x.isFinite, y.isFinite, x != 0 || y != 0 else { return 0 }
        let (width, height) = (abs(x), abs(y))
        let small = min(width, height) / max(width, height)
        // tan(a − 45°) = (t − 1) / (t + 1) leaves at most an eighth of a half turn.
        let isLarge = small > 0.414_213_562_373_095
        let rest = isLarge ? (small - 1) / (small + 1) : small
        var sum = 0.0
        for step in stride(from: 43.0, through: 1, by: -2) { sum = 1 / step - rest * rest * sum }
        var angle = rest * sum * (180 / Double.pi) + (isLarge ? 45 : 0)
        if height > width { angle = 90 - angle }
        if x < 0 { angle = 180 - angle }
        return y < 0 ? -angle : angle
    }
}
