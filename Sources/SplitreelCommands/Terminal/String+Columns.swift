import Diagnostics

extension String {
    /// The number of columns on a terminal: wide characters take two, marks that sit on others none. Paint takes none.
    package var columns: Int { reduce(0) { $0 + $1.columns } }

    /// The text cut to that many columns, the last of them an ellipsis where anything was cut. Without paint.
    package func clipped(to width: Int) -> String {
        guard columns > width else { return self }
        var (text, used) = ("", 0)
        for character in self {
            guard used + character.columns <= max(0, width - 1) else { break }
            text.append(character)
            used += character.columns
        }
        return width > 0 ? text + "…" : ""
    }

    /// The text filled with spaces on the right.
    package func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - columns)) }

    /// The text filled with spaces on the left.
    package func aligned(to width: Int) -> String { String(repeating: " ", count: max(0, width - columns)) + self }
}

extension Character {
    fileprivate var columns: Int {
        var widest = 0
        for scalar in unicodeScalars {
            if scalar.value == 0xFE0F, widest == 1 { widest = 2 }
            widest = max(widest, scalar.columns)
        }
        return widest
    }
}

extension Unicode.Scalar {
    fileprivate var columns: Int {
        // Characters of ASCII are by far the most.
        if value < 0x300 { return value < 0x20 || (0x7F..<0xA0).contains(value) || value == 0xAD ? 0 : 1 }
        if Paint.isMark(self) { return 0 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        if properties.isEmojiPresentation { return 2 }
        return Self.wide.contains { $0.contains(value) } ? 2 : 1
    }

    /// The ranges of East Asian Wide and Fullwidth of UAX 11, by blocks.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x18AFF, 0x1B000...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD,
    ]
}
