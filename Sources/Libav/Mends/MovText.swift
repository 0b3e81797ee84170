internal import Diagnostics

/// The samples of timed text in MP4 and QuickTime (3GPP TS 26.245).
package enum MovText {
    /// The look of texts that state none: centred at the bottom, white, in the player's own font.
    package static let description: [UInt8] =
        [0, 0, 0, 0, 1, 0xFF, 0, 0, 0, 0]
        + [UInt8](repeating: 0, count: 8)
        + [0, 0, 0, 0, 0, 1, 0, 18, 0xFF, 0xFF, 0xFF, 0xFF]
        + [0, 0, 0, 18] + Array("ftab".utf8) + [0, 1, 0, 1, 5] + Array("Serif".utf8)

    /// A sample of marked-up text: its length, the text, and a box of its faces and colours where it has any. Throws
    /// `.planMismatch` above 65,535 bytes.
    package static func sample(_ markup: String) throws -> [UInt8] {
        var (text, styles): (String, [(start: Int, end: Int, face: UInt8, colour: [UInt8])]) = ("", [])
        var (units, open): (Int, [(name: Substring, colour: [UInt8]?)]) = (0, [])
        var rest = Substring(markup)
        while let character = rest.first {
            if character == "<", let end = rest.firstIndex(of: ">") {
                let tag = rest[rest.index(after: rest.startIndex)..<end]
                if tag.first == "/" {
                    if let place = open.lastIndex(where: { $0.name == tag.dropFirst() }) { open.remove(at: place) }
                } else {
                    open.append((tag.prefix { $0.isLetter }, colour(tag)))
                }
                rest = rest[rest.index(after: end)...]
                continue
            }
            var (shown, length) = (character, 1)
            for (entity, meant) in [("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")] as [(String, Character)]
            where rest.hasPrefix(entity) { (shown, length) = (meant, entity.count) }
            text.append(shown)
            rest = rest.dropFirst(length)
            let names = open.map(\.name)
            let face: UInt8 =
                (names.contains("b") ? 1 : 0) | (names.contains("i") ? 2 : 0) | (names.contains("u") ? 4 : 0)
            let colour = open.last { $0.colour != nil }?.colour ?? [0xFF, 0xFF, 0xFF]
            let next = units + shown.utf16.count
            if face != 0 || colour != [0xFF, 0xFF, 0xFF] {
                if let last = styles.last, last.end == units, last.face == face, last.colour == colour {
                    styles[styles.count - 1].end = next
                } else {
                    styles.append((units, next, face, colour))
                }
            }
            units = next
        }
        var bytes = try sample(plain: text)
        guard !styles.isEmpty, styles.count < 1 << 12, units < 1 << 16 else { return bytes }
        bytes += big(10 + 12 * styles.count, 4) + Array("styl".utf8) + big(styles.count, 2)
        for style in styles {
            bytes += big(style.start, 2) + big(style.end, 2) + [0, 1, style.face, 18] + style.colour + [0xFF]
        }
        return bytes
    }

    /// A sample of plain text. Throws `.planMismatch` above 65,535 bytes, which plans do not have.
    package static func sample(plain text: String) throws -> [UInt8] {
        let bytes = Array(text.utf8)
        guard bytes.count <= 0xFFFF else {
            throw SplitreelError(
                .planMismatch, operation: "writing a track of text", subject: "\(bytes.count) bytes",
                reason: "a sample has 65535 at most")
        }
        return big(bytes.count, 2) + bytes
    }

    private static func big(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - $0))) }
    }

    /// The three bytes of colour in a tag `span color="#rrggbb"`; nil where it has none.
    private static func colour(_ tag: Substring) -> [UInt8]? {
        guard let hash = tag.firstIndex(of: "#"),
            let value = Int(tag[tag.index(after: hash)...].prefix { $0.isHexDigit }, radix: 16)
        else { return nil }
        return big(value, 3)
    }
}
