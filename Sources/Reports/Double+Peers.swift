extension Double {
    /// A time of another process's message, in seconds since 1970; nil where it tells none. The number may be anything:
    /// times end with the year 9999, the last that ISO 8601 writes.
    var asTime: Double? { isFinite && self > 0 ? min(self, 253_402_300_799) : nil }

    /// A rate of another process's message, which may be anything: 0 for one that is none.
    var asRate: Double { isFinite ? self : 0 }
}
