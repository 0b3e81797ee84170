extension MediaTime {
    /// The sum, in the scale of both where they have the same; otherwise in the lowest common multiple, or rounded in
    /// `Int32.max` where that multiple is larger. The scale is halved until the value fits; a value that does not fit
    /// at scale 1 is infinite. Different non-zero epochs give invalid.
    public static func + (left: MediaTime, right: MediaTime) -> MediaTime { sum(left, right, sign: 1) }

    /// The difference by the rules of addition; +inf − +inf is invalid.
    public static func - (left: MediaTime, right: MediaTime) -> MediaTime { sum(left, right, sign: -1) }

    private static func sum(_ left: MediaTime, _ right: MediaTime, sign: Int32) -> MediaTime {
        guard left.isValid, right.isValid else { return .invalid }
        if left.isInfinite || right.isInfinite {
            let other = right.impliedProduct(withSign: sign)
            if left.isInfinite && right.isInfinite && left != other { return .invalid }
            return left.isInfinite ? left : other
        }
        if left.isIndefinite || right.isIndefinite { return .indefinite }
        guard left.epoch == right.epoch || left.epoch == 0 || right.epoch == 0 else { return .invalid }
        let leftScale = Int128(left.timescale)
        let rightScale = Int128(right.timescale)
        let divisor = Int128(greatestCommonDivisor(leftScale.magnitude, rightScale.magnitude))
        let common = leftScale / divisor * rightScale
        let total =
            Int128(left.value) * (common / leftScale) + Int128(sign) * Int128(right.value) * (common / rightScale)
        return fitted(
            total, over: common, scale: Int32(exactly: common) ?? .max,
            epoch: left.epoch == right.epoch ? 0 : left.epoch + right.epoch,
            alreadyRounded: left.hasBeenRounded || right.hasBeenRounded)
    }

    /// The time with the other sign, of the same epoch.
    public static prefix func - (time: MediaTime) -> MediaTime { time * -1 }

    /// Adds a time by the rules of addition.
    public static func += (left: inout MediaTime, right: MediaTime) { left = left + right }
    /// Subtracts a time by the rules of addition.
    public static func -= (left: inout MediaTime, right: MediaTime) { left = left - right }

    /// The time without its sign.
    public var absolute: MediaTime { value < 0 || isNegativeInfinity ? -self : self }

    /// The time `factor` times, in the same scale unless the value overflows: then as in addition. Infinity times 0 is
    /// invalid.
    public static func * (time: MediaTime, factor: Int) -> MediaTime {
        guard time.isNumeric else { return time.impliedProduct(withSign: Int32(factor.signum())) }
        return .fitted(
            Int128(time.value) * Int128(factor), over: Int128(time.timescale), scale: time.timescale, epoch: time.epoch,
            alreadyRounded: time.hasBeenRounded)
    }

    /// The time `factor` times, by the rules of `time * factor`.
    public static func * (factor: Int, time: MediaTime) -> MediaTime { time * factor }

    /// The part of the time that is `divisor` times in it, by the rules of `multiplied(by:dividedBy:)`.
    public static func / (time: MediaTime, divisor: Int) -> MediaTime { time.multiplied(by: 1, dividedBy: divisor) }

    /// The time times exactly `multiplier / divisor`: in the same scale where the result is exact in it, else in a
    /// finer one where it is exact, else rounded in the finest. Divisor 0 gives invalid for 0 times anything, and
    /// infinity for the rest.
    public func multiplied(by multiplier: Int, dividedBy divisor: Int) -> MediaTime {
        let direction = Int32(multiplier.signum()) * (divisor < 0 ? -1 : 1)
        guard isNumeric else { return impliedProduct(withSign: direction) }
        let numerator = Int128(value) * Int128(multiplier) * (divisor < 0 ? -1 : 1)
        guard divisor != 0 else {
            if numerator == 0 { return .invalid }
            return numerator < 0 ? .negativeInfinity : .positiveInfinity
        }
        let denominator = Int128(timescale) * Int128(divisor.magnitude)
        let common = Int128(
            greatestCommonDivisor(Int128(multiplier).magnitude, Int128(divisor).magnitude))
        let unreduced = denominator / common
        return .closest(
            numerator, over: denominator, preferring: [Int128(timescale), unreduced], epoch: epoch,
            alreadyRounded: hasBeenRounded)
    }

    /// The time times exactly the number that the Double holds. The scale is doubled until it is at least 65536, so the
    /// result is usually rounded: for interfaces that speak Double, never for the path from file to frame.
    public func multiplied(byDouble factor: Double) -> MediaTime {
        if factor.isNaN { return .invalid }
        let direction: Int32 = factor > 0 ? 1 : (factor < 0 ? -1 : 0)
        guard isNumeric else { return impliedProduct(withSign: direction) }
        guard factor.isFinite else {
            return MediaTime.positiveInfinity.impliedProduct(withSign: Int32(value.signum()) * direction)
        }
        var doublings = 0
        while Int64(timescale) << doublings < 65536 { doublings += 1 }
        let (significand, exponent) = factor.integerParts
        let product = Int128(value) * Int128(significand)
        let scale = timescale << Int32(doublings)
        let (scaled, exact) = shifted(product, by: exponent + doublings)
        if let result = Int64(exactly: scaled) {
            return MediaTime(value: result, timescale: scale, epoch: epoch, rounded: hasBeenRounded || !exact)
        }
        // The exponent is above -70 here: nothing smaller overflows.
        let (numerator, _) = shifted(product, by: max(0, exponent))
        // 2^95 / Int32.max is beyond Int64 in every scale.
        guard exponent <= 0 || numerator.magnitude < 1 << 95 else {
            return numerator < 0 ? .negativeInfinity : .positiveInfinity
        }
        return .fitted(
            numerator, over: Int128(timescale) << Int128(max(0, -exponent)), scale: scale, epoch: epoch,
            alreadyRounded: hasBeenRounded)
    }

    /// The product of a time that is not numeric (invalid, indefinite or infinite) and something of the given sign.
    private func impliedProduct(withSign direction: Int32) -> MediaTime {
        guard isInfinite else { return self }
        if direction == 0 { return .invalid }
        return isPositiveInfinity == (direction > 0) ? .positiveInfinity : .negativeInfinity
    }
}

extension MediaTime {
    /// `numerator / denominator` in `scale`, rounded half away from zero; the scale is halved until the value fits,
    /// and what does not fit at scale 1 is infinite. Takes a denominator of 1…2^95.
    static func fitted(
        _ numerator: Int128, over denominator: Int128, scale: Int32, epoch: Int64, alreadyRounded: Bool
    ) -> MediaTime {
        let (whole, rest) = numerator.quotientAndRemainder(dividingBy: denominator)
        var scale = scale
        // A larger number of whole seconds fits in no scale.
        while whole.magnitude <= 1 << 63 {
            let (part, exact) = divide(rest * Int128(scale), by: denominator, .halfAwayFromZero)
            if let value = Int64(exactly: whole * Int128(scale) + part) {
                return MediaTime(value: value, timescale: scale, epoch: epoch, rounded: alreadyRounded || !exact)
            }
            if scale == 1 { break }
            scale /= 2
        }
        return numerator < 0 ? .negativeInfinity : .positiveInfinity
    }

    /// `numerator / denominator` in the first preferred scale in which it is exact, else in lowest terms, else rounded
    /// in the finest scale that fits.
    static func closest(
        _ numerator: Int128, over denominator: Int128, preferring scales: [Int128], epoch: Int64,
        alreadyRounded: Bool
    ) -> MediaTime {
        let divisor = Int128(greatestCommonDivisor(numerator.magnitude, denominator.magnitude))
        let reducedNumerator = numerator / divisor
        let reduced = denominator / divisor
        for scale in scales + [reduced] where scale % reduced == 0 {
            guard let timescale = Int32(exactly: scale), timescale > 0 else { continue }
            let product = reducedNumerator.multipliedReportingOverflow(by: scale / reduced)
            guard !product.overflow, let value = Int64(exactly: product.partialValue) else { continue }
            return MediaTime(value: value, timescale: timescale, epoch: epoch, rounded: alreadyRounded)
        }
        return fitted(
            reducedNumerator, over: reduced, scale: .max, epoch: epoch, alreadyRounded: alreadyRounded)
    }
}
