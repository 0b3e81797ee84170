package import Diagnostics
package import Reports
import Scheduling

/// The view of a job for a person who watches, as pure text.
package enum ProgressText {
    /// The bars: one for the job, one for each chunk that somebody has. No line takes more than `width` columns.
    package static func lines(
        _ report: JobReport, _ progress: JobProgress, width: Int
    ) -> [String] {
        // A watch says on a line of its own that no worker is there.
        let isQueued = report.waitsFor?.value == .priority || report.waitsFor?.value == .slots
        let wait = isQueued ? report.waitSentence : nil
        let delay = [report.delay?.sentence ?? wait].compactMap { $0?.clipped(to: width) }
        // Before the plan is there, there is nothing to measure.
        if report.state.value == .waiting && report.chunks.isEmpty { return ["planning…".clipped(to: width)] + delay }
        let busy = report.chunks.filter { [.leased, .running, .verifying].contains($0.state.value) }
            .sorted { ($0.worker, $0.index) < ($1.worker, $1.index) }
        let whole = barLine("", Double(progress.work.percent) / 100, .green, width)
        return [progress.summary(width: width), whole] + delay + busy.map { chunkLine($0, width) }
    }

    private static func chunkLine(_ chunk: ChunkReport, _ width: Int) -> String {
        let what =
            switch chunk.kind.value {
            case .audio: "sound"
            case .mix: "part of sound"
            case .analysis: "analysis at \(chunk.firstFrame)"
            default: "chunk \(chunk.index)"
            }
        let again = chunk.attempt > 1 ? " try \(chunk.attempt)" : ""
        let label = label(ofSlot: chunk.worker).printable.clipped(to: 16).padded(to: 17) + (what + again).padded(to: 17)
        return barLine(label, Double(chunk.framesDone) / max(1, Double(chunk.frameCount)), .blue, width)
    }

    /// A bar with its label, indented by two; it takes what the label and the percentage leave, and goes where it would
    /// be too short.
    private static func barLine(_ label: String, _ fraction: Double, _ paint: Paint, _ width: Int) -> String {
        let room = width - 2 - label.columns - 6
        if room >= 6 { return "  " + label + bar(fraction, room, paint) + percent(fraction) }
        return ("  " + label.trimmed + percent(fraction)).clipped(to: width)
    }

    /// The label `WORKER/PID` of a slot, without the part that makes its name unique.
    static func label(ofSlot slot: String) -> String {
        guard let slash = slot.lastIndex(of: "/"), let dash = slot[slash...].firstIndex(of: "-") else { return slot }
        return String(slot[..<dash])
    }

    package static func bar(_ fraction: Double, _ width: Int, _ paint: Paint) -> String {
        let eighths = Int((max(0, min(1, fraction)) * Double(width) * 8).rounded())
        let partial = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
        let full = String(repeating: "█", count: eighths / 8) + partial
        let rest = String(repeating: "░", count: max(0, width - eighths / 8 - (partial.isEmpty ? 0 : 1)))
        return Paint.text(full, paint) + Paint.text(rest, .dim)
    }

    /// A percentage in six columns. The small addition undoes what the division of whole numbers lost.
    package static func percent(_ fraction: Double) -> String {
        "\(Int(max(0, min(1, fraction)) * 100 + 1e-9))".aligned(to: 4) + " %"
    }
}

extension String {
    fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}
