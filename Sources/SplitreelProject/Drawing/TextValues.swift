import Diagnostics
package import JSONText

/// Names of fonts, the first choice first: a list, or one text with commas.
public struct FontList: ProjectValue {
    /// The names of families, full or PostScript names, or assets of kind font; the first choice first.
    public var names: [String]

    /// Makes a list of names, the first choice first.
    public init(_ names: [String]) { self.names = names }

    package static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> FontList? {
        if let text = json.string {
            let parts = text.split(separator: ",").map { $0.trimmed }.filter { !$0.isEmpty }
            return FontList(parts)
        }
        if case .array(let parts) = json, parts.allSatisfy({ $0.string != nil }) {
            return FontList(parts.compactMap(\.string))
        }
        return reader.mismatch(json, "a font's name, or a list of them")
    }

    package var json: JSONValue {
        if names.count == 1, !names[0].isEmpty, !names[0].contains(","), names[0][...].trimmed == names[0] {
            return .string(names[0])
        }
        return .array(names.map(\.json))
    }

    package static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue {
        let text = JSONValue.object(["type": .string("string")])
        return .object([
            "anyOf": .array([text, .object(["type": .string("array"), "items": text])])
        ])
    }
}

/// The weight of letters, as CSS and OpenType count it.
public struct FontWeight: ProjectValue {
    /// The weight, 1…1000: 400 is regular, 700 bold.
    public var number: Int

    static let words: [(word: String, number: Int)] = [
        ("thin", 100), ("extra-light", 200), ("light", 300), ("regular", 400), ("medium", 500), ("semi-bold", 600),
        ("bold", 700), ("extra-bold", 800), ("black", 900),
    ]

    /// Makes a weight of a number, 1…1000.
    public init(_ number: Int) { self.number = number }

    /// Reads a weight; nil for another word, and beyond 1…1000.
    package init?(text: String) {
        guard let number = Int(text) ?? Self.words.first(where: { $0.word == text })?.number,
            (1...1000).contains(number)
        else { return nil }
        self.number = number
    }

    package static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> FontWeight? {
        switch json {
        case .integer(let number): return FontWeight(Int(number))
        case .string(let text):
            if let known = words.first(where: { $0.word == text }) { return FontWeight(known.number) }
            let hint = "one of: \(words.map(\.word).joined(separator: ", ")), or a number from 1 to 1000"
            reader.fail(.valueNotAllowed, "`\(text.prefix(60))` is not a weight", hint: hint)
            return nil
        default: return reader.mismatch(json, "a number from 1 to 1000, or a word such as bold")
        }
    }

    package var json: JSONValue { .integer(Int64(number)) }

    package static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue {
        .object([
            "anyOf": .array([
                .object(["type": .string("integer"), "minimum": .integer(1), "maximum": .integer(1000)]),
                .object(["enum": .array(words.map { .string($0.word) })]),
            ])
        ])
    }
}

/// The room on four sides: one number, [above and below, beside], or [above, right, below, left].
public struct Padding: ProjectValue {
    /// The room above.
    public var top: Double
    /// The room to the right.
    public var right: Double
    /// The room below.
    public var bottom: Double
    /// The room to the left.
    public var left: Double

    package init(_ sides: [Double]) {
        (top, right) = (sides[0], sides[1 % sides.count])
        (bottom, left) = sides.count == 4 ? (sides[2], sides[3]) : (top, right)
    }

    package var sides: [Double] { [top, right, bottom, left] }

    package static func read(_ json: JSONValue, _ reader: inout ProjectReader) -> Padding? {
        if let one = json.double { return Padding([one]) }
        if case .array(let parts) = json, [2, 4].contains(parts.count) {
            let sides = parts.compactMap(\.double)
            if sides.count == parts.count { return Padding(sides) }
        }
        return reader.mismatch(json, "a number, two [above and below, beside], or four [above, right, below, left]")
    }

    package var json: JSONValue { .array(sides.map(\.json)) }

    package static func schema(_ definitions: inout [String: JSONValue]) -> JSONValue {
        let number = JSONValue.object(["type": .string("number")])
        func list(_ count: Int64) -> JSONValue {
            .object([
                "type": .string("array"), "items": number, "minItems": .integer(count), "maxItems": .integer(count),
            ])
        }
        return .object(["anyOf": .array([number, list(2), list(4)])])
    }
}

extension Substring {
    /// The text without blanks around it.
    package var trimmed: String {
        var text = self
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }
}
