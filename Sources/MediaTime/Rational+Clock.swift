extension Rational {
    /// The time as `HH:MM:SS.fff`; the millisecond at or after it, from 0 on.
    package var clockTextRoundedUp: String {
        let all = max(0, (self * Rational(1000)).ceil())
        func digits(_ number: Int, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let (hours, minutes, seconds) = (all / 3_600_000, all / 60_000 % 60, all / 1000 % 60)
        return "\(digits(hours, 2)):\(digits(minutes, 2)):\(digits(seconds, 2)).\(digits(all % 1000, 3))"
    }
}
