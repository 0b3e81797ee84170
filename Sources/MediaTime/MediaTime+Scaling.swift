/// What happens to a value that lies between two ticks of the new scale.
package enum RoundingMethod: Sendable, CaseIterable {
    /// To the nearest tick, halves away from zero: the default.
    case halfAwayFromZero
    case towardZero
    case awayFromZero
    /// Toward zero into a smaller scale, away from zero into a larger one; a negative never becomes 0.
    case quickTime
    case towardPositiveInfinity
    case towardNegativeInfinity
}

extension MediaTime {
    /// The same time in another scale. Marked as rounded only where that lost something (or it was before). Special
    /// values stay as they are, a scale below 1 gives invalid, and a value beyond Int64 becomes infinite.
    package func convertScale(_ scale: Int32, method: RoundingMethod = .halfAwayFromZero) -> MediaTime {
        guard isNumeric else { return self }
        guard scale > 0 else { return .invalid }
        var rule = method
        if method == .quickTime { rule = scale < timescale ? .towardZero : .awayFromZero }
        var (quotient, exact) = divide(Int128(value) * Int128(scale), by: Int128(timescale), rule)
        if method == .quickTime, value < 0, quotient == 0 { quotient = -1 }
        guard let converted = Int64(exactly: quotient) else {
            return value < 0 ? .negativeInfinity : .positiveInfinity
        }
        return MediaTime(value: converted, timescale: scale, epoch: epoch, rounded: hasBeenRounded || !exact)
    }

    /// The nearest tick to exactly the number that the Double holds (halves away from zero). The scale is halved where
    /// the value would overflow, then the time is infinite. Marked as rounded if `seconds` does not give the same
    /// Double back. NaN, or a scale below 1, gives invalid.
    package init(seconds: Double, preferredTimescale: Int32) {
        guard preferredTimescale > 0, !seconds.isNaN else {
            self = .invalid
            return
        }
        guard seconds.isFinite else {
            self = seconds < 0 ? .negativeInfinity : .positiveInfinity
            return
        }
        let (significand, exponent) = seconds.integerParts
        var scale = preferredTimescale
        while true {
            let (ticks, _) = shifted(Int128(significand) * Int128(scale), by: exponent)
            if let value = Int64(exactly: ticks) {
                let rounded = Double(value) / Double(scale) != seconds
                self.init(value: value, timescale: scale, epoch: 0, rounded: rounded)
                return
            }
            guard scale > 1 else { break }
            scale /= 2
        }
        self = seconds < 0 ? .negativeInfinity : .positiveInfinity
    }
}

extension Double {
    /// A finite number as exactly `significand × 2^exponent`.
    var integerParts: (significand: Int64, exponent: Int) {
        guard !isZero else { return (0, 0) }
        let shift = Int(exponent) - 52
        // Exact: the significand has 53 bits, the scaling is by a power of two.
        let whole = Int64(significand * 0x1p52)
        return (sign == .minus ? -whole : whole, shift)
    }
}
