import Foundation
import TestSupport
import Testing

/// Real processes over real files, one after the other: each render already uses every core.
@Suite(.serialized, .enabled(if: Splitreel.find() != nil, "needs the built program: swift build -c release"))
enum EndToEnd {}

/// An exact fraction of small numbers in lowest terms, to predict with: no code of the project is in it.
struct Fraction: Hashable {
    let top: Int
    /// Above 0.
    let bottom: Int

    init(_ top: Int, _ bottom: Int = 1) {
        var (a, b) = (abs(top), abs(bottom))
        while b > 0 { (a, b) = (b, a % b) }
        let divisor = bottom < 0 ? -a : a
        (self.top, self.bottom) = (top / divisor, bottom / divisor)
    }

    static func + (a: Fraction, b: Fraction) -> Fraction {
        Fraction(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom)
    }
    static func - (a: Fraction, b: Fraction) -> Fraction { a + Fraction(-b.top, b.bottom) }
    static func * (a: Fraction, b: Fraction) -> Fraction { Fraction(a.top * b.top, a.bottom * b.bottom) }
    static func / (a: Fraction, b: Fraction) -> Fraction { Fraction(a.top * b.bottom, a.bottom * b.top) }
    static func < (a: Fraction, b: Fraction) -> Bool { a.top * b.bottom < b.top * a.bottom }

    var floor: Int {
        let (whole, rest) = top.quotientAndRemainder(dividingBy: bottom)
        return rest < 0 ? whole - 1 : whole
    }
    var ceiling: Int { -Fraction(-top, bottom).floor }
    /// Halves upwards; for values from 0.
    var rounded: Int { Fraction(top * 2 + bottom, bottom * 2).floor }
    var text: String { "\(top)/\(bottom)" }
}
