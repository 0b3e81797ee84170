import Diagnostics
package import Foundation
import MediaTime

extension TimedText {
    /// Reads SubRip, WebVTT, ASS or JSON lines, told apart by what they begin with.
    ///
    /// A cue that cannot be read is passed over, with a warning that has its line. Throws `SplitreelError`
    /// `mediaUnsupported` where the file is none of these, holds no cue, or too many.
    package init(parsing data: Data, path: String) throws {
        let file = ScriptFile([UInt8](data))
        guard file.text.count <= Self.mostBytes else {
            throw Self.unreadable(path, "it has more than \(Self.mostBytes) bytes")
        }
        guard let decoded = Self.decoded(Data(file.text)) else {
            throw Self.unreadable(path, Self.otherEncoding, hint: Self.encodingHint)
        }
        // Files that were joined have several marks, and old ones end with DOS's or with zeros.
        var text = String(decoded.drop { $0 == "\u{FEFF}" })
        while let last = text.last, last == "\u{1A}" || last == "\0" { text.removeLast() }
        guard !text.contains("\0") else { throw Self.unreadable(path, Self.otherEncoding) }
        var lines = CueLines(text)
        lines.skipEmpty()
        guard let first = lines.peek else { throw Self.unreadable(path, "it is empty") }
        if first.hasPrefix("WEBVTT") {
            try self.init(webVTT: &lines, path)
        } else if ScriptFile.isScript(first) {
            try self.init(script: &lines, path)
            if !file.fontLines.isEmpty { hasFonts = true }
        } else if first.hasPrefix("{") {
            try self.init(jsonLines: &lines, path)
        } else {
            try self.init(subRip: &lines, path)
        }
        guard !cues.isEmpty else {
            throw Self.unreadable(path, warnings.first ?? "no cue was found in it")
        }
    }

    private static let otherEncoding = "it is not text in UTF-8 or UTF-16"
    /// The code pages of Windows that most old files have.
    private static let encodingHint =
        "`iconv -f WINDOWS-1252 -t UTF-8 OLD > NEW` makes UTF-8 of Western European text; WINDOWS-1250 is of Central "
        + "Europe, WINDOWS-1251 Cyrillic"
    private static let kinds =
        "SubRip (.srt), WebVTT (.vtt), ASS (.ass, .ssa) and lines of JSON with `start` and `end` are read"

    static func unreadable(_ path: String, _ reason: String, hint: String? = nil) -> SplitreelError {
        SplitreelError(
            .mediaUnsupported, operation: "reading timed text", subject: path, reason: reason, hint: hint ?? kinds)
    }

    /// The text of bytes in UTF-8 or UTF-16; nil where they are neither. Without a mark of its byte order, UTF-16 is
    /// known by the zero beside its first letter. An odd last byte of UTF-16 is of a letter that was cut off.
    private static func decoded(_ data: Data) -> String? {
        let whole = data.dropLast(data.count % 2)
        switch [UInt8](data.prefix(2)) {
        case [0xFF, 0xFE], [0xFE, 0xFF]: return String(data: whole, encoding: .utf16)
        case let start where start.count == 2 && start[0] != 0 && start[1] == 0:
            return String(data: whole, encoding: .utf16LittleEndian)
        case let start where start.count == 2 && start[0] == 0 && start[1] != 0:
            return String(data: whole, encoding: .utf16BigEndian)
        default: return String(data: data, encoding: .utf8)
        }
    }

    /// Makes a text of what one format's reader found; throws `mediaUnsupported` where there are more than `mostCues`.
    init(_ found: [TimedCue], _ problems: CueProblems, _ path: String) throws {
        guard found.count <= Self.mostCues else {
            throw Self.unreadable(path, "it has more than \(Self.mostCues) cues")
        }
        self.init(cues: found, warnings: problems.lines)
    }
}

/// The lines of a text, with their numbers; any of the three line ends ends one, and so does `\r\r\n`.
struct CueLines {
    private let lines: [Substring]
    private(set) var index = 0

    init(_ text: String) {
        // `\r\r\n` is what is left of a file that was changed for Windows twice.
        lines = text.replacingOccurrences(of: "\r\r\n", with: "\n").split(
            omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r" || $0 == "\r\n" })
    }

    /// The number of the line that comes next, from 1.
    var number: Int { index + 1 }
    var peek: Substring? { index < lines.count ? lines[index] : nil }

    mutating func next() -> Substring? {
        guard index < lines.count else { return nil }
        index += 1
        return lines[index - 1]
    }

    mutating func skipEmpty() { while let line = peek, line.isBlank { index += 1 } }
}

extension Substring {
    var isBlank: Bool { allSatisfy { $0 == " " || $0 == "\t" } }
}

/// The notes about what is passed over; the first few are kept.
struct CueProblems {
    private static let most = 5

    private(set) var lines: [String] = []
    private var more = 0

    mutating func add(_ line: Int, _ reason: String) {
        if lines.count < Self.most {
            lines.append("line \(line): \(reason)")
        } else {
            more += 1
        }
    }
}

/// The time of `[HH:]MM:SS.mmm`, the point a comma in SubRip; nil for other texts.
func cueTime(_ text: Substring) -> MediaTime? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count) else { return nil }
    let seconds = parts[parts.count - 1].split(whereSeparator: { $0 == "." || $0 == "," })
    guard (1...2).contains(seconds.count) else { return nil }
    let fraction = seconds.count == 2 ? seconds[1] : "0"
    guard fraction.count <= 9, fraction.allSatisfy(\.isASCIIDigit), let nanos = Int64(fraction) else { return nil }
    var whole: Int64 = 0
    for part in parts.dropLast() + [seconds[0]] {
        guard (1...6).contains(part.count), part.allSatisfy(\.isASCIIDigit), let value = Int64(part) else { return nil }
        whole = whole * 60 + value
    }
    var (scale, value) = (Int32(1), nanos)
    for _ in 0..<fraction.count { scale *= 10 }
    if fraction.count < 3 {
        while scale < 1000 { (scale, value) = (scale * 10, value * 10) }
    }
    return MediaTime(value: whole * Int64(scale) + value, timescale: scale)
}

extension Character {
    var isASCIIDigit: Bool { isASCII && isNumber }
}
