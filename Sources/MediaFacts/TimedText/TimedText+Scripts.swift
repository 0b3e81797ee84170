import Foundation
import MediaTime

extension TimedText {
    /// The most bytes of one event of a script, which may draw shapes.
    static let longestEvent = 64 << 10
    /// The most bytes of all that a script says beside its events.
    static let longestHeader = 1 << 20

    /// Reads a script's sections, each with a name in brackets: what the script is made for, its styles, its events.
    init(script lines: inout CueLines, _ path: String) throws {
        var reader = ScriptReader()
        while reader.cues.count <= Self.mostCues, let line = lines.next() { reader.read(line, lines.number - 1) }
        guard reader.headerBytes <= Self.longestHeader else {
            throw Self.unreadable(path, "it has more than \(Self.longestHeader >> 20) MiB beside its events")
        }
        try self.init(reader.cues, reader.problems, path)
        header = reader.header
    }

    /// The cue of an event as a film's packet has it, `ReadOrder,Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text`;
    /// nil where it is none, is too long or does not end after its start.
    static func cue(event: String, start: MediaTime, end: MediaTime) -> TimedCue? {
        let fields = event.split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
        guard fields.count == 9, start < end, event.utf8.count <= longestEvent else { return nil }
        let markup = ScriptMarkup(fields[8], start: start)
        var cue = TimedCue(
            start: start, end: end, text: markup.text, place: markup.place, align: markup.align,
            beats: markup.beats.isEmpty ? nil : markup.beats)
        cue.script = event.filter { !$0.isNewline }
        return cue
    }
}

/// A reader of a script, line by line.
struct ScriptReader {
    private enum Section { case information, styles, events, other }

    private(set) var cues: [TimedCue] = []
    private(set) var problems = CueProblems()
    private(set) var headerBytes = 0
    private var section = Section.other
    private var information: [Substring] = []
    private var styles: [Substring] = []
    private var stylesName = "[V4+ Styles]"
    private var fields = ["layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect", "text"]

    /// The header in one form, with the order of fields that cues have.
    var header: String {
        let events = "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text"
        return
            (["[Script Info]"] + information.map(String.init) + ["", stylesName] + styles.map(String.init)
            + ["", "[Events]", events, ""]).joined(separator: "\n")
    }

    mutating func read(_ line: Substring, _ number: Int) {
        if line.first == "[" {
            let name = line.lowercased().trimmingCharacters(in: .whitespaces)
            switch name {
            case "[script info]": section = .information
            case "[v4+ styles]", "[v4 styles]":
                (section, stylesName) = (.styles, name == "[v4 styles]" ? "[V4 Styles]" : "[V4+ Styles]")
            case "[events]": section = .events
            default: section = .other
            }
            return
        }
        guard !line.isBlank, line.first != ";" else { return }
        switch section {
        case .information: keep(line, in: \.information)
        case .styles: keep(line, in: \.styles)
        case .events: readEvent(line, number)
        case .other: break
        }
    }

    private mutating func keep(_ line: Substring, in list: WritableKeyPath<Self, [Substring]>) {
        headerBytes += line.utf8.count + 1
        if headerBytes <= TimedText.longestHeader { self[keyPath: list].append(line) }
    }

    private mutating func readEvent(_ line: Substring, _ number: Int) {
        guard let colon = line.firstIndex(of: ":") else { return }
        let (key, body) = (line[..<colon].lowercased(), line[line.index(after: colon)...].drop { $0 == " " })
        if key == "format" {
            let names = body.split(separator: ",").map { $0.lowercased().trimmingCharacters(in: .whitespaces) }
            if names.last == "text", names.contains("start"), names.contains("end") { fields = names }
        }
        guard key == "dialogue" else { return }
        let values = body.split(separator: ",", maxSplits: fields.count - 1, omittingEmptySubsequences: false)
        var named: [String: Substring] = [:]
        for (name, value) in zip(fields, values) { named[name == "actor" ? "name" : name] = value }
        guard values.count == fields.count, let start = Self.time(named["start"]), let end = Self.time(named["end"])
        else { return problems.add(number, "the event lacks fields or its times, such as 0:00:01.00") }
        guard start < end else { return problems.add(number, "the event ends at \(end.text), not after its start") }
        func word(_ name: String, _ standard: String) -> String {
            named[name].map { $0.trimmingCharacters(in: .whitespaces) } ?? standard
        }
        let head = [
            "\(cues.count)", "\(Int(word("layer", "0")) ?? 0)", word("style", "Default"), word("name", ""),
            word("marginl", "0"), word("marginr", "0"), word("marginv", "0"), word("effect", ""),
        ]
        let event = head.joined(separator: ",") + "," + (named["text"] ?? "")
        guard let cue = TimedText.cue(event: event, start: start, end: end) else {
            return problems.add(number, "the event has more than \(TimedText.longestEvent) bytes")
        }
        cues.append(cue)
    }

    /// The time of a field of an event, which may have no point; nil where it is no time.
    private static func time(_ text: Substring?) -> MediaTime? {
        text.flatMap { cueTime(Substring($0.trimmingCharacters(in: .whitespaces))) }
    }
}
