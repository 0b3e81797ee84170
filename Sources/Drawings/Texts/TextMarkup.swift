import Pictures
import SplitreelProject

/// A text with tags: a few of Pango's, with attributes that change how letters look and nothing else.
package struct TextMarkup {
    package struct Run {
        /// The run's half-open range in bytes of the string.
        var start: Int
        var end: Int
        var style: TextStyle
        package var fonts: [String]?
    }

    private(set) var string = ""
    package private(set) var runs: [Run] = []

    private struct Element {
        var name: String
        var style: TextStyle
        var fonts: [String]?
    }

    private var open = [Element(name: "", style: TextStyle(), fonts: nil)]
    /// The byte of the string where the style that counts began.
    private var start = 0

    private static let mostOpen = 64
    private static let mostRuns = 10_000

    package init(_ markup: String) throws(DrawingFault) {
        let bytes = Array(markup.utf8)
        var place = 0
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "<"):
                guard let close = bytes[place...].firstIndex(of: UInt8(ascii: ">")) else {
                    throw DrawingFault(offset: place, reason: "a tag has no end")
                }
                endRun()
                try tag(String(decoding: bytes[(place + 1)..<close], as: UTF8.self), at: place)
                place = close + 1
            case UInt8(ascii: "&"):
                let close = bytes[place...].prefix(12).firstIndex(of: UInt8(ascii: ";")) ?? place
                let name = String(decoding: bytes[min(place + 1, close)..<close], as: UTF8.self)
                guard let character = Self.character(named: name) else {
                    throw DrawingFault(offset: place, reason: "a bare `&`, or no known `&name;`: write `&amp;`")
                }
                string.unicodeScalars.append(character)
                place = close + 1
            default:
                let end = bytes[place...].firstIndex { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }
                string += String(decoding: bytes[place..<(end ?? bytes.count)], as: UTF8.self)
                place = end ?? bytes.count
            }
        }
        endRun()
        if open.count > 1, let last = open.last {
            throw DrawingFault(offset: bytes.count, reason: "`<\(last.name)>` is not closed")
        }
    }

    private mutating func endRun() {
        let end = string.utf8.count
        if let last = open.last, end > start, last.style != TextStyle() || last.fonts != nil {
            runs.append(Run(start: start, end: end, style: last.style, fonts: last.fonts))
        }
        start = end
    }

    private mutating func tag(_ text: String, at place: Int) throws(DrawingFault) {
        if text.hasPrefix("/") {
            guard open.count > 1, open.last?.name == text.dropFirst().trimmed else {
                throw DrawingFault(offset: place, reason: "`<\(text.prefix(60))>` closes what is not open")
            }
            open.removeLast()
            return
        }
        guard open.count <= Self.mostOpen, runs.count < Self.mostRuns, var element = open.last else {
            throw DrawingFault(offset: place, reason: "more than \(Self.mostOpen) tags within each other, or too many")
        }
        let name = text.prefix { $0.isASCII && $0.isLetter }
        element.name = String(name)
        let rest = text.dropFirst(name.count)
        if name == "span" {
            for (key, value) in try Self.attributes(rest, at: place) {
                guard Self.set(key, value, on: &element) else {
                    throw DrawingFault(
                        offset: place, reason: "`\(key.prefix(60))=\"\(value.prefix(60))\"` means nothing in a span")
                }
            }
        } else {
            guard Self.apply(name, to: &element.style), rest.allSatisfy(\.isWhitespace) else {
                throw DrawingFault(
                    offset: place, reason: "`<\(text.prefix(60))>` is none of b, i, u, s, sub, sup, small, big and span"
                )
            }
        }
        open.append(element)
    }

    private static func apply(_ name: Substring, to style: inout TextStyle) -> Bool {
        let scale = style.scale ?? 1
        switch name {
        case "b": style.weight = 700
        case "i": style.isItalic = true
        case "u": style.isUnderlined = true
        case "s": style.isStruckThrough = true
        case "sub": (style.rise, style.scale) = ((style.rise ?? 0) - 0.2 * scale, 0.6 * scale)
        case "sup": (style.rise, style.scale) = ((style.rise ?? 0) + 0.35 * scale, 0.6 * scale)
        case "small": style.scale = scale / 1.2
        case "big": style.scale = scale * 1.2
        default: return false
        }
        return true
    }

    private static func set(_ key: String, _ value: String, on element: inout Element) -> Bool {
        switch key {
        case "color", "foreground":
            guard let colour = Colour(text: value) else { return false }
            element.style.colour = colour
        case "size":
            if value.hasSuffix("%") {
                guard let part = Double(value.dropLast()), (1...1000).contains(part) else { return false }
                element.style.scale = (element.style.scale ?? 1) * part / 100
            } else {
                guard let size = Double(value), size > 0, size <= 4096 else { return false }
                (element.style.size, element.style.scale) = (size, nil)
            }
        case "weight":
            guard let weight = FontWeight(text: value) else { return false }
            element.style.weight = weight.number
        case "style":
            guard value == "italic" || value == "normal" else { return false }
            element.style.isItalic = value == "italic"
        case "font", "face":
            let names = value.split(separator: ",").map { $0.trimmed }.filter { !$0.isEmpty }
            guard !names.isEmpty, names.count <= 16 else { return false }
            element.fonts = names
        default: return false
        }
        return true
    }

    /// The attributes of a tag, `key="value"` or `key='value'`, with blanks between.
    private static func attributes(
        _ text: Substring, at place: Int
    ) throws(DrawingFault) -> [(key: String, value: String)] {
        var rest = Substring(text.trimmed)
        var found: [(String, String)] = []
        while !rest.isEmpty {
            let parts = rest.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let quote = parts[1].first, quote == "\"" || quote == "'",
                let end = parts[1].dropFirst().firstIndex(of: quote)
            else {
                throw DrawingFault(offset: place, reason: "a span's attributes are written key=\"value\"")
            }
            found.append((parts[0].trimmed, String(parts[1].dropFirst()[..<end])))
            rest = Substring(parts[1][parts[1].index(after: end)...].trimmed)
        }
        return found
    }

    private static func character(named name: String) -> Unicode.Scalar? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard name.hasPrefix("#") else { return nil }
            let digits = name.dropFirst()
            let number = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return number.flatMap { $0 == 0 ? nil : Unicode.Scalar($0) }
        }
    }
}
