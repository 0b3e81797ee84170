package import FarmProtocol
package import Foundation

/// Draws a job's progress to standard error: bars on a terminal, else a plain line per second at most.
struct ProgressDisplay {
    private let isTerminal: Bool
    private let width: Int
    private var drawnLines = 0
    private var lastPlain: Date?
    private var lastState = ""

    init(isTerminal: Bool = Console.canRedraw) {
        self.isTerminal = isTerminal
        var size = winsize()
        let known = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        width = known ? min(Int(size.ws_col), 120) : 80
    }

    mutating func show(_ report: Splitreel_Farm_JobReport, now: Date = Date()) {
        isTerminal ? draw(report, now: now) : plain(report, now: now)
    }

    /// Removes the bars, so that what follows stands on a clean line.
    mutating func clear() {
        guard isTerminal, drawnLines > 0 else { return }
        Console.raw("\u{1B}[\(drawnLines)A\u{1B}[J")
        drawnLines = 0
    }

    private mutating func plain(_ report: Splitreel_Farm_JobReport, now: Date) {
        // What has not begun has nothing to tell, and how it failed is told by its error.
        guard ["running", "stitching", "completed"].contains(report.state) else { return }
        let isDue = lastPlain.map { now.timeIntervalSince($0) >= 1 } ?? true
        guard isDue || (report.state != lastState && report.isTerminal) else { return }
        lastPlain = now
        lastState = report.state
        Console.note(ProgressText.summary(report, now: now))
    }

    private mutating func draw(_ report: Splitreel_Farm_JobReport, now: Date) {
        let lines = ProgressText.lines(report, width: width, now: now)
        let back = drawnLines > 0 ? "\u{1B}[\(drawnLines)A" : ""
        // Each line ends by clearing to its end, so that a shorter one leaves nothing of the longer before it.
        Console.raw(back + lines.map { $0 + "\u{1B}[K\n" }.joined() + "\u{1B}[J")
        drawnLines = lines.count
    }
}

extension Splitreel_Farm_JobReport {
    var isTerminal: Bool { ["completed", "failed", "cancelled"].contains(state) }
}

/// The words and bars, as pure text.
package enum ProgressText {
    package static func lines(_ report: Splitreel_Farm_JobReport, width: Int, now: Date) -> [String] {
        // Before the plan is there, there is nothing to measure.
        if report.state == "waiting" && report.chunks.isEmpty { return ["planning…"] }
        let head = summary(report, now: now)
        let busy = report.chunks.filter { ["leased", "running", "verifying"].contains($0.state) }
            .sorted { ($0.worker, $0.index) < ($1.worker, $1.index) }
        let barWidth = max(10, width - 46)
        var lines = [
            clipped(head, width), "  " + bar(report.progress, barWidth + 22, .green) + percent(report.progress),
        ]
        for chunk in busy {
            let total = max(1, Double(chunk.frameCount))
            let done = Double(chunk.unitsDone) / total
            let what = chunk.kind == "audio" ? "sound" : "chunk \(chunk.index)"
            let again = chunk.attempt > 1 ? " try \(chunk.attempt)" : ""
            let name = clipped(slotLabel(chunk.worker).printable, 16).padding(toLength: 16, withPad: " ", startingAt: 0)
            let label = (what + again).padding(toLength: 16, withPad: " ", startingAt: 0)
            lines.append(
                "  \(name) \(label) " + bar(min(1, done), max(6, barWidth - 12), .blue) + percent(min(1, done)))
        }
        return lines
    }

    package static func summary(_ report: Splitreel_Farm_JobReport, now: Date) -> String {
        var parts = ["\(report.state) \(Int(report.progress * 100)) %"]
        if report.frames > 0 { parts.append("frame \(report.framesDone)/\(report.frames)") }
        if report.counts.total > 0 { parts.append("chunks \(report.counts.done)/\(report.counts.total)") }
        if report.framesPerSecond > 0 && !report.isTerminal {
            parts.append(String(format: "%.1f fps", report.framesPerSecond))
            let left = Double(report.frames) - Double(report.framesDone)
            if left > 0 { parts.append("ETA " + clock(left / report.framesPerSecond)) }
        }
        if report.started > 0 {
            let end = report.ended > 0 ? report.ended : now.timeIntervalSince1970
            parts.append("elapsed " + clock(max(0, end - report.started)))
        }
        return parts.joined(separator: "  ")
    }

    /// `WORKER/PID`, without what makes a slot's name unique.
    private static func slotLabel(_ slot: String) -> String {
        guard let slash = slot.lastIndex(of: "/"), let dash = slot[slash...].firstIndex(of: "-") else { return slot }
        return String(slot[..<dash])
    }

    package static func bar(_ fraction: Double, _ width: Int, _ colour: Console.Paint) -> String {
        let eighths = Int((max(0, min(1, fraction)) * Double(width) * 8).rounded())
        let partial = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
        let full = String(repeating: "█", count: eighths / 8) + partial
        let rest = String(repeating: "░", count: max(0, width - eighths / 8 - (partial.isEmpty ? 0 : 1)))
        return Console.paint(full, colour) + Console.paint(rest, .dim)
    }

    package static func percent(_ fraction: Double) -> String {
        String(format: " %3d %%", Int(max(0, min(1, fraction)) * 100))
    }

    package static func clock(_ seconds: Double) -> String {
        let whole = Int(min(seconds, 359_999).rounded())
        let minutes = String(format: "%d:%02d", whole / 60 % 60, whole % 60)
        return whole >= 3600 ? String(format: "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60) : minutes
    }

    package static func clipped(_ text: String, _ width: Int) -> String {
        text.count <= width ? text : String(text.prefix(max(1, width - 1))) + "…"
    }
}
