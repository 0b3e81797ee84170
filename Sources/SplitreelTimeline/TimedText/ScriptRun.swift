package import MediaFacts
import MediaTime

/// A stretch of an ASS script's time in which what is shown depends on what was shown before: an event that made way
/// for another stays where it is when the other ends. At a stretch's beginning nothing is left of what was before it:
/// a picture is the same wherever drawing begins.
package struct ScriptRun: Sendable, Equatable {
    /// The millisecond at which it begins, and below it the one at which it ends, half-open.
    package var start: Int
    package var end: Int
    /// The milliseconds at which events without places of their own begin and end in it, sorted; some hundreds at most.
    package var edges: [Int]

    package init(start: Int, end: Int, edges: [Int]) { (self.start, self.end, self.edges) = (start, end, edges) }

    /// The edges of an endless row of events that overlap each other, after which placing begins anew.
    package static let mostEdges = 256

    package static func runs(of text: TimedText) -> [ScriptRun] {
        let spans = text.cues.filter { !$0.isPlaced }.compactMap { cue -> (start: Int, end: Int)? in
            guard let start = cue.startMilliseconds, let end = cue.endMilliseconds else { return nil }
            return start < end ? (start, end) : nil
        }
        var runs: [ScriptRun] = []
        var (end, edges): (Int, Set<Int>) = (Int.min, [])
        func close() {
            guard !edges.isEmpty else { return }
            let sorted = edges.sorted().filter { $0 < end }
            for first in stride(from: 0, to: sorted.count, by: mostEdges) {
                let last = first + mostEdges
                runs.append(
                    ScriptRun(
                        start: sorted[first], end: last < sorted.count ? sorted[last] : end,
                        edges: Array(sorted[first..<min(last, sorted.count)])))
            }
        }
        for span in spans {
            if span.start >= end {
                close()
                (end, edges) = (span.end, [])
            }
            end = max(end, span.end)
            edges.formUnion([span.start, span.end])
        }
        close()
        return runs
    }

    /// The run that holds a time in milliseconds, or else the stretch between two of them.
    package static func run(at time: Int, in runs: [ScriptRun]) -> ScriptRun {
        let after = runs.partitionPoint { $0.start <= time }
        if after > 0, time < runs[after - 1].end { return runs[after - 1] }
        return ScriptRun(
            start: after > 0 ? runs[after - 1].end : .min, end: after < runs.count ? runs[after].start : .max, edges: []
        )
    }
}
