import Foundation
import MediaTime

// Cues out of a film's samples, whose times are the container's. Each initialiser gives nil where a sample says
// nothing.
extension TimedCue {
    /// Reads a sample of mov_text: a length in two bytes, the text, and boxes, of which those of styles are read.
    package init?(movText sample: TimedSample) {
        let bytes = sample.bytes
        guard bytes.count > 2 else { return nil }
        let length = min(Int(bytes[0]) << 8 | Int(bytes[1]), bytes.count - 2)
        let text = Self.decoded(bytes[2..<(2 + length)])
        guard !text.isEmpty, text.utf8.count <= TimedText.longestCue else { return nil }
        let marked = StyledText(text, styles: Self.styles(bytes[(2 + length)...])).markup
        self.init(start: sample.start.mediaTime, end: sample.end.mediaTime, text: marked)
    }

    package init?(subRip sample: TimedSample) { self.init(sample, isVTT: false) }

    package init?(webVTT sample: TimedSample, settings: String) {
        self.init(sample, isVTT: true)
        apply(settings.split(whereSeparator: \.isWhitespace))
    }

    package init?(event sample: TimedSample) {
        let event = Self.decoded(sample.bytes[...])
        guard let cue = TimedText.cue(event: event, start: sample.start.mediaTime, end: sample.end.mediaTime) else {
            return nil
        }
        self = cue
    }

    private init?(_ sample: TimedSample, isVTT: Bool) {
        let text = Self.decoded(sample.bytes[...]).replacingOccurrences(of: "\r\n", with: "\n")
            .trimmingCharacters(in: .newlines)
        guard !text.isEmpty, text.utf8.count <= TimedText.longestCue else { return nil }
        let markup = CueMarkup(text, decodesEntities: isVTT)
        self.init(
            start: sample.start.mediaTime, end: sample.end.mediaTime, text: markup.text, place: markup.place,
            align: markup.align, beats: markup.beats.isEmpty ? nil : markup.beats)
    }

    /// The text of UTF-16 with its byte order mark, or of UTF-8, without zero characters, which end no text of ours.
    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        let isWide = bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
        let text = isWide ? String(data: Data(bytes), encoding: .utf16) ?? "" : String(decoding: bytes, as: UTF8.self)
        return text.replacingOccurrences(of: "\0", with: "")
    }

    /// The records of a `styl` box: the first and last character, the face and the colour of each.
    private static func styles(_ boxes: ArraySlice<UInt8>) -> [StyledText.Style] {
        var rest = boxes
        func number(_ bytes: ArraySlice<UInt8>, _ offset: Int, _ count: Int) -> Int {
            bytes.dropFirst(offset).prefix(count).reduce(0) { $0 << 8 | Int($1) }
        }
        while rest.count >= 10 {
            let size = number(rest, 0, 4)
            guard size >= 8, size <= rest.count else { return [] }
            let box = rest.prefix(size)
            if box.dropFirst(4).starts(with: Array("styl".utf8)) {
                let count = min(number(box, 8, 2), (size - 10) / 12)
                return (0..<count).map { index in
                    let record = box.dropFirst(10 + 12 * index).prefix(12)
                    return StyledText.Style(
                        start: number(record, 0, 2), end: number(record, 2, 2), face: number(record, 6, 1),
                        colour: number(record, 8, 3))
                }
            }
            rest = rest.dropFirst(size)
        }
        return []
    }
}

/// A text with faces and colours, as the markup that cues keep.
struct StyledText {
    struct Style {
        /// The half-open range of characters, counted in UTF-16 as players do, from 0.
        var start, end: Int
        /// The bits of the face: 1 bold, 2 italic, 4 underlined.
        var face: Int
        /// The colour, R'G'B' of 8 bits each: 0xRRGGBB.
        var colour: Int
    }

    let markup: String

    init(_ text: String, styles: [Style]) {
        var result: String = ""
        var open: [String] = []
        var place: Int = 0
        func close() {
            for tag in open.reversed() { result += "</\(tag.dropFirst().prefix { $0.isLetter })>" }
            open = []
        }
        for character in text {
            var tags: [String] = []
            if let style = styles.first(where: { $0.start <= place && place < $0.end }) {
                for (bit, name) in [(1, "b"), (2, "i"), (4, "u")] where style.face & bit != 0 {
                    tags.append("<\(name)>")
                }
                if style.colour != 0xFFFFFF {
                    let digits = String(style.colour | 1 << 24, radix: 16).dropFirst()
                    tags.append("<span color=\"#\(digits)\">")
                }
            }
            if tags != open {
                close()
                result += tags.joined()
                open = tags
            }
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.append(character)
            }
            place += character.utf16.count
        }
        close()
        markup = result
    }
}

extension TimedText {
    /// The header of a script, which is all that a film says beside its events; nil where the bytes are no script.
    package static func header(ofScript bytes: [UInt8]) -> String? {
        let text = String(decoding: ScriptFile(bytes).text, as: UTF8.self).replacingOccurrences(of: "\0", with: "")
        let plain = text.drop { $0 == "\u{FEFF}" || $0.isWhitespace }
        guard text.utf8.count <= longestHeader, ScriptFile.isScript(plain) else { return nil }
        var reader = ScriptReader()
        var lines = CueLines(String(plain))
        while let line = lines.next() { reader.read(line, lines.number - 1) }
        return reader.header
    }
}
