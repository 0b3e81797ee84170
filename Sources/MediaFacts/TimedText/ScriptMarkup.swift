import Foundation
package import MediaTime

/// The few tags that cues keep, made of the overrides of an ASS event, and the fonts that the event asks for.
package struct ScriptMarkup {
    /// A part of an event in one font; nil for what the style says.
    package struct Run {
        package var style: String?
        package var font: String?
        package var isBold: Bool?
        package var isItalic: Bool?
        package var text = ""
    }

    private(set) var text = ""
    private(set) var beats: [TimedCue.Beat] = []
    private(set) var place: TimedCue.Place?
    private(set) var align: TimedCue.Align?
    package private(set) var runs = [Run()]

    private var shown: [String: String] = [:]
    private var open: [String] = []
    private var characters = 0
    private var isDrawing = false
    /// The time from the start to the next syllable, in hundredths of a second.
    private var sung: Int64 = 0
    private let start: MediaTime

    package init(_ body: Substring, start: MediaTime) {
        self.start = start
        var rest = body
        while let character = rest.first {
            if character == "{", let end = rest.firstIndex(of: "}") {
                for tag in Self.tags(rest[rest.index(after: rest.startIndex)..<end]) { read(tag) }
                rest = rest[rest.index(after: end)...]
                continue
            }
            rest = rest.dropFirst()
            if character == "\\", let next = rest.first, let meant = ["N": "\n", "n": " ", "h": "\u{A0}"][next] {
                for character in meant { put(character) }
                rest = rest.dropFirst()
            } else {
                put(character)
            }
        }
        close()
    }

    /// Whether an event's picture changes while it is shown: transforms, movements, fades, syllables, effects.
    package static func isMoving(body: Substring, effect: Substring) -> Bool {
        !effect.allSatisfy(\.isWhitespace)
            || ["\\t", "\\mov", "\\fad", "\\k", "\\K"].contains { body.range(of: $0) != nil }
    }

    /// Whether an event has a place of its own, so that no other event makes it give way.
    package static func isPlaced(body: Substring) -> Bool {
        body.range(of: "\\pos") != nil || body.range(of: "\\mov") != nil
    }

    /// The tags of one pair of braces; the words in parentheses belong to one tag.
    private static func tags(_ text: Substring) -> [Substring] {
        var tags: [Substring] = []
        var depth: Int = 0
        var start: Substring.Index? = nil
        for place in text.indices {
            switch text[place] {
            case "(": depth += 1
            case ")": depth = max(0, depth - 1)
            case "\\" where depth == 0:
                if let start { tags.append(text[start..<place]) }
                start = text.index(after: place)
            default: break
            }
        }
        if let start { tags.append(text[start...]) }
        return tags
    }

    private mutating func read(_ tag: Substring) {
        if tag.hasPrefix("fn") {
            let font = Self.name(tag.dropFirst(2))
            return change { $0.font = font }
        }
        if tag.hasPrefix("r"), !tag.hasPrefix("rnd") {
            let style = Self.name(tag.dropFirst())
            shown = [:]
            return change { $0 = Run(style: style ?? $0.style) }
        }
        let word = tag.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) && !"0123456789".contains($0) }
        let value = tag.dropFirst(word.count)
        let number = Int(value.prefix { $0 == "-" || $0.isASCIIDigit })
        switch word {
        case "b":
            let isOn = number.map { $0 == 1 || $0 >= 600 }
            shown["b"] = isOn == true ? "<b>" : nil
            change { $0.isBold = isOn }
        case "i":
            shown["i"] = number == 1 ? "<i>" : nil
            change { $0.isItalic = number.map { $0 == 1 } }
        case "u", "s": shown[String(word)] = number == 1 ? "<\(word)>" : nil
        case "c": shown["span"] = Self.colour(value).map { "<span color=\"\($0)\">" }
        case "":
            if tag.hasPrefix("1c") { shown["span"] = Self.colour(tag.dropFirst(2)).map { "<span color=\"\($0)\">" } }
        case "an":
            guard let number, (1...9).contains(number), place == nil else { return }
            place = [.bottom, .middle, .top][(number - 1) / 3]
            align = [.left, .center, .right][(number - 1) % 3]
        case "k", "K", "kf", "ko":
            if beats.count < 1000 {
                let time = (Rational(start) + Rational(Int(sung), 100)).mediaTime
                beats.append(TimedCue.Beat(time: time, character: characters))
            }
            sung += Int64(max(0, min(number ?? 0, 1_000_000)))
        case "p": isDrawing = (number ?? 0) > 0
        default: break
        }
    }

    private static func name(_ text: Substring) -> String? {
        let name = text.trimmingCharacters(in: .whitespaces)
        return name.isEmpty || name == "0" ? nil : name
    }

    private mutating func change(_ body: (inout Run) -> Void) {
        var run = runs[runs.count - 1]
        body(&run)
        if runs[runs.count - 1].text.isEmpty { runs.removeLast() }
        run.text = ""
        runs.append(run)
    }

    /// The colour `&HBBGGRR&` as `#rrggbb`; nil where it has no digits.
    private static func colour(_ text: Substring) -> String? {
        let digits = text.drop { $0 == "&" || $0 == "H" || $0 == "h" }.prefix { $0.isASCII && $0.isHexDigit }
        guard let value = UInt32(digits, radix: 16) else { return nil }
        let bytes = [value & 0xFF, value >> 8 & 0xFF, value >> 16 & 0xFF]
        return "#" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private mutating func put(_ character: Character) {
        guard !isDrawing else { return }
        let wanted = ["b", "i", "u", "s", "span"].compactMap { shown[$0] }
        if wanted != open {
            close()
            open = wanted
            text += wanted.joined()
        }
        switch character {
        case "&": text += "&amp;"
        case "<": text += "&lt;"
        case ">": text += "&gt;"
        default: text.append(character)
        }
        characters += 1
        runs[runs.count - 1].text.append(character)
    }

    private mutating func close() {
        for tag in open.reversed() { text += "</\(tag.dropFirst().prefix { $0.isLetter })>" }
        open = []
    }
}
