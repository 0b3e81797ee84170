import MediaTime
import Testing

/// Rates as people write them: the fractions are SMPTE's, k·1000/1001.
@Suite struct FrameRateTests {
    @Test(arguments: [
        ("23.98", 24), ("23.976", 24), ("23.9760", 24), ("23.980", 24), ("23.97", 24), ("29.97", 30), ("29.970030", 30),
        ("47.95", 48), ("47.952", 48), ("59.94", 60), ("119.88", 120), ("14.99", 15), ("14.985", 15), ("11.99", 12),
        ("89.91", 90), ("71.93", 72), ("143.86", 144), ("239.76", 240),
    ]) func decimalsMeanTheRatesOfTelevision(text: String, whole: Int) {
        #expect(Rational(frameRate: text) == Rational(whole * 1000, 1001), "\(text)")
    }

    /// Other numbers stay as they are.
    @Test(arguments: [
        ("12.5", Rational(25, 2)), ("24.98", Rational(1249, 50)), ("29.98", Rational(1499, 50)),
        ("14.9", Rational(149, 10)),
        ("25", Rational(25)), ("24.0", Rational(24)), ("24.00", Rational(24)), ("7.5", Rational(15, 2)),
        ("2398/100", Rational(1199, 50)), ("30000/1001", Rational(30_000, 1001)), ("1.5", Rational(3, 2)),
    ]) func otherNumbersAreThemselves(text: String, rate: Rational) {
        #expect(Rational(frameRate: text) == rate, "\(text)")
    }

    /// The rates of the films that ffmpeg makes by these names.
    @Test(arguments: [
        ("ntsc", Rational(30_000, 1001)), ("NTSC", Rational(30_000, 1001)), ("pal", Rational(25)),
        ("film", Rational(24)), ("ntsc-film", Rational(24_000, 1001)),
    ]) func namesOfRates(name: String, rate: Rational) {
        #expect(Rational(frameRate: name) == rate, "\(name)")
    }

    @Test(arguments: ["", "0", "-25", "23,98", "23.98fps", "1/0", "inf", "24p", "23.9.8"]) func otherTextsAreNone(
        text: String
    ) {
        #expect(Rational(frameRate: text) == nil)
    }
}
