package import Reports

/// The jobs that a watch knows of, and what is news of them.
package struct JobList {
    private var known: [String: JobReport] = [:]

    package init() {}

    /// Takes reports and answers those that say something new, in their order.
    package mutating func take(_ reports: [JobReport]) -> [JobReport] {
        let news = reports.filter { report in
            defer { known[report.job] = report }
            return known[report.job] != report
        }
        if known.count > 2 * Self.mostEnded {
            for job in jobs.filter(\.isTerminal).dropFirst(Self.mostEnded) { known[job.job] = nil }
        }
        return news
    }

    /// The jobs that have ended, of which a watch of many days goes on knowing.
    private static let mostEnded = 200

    /// Forgets all jobs but those of a whole list, and takes that.
    package mutating func takeWhole(_ reports: [JobReport]) -> [JobReport] {
        let there = Set(reports.map(\.job))
        known = known.filter { there.contains($0.key) }
        return take(reports)
    }

    /// Unfinished jobs by priority and age, then those that have ended, the latest first.
    package var jobs: [JobReport] {
        let unfinished = known.values.filter { !$0.isTerminal }
            .sorted { ($1.priority, $0.submitted, $0.job) < ($0.priority, $1.submitted, $1.job) }
        let ended = known.values.filter(\.isTerminal).sorted { ($1.submitted, $1.job) < ($0.submitted, $0.job) }
        return unfinished + ended
    }
}
