/// The path of a file with a number: `still-%02d.png` and 3 make `still-03.png`.
package enum NumberedPath {
    /// The pattern with the number in place of `%d`, `%2d` or `%03d`; it is never a format string.
    package static func path(_ pattern: String, _ number: Int) -> String {
        pattern.replacing(/%0?(\d{0,2})d/) { match in
            let digits = String(number)
            let width = Int(match.1) ?? 0
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
    }
}
