import Diagnostics
package import FarmClient
import Reports
import Scheduling

/// The screen of a watch of a job, as a value: news and times in, text out.
///
/// On a terminal it is a block of lines that is drawn again and again; elsewhere plain lines, at most one a second.
package struct WatchScreen: Sendable {
    package struct Size: Sendable, Hashable {
        package var columns: Int
        package var rows: Int
        package init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }
    }

    private let isTerminal: Bool
    /// The name of the coordinator that is watched, for people: an endpoint, or empty for one in this process.
    private let coordinator: String
    private var report: JobReport?
    private var work = WorkDone()
    /// The time since which nothing was heard, in the clock of `now`; nil while it speaks.
    private var silentSince: Double?
    private var block = RedrawnBlock()
    private var isOver = false
    // Plain lines
    private var lastLine: Double?
    /// Whether a line has told of a frame.
    private var hasCounted = false
    private var lastSilence: Double?
    private var lastDelay: String?

    package init(isTerminal: Bool, coordinator: String) {
        self.isTerminal = isTerminal
        self.coordinator = coordinator.printable
    }

    /// Takes news and answers the text to write; `now` is in seconds since 1970.
    package mutating func take(_ news: JobNews, now: Double, size: Size) -> String {
        switch news {
        case .report(let report):
            self.report = report
            silentSince = nil
            work = JobProgress(report, now: now, before: work).work
            return isTerminal ? draw(now: now, size: size) : plainReport(report, now: now)
        case .silence(let time):
            silentSince = now - time.inSeconds
            return isTerminal ? draw(now: now, size: size) : plainSilence(now)
        case .back(let time):
            silentSince = nil
            defer { lastSilence = nil }
            let line = "\(name) is back after \(Int(time.inSeconds.rounded())) s\n"
            if isTerminal { return clear() + line + draw(now: now, size: size) }
            return lastSilence == nil ? "" : line
        }
    }

    /// Answers the text to write when time has passed, or the window has another size.
    package mutating func tick(now: Double, size: Size) -> String {
        isTerminal && block.isDrawn ? draw(now: now, size: size) : ""
    }

    /// Answers the text of a line that stays, above the block.
    package mutating func say(_ line: String, now: Double, size: Size) -> String {
        let wasDrawn = block.isDrawn
        let text = clear() + line + "\n"
        return wasDrawn ? text + draw(now: now, size: size) : text
    }

    /// Removes the block, so that later text stands on a clean line; nothing is drawn after that.
    package mutating func end() -> String {
        isOver = true
        return clear()
    }

    private mutating func clear() -> String { isTerminal ? block.clear() : "" }

    private var name: String { coordinator.isEmpty ? "the coordinator" : coordinator }

    private func silence(_ now: Double) -> String? {
        silentSince.map { "no word from \(name) for \(max(0, Int(now - $0))) s; still trying" }
    }

    // MARK: - A terminal

    private mutating func draw(now: Double, size: Size) -> String {
        let lines = lines(now: now, size: size)
        guard !lines.isEmpty, !isOver else { return clear() }
        return block.draw(lines)
    }

    /// The lines of the block, as many as the window has room for.
    private func lines(now: Double, size: Size) -> [String] {
        let width = max(1, min(size.columns, 120))
        let room = max(1, size.rows - 1)
        let warning = silence(now).map { [Paint.text($0.clipped(to: width), .yellow)] } ?? []
        guard let report else { return warning }
        let progress = JobProgress(report, now: now, before: work, isStale: silentSince != nil)
        var lines = ProgressText.lines(report, progress, width: width)
        let free = max(1, room - warning.count)
        if lines.count > free {
            let left = lines.count - free + 1
            lines = Array(lines.prefix(max(1, free - 1))) + (free > 1 ? ["  and \(left) more".clipped(to: width)] : [])
        }
        return lines + warning
    }

    // MARK: - Plain lines

    private mutating func plainReport(_ report: JobReport, now: Double) -> String {
        let delay = report.delay?.sentence
        let news = delay == lastDelay ? "" : delay.map { $0 + "\n" } ?? ""
        lastDelay = delay
        return news + plainProgress(report, now: now)
    }

    private mutating func plainProgress(_ report: JobReport, now: Double) -> String {
        // A job that has not begun has nothing to tell, and its failure is told by its error.
        guard [.running, .stitching, .completed].contains(report.state.value) else { return "" }
        let isDue = lastLine.map { now - $0 >= 1 || now < $0 } ?? true
        // The first frames are told at once: the line before them says only that the job has begun.
        let isFirst = !hasCounted && work.framesDone > 0
        guard isDue || isFirst || report.isTerminal else { return "" }
        hasCounted = work.framesDone > 0
        lastLine = now
        return JobProgress(report, now: now, before: work).summary + "\n"
    }

    private mutating func plainSilence(_ now: Double) -> String {
        guard lastSilence.map({ now - $0 >= 10 || now < $0 }) ?? true, let line = silence(now) else { return "" }
        lastSilence = now
        return line + "\n"
    }
}
