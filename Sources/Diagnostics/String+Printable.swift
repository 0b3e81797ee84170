// Escapes for all that reaches a terminal: names of files, URLs, reasons of peers and texts of compositions may hold
// anything.

extension String {
    /// The text as a value within a line of ours: control characters become `\\u{1B}`, as do line ends and the
    /// characters that turn the direction of a line around.
    package var printable: String { visible(keepingLines: false) }

    /// The text as a whole: like `printable`, save that its lines stay lines.
    package var printableLines: String { visible(keepingLines: true) }

    private func visible(keepingLines: Bool) -> String {
        guard unicodeScalars.contains(where: \.isUnprintable) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.isUnprintable, !(keepingLines && scalar == "\n") {
                text += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }

    /// The text as a JSON document, with the same characters as JSON's own escapes; they occur within its strings only.
    package var printableJSON: String {
        guard unicodeScalars.contains(where: { $0.isUnprintable && $0 != "\n" }) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.isUnprintable, scalar != "\n" {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isUnprintable: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .format:
            (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value) || value == 0x061C
                || value == 0x200E || value == 0x200F
        default: Paint.isMark(self)
        }
    }
}
