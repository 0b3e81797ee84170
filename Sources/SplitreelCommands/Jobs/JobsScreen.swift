import Diagnostics
package import Reports
import Scheduling

/// The screen of `jobs --watch`, as a value: news and times in, text out. On a terminal it is the table, drawn again
/// and again; elsewhere a line for each change of a job, at most one a second while its state stays.
package struct JobsScreen {
    private let isTerminal: Bool
    private var list = JobList()
    private var block = RedrawnBlock()
    private var lastLines: [String: (state: String, at: Double)] = [:]
    private var hasBegun = false
    private var lastTime = 0.0
    private var lastColumns: Int?
    /// The words on a coordinator that is silent; nil while it speaks.
    private var warning: String?

    package init(isTerminal: Bool) { self.isTerminal = isTerminal }

    /// Takes the whole list and answers the text to write; `now` is in seconds since 1970.
    package mutating func begin(_ jobs: [JobReport], now: Double, size: WatchScreen.Size) -> String {
        let isFirst = !hasBegun
        hasBegun = true
        let news = list.takeWhole(jobs)
        // A job that had ended before anybody watched is no news.
        return show(isFirst ? news.filter { !$0.isTerminal } : news, now: now, size: size)
    }

    /// Takes jobs that have changed and answers the text to write.
    package mutating func take(_ jobs: [JobReport], now: Double, size: WatchScreen.Size) -> String {
        show(list.take(jobs), now: now, size: size)
    }

    /// Takes words on a coordinator that is silent, or nil where it speaks again.
    package mutating func warn(_ text: String?, now: Double, size: WatchScreen.Size) -> String {
        warning = text
        return isTerminal && block.isDrawn ? block.draw(lines(now, size)) : ""
    }

    /// Leaves the table as it is, with the cursor below it.
    package mutating func end() -> String {
        guard isTerminal, block.isDrawn else { return "" }
        let jobs = list.jobs
        let lines = jobs.isEmpty ? [] : JobTables.jobs(jobs, now: lastTime, width: lastColumns).split(separator: "\n")
        return block.clear() + lines.map { $0 + "\r\n" }.joined()
    }

    private mutating func show(_ news: [JobReport], now: Double, size: WatchScreen.Size) -> String {
        lastTime = now
        lastColumns = size.columns
        if isTerminal { return block.draw(lines(now, size)) }
        return news.compactMap { line(of: $0, now) }.joined()
    }

    /// The table's lines, as many as the window has room for.
    private func lines(_ now: Double, _ size: WatchScreen.Size) -> [String] {
        let jobs = list.jobs
        let table = jobs.isEmpty ? "no jobs yet" : JobTables.jobs(jobs, now: now, width: size.columns)
        var lines = table.split(separator: "\n").map(String.init)
        let warnings = warning.map { [Paint.text($0, .yellow)] } ?? []
        let room = max(1, size.rows - 1 - warnings.count)
        if lines.count > room { lines = lines.prefix(room - 1) + ["  and \(lines.count - room + 1) more lines"] }
        return lines + warnings
    }

    private mutating func line(of job: JobReport, _ now: Double) -> String? {
        let progress = JobProgress(job, now: now)
        let state = progress.state + (job.delay == nil ? "" : ", delayed")
        if let last = lastLines[job.job], last.state == state, now >= last.at, now - last.at < 1 { return nil }
        lastLines[job.job] = job.isTerminal ? nil : (state, now)
        let delay = job.delay.map { "  " + $0.sentence } ?? ""
        let reason = job.error.map { "  error \($0.code.number): \($0.inOptions.oneLine.printable)" } ?? delay
        return "\(job.job.printable)  \(progress.summary)\(reason)\n"
    }
}
