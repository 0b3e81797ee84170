/// `base` to the power of `exponent`; 0 for a base that is not above 0.
///
/// The result comes of additions, multiplications and divisions of doubles alone: libm's last bits differ between
/// machines, and tables made with it would too. It is exact to some 1e-14: enough for tables, not for pixels.
package func power(_ base: Double, _ exponent: Double) -> Double {
    guard base > 0, base.isFinite else { return 0 }
    return exponential(exponent * naturalLogarithm(base))
}

/// The natural logarithm of a finite number above 0.
package func naturalLogarithm(_ value: Double) -> Double {
    var (part, exponent) = (value.significand, Double(value.exponent))
    if part > 1.414_213_562_373_095 { (part, exponent) = (part / 2, exponent + 1) }
    // ln part = 2·artanh s
    let s = (part - 1) / (part + 1)
    var sum = 0.0
    for k in stride(from: 27, through: 1, by: -2) { sum = sum * (s * s) + 1 / Double(k) }
    return exponent * naturalLogarithmOf2 + 2 * s * sum
}

package func exponential(_ value: Double) -> Double {
    guard value > -700 else { return 0 }
    let whole = (min(value, 700) / naturalLogarithmOf2).rounded()
    let rest = min(value, 700) - whole * naturalLogarithmOf2
    var sum = 1.0
    for k in stride(from: 18, through: 1, by: -1) { sum = 1 + sum * rest / Double(k) }
    return Double(sign: .plus, exponent: Int(whole), significand: sum)
}

private let naturalLogarithmOf2 = 0.693_147_180_559_945_3
