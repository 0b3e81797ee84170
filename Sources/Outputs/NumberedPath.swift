/// `still-%02d.png` and a number make `still-03.png`.
package enum NumberedPath {
    /// `%d`, `%2d`, `%03d` in the pattern become the number; the pattern is never a format string.
    package static func path(_ pattern: String, _ number: Int) -> String {
        pattern.replacing(/%0?(\d{0,2})d/) { match in
            let digits = String(number)
            let width = Int(match.1) ?? 0
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
    }
}
