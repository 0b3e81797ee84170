package import FarmClient
import Reports
import Scheduling

/// The events of a watch of a job, as a value: news and times in, events out. Progress comes at most once a second, but
/// for a change of the job's state and of what it waits for.
package struct ProgressEvents: Sendable {
    private var work = WorkDone()
    /// The last progress that was told; nil before any.
    private var last: Telling?

    private struct Telling {
        var state: String
        var delay: DelayReport?
        /// The time in seconds since 1970.
        var at: Double
    }

    package init() {}

    /// The event to tell of the news; nil where it is not due. `now` is in seconds since 1970.
    package mutating func take(_ news: JobNews, now: Double) -> ProgressEvent? {
        switch news {
        case .silence(let time): return .silence(time.inSeconds)
        case .back(let time): return .back(time.inSeconds)
        case .report(let report):
            let progress = JobProgress(report, now: now, before: work)
            work = progress.work
            guard isDue(report, progress, now: now) else { return nil }
            last = Telling(state: progress.state, delay: report.delay, at: now)
            return .progress(report, progress)
        }
    }

    private func isDue(_ report: JobReport, _ progress: JobProgress, now: Double) -> Bool {
        guard let last, !report.isTerminal else { return true }
        let isLate = now - last.at >= 1 || now < last.at
        return isLate || last.state != progress.state || last.delay != report.delay
    }
}
