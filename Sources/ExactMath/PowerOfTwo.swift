/// The natural logarithm of 2.
package let ln2 = 0.693_147_180_559_945_3

/// 2ˣ within 10⁻¹⁵ of its value, by the series of e for x from −½ to ½.
package func power(_ x: Double) -> Double {
    let whole = x.rounded()
    let rest = (x - whole) * ln2
    let series = (1...18).reversed().reduce(1.0) { 1 + rest / Double($1) * $0 }
    return Double(sign: .plus, exponent: Int(whole), significand: series)
}

/// 2ˣ − 1 without a loss of digits near 0.
package func powerLessOne(_ x: Double) -> Double {
    let rest = x * ln2
    guard rest.magnitude < 0.5 else { return power(x) - 1 }
    return rest * (2...18).reversed().reduce(1.0) { 1 + rest / Double($1) * $0 }
}

/// log₂ of a number above 0 within 10⁻¹⁵, by the series of the inverse hyperbolic tangent for √½ to √2.
package func logarithm(_ x: Double) -> Double {
    var (exponent, rest) = (Double(x.exponent), x.significand)
    if rest > 2.0.squareRoot() { (exponent, rest) = (exponent + 1, rest / 2) }
    let ratio = (rest - 1) / (rest + 1)
    let square = ratio * ratio
    let series = (0...14).reversed().reduce(0.0) { 1 / Double(2 * $1 + 1) + square * $0 }
    return exponent + 2 * ratio * series / ln2
}
