/// An exact fraction of small numbers in lowest terms, to predict with: no code of the project is in it.
package struct Fraction: Hashable {
    package let top: Int
    /// Above 0.
    package let bottom: Int

    package init(_ top: Int, _ bottom: Int = 1) {
        var (a, b) = (abs(top), abs(bottom))
        while b > 0 { (a, b) = (b, a % b) }
        let divisor = bottom < 0 ? -a : a
        (self.top, self.bottom) = (top / divisor, bottom / divisor)
    }

    package static func + (a: Fraction, b: Fraction) -> Fraction {
        Fraction(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom)
    }
    package static func - (a: Fraction, b: Fraction) -> Fraction { a + Fraction(-b.top, b.bottom) }
    package static func * (a: Fraction, b: Fraction) -> Fraction { Fraction(a.top * b.top, a.bottom * b.bottom) }
    package static func / (a: Fraction, b: Fraction) -> Fraction { Fraction(a.top * b.bottom, a.bottom * b.top) }
    package static func < (a: Fraction, b: Fraction) -> Bool { a.top * b.bottom < b.top * a.bottom }

    package var floor: Int {
        let (whole, rest) = top.quotientAndRemainder(dividingBy: bottom)
        return rest < 0 ? whole - 1 : whole
    }
    package var ceiling: Int { -Fraction(-top, bottom).floor }
    /// Halves upwards; for values from 0.
    package var rounded: Int { Fraction(top * 2 + bottom, bottom * 2).floor }
    package var text: String { "\(top)/\(bottom)" }
}
