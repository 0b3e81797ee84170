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

    /// Removes old rows, within the transaction that wrote.
    func prune(_ database: Database, now: Double) throws {
        try database.execute(
            sql: """
                DELETE FROM events WHERE number IN (
                    SELECT number FROM events ORDER BY number LIMIT ?
                ) AND (number <= (SELECT max(number) FROM events) - ? OR at < ?)
                """, arguments: [Self.atOnce, events, now - eventDays * 86_400])
        try database.execute(
            sql: """
                DELETE FROM jobs WHERE number IN (
                    SELECT number FROM jobs WHERE state IN ('completed', 'failed', 'cancelled')
                    ORDER BY number DESC LIMIT -1 OFFSET ?
                )
                """, arguments: [endedJobs])
        try pruneTasks(database)
    }

    /// Removes the oldest ended jobs, with their tasks, where there are too many; the latest one stays whatever it has.
    private func pruneTasks(_ database: Database) throws {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT number, task_count FROM jobs WHERE state IN ('completed', 'failed', 'cancelled')
                ORDER BY number DESC
                """)
        var tasks = 0
        for (index, row) in rows.enumerated() {
            let count: Int = row["task_count"]
            tasks += min(max(0, count), endedTasks + 1)
            guard index > 0, tasks > endedTasks else { continue }
            let number: Int = row["number"]
            return try database.execute(
                sql: "DELETE FROM jobs WHERE state IN ('completed', 'failed', 'cancelled') AND number <= ?",
                arguments: [number])
        }
    }
}
