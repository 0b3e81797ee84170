import GRDB

/// The amount of the past that the store keeps: it must not grow for ever. Jobs that have not ended are kept whole, and
/// so are those that failed, for as long as they can be retried (by a trigger: see Schema).
package struct Retention: Sendable, Hashable {
    /// The most events in all, of unfinished jobs too; the oldest go first.
    package var events = 500_000
    package var eventDays = 90.0
    /// The most ended jobs that are kept, the latest.
    package var endedJobs = 10_000
    /// The most tasks of ended jobs in all; the oldest jobs lose theirs with themselves.
    package var endedTasks = 1_000_000
    /// The transitions between two looks.
    package var interval = 1000
    /// The most old rows removed in one look, so that none takes long.
    static let atOnce = 20_000

    package init() {}

    /// Removes old rows, within the transaction that wrote. `past` is what the store has then, and what it has left.
    func prune(_ database: Database, now: Double, _ past: inout PastJobs) throws {
        try database.execute(
            sql: """
                DELETE FROM events WHERE number IN (
                    SELECT number FROM events ORDER BY number LIMIT ?
                ) AND (number <= (SELECT max(number) FROM events) - ? OR at < ?)
                """, arguments: [Self.atOnce, events, now - eventDays * 86_400])
        try pruneJobs(database, &past)
    }

    /// Removes the oldest ended jobs, with their tasks, where there are too many of either. The latest one stays
    /// whatever it has, and so do those that can be retried.
    private func pruneJobs(_ database: Database, _ past: inout PastJobs) throws {
        guard past.jobs > endedJobs || past.tasks > endedTasks else { return }
        let latest = try Int.fetchOne(
            database, sql: "SELECT number FROM jobs WHERE \(PastJobs.condition) ORDER BY number DESC LIMIT 1")
        var last = Int.min
        while past.jobs > endedJobs || past.tasks > endedTasks {
            let oldest = try Row.fetchOne(
                database,
                sql: """
                    SELECT number, task_count FROM jobs WHERE number > ? AND \(PastJobs.condition)
                    ORDER BY number LIMIT 1
                    """, arguments: [last])
            guard let oldest else { return }
            last = oldest["number"]
            guard last != latest else { return }
            try database.execute(sql: "DELETE FROM jobs WHERE number = ?", arguments: [last])
            guard database.changesCount > 0 else { continue }
            past.jobs -= 1
            past.tasks -= PastJobs.tasks(oldest)
        }
    }
}
