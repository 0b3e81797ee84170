import Drawings
import Foundation
import JSONText
import MediaFacts
import MediaTime
import SplitreelProject

/// A metadata track in exact time, for compositors and texts.
struct DataTrackPlan: Sendable {
    let id: Int
    /// The track's samples, by their starts.
    private let samples: [MetadataSample]
    /// The latest end of all samples up to that place.
    private let reaches: [Rational]

    init(_ track: Track, _ facts: [String: AssetFacts]) {
        id = track.id
        samples = track.metadataSamples(facts).enumerated().sorted {
            ($0.element.start, $0.offset) < ($1.element.start, $1.offset)
        }.map(\.element)
        var reach = Rational.zero
        reaches = samples.map { sample in
            reach = max(reach, sample.end)
            return reach
        }
    }

    /// The sample that holds at a time, of several the one that began last; nil where none does.
    func sample(at time: Rational) -> MetadataSample? {
        guard var index = samples.lastIndexStarting(atOrBefore: time, { $0.start }) else { return nil }
        while reaches[index] > time {
            if samples[index].end > time { return samples[index] }
            if index == 0 { break }
            index -= 1
        }
        return nil
    }

    func isConstant(from start: Rational, to end: Rational) -> Bool {
        let next = samples.partitionPoint { $0.start <= start }
        if next < samples.count, samples[next].start < end { return false }
        return sample(at: start).map { $0.end >= end } ?? true
    }
}

extension [DataTrackPlan] {
    /// The text that `{{name}}` in a text stands for at a time: a value of the first track that has it, shown as people
    /// read it; `{{text}}` is the words of the first track of text. nil where no track has it.
    func value(_ name: String, at time: Rational) -> String? {
        for track in self {
            switch track.sample(at: time)?.content {
            case .data(let values):
                if let value = values[name] { return String(value.shownText.prefix(500)) }
            case .words(let words):
                if name == "text" { return words }
            case .other, nil: break
            }
        }
        return nil
    }
}

extension TextDrawing {
    /// The text with values in the place of `{{name}}`, and empty ones where there is none.
    func filled(_ value: (String) -> String?) -> TextDrawing {
        var (result, rest) = ("", Substring(string))
        /// The places in bytes at which moved parts of the string stood and stand now.
        var moves: [(from: Int, to: Int)] = []
        while let open = rest.range(of: "{{"), let close = rest.range(of: "}}", range: open.upperBound..<rest.endIndex)
        {
            result += rest[..<open.lowerBound]
            let start = string.utf8.distance(from: string.startIndex, to: open.lowerBound)
            moves.append((start, result.utf8.count))
            result += value(rest[open.upperBound..<close.lowerBound].trimmingCharacters(in: .whitespaces)) ?? ""
            rest = rest[close.upperBound...]
            moves.append((string.utf8.distance(from: string.startIndex, to: rest.startIndex), result.utf8.count))
        }
        guard !moves.isEmpty else { return self }
        result += rest
        func moved(_ place: Int) -> Int {
            let after = moves.partitionPoint { $0.from <= place }
            guard after > 0 else { return place }
            // A place within a name is where its value begins.
            let move = moves[after - 1]
            return after % 2 == 1 ? move.to : move.to + place - move.from
        }
        var text = self
        text.string = result
        text.spans = spans.compactMap { span in
            let (start, end) = (moved(span.start), moved(span.end))
            return start < end ? TextSpan(start: start, end: end, style: span.style) : nil
        }
        return text
    }
}

extension JSONValue {
    /// The value as people read it: a string without quotes.
    var shownText: String {
        switch self {
        case .null: ""
        case .string(let text): text
        default: String(decoding: canonicalBytes(), as: UTF8.self)
        }
    }
}
