import Diagnostics
package import JSONText
import MediaTime
import Pictures
import SplitreelProject

/// A parameter of a template: the values that it may have, and the one that it has when nothing is said.
package struct TemplateParameter: Sendable {
    package enum Kind: Sendable, Hashable {
        /// A text that is shown as it stands, whatever it holds.
        case text
        /// Texts, one beneath the other; at most so many.
        case lines(most: Int)
        case number(ClosedRange<Double>)
        case integer(ClosedRange<Double>)
        /// A time in a range of seconds.
        case time(ClosedRange<Double>)
        case colour
        case word([String])
        case flag
        /// A file's URL, as in `assets`.
        case file
        /// A font's family, or a list of them.
        case font
    }

    package let name: String
    package let summary: String
    package let kind: Kind
    package let isRequired: Bool
    /// The default; nil for nothing, or for what the template makes of nothing.
    package let fallback: JSONValue?

    /// The longest time that a template deals with, in seconds: a day.
    private static let longest = 86_400.0
    private static let mostLines = 900

    init(_ json: JSONValue) throws {
        guard let name = json["name"]?.string, let summary = json["summary"]?.string, let type = json["type"]?.string
        else { throw TemplateFault.wrong("a parameter has no name, type or summary") }
        (self.name, self.summary) = (name, summary)
        isRequired = json["required"] == .bool(true)
        fallback = json["default"]
        func range(_ lowest: Double, _ highest: Double) -> ClosedRange<Double> {
            let low = json["minimum"]?.double ?? lowest
            return low...max(low, json["maximum"]?.double ?? highest)
        }
        switch type {
        case "text": kind = .text
        case "lines": kind = .lines(most: Self.mostLines)
        case "number": kind = .number(range(-1_000_000, 1_000_000))
        case "integer": kind = .integer(range(-1_000_000, 1_000_000))
        case "time": kind = .time(range(0, Self.longest))
        case "color": kind = .colour
        case "flag": kind = .flag
        case "file": kind = .file
        case "font": kind = .font
        case "word":
            guard case .array(let words)? = json["words"] else { throw TemplateFault.wrong("\(name) has no words") }
            kind = .word(words.compactMap(\.string))
        default: throw TemplateFault.wrong("\(type) is no type of a parameter")
        }
    }

    /// The word for its kind, in templates and for people.
    package var typeName: String {
        switch kind {
        case .text: "text"
        case .lines: "lines"
        case .number: "number"
        case .integer: "integer"
        case .time: "time"
        case .colour: "color"
        case .word: "word"
        case .flag: "flag"
        case .file: "file"
        case .font: "font"
        }
    }

    /// The value that expressions see of an argument; throws where it is none for this parameter.
    func value(of json: JSONValue, path: String) throws(TemplateFault) -> TemplateValue {
        func fault(_ reason: String, hint: String = "") -> TemplateFault { TemplateFault(path, reason, hint: hint) }
        switch kind {
        case .text, .file:
            guard let text = json.string else { throw mismatch(json, "a text", path) }
            if kind == .file, text.isEmpty { throw fault("an empty name is no file") }
            try Self.checkLength(text, path)
            return kind == .file ? .json(json) : .text(text)
        case .lines(let most):
            guard case .array(let elements) = json else { throw mismatch(json, "a list of texts", path) }
            let lines = elements.compactMap(\.string)
            guard lines.count == elements.count else { throw fault("a line is no text") }
            let filled = lines.filter { !$0.isEmpty }.count
            guard filled > 0, filled <= most, lines.count <= 10 * most else {
                throw fault("\(filled) lines with words in \(lines.count), where 1 to \(most) are allowed")
            }
            for line in lines { try Self.checkLength(line, path) }
            return .lines(lines)
        case .number(let range), .integer(let range):
            guard let number = json.double else { throw mismatch(json, "a number", path) }
            if case .integer = kind, number.rounded() != number { throw fault("\(number.shown) is no whole number") }
            guard range.contains(number) else {
                throw fault("\(number.shown) is not from \(range.lowerBound.shown) to \(range.upperBound.shown)")
            }
            return .number(number)
        case .time(let range): return .time(try time(json, in: range, path))
        case .colour:
            guard let colour = Colour(json) else {
                throw fault(
                    "expected a colour such as \"#rrggbb\", or [red, green, blue, alpha] of numbers from 0 to 1",
                    hint: Colour.hint(for: json))
            }
            return .json(colour.json)
        case .word(let words):
            guard let word = json.string else { throw mismatch(json, "a word", path) }
            guard words.contains(word) else {
                let near = nearestName(to: word, among: words)
                throw fault(
                    "`\(word.prefix(60))` is none of \(words.joined(separator: ", "))",
                    hint: near.map { "did you mean `\($0)`?" } ?? "")
            }
            return .text(word)
        case .flag:
            guard case .bool(let flag) = json else { throw mismatch(json, "true or false", path) }
            return .number(flag ? 1 : 0)
        case .font:
            var reader = ProjectReader()
            guard FontList.read(json, &reader) != nil else { throw mismatch(json, "a font's name, or several", path) }
            return .json(json)
        }
    }

    private func mismatch(_ json: JSONValue, _ expected: String, _ path: String) -> TemplateFault {
        TemplateFault(path, "expected \(expected), found \(json.kindName)", hint: summary)
    }

    private func time(
        _ json: JSONValue, in range: ClosedRange<Double>, _ path: String
    ) throws(TemplateFault) -> Rational {
        guard let text = json.string else { throw mismatch(json, "a time such as \"2.5s\"", path) }
        guard let time = MediaTime(text: text), time.isNumeric, time.timescale <= 1_000_000 else {
            throw TemplateFault(path, "`\(text.prefix(60))` is not a time", hint: "write 2.5s, 0:12 or 1001/30000")
        }
        guard range.contains(time.seconds) else {
            throw TemplateFault(
                path, "\(text) is not from \(range.lowerBound.shown) s to \(range.upperBound.shown) s")
        }
        return Rational(time)
    }

    private static func checkLength(_ text: String, _ path: String) throws(TemplateFault) {
        let count = text.utf8.count
        guard count <= TextSettings.mostBytes / 8 else {
            throw TemplateFault(
                path, "\(count) bytes, where a text has \(TextSettings.mostBytes / 8) at most", hint: "make it shorter")
        }
    }
}

extension Double {
    /// The number for people, without a fraction that says nothing.
    fileprivate var shown: String { String(decoding: JSONValue(self).canonicalBytes(), as: UTF8.self) }
}
