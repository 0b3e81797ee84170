import Foundation
import JSONText
import MediaTime

extension TimedText {
    /// Reads SubRip: a number, a line of times, and lines of text. A line of times begins a cue wherever it stands;
    /// text behind an empty line is the cue's too, as in ffmpeg.
    init(subRip lines: inout CueLines, _ path: String) throws {
        try self.init(CueScan(lines, isVTT: false), path, example: "00:00:01,000 --> 00:00:02,500")
    }

    /// Reads WebVTT: after the header, an optional name, a line of times with settings, and lines of text, up to an
    /// empty line or the next cue; `NOTE`, `STYLE` and `REGION` blocks are passed over.
    init(webVTT lines: inout CueLines, _ path: String) throws {
        _ = lines.next()
        while let line = lines.peek, !line.isBlank, !line.contains("-->"), !line.isCueNumber { _ = lines.next() }
        try self.init(CueScan(lines, isVTT: true), path, example: "00:01.000 --> 00:02.500")
    }

    private init(_ scan: CueScan, _ path: String, example: String) throws {
        var (cues, problems): ([TimedCue], CueProblems) = ([], CueProblems())
        for found in scan.found {
            switch found {
            case .problem(let line): problems.add(line, "there is no line of times such as \(example)")
            case .cue(let written): Self.add(written, isVTT: scan.isVTT, &cues, &problems)
            }
        }
        try self.init(cues, problems, path)
    }

    private static func add(
        _ written: CueScan.WrittenCue, isVTT: Bool, _ cues: inout [TimedCue], _ problems: inout CueProblems
    ) {
        let (start, end) = (written.times.start, written.times.end)
        guard start < end else {
            return problems.add(written.line, "the cue ends at \(end.text), not after its start")
        }
        let source = written.text.joined(separator: "\n")
        guard source.utf8.count <= longestCue else {
            return problems.add(written.line, "the cue has more than \(longestCue) bytes")
        }
        let markup = CueMarkup(source, decodesEntities: isVTT)
        var cue = TimedCue(
            start: start, end: end, text: markup.text, place: markup.place, align: markup.align,
            beats: markup.beats.isEmpty ? nil : markup.beats)
        if isVTT { cue.apply(written.times.settings) }
        cues.append(cue)
    }

    /// Reads an object a line, with `start` and `end` as times or seconds; without `end` a line holds until the next
    /// one.
    init(jsonLines lines: inout CueLines, _ path: String) throws {
        var (cues, problems): ([TimedCue], CueProblems) = ([], CueProblems())
        var isOpen: [Bool] = []
        while cues.count <= Self.mostCues, let line = lines.next() {
            let number = lines.number - 1
            guard !line.isBlank else { continue }
            guard line.utf8.count <= 16 << 10, let json = try? JSONValue(parsing: Data(line.utf8)),
                case .object(let members) = json, let start = Self.time(members["start"])
            else {
                problems.add(number, "it is not a JSON object with a `start`")
                continue
            }
            let end = Self.time(members["end"])
            guard end.map({ $0 > start }) ?? true else {
                problems.add(number, "it ends before its start")
                continue
            }
            let data = members.filter { $0.key != "start" && $0.key != "end" }
            cues.append(
                TimedCue(
                    start: start, end: end ?? start,
                    text: String(decoding: JSONValue.object(data).canonicalBytes(), as: UTF8.self)))
            isOpen.append(end == nil)
        }
        for index in cues.indices where isOpen[index] {
            let later = cues[(index + 1)...].first { $0.start > cues[index].start }
            cues[index].end = later?.start ?? MediaTime(value: 1 << 40, timescale: 1)
        }
        try self.init(cues, problems, path)
    }

    private static func time(_ json: JSONValue?) -> MediaTime? {
        let time: MediaTime? =
            switch json {
            case .integer(let seconds)?: MediaTime(value: seconds, timescale: 1)
            case .number(let seconds)?: MediaTime(seconds: seconds, preferredTimescale: 1_000_000)
            case .string(let text)?: MediaTime(text: text)
            default: nil
            }
        guard let time, time.exact.map({ !$0.isNegative }) == true else { return nil }
        return time
    }
}

extension TimedCue {
    /// Takes over WebVTT's `line` and `align`; its other settings are passed over.
    mutating func apply(_ settings: [Substring]) {
        for setting in settings {
            let parts = setting.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            switch parts[0] {
            case "align":
                align = ["start": .left, "left": .left, "end": .right, "right": .right][String(parts[1])] ?? .center
            case "line":
                let value = parts[1].prefix { $0.isASCIIDigit || $0 == "-" }
                guard let number = Int(value) else { continue }
                if parts[1].contains("%") {
                    place = number < 34 ? .top : number < 67 ? .middle : .bottom
                } else {
                    place = number < 0 ? .bottom : .top
                }
            default: break
            }
        }
    }
}
