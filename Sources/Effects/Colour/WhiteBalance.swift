import Pictures

/// The light of a scene, which is to look neutral.
///
/// Its chromaticity is the black body's of that temperature, by Krystek's rational formula (1985) in CIE 1960 u and v,
/// moved across that line by `tint` × 0.0002, towards green for positive ones. Each of linear R, G and B is divided by
/// that light's, relative to the light of 6500 K, and all are scaled so that the luminance of grey stays.
struct WhiteBalance {
    static let neutral = 6500.0

    let kelvin: Double
    /// The tint in −100…100.
    let tint: Double

    /// The factors of linear red, green and blue; nil where they are 1.
    func gains(_ primaries: ColourPrimaries) -> [Double]? {
        if kelvin == Self.neutral, tint == 0 { return nil }
        let (light, neutral) = (Self.components(kelvin, tint, primaries), Self.components(Self.neutral, 0, primaries))
        let gains = zip(neutral, light).map { $0 / $1 }
        let weights = primaries.toXYZ.rows[1]
        let luminance = zip(weights, gains).reduce(0) { $0 + $1.0 * $1.1 } / weights.reduce(0, +)
        return gains.map { $0 / luminance }
    }

    /// A point of the black body's line, by the temperature in kelvin.
    static func chromaticity(_ t: Double) -> (u: Double, v: Double) {
        (
            (0.860_117_757 + 1.541_182_54e-4 * t + 1.286_412_12e-7 * t * t)
                / (1 + 8.424_202_35e-4 * t + 7.081_451_63e-7 * t * t),
            (0.317_398_726 + 4.228_062_45e-5 * t + 4.204_816_91e-8 * t * t)
                / (1 - 2.897_418_16e-5 * t + 1.614_560_53e-7 * t * t)
        )
    }

    /// Linear R, G and B of the light at luminance 1; none is less than a 32nd of the largest.
    private static func components(_ kelvin: Double, _ tint: Double, _ primaries: ColourPrimaries) -> [Double] {
        var (u, v) = chromaticity(kelvin)
        let (before, after) = (chromaticity(kelvin - 1), chromaticity(kelvin + 1))
        let (du, dv) = (after.u - before.u, after.v - before.v)
        let length = (du * du + dv * dv).squareRoot()
        let across = tint * 0.0002 / length
        // Hotter is less of both; greener is less u and more v.
        (u, v) = (u + dv * across, v - du * across)
        let sum = 2 * u - 8 * v + 4
        let (x, y) = (3 * u / sum, 2 * v / sum)
        let rgb = primaries.toXYZ.inverse.applied(to: [x / y, 1, (1 - x - y) / y])
        let least = (rgb.max() ?? 1) / 32
        return rgb.map { max($0, least) }
    }
}
