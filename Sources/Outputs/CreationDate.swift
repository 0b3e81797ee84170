/// A moment in `metadata.creationDate`, as ISO 8601 writes it: `2026-01-02`, or with a time and, where it is not UTC,
/// an offset: `2026-01-02T03:04:05+01:00`.
package struct CreationDate: Hashable, Sendable {
    /// The seconds since 1970-01-01T00:00:00Z; parts of a second are cut off.
    package let seconds: Int

    /// Reads a moment; nil for another form, for a day that no month has, and before 1904, where the clocks of films
    /// begin.
    package init?(_ text: String) {
        let form =
            /(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(?:[Zz]|([+-])(\d\d):?(\d\d))?)?/
        guard let parts = text.wholeMatch(of: form) else { return nil }
        func number(_ part: Substring?) -> Int { part.flatMap { Int($0) } ?? 0 }
        let (year, month, day) = (number(parts.1), number(parts.2), number(parts.3))
        let (hour, minute, second) = (number(parts.4), number(parts.5), number(parts.6))
        guard year >= 1904, (1...12).contains(month), hour < 24, minute < 60, second < 60, number(parts.9) < 60,
            number(parts.8) < 24, (1...Self.lastDay(month, of: year)).contains(day)
        else { return nil }
        let offset = (number(parts.8) * 60 + number(parts.9)) * (parts.7 == "-" ? -1 : 1)
        seconds = Self.days(year, month, day) * 86400 + (hour * 60 + minute - offset) * 60 + second
    }

    /// The moment in UTC, such as `2026-01-02T02:04:05Z`.
    package var text: String {
        let (days, rest) = (Int((Double(seconds) / 86400).rounded(.down)), ((seconds % 86400) + 86400) % 86400)
        var (year, month) = (1904, 1)
        while Self.days(year + 1, 1, 1) <= days { year += 1 }
        while month < 12, Self.days(year, month + 1, 1) <= days { month += 1 }
        let day = days - Self.days(year, month, 1) + 1
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)-\(two(month))-\(two(day))T\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60))Z"
    }

    private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private static func lastDay(_ month: Int, of year: Int) -> Int {
        month == 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// The days from 1970-01-01 to a day of the Gregorian calendar.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let before = year - 1
        let leaps = before / 4 - before / 100 + before / 400 - 477  // 477 leap days before 1970.
        return (year - 1970) * 365 + leaps + (1..<month).reduce(0) { $0 + lastDay($1, of: year) } + day - 1
    }
}
