/// A file of Advanced SubStation Alpha (ASS) or its forerunner (SSA), cut into what is text and the fonts that it
/// brings.
package struct ScriptFile {
    /// The bytes of the file without its section of fonts.
    package let text: [UInt8]
    /// The lines of the section of fonts, without the section's name; empty for none.
    package let fontLines: ArraySlice<UInt8>

    package init(_ bytes: [UInt8]) {
        guard let start = Self.place(of: "[fonts]", in: bytes[...]) else {
            (text, fontLines) = (bytes, [])
            return
        }
        let body = Self.lineEnd(in: bytes, from: start)
        let rest = bytes[body...]
        let ends = ["[events]", "[v4+ styles]", "[v4 styles]", "[script info]", "[graphics]"]
            .compactMap { Self.place(of: $0, in: rest) }
        let end = ends.min() ?? bytes.count
        text = Array(bytes[..<start] + bytes[end...])
        fontLines = bytes[body..<end]
    }

    /// Whether a text begins as a script: ASS always has a section first.
    package static func isScript(_ text: Substring) -> Bool {
        let line = text.prefix(40).lowercased()
        return ["[script info]", "[v4+ styles]", "[v4 styles]", "[events]"].contains { line.hasPrefix($0) }
    }

    /// The index at which a line begins that is `word`, in small letters or large; nil where there is none.
    private static func place(of word: String, in bytes: ArraySlice<UInt8>) -> Int? {
        let wanted = Array(word.utf8)
        var place = bytes.startIndex
        while place < bytes.endIndex {
            let end = place + wanted.count
            if end <= bytes.endIndex, zip(bytes[place..<end], wanted).allSatisfy({ lower($0) == $1 }),
                bytes[end...].first.map({ [10, 13, 32, 9].contains($0) }) ?? true
            {
                return place
            }
            guard let next = bytes[place...].firstIndex(where: { $0 == 10 || $0 == 13 }) else { return nil }
            place = next + 1
        }
        return nil
    }

    private static func lower(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte + 32 : byte }

    private static func lineEnd(in bytes: [UInt8], from start: Int) -> Int {
        bytes[start...].firstIndex { $0 == 10 || $0 == 13 } ?? bytes.count
    }
}

extension ScriptFile {
    /// A font that a script or a film brings.
    package struct Font: Sendable {
        package let name: String
        package let bytes: [UInt8]

        package init(name: String, bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }
    }

    /// The most fonts of one script or film.
    package static let mostFonts = 64

    /// The fonts of the section. Each three bytes stand there as four characters from `!` on.
    package var fonts: [Font] {
        var fonts: [Font] = []
        var name: String? = nil
        var bytes: [UInt8] = []
        func end() {
            if let name, !bytes.isEmpty, fonts.count < Self.mostFonts { fonts.append(Font(name: name, bytes: bytes)) }
            bytes = []
        }
        var codes: [UInt32] = []
        func flush() {
            guard codes.count > 1 else { return codes.removeAll() }
            let word = (0..<4).reduce(UInt32(0)) { $0 << 6 | ($1 < codes.count ? codes[$1] : 0) }
            let three = [UInt8(word >> 16 & 0xFF), UInt8(word >> 8 & 0xFF), UInt8(word & 0xFF)]
            bytes += three[..<(codes.count - 1)]
            codes.removeAll(keepingCapacity: true)
        }
        for line in fontLines.split(whereSeparator: { $0 == 10 || $0 == 13 }) {
            if line.starts(with: Array("fontname:".utf8)) {
                flush()
                end()
                let text = String(decoding: line.dropFirst(9), as: UTF8.self)
                name = String(text.drop { $0 == " " })
                continue
            }
            for byte in line where (33...96).contains(byte) {
                codes.append(UInt32(byte) - 33)
                if codes.count == 4 { flush() }
            }
        }
        flush()
        end()
        return fonts
    }
}
