import JSONText
import MediaTime
import SplitreelProject
import SplitreelTimeline

/// The hints on ranges whose second value was meant to be their end, and on sources and targets that were mixed up.
extension Validator {
    /// The hint where a range would end as it should if its second value were its end; nil for others.
    ///
    /// - Parameters:
    ///   - written: the range before a gap or an overlap.
    ///   - time: the time at which what follows begins.
    ///   - holder: the thing that lasts so long, with its article.
    func hintOfEnd(_ written: TimeRange, before time: Rational, _ holder: String) -> String? {
        guard let span = written.exact, span.start > .zero, span.end - span.start == time, time > span.start else {
            return nil
        }
        return "ranges are [start, duration]: \(holder) that ends at \"\(time.plainTime.text)\" lasts "
            + range(written.start, time - span.start)
    }

    func hintOfGap(from start: Rational, to end: Rational) -> String {
        "put an empty segment there: { \"target\": [\"\(start.plainTime.text)\", "
            + "\"\((end - start).plainTime.text)\"] }"
    }

    /// The hint for a segment that does not begin at `time`, where the one before it ends: the cause, where the ranges
    /// show one.
    func hintOfPlace(_ segment: TrackSegment, after previous: TrackSegment?, at time: Rational) -> String? {
        guard let target = segment.target.exact else { return nil }
        if let previous, let meant = hintOfEnd(previous.target, before: target.start, "the segment") { return meant }
        guard let source = segment.source?.exact else { return nil }
        let length = target.end - target.start
        func text(_ start: Rational, _ length: Rational) -> String {
            "[\"\(start.plainTime.text)\", \"\(length.plainTime.text)\"]"
        }
        let isGap = target.start > time
        if source == target {
            var words = "`target` is the place in the film, not in the file: \"target\": \(text(time, length))"
            let rest = length - target.start
            if target.start > .zero, rest > .zero {
                words =
                    "ranges are [start, duration], and " + words + ", or if \"\(length.plainTime.text)\" is the end, "
                    + "\"source\": \(text(source.start, rest)), \"target\": \(text(time, rest))"
            }
            return isGap ? words + "; for a gap, " + hintOfGap(from: time, to: target.start) : words
        }
        guard source.start == time, source.end - source.start == length else { return nil }
        let words =
            "`source` is the part of the file, `target` its place in the film: \"source\": "
            + "\(text(target.start, length)), \"target\": \(text(time, length))"
        return isGap ? hintOfGap(from: time, to: target.start) + "; or if they were mixed up: " + words : words
    }

    /// The hint for a source that is longer than its asset, which ends at `end`.
    func hintOfLongSource(_ source: Span, _ segment: TrackSegment, end: Rational) -> String {
        let usual = "shorten the source, or say \"clampToSource\": true"
        let length = source.end - source.start
        guard let written = segment.source, source.start > .zero, length > source.start, length <= end else {
            return usual
        }
        return "ranges are [start, duration]: if \"\(length.plainTime.text)\" is the end, \"source\": "
            + "\(range(written.start, length - source.start)); else \(usual)"
    }

    /// The hint for a number of per cent where a part of 1 is meant; empty for others.
    func hintOfShare(_ value: Double) -> String {
        value > 1 && value <= 100 ? "write \(JSONValue((value * 100).rounded() / 1e4).shortText)" : ""
    }
}
