import Foundation
package import MediaTime

/// Times and rates as people read them; documents have the exact ones.
package enum ForPeople {
    /// A rate such as `29.97 fps`: two decimals at most.
    package static func rate(_ rate: Rational) -> String { fps(rate.double, decimals: 2) }

    /// A measured rate such as `43.7 fps`.
    package static func speed(_ framesPerSecond: Double) -> String { fps(framesPerSecond, decimals: 1) }

    private static func fps(_ value: Double, decimals: Int) -> String {
        guard value.isFinite else { return "" }
        var text = String(format: "%.\(decimals)f", value)
        // A rate that is what it seems needs no zeros.
        if decimals > 1 {
            while text.contains("."), text.hasSuffix("0") { text.removeLast() }
            if text.hasSuffix(".") { text.removeLast() }
        }
        return text + " fps"
    }

    /// The cd/m² of so many ten-thousandths: `1000`, `0.005`.
    package static func light(_ tenThousandths: Int) -> String {
        let (whole, rest) = tenThousandths.quotientAndRemainder(dividingBy: 10_000)
        var digits = String(rest)
        digits = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        while digits.hasSuffix("0") { digits.removeLast() }
        return digits.isEmpty ? "\(whole)" : "\(whole).\(digits)"
    }

    /// A time such as `0:08.03`, `1:02:00.50`: the nearest hundredths of a second; `—` for one that is no number.
    package static func time(_ time: MediaTime) -> String {
        guard time.isNumeric else { return "—" }
        let hundredths = (Rational(time) * Rational(100)).rounded()
        let (whole, rest) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
        let seconds = clock(whole)
        return (hundredths < 0 ? "-" : "") + seconds + "." + (rest < 10 ? "0" : "") + "\(rest)"
    }

    /// A length of work, `1:05`, in whole seconds, `99:59:59` at most.
    package static func clock(_ seconds: Double) -> String {
        seconds.isFinite ? clock(UInt(min(max(0, seconds), 359_999).rounded())) : ""
    }

    private static func clock(_ whole: UInt) -> String {
        let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60)
        func two(_ number: UInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(seconds))" : "\(minutes):\(two(seconds))"
    }
}
