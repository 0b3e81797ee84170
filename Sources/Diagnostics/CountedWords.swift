import Foundation

/// A number and its noun, such as `1 clip` or `2 clips`.
package func counted(_ count: Int, _ word: String) -> String { "\(count) \(word)" + (count == 1 ? "" : "s") }

/// A number with its digits in groups of three, such as `1,234`.
package func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    let parts = stride(from: digits.count % 3 - 3, to: digits.count, by: 3).map { start in
        String(digits[max(0, start)..<max(0, start + 3)])
    }
    return (number < 0 ? "-" : "") + parts.filter { !$0.isEmpty }.joined(separator: ",")
}

/// A moment in a film or a source, in seconds, as `0:03.2` or `1:02:03.4`: cut off after a tenth of a second.
package func momentText(_ seconds: Double) -> String {
    guard seconds.isFinite, abs(seconds) < 1e12 else { return "\(seconds) s" }
    let tenths = Int((abs(seconds) * 10 + 1e-6).rounded(.down))
    let (hours, minutes) = (tenths / 36_000, tenths / 600 % 60)
    let rest = String(format: "%02d.%d", tenths / 10 % 60, tenths % 10)
    let sign = seconds < 0 && tenths > 0 ? "-" : ""
    return sign + (hours > 0 ? "\(hours):" + String(format: "%02d", minutes) : "\(minutes)") + ":" + rest
}

/// A time for which something is kept, in seconds: `7 days` where it is whole days, else `90 s`.
package func keptText(_ seconds: Int) -> String {
    seconds > 0 && seconds % 86_400 == 0 ? counted(seconds / 86_400, "day") : "\(seconds) s"
}

/// An amount of memory, such as `2.2 GiB`, or `340 MiB` below one GiB; to the nearest tenth, and to the nearest MiB.
package func memoryText(_ bytes: Int) -> String {
    // Rounded without a sum: others may have told the number.
    let mebibytes = max(0, bytes) >> 20 + (max(0, bytes) >> 19 & 1)
    if mebibytes < 1 << 10 { return "\(mebibytes) MiB" }
    return String(format: "%.1f GiB", Double(bytes) / Double(1 << 30))
}
