import Diagnostics
import Foundation
package import Reports
package import Scheduling

/// A job's progress as every display and document has it, made of a report in this one place.
package struct JobProgress: Sendable, Hashable {
    /// The job's state as a word for people.
    package let state: String
    package let work: WorkDone
    /// The frames a second; nil where they are not known: not running, nothing rendered of late, or nothing heard.
    package let framesPerSecond: Double?
    /// The seconds since the first chunk was leased; nil before that.
    package let elapsed: Double?
    package let isOver: Bool

    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - before: the work that was shown of the job until now; nothing falls below it.
    ///   - isStale: whether the coordinator is silent, so that its speed is not known.
    package init(
        _ report: JobReport, now: Double, before: WorkDone = WorkDone(), isStale: Bool = false
    ) {
        var work = report.work
        work.keep(before)
        self.work = work
        isOver = report.isTerminal
        state = report.ending?.value == .cancelled ? "cancelling" : report.state.word
        let isKnown = report.state.value == .running && report.ending == nil && !isStale
        framesPerSecond = isKnown && report.framesPerSecond > 0 ? report.framesPerSecond : nil
        elapsed = report.started.map { max(0, (report.ended ?? now) - $0) }
    }

    /// The seconds until the last frame, at the present rate; nil where it is not known.
    package var secondsLeft: Double? {
        guard let framesPerSecond, work.framesLeft > 0 else { return nil }
        return Double(work.framesLeft) / framesPerSecond
    }

    /// The progress as a line: `running 50 %  frame 150/300  chunks 1/2  30.0 fps  ETA 0:05  elapsed 1:05`.
    package var summary: String { Self.line(parts) }

    /// The line as wide as a window: what matters least goes first, and the time that is left stays.
    package func summary(width: Int) -> String {
        var parts = parts
        while Self.line(parts).columns > width, let least = parts.max(by: { $0.rank < $1.rank }), least.rank > 0 {
            parts.removeAll { $0.rank == least.rank }
        }
        return Self.line(parts).clipped(to: width)
    }

    private static func line(_ parts: [(text: String, rank: Int)]) -> String {
        parts.map(\.text).joined(separator: "  ")
    }

    /// The parts of the line. Where there is no room the one of the highest rank goes first, and 0 stays.
    private var parts: [(text: String, rank: Int)] {
        var parts = [(text: "\(state.printable) \(work.percent) %", rank: 0)]
        // The frames are samples where there is no picture.
        if work.frames > 0, work.chunks > 0 { parts.append(("frame \(work.framesDone)/\(work.frames)", 2)) }
        if work.chunks > 0 { parts.append(("chunks \(work.chunksDone)/\(work.chunks)", 3)) }
        if let framesPerSecond, work.chunks > 0 { parts.append((ForPeople.speed(framesPerSecond), 1)) }
        if let secondsLeft { parts.append(("ETA " + ForPeople.clock(secondsLeft), 0)) }
        if let elapsed { parts.append(("elapsed " + ForPeople.clock(elapsed), 4)) }
        return parts
    }
}

extension JobReport {
    /// The time that an ended job took, as tables count it: since its first chunk, or since its submission where none
    /// was rendered. What passed before that, planning and waiting for a slot, is told beside it from a second on.
    package var timeTaken: String {
        func words(_ from: Double, _ to: Double) -> String { String(format: "%.1f s", max(0, to - from)) }
        let end = ended ?? submitted
        guard let started else { return words(submitted, end) }
        let before = started - submitted >= 1 ? ", and \(words(submitted, started)) until the first chunk" : ""
        return words(started, end) + before
    }
}
