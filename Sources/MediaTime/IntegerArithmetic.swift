/// The greatest common divisor by Euclid's algorithm. It is never 0: two zeros have 1, so that callers may divide.
func greatestCommonDivisor(_ left: UInt128, _ right: UInt128) -> UInt128 {
    var (large, small) = (left, right)
    while small != 0 {
        if let a = UInt64(exactly: large), let b = UInt64(exactly: small) {
            return UInt128(greatestCommonDivisor(a, b))
        }
        (large, small) = (small, large % small)
    }
    return large == 0 ? 1 : large
}

private func greatestCommonDivisor(_ left: UInt64, _ right: UInt64) -> UInt64 {
    var (large, small) = (left, right)
    while small != 0 { (large, small) = (small, large % small) }
    return large == 0 ? 1 : large
}

/// The quotient by a positive number; `.quickTime` is settled by its caller and counts as the default here.
func divide(_ numerator: Int128, by denominator: Int128, _ method: RoundingMethod) -> (Int128, exact: Bool) {
    let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
    guard remainder != 0 else { return (quotient, true) }
    let away: Bool
    switch method {
    case .halfAwayFromZero, .quickTime:
        away = remainder.magnitude >= denominator.magnitude - remainder.magnitude
    case .towardZero: away = false
    case .awayFromZero: away = true
    case .towardPositiveInfinity: away = numerator > 0
    case .towardNegativeInfinity: away = numerator < 0
    }
    return (away ? quotient + (numerator < 0 ? -1 : 1) : quotient, false)
}

/// `number × 2^exponent`, rounded half away from zero; saturates at ±Int128.max.
func shifted(_ number: Int128, by exponent: Int) -> (Int128, exact: Bool) {
    guard number != 0 else { return (0, true) }
    let limit: Int128 = number < 0 ? -.max : .max
    if exponent >= 0 {
        guard exponent < 127, number.magnitude <= Int128.max.magnitude >> UInt128(exponent) else {
            return (limit, false)
        }
        return (number << Int128(exponent), true)
    }
    guard exponent > -127 else { return (0, false) }
    return divide(number, by: 1 << Int128(-exponent), .halfAwayFromZero)
}
