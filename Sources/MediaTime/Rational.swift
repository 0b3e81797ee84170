/// An exact fraction of two 128-bit integers, always in lowest terms with a positive denominator.
///
/// Sums and products of media times stay exact. Only where 128 bits do not suffice is a result rounded to a multiple of
/// 2^-62 (and held at ±(2^127 − 1) / 2^62): the same on every machine, never a trap.
public struct Rational: Sendable, Hashable {
    /// The number above the line, which has the fraction's sign.
    public let numerator: Int128
    /// The number below the line, at least 1.
    public let denominator: Int128

    /// The number 0.
    public static let zero = Rational(0)

    /// Makes a fraction in lowest terms; the denominator must not be 0.
    public init(_ numerator: Int, _ denominator: Int = 1) {
        self.init(numerator: Int128(numerator), denominator: Int128(denominator))
    }

    /// Makes a time's exact number of seconds; the time must be numeric, and its epoch is dropped.
    public init(_ time: MediaTime) {
        precondition(time.isNumeric, "only a numeric time is a rational number of seconds")
        self.init(numerator: Int128(time.value), denominator: Int128(time.timescale))
    }

    /// Makes a fraction in lowest terms; the denominator must not be 0.
    public init(numerator: Int128, denominator: Int128) {
        precondition(denominator != 0, "a rational number's denominator is not 0")
        let divisor = greatestCommonDivisor(numerator.magnitude, denominator.magnitude)
        let top = numerator.magnitude / divisor
        let bottom = denominator.magnitude / divisor
        let negative = (numerator < 0) != (denominator < 0) && top != 0
        let limit = UInt128(Int128.max)
        // Only ±2^127 itself does not fit; it is moved by one.
        let magnitude = Int128(min(top, limit))
        self.init(lowestTerms: negative ? -magnitude : magnitude, Int128(min(bottom, limit)))
    }

    private init(lowestTerms numerator: Int128, _ denominator: Int128) {
        self.numerator = numerator
        self.denominator = denominator
    }

    /// The number as a Double, for display and geometry, never for choosing a frame or a sample.
    public var double: Double { Double(numerator) / Double(denominator) }

    /// Whether the number is below 0.
    public var isNegative: Bool { numerator < 0 }
    /// The number without its sign.
    public var magnitude: Rational { isNegative ? -self : self }

    /// The largest whole number that is not larger, held within Int's range.
    public func floor() -> Int { whole(.towardNegativeInfinity) }
    /// The smallest whole number that is not smaller, held within Int's range.
    public func ceil() -> Int { whole(.towardPositiveInfinity) }
    /// The nearest whole number, halves away from zero, held within Int's range.
    public func rounded() -> Int { whole(.halfAwayFromZero) }

    private func whole(_ method: RoundingMethod) -> Int {
        Int(clamping: divide(numerator, by: denominator, method).0)
    }
}

extension Rational {
    /// The sum.
    public static func + (left: Rational, right: Rational) -> Rational {
        if let sum = exactSum(left, right) { return sum }
        let (sum, overflow) = left.fixed.addingReportingOverflow(right.fixed)
        return Rational(fixed: overflow ? (left.isNegative ? -.max : .max) : sum)
    }

    /// The difference.
    public static func - (left: Rational, right: Rational) -> Rational { left + -right }

    /// The number with the other sign.
    public static prefix func - (number: Rational) -> Rational {
        Rational(lowestTerms: -number.numerator, number.denominator)
    }

    /// The product.
    public static func * (left: Rational, right: Rational) -> Rational {
        let first = Rational(numerator: left.numerator, denominator: right.denominator)
        let second = Rational(numerator: right.numerator, denominator: left.denominator)
        let top = first.numerator.multipliedReportingOverflow(by: second.numerator)
        let bottom = first.denominator.multipliedReportingOverflow(by: second.denominator)
        // Both pairs are in lowest terms crosswise, so the product is too.
        if !top.overflow, !bottom.overflow, top.partialValue != .min {
            return Rational(lowestTerms: top.partialValue, bottom.partialValue)
        }
        let product = left.fixed.magnitude.multipliedFullWidth(by: right.fixed.magnitude)
        let half: UInt128 = 1 << 61
        let (low, carry) = product.low.addingReportingOverflow(half)
        let high = product.high + (carry ? 1 : 0)
        let shifted = high >> 61 == 0 ? (high << 66) | (low >> 62) : .max
        let result = Int128(min(shifted, UInt128(Int128.max)))
        return Rational(fixed: left.isNegative == right.isNegative ? result : -result)
    }

    /// The quotient; the divisor must not be 0.
    public static func / (left: Rational, right: Rational) -> Rational {
        precondition(right.numerator != 0, "division of a rational number by 0")
        return left * Rational(numerator: right.denominator, denominator: right.numerator)
    }

    /// Adds a number.
    public static func += (left: inout Rational, right: Rational) { left = left + right }
    /// Subtracts a number.
    public static func -= (left: inout Rational, right: Rational) { left = left - right }

    private static func exactSum(_ left: Rational, _ right: Rational) -> Rational? {
        let divisor = Int128(greatestCommonDivisor(left.denominator.magnitude, right.denominator.magnitude))
        let a = left.numerator.multipliedReportingOverflow(by: right.denominator / divisor)
        let b = right.numerator.multipliedReportingOverflow(by: left.denominator / divisor)
        let bottom = (left.denominator / divisor).multipliedReportingOverflow(by: right.denominator)
        guard !a.overflow, !b.overflow, !bottom.overflow else { return nil }
        let top = a.partialValue.addingReportingOverflow(b.partialValue)
        return top.overflow ? nil : Rational(numerator: top.partialValue, denominator: bottom.partialValue)
    }

    /// The number in units of 2^-62, rounded half away from zero and held within Int128.
    private var fixed: Int128 {
        let (whole, rest) = numerator.magnitude.quotientAndRemainder(dividingBy: denominator.magnitude)
        let limit = UInt128(Int128.max)
        guard whole < 1 << 65 else { return isNegative ? -.max : .max }
        let wide = rest.multipliedFullWidth(by: UInt128(1) << 62)
        let (part, left) = denominator.magnitude.dividingFullWidth((wide.high, wide.low))
        let up: UInt128 = left >= denominator.magnitude - left ? 1 : 0
        let magnitude = Int128(min((whole << 62) + part + up, limit))
        return isNegative ? -magnitude : magnitude
    }

    private init(fixed: Int128) {
        self.init(numerator: fixed, denominator: 1 << 62)
    }
}

extension Rational: ExpressibleByIntegerLiteral {
    /// Makes a whole number: `mapping.rate == 2`.
    public init(integerLiteral value: Int) { self.init(value) }
}

extension Rational: Comparable {
    /// The comparison is exact for all operands: by 256-bit products.
    public static func < (left: Rational, right: Rational) -> Bool {
        let a = left.numerator.multipliedFullWidth(by: right.denominator)
        let b = right.numerator.multipliedFullWidth(by: left.denominator)
        return a.high == b.high ? a.low < b.low : a.high < b.high
    }
}

extension Rational {
    /// The number of seconds at the nearest tick of the scale, marked as rounded where that is not exact; infinite
    /// beyond Int64. A scale below 1 gives invalid.
    public func mediaTime(timescale: Int32) -> MediaTime {
        guard timescale > 0 else { return .invalid }
        let scaled = self * Rational(Int(timescale))
        let (ticks, _) = divide(scaled.numerator, by: scaled.denominator, .halfAwayFromZero)
        guard let value = Int64(exactly: ticks) else {
            return isNegative ? .negativeInfinity : .positiveInfinity
        }
        let time = MediaTime(value: value, timescale: timescale)
        return Rational(time) == self ? time : MediaTime(value: value, timescale: timescale, epoch: 0, rounded: true)
    }

    /// The number of seconds as a time, exact where a timescale and 64 bits can hold it, else rounded in the finest
    /// scale that they can; infinite where there is none.
    public var mediaTime: MediaTime {
        if let scale = Int32(exactly: denominator) {
            let time = mediaTime(timescale: scale)
            if time.isNumeric { return time }
        }
        var scale = Int32.max
        while true {
            let time = mediaTime(timescale: scale)
            if time.isNumeric || scale == 1 { return time }
            scale /= 2
        }
    }
}

extension Rational {
    /// The number of seconds as people write it, exact: in whole seconds or thousandths at most where that is possible
    /// (`2.5s`, `3.004s`), else in lowest terms (`1001/30000`).
    package var plainTime: MediaTime {
        for scale in [1, 10, 100, 1000] as [Int32] {
            let time = mediaTime(timescale: scale)
            if time.isNumeric, !time.hasBeenRounded { return time }
        }
        return mediaTime
    }
}

extension Rational: CustomStringConvertible, Codable {
    /// The fraction as `numerator/denominator`, also for whole numbers.
    public var description: String { "\(numerator)/\(denominator)" }

    /// The number of seconds to a thousandth, without zeros at the end, for people.
    package var shortSeconds: String {
        let thousandths = (self * Rational(1000)).rounded()
        var fraction = String(String(1000 + thousandths.magnitude % 1000).dropFirst())
        while fraction.hasSuffix("0") { fraction.removeLast() }
        let whole = "\(thousandths < 0 ? "-" : "")\(thousandths.magnitude / 1000)"
        return fraction.isEmpty ? whole : "\(whole).\(fraction)"
    }

    /// Reads a string `numerator/denominator`; another value, and a denominator below 1, is a `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let parts = try container.decode(String.self).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let top = Int128(parts[0]), let bottom = Int128(parts[1]), bottom > 0 else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a fraction")
        }
        self.init(numerator: top, denominator: bottom)
    }

    /// Writes `description`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
