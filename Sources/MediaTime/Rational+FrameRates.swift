extension Rational {
    /// The numbers of frames a second that films usually have, rising.
    package static let standardFrameRates = [
        Rational(24000, 1001), Rational(24), Rational(25), Rational(30000, 1001), Rational(30), Rational(48),
        Rational(50), Rational(60000, 1001), Rational(60), Rational(100), Rational(120_000, 1001), Rational(120),
    ]

    /// The standard frame rate within a ten-thousandth of this one; nil where there is none.
    package var standardFrameRate: Rational? {
        Rational.standardFrameRates.first { (self - $0).magnitude <= $0 / Rational(10_000) }
    }
}
