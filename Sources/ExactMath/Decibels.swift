// Functions that give the same last bit with every library and processor: sums and products alone, in a fixed order.

/// 2 to the power of a number from −1000 to 1000, within 10⁻¹⁵ of its value.
func exponential2(_ x: Double) -> Double {
    let whole = x.rounded()
    let part = (x - whole) * 0.693147180559945309417
    var sum = 1.0
    for divisor in stride(from: 16.0, through: 1, by: -1) { sum = 1 + part / divisor * sum }
    return Double(sign: .plus, exponent: Int(whole), significand: sum)
}

/// The logarithm to base 2 of a positive number, within 10⁻¹⁵.
func logarithm2(_ x: Double) -> Double {
    var (exponent, part) = (Double(x.exponent), x.significand)
    if part > 1.4142135623730951 { (exponent, part) = (exponent + 1, part / 2) }
    // This is the series of the inverse hyperbolic tangent.
    let ratio = (part - 1) / (part + 1)
    let square = ratio * ratio
    var sum = 0.0
    for divisor in stride(from: 23.0, through: 1, by: -2) { sum = sum * square + 1 / divisor }
    return exponent + 2 * ratio * sum * 1.44269504088896340736
}

/// The factor of an amplitude that a level in decibels stands for; 1 for 0.
package func amplitude(ofDecibels level: Double) -> Double { exponential2(level * 0.166096404744368117394) }

/// The level of an amplitude in decibels: at least −240, which silence has.
package func decibels(ofAmplitude value: Double) -> Double { logarithm2(max(value, 1e-12)) * 6.02059991327962390427 }

/// The share of a difference that is left one sample later, where it falls to 1/e within `seconds`.
package func decay(over seconds: Double, sampleRate: Int) -> Double {
    exponential2(-1.44269504088896340736 / max(seconds * Double(sampleRate), 1e-3))
}

/// cos 2πx for x from 0 to 1, within 10⁻¹³: `sine` a quarter of a turn ahead.
package func cosine(ofCycles x: Double) -> Double { sine(ofCycles: x < 0.75 ? x + 0.25 : x - 0.75) }
