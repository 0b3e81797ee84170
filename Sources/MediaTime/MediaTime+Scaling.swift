/// The way in which a value between two ticks of the new scale is rounded.
public enum RoundingMethod: Sendable, CaseIterable {
    /// Rounds to the nearest tick, halves away from zero: the default.
    case halfAwayFromZero
    /// Rounds down where the time is above 0, and up where it is below.
    case towardZero
    /// Rounds up where the time is above 0, and down where it is below.
    case awayFromZero
    /// Rounds toward zero into a smaller scale, away from zero into a larger one; a negative value never becomes 0.
    case quickTime
    /// Rounds up, to the later tick.
    case towardPositiveInfinity
    /// Rounds down, to the earlier tick.
    case towardNegativeInfinity
}

extension MediaTime {
    /// The same time in another scale. It is marked as rounded only where that lost something, or where it was before.
    /// Special values stay as they are, a scale below 1 gives invalid, and a value beyond Int64 becomes infinite.
    public func convertScale(_ scale: Int32, method: RoundingMethod = .halfAwayFromZero) -> MediaTime {
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

    /// Makes the nearest tick to exactly the number of seconds that the Double holds (halves away from zero). The scale
    /// is halved while the value overflows, down to 1; then the time is infinite. It is marked as rounded if its
    /// `seconds` is another Double. NaN, or a scale below 1, gives invalid.
    public init(seconds: Double, preferredTimescale: Int32) {
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
    /// The two integers of a finite number that is exactly `significand × 2^exponent`.
    var integerParts: (significand: Int64, exponent: Int) {
        guard !isZero else { return (0, 0) }
        let shift = Int(exponent) - 52
        // This is exact: the significand has 53 bits, and the scaling is by a power of two.
        let whole = Int64(significand * 0x1p52)
        return (sign == .minus ? -whole : whole, shift)
    }
}
