/// Colours of words. A painted text carries marks of a private range of Unicode; only the console turns them into the
/// terminal's sequences, after it has made everything else harmless. A name that holds such marks gains a colour.
package enum Paint: UInt32, CaseIterable {
    case red = 31
    case green = 32
    case yellow = 33
    case blue = 34
    case dim = 2

    private static let base: UInt32 = 0x10_FF00
    private static let end: UInt32 = 0

    package static func text(_ text: String, _ paint: Paint) -> String {
        guard !text.isEmpty, let start = Unicode.Scalar(base + paint.rawValue), let stop = Unicode.Scalar(base + end)
        else { return text }
        return String(start) + text + String(stop)
    }

    package static func isMark(_ scalar: Unicode.Scalar) -> Bool { (base...base + 0x7F).contains(scalar.value) }

    /// The text with its marks as the terminal's sequences, or without them; everything else that could move a cursor
    /// is made visible, and lines stay lines.
    package static func terminal(_ text: String, colour: Bool) -> String {
        var result = ""
        var part = ""
        var isPainted = false
        for scalar in text.unicodeScalars {
            guard isMark(scalar) else {
                part.unicodeScalars.append(scalar)
                continue
            }
            result += part.printableLines
            part = ""
            let paint = Paint(rawValue: scalar.value - base)
            guard colour else { continue }
            if paint != nil || scalar.value == base + end { result += "\u{1B}[\(paint?.rawValue ?? 0)m" }
            isPainted = paint != nil
        }
        result += part.printableLines
        return isPainted ? result + "\u{1B}[0m" : result
    }

    /// The text with its marks alone turned into sequences, or left out; the rest stays as it is.
    package static func marksOnly(_ text: String, colour: Bool) -> String {
        text.unicodeScalars.reduce(into: "") { shown, scalar in
            guard isMark(scalar) else { return shown.unicodeScalars.append(scalar) }
            guard colour else { return }
            if let paint = Paint(rawValue: scalar.value - base) { shown += "\u{1B}[\(paint.rawValue)m" }
            if scalar.value == base + end { shown += "\u{1B}[0m" }
        }
    }
}
