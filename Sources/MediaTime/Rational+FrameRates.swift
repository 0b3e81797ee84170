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

extension Rational {
    private static let namedFrameRates = [
        "ntsc": Rational(30000, 1001), "pal": Rational(25), "film": Rational(24), "ntsc-film": Rational(24000, 1001),
    ]

    /// The frames a second that a person means by `25`, `30000/1001`, or a decimal: `29.97` is 30000/1001 and `23.98`
    /// is 24000/1001, as editors have it. A decimal within a ten-thousandth of a standard rate means that rate, and one
    /// of two places or more that is k·1000/1001, rounded or cut off, means that, for each k of the families of 12 and
    /// 15. Names are those of ffmpeg: `ntsc`, `pal`, `film` and `ntsc-film`. nil for other texts and for 0.
    package init?(frameRate text: String) {
        if let named = Rational.namedFrameRates[text.lowercased()] {
            self = named
            return
        }
        let isFraction = text.contains("/")
        guard let time = MediaTime(text: isFraction ? text : text + "s"), time.isNumeric, time.value > 0 else {
            return nil
        }
        let stated = Rational(time)
        guard !isFraction, stated.denominator != 1 else {
            self = stated
            return
        }
        self = stated.standardFrameRate ?? stated.slowedFrameRate(writtenAs: text) ?? stated
    }

    /// The rate k·1000/1001 that the number says as far as its digits go.
    private func slowedFrameRate(writtenAs text: String) -> Rational? {
        let places = text.drop { $0 != "." }.dropFirst().reversed().drop { $0 == "0" }.count
        guard (2...9).contains(places), self < Rational(1000) else { return nil }
        let unit = (0..<places).reduce(Rational(1)) { unit, _ in unit / Rational(10) }
        let whole = self * Rational(1001, 1000)
        return [whole.floor(), whole.ceil()].filter { $0 >= 12 && ($0 % 12 == 0 || $0 % 15 == 0) }
            .map { Rational($0 * 1000, 1001) }
            .first { (self - $0).magnitude * Rational(2) <= unit || self <= $0 && $0 - self < unit }
    }
}
