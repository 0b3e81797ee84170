import Foundation
import MediaTime

/// The few tags that cues keep, made of those of SubRip and WebVTT; all else is escaped or left out.
struct CueMarkup {
    private(set) var text = ""
    private(set) var beats: [TimedCue.Beat] = []
    private(set) var place: TimedCue.Place?
    private(set) var align: TimedCue.Align?
    private var open: [String] = []
    private var characters = 0

    /// - Parameter decodesEntities: WebVTT writes `&amp;` for `&`; SubRip writes it as it is.
    init(_ source: String, decodesEntities: Bool) {
        var rest = Substring(source)
        while let character = rest.first {
            if character == "<", let end = rest.firstIndex(of: ">") {
                read(tag: rest[rest.index(after: rest.startIndex)..<end])
                rest = rest[rest.index(after: end)...]
            } else if character == "{", rest.dropFirst().first == "\\", let end = rest.firstIndex(of: "}") {
                read(override: rest[..<end])
                rest = rest[rest.index(after: end)...]
            } else if decodesEntities, character == "&", let (decoded, length) = Self.entity(rest) {
                put(decoded)
                rest = rest.dropFirst(length)
            } else {
                put(character)
                rest = rest.dropFirst()
            }
        }
        for name in open.reversed() { text += "</\(name)>" }
    }

    private mutating func put(_ character: Character) {
        switch character {
        case "&": text += "&amp;"
        case "<": text += "&lt;"
        case ">": text += "&gt;"
        default: text.append(character)
        }
        characters += 1
    }

    private mutating func read(tag: Substring) {
        let isClosing = tag.first == "/"
        let inner = isClosing ? tag.dropFirst() : tag
        if let time = cueTime(inner) {
            beats.append(TimedCue.Beat(time: time, character: characters))
            return
        }
        let written = inner.prefix { $0.isLetter }.lowercased()
        guard ["b", "i", "u", "s", "font"].contains(written) else { return }
        let name = written == "font" ? "span" : written
        if isClosing {
            guard let index = open.lastIndex(of: name) else { return }
            // A tag that was opened later ends too, and begins again: tags nest.
            for later in open[index...].reversed() { text += "</\(later)>" }
            let again = open[(index + 1)...].filter { $0 != "span" }
            open.removeSubrange(index...)
            for later in again { begin(later, "<\(later)>") }
        } else if name == "span" {
            guard let colour = Self.colour(inner) else { return }
            begin(name, "<span color=\"\(colour)\">")
        } else {
            begin(name, "<\(name)>")
        }
    }

    private mutating func begin(_ name: String, _ tag: String) {
        guard open.count < 32 else { return }
        open.append(name)
        text += tag
    }

    /// The `#rrggbb` of a font tag's `color`; nil for another form.
    private static func colour(_ tag: Substring) -> String? {
        guard let equals = tag.range(of: "color=")?.upperBound else { return nil }
        let value = tag[equals...].drop { $0 == "\"" || $0 == "'" }.prefix {
            $0 == "#" || ($0.isASCII && $0.isHexDigit)
        }
        guard value.count == 7, value.first == "#", value.dropFirst().allSatisfy(\.isHexDigit) else { return nil }
        return value.lowercased()
    }

    /// Reads an ASS override, which SubRip files have: `{\an8}` says where the cue stands, as on a number pad.
    private mutating func read(override: Substring) {
        guard let range = override.range(of: "\\an"), let digit = override[range.upperBound...].first,
            let number = digit.wholeNumberValue, (1...9).contains(number)
        else { return }
        place = [.bottom, .middle, .top][(number - 1) / 3]
        align = [.left, .center, .right][(number - 1) % 3]
    }

    private static func entity(_ text: Substring) -> (Character, Int)? {
        let named: [(String, Character)] = [
            ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&nbsp;", "\u{A0}"), ("&lrm;", "\u{200E}"),
            ("&rlm;", "\u{200F}"), ("&quot;", "\""), ("&apos;", "'"),
        ]
        return named.first { text.hasPrefix($0.0) }.map { ($0.1, $0.0.count) } ?? numbered(text)
    }

    /// A character by its number in Unicode, such as `&#39;` or `&#x27;`.
    private static func numbered(_ text: Substring) -> (Character, Int)? {
        guard text.hasPrefix("&#"), let end = text.prefix(12).firstIndex(of: ";") else { return nil }
        let digits = text[..<end].dropFirst(2)
        let isHexadecimal = digits.first == "x" || digits.first == "X"
        let number = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
        guard let number, number >= 32, let scalar = Unicode.Scalar(number) else { return nil }
        return (Character(scalar), digits.count + 3)
    }
}
