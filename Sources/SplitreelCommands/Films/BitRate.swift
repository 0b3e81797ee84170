import ArgumentParser

/// A rate in bits a second as people write it.
package enum BitRate {
    /// The bits a second of `6M`, `800k`, `192000`; throws a usage error that names the option.
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

/// A number of bytes as people write it.
package enum ByteCount {
    /// The bytes of `25M`, `1.5G`, `800k`, `192000`; throws a usage error that names the option.
    package static func parse(_ text: String, option: String) throws -> Int {
        let factors: [Character: Double] = ["k": 1e3, "m": 1e6, "g": 1e9]
        let factor = text.last.flatMap { factors[Character($0.lowercased())] }
        let digits = factor == nil ? Substring(text) : text.dropLast()
        guard let number = Double(digits), number.isFinite, number * (factor ?? 1) >= 1, number * (factor ?? 1) <= 1e15
        else { throw ValidationError("\(option) takes bytes, such as 25M or 1.5G; not ‘\(text)’") }
        return Int((number * (factor ?? 1)).rounded())
    }
}
