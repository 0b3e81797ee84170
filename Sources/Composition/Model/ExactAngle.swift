/// Sine and cosine of an angle in degrees, the same on every machine: from additions and multiplications in a fixed
/// order. Quarter turns are exact. Within 1e-15 of the true values; no numbers for an angle that is none.
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

    var tangent: Double { sine / cosine }

    /// By Taylor's series, for angles up to an eighth of a turn.
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
