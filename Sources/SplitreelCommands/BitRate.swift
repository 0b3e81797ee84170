import ArgumentParser

/// Bits per second as people write them.
package enum BitRate {
    /// `6M`, `800k`, `192000`; throws a usage error that names the option.
    package static func parse(_ text: String, option: String) throws -> Int {
        let factor: Double
        switch text.last {
        case "k", "K": factor = 1000
        case "m", "M": factor = 1_000_000
        default: factor = 1
        }
        let digits = factor == 1 ? Substring(text) : text.dropLast()
        guard let number = Double(digits), number.isFinite, number > 0, number * factor <= 2e9 else {
            throw ValidationError("\(option) takes bits per second, such as 6M or 192k; not ‘\(text)’")
        }
        return Int((number * factor).rounded())
    }
}
