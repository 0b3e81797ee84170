extension MediaTime {
    /// The time as an exact number of seconds; nil unless numeric and within ±2^40 s, which keeps all later arithmetic
    /// exact.
    package var exact: Rational? {
        guard isNumeric else { return nil }
        let limit = Int64(timescale).multipliedReportingOverflow(by: 1 << 40)
        if !limit.overflow && value.magnitude > limit.partialValue.magnitude { return nil }
        return Rational(self)
    }
}

extension TimeRange {
    /// The range's start and end in exact seconds; nil unless both are numeric, within ±2^40 s, and the duration is not
    /// negative.
    package var exact: (start: Rational, end: Rational)? {
        guard let first = start.exact, let length = duration.exact, !length.isNegative else { return nil }
        return (first, first + length)
    }
}
