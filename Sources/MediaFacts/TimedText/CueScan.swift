import Foundation
import MediaTime

/// The cues of SubRip or WebVTT, cut out of the lines of a file as players do it: a line of times begins a cue wherever
/// it stands, also without an empty line before it.
struct CueScan {
    /// A cue as its lines stand in the file.
    struct WrittenCue {
        /// The number of the line of its name, or else of its times, from 1.
        var line: Int
        var times: CueTimes
        var text: [Substring] = []
    }

    enum Found {
        case cue(WrittenCue)
        /// Lines that belong to no cue, by the number of the first.
        case problem(line: Int)
    }

    /// Lines that no empty line parts.
    private struct Paragraph {
        var line: Int
        var lines: [Substring] = []
        /// Whether the lines follow the line of times at once.
        var isFirst = false
    }

    /// The cue whose lines are being read.
    private enum State {
        case none, rejected
        case reading(WrittenCue)
    }

    /// All that was found, in the file's order.
    private(set) var found: [Found] = []
    let isVTT: Bool
    private var state = State.none
    private var paragraphs: [Paragraph] = []
    /// Whether the next line goes on with the last paragraph.
    private var isOpen = false
    /// Whether the lines up to the next empty one are passed over.
    private var isRemark = false
    /// Whether the first cue has a number: then a number before a line of times is no text. nil before the first cue.
    private var isNumbered: Bool?

    /// Reads up to `mostCues` cues and one more.
    init(_ lines: CueLines, isVTT: Bool) {
        self.isVTT = isVTT
        var (lines, count) = (lines, 0)
        while count <= TimedText.mostCues, let line = lines.next() {
            if read(line.first == "\u{FEFF}" ? line.dropFirst() : line, lines.number - 1) { count += 1 }
        }
        finish()
    }

    /// Reads a line, whose number counts from 1; true where it is one of times.
    private mutating func read(_ line: Substring, _ number: Int) -> Bool {
        if line.isBlank { (isOpen, isRemark) = (false, false) }
        if line.isBlank || isRemark { return false }
        if isVTT, !isOpen, ["NOTE", "STYLE", "REGION"].contains(where: { line == $0 || line.hasPrefix($0 + " ") }) {
            isRemark = true
        } else if let times = CueTimes(line) {
            begin(times, number)
            return true
        } else if CueTimes.isBroken(line) {
            begin(nil, number)
        } else if isOpen {
            paragraphs[paragraphs.count - 1].lines.append(line)
        } else {
            paragraphs.append(Paragraph(line: number, lines: [line]))
            isOpen = true
        }
        return false
    }

    private mutating func begin(_ times: CueTimes?, _ number: Int) {
        let name = takeName()
        if times != nil, isNumbered == nil { isNumbered = name?.isNumber ?? false }
        finish()
        let line = name?.line ?? number
        if let times {
            state = .reading(WrittenCue(line: line, times: times))
        } else {
            found.append(.problem(line: line))
            state = .rejected
        }
        paragraphs = [Paragraph(line: number + 1, isFirst: true)]
        isOpen = true
    }

    /// Takes the name of the cue that begins from the lines before it: a line by itself, or a number where cues have
    /// one.
    private mutating func takeName() -> (line: Int, isNumber: Bool)? {
        guard let last = paragraphs.last, let text = last.lines.last else { return nil }
        let isAlone = last.lines.count == 1 && !last.isFirst
        let isNumber = text.isCueNumber
        guard isAlone && (isOpen || isNumber) || isOpen && isNumber && isNumbered != false else { return nil }
        paragraphs[paragraphs.count - 1].lines.removeLast()
        return (last.line + last.lines.count - 1, isNumber)
    }

    /// Ends the cue whose lines were read. Text of SubRip behind an empty line is the cue's too.
    private mutating func finish() {
        let all = paragraphs.filter { !$0.lines.isEmpty }
        let isOfCue = { [isVTT] (paragraph: Paragraph) in
            paragraph.isFirst || !isVTT && !paragraph.lines[0].isCueNumber
        }
        var strays = all
        switch state {
        case .none: break
        case .rejected: strays = all.filter { !isOfCue($0) }
        case .reading(var cue):
            cue.text = all.filter(isOfCue).flatMap(\.lines)
            found.append(.cue(cue))
            strays = all.filter { !isOfCue($0) }
        }
        found += strays.map { .problem(line: $0.line) }
        (state, paragraphs) = (.none, [])
    }
}

extension Substring {
    /// Whether the line is a whole number and nothing else, as cues are counted.
    var isCueNumber: Bool {
        let words = split(whereSeparator: \.isWhitespace)
        return words.count == 1 && words[0].count <= 9 && words[0].allSatisfy(\.isASCIIDigit)
    }
}

/// A cue's line of times.
struct CueTimes {
    let start: MediaTime
    let end: MediaTime
    /// The words that follow the times.
    let settings: [Substring]

    /// nil where the line is not two times with an arrow between them. The arrow may be `->` or have dashes of print;
    /// blanks may stand within a time, and a colon before its thousandths. A start before 0 is 0: the cue was moved.
    init?(_ line: Substring) {
        let content = line.drop(while: \.isWhitespace)
        let isBefore = content.first == "-"
        guard let head = line.lastIndex(of: ">"),
            content.dropFirst(isBefore ? 1 : 0).first?.isASCIIDigit == true
        else { return nil }
        // A setting may have a `>` of its own.
        let arrow = line.range(of: "-->").map { line.index(before: $0.upperBound) } ?? head
        let before = line[..<arrow]
        let shaft = before.reversed().prefix { "-–—−= ".contains($0) }
        guard shaft.contains(where: { $0 != " " }) else { return nil }
        let times = before.dropLast(shaft.count).drop { $0.isWhitespace || isBefore && $0 == "-" }
        let words = times.split(whereSeparator: \.isWhitespace)
        let after = line[line.index(after: arrow)...].split(whereSeparator: \.isWhitespace)
        guard let start = Self.time(words[...]), start.count == words.count, let end = Self.time(after[...]) else {
            return nil
        }
        self.start = isBefore ? .zero : start.time
        self.end = end.time
        settings = Array(after[end.count...])
    }

    /// Whether the line is meant as one of times, but has none.
    static func isBroken(_ line: Substring) -> Bool {
        guard let arrow = line.range(of: "-->") else { return false }
        let before = line[..<arrow.lowerBound].drop(while: \.isWhitespace)
        let digits = before.first == "-" ? before.dropFirst() : before
        return digits.first?.isASCIIDigit == true && before.count(where: { ":.,".contains($0) }) >= 2
    }

    /// The time that the first words make together, and the number of those words.
    private static func time(_ words: ArraySlice<Substring>) -> (time: MediaTime, count: Int)? {
        var text = ""
        for (index, word) in words.prefix(8).enumerated() {
            text += word
            let next = words.dropFirst(index + 1).first?.first
            if next.map({ ":.,".contains($0) }) == true { continue }
            if text.last?.isASCIIDigit == true, let time = cueTime(thousandths(text)) { return (time, index + 1) }
        }
        return nil
    }

    /// The text of a time with a comma in place of a third colon.
    private static func thousandths(_ text: String) -> Substring {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[3].count == 3 else { return text[...] }
        return Substring(parts[..<3].joined(separator: ":") + "," + parts[3])
    }
}
