import Diagnostics
import Foundation
import GRDB
package import Scheduling

/// The jobs that survive a crash: SQLite in WAL mode, every commit on the disk before it returns.
///
/// Calls block for as long as the disk takes; any thread may make them, one write at a time. Every error is
/// `.storeFailed`.
package final class JobStore: Sendable {
    package let path: String
    private let pool: DatabasePool

    /// Opens or creates the file and brings its tables up to date.
    package init(path: String) throws {
        self.path = path
        pool = try Self.guarded("opening", path) {
            var configuration = Configuration()
            configuration.busyMode = .timeout(5)
            configuration.maximumReaderCount = 2
            let pool = try DatabasePool(path: path, configuration: configuration)
            // After WAL was set up, which lowers it.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            try Schema.migrator.migrate(pool)
            return pool
        }
    }

    /// Stores the transitions and the events that explain them, all or none, in one commit.
    package func apply(_ transitions: [Transition], clock: WallClock) throws {
        guard !transitions.isEmpty else { return }
        try Self.guarded("storing", path) {
            try pool.write { database in
                var writer = TransitionWriter(database: database, clock: clock)
                for transition in transitions { try writer.write(transition) }
            }
        }
    }

    /// Every job that has not ended, oldest first.
    package func loadUnfinished() throws -> [RecoveredJob] {
        try Self.guarded("reading", path) {
            try pool.read { database in
                let rows = try Row.fetchAll(
                    database,
                    sql: "SELECT * FROM jobs WHERE state NOT IN ('completed', 'failed', 'cancelled') ORDER BY number")
                return try rows.map { try JobReader(database: database).job($0).recovered }
            }
        }
    }

    /// Ended and unfinished jobs, the latest first, without their texts and tasks.
    package func history(limit: Int) throws -> [StoredJob] {
        try Self.guarded("reading", path) {
            try pool.read { database in
                let columns = """
                    id, name, priority, '' AS composition, '' AS request, output, submitted, state, started, ended,
                    frames, NULL AS plan_hash, NULL AS folder, film, outcome, error, warnings, notices
                    """
                return try Row.fetchAll(
                    database, sql: "SELECT \(columns) FROM jobs ORDER BY number DESC LIMIT ?", arguments: [limit]
                ).map { try JobReader(database: database).job($0, withTasks: false) }
            }
        }
    }

    /// One job with its tasks, or nil.
    package func job(_ id: String) throws -> StoredJob? {
        try Self.guarded("reading", path) {
            try pool.read { database in
                try Row.fetchOne(database, sql: "SELECT * FROM jobs WHERE id = ?", arguments: [id])
                    .map { try JobReader(database: database).job($0) }
            }
        }
    }

    /// What happened to a job, or to one of its tasks, oldest first.
    package func events(job: String, task: Int? = nil, limit: Int = 10_000) throws -> [JobEvent] {
        try Self.guarded("reading", path) {
            try pool.read { database in
                let rows = try Row.fetchAll(
                    database,
                    sql: """
                        SELECT task, at, text FROM events WHERE job = ? AND (? IS NULL OR task = ?)
                        ORDER BY number LIMIT ?
                        """, arguments: [job, task, task, limit])
                return rows.map { JobEvent(task: $0["task"], at: $0["at"], text: $0["text"]) }
            }
        }
    }

    /// Folds the log into the file and closes it; later calls fail.
    package func close() throws {
        try Self.guarded("closing", path) { try pool.close() }
    }

    /// A setting of the connection that writes, such as `synchronous`; for tests and diagnosis.
    package func pragma(_ name: String) throws -> String? {
        try Self.guarded("reading", path) {
            try pool.writeWithoutTransaction { try String.fetchOne($0, sql: "PRAGMA \(name)") }
        }
    }

    /// The one place where errors of SQLite become ours.
    private static func guarded<R>(_ operation: String, _ path: String, _ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let error as DatabaseError {
            let isFull = error.resultCode == .SQLITE_FULL
            throw SplitreelError(
                .storeFailed, operation: operation, subject: path,
                reason: "\(error.message ?? "SQLite failed") (SQLite \(error.extendedResultCode.rawValue))",
                hint: isFull ? "make room on the disk" : "is the data folder there, writable, and on a local disk?")
        } catch let error as SplitreelError {
            throw error
        } catch {
            throw SplitreelError(
                .storeFailed, operation: operation, subject: path, reason: String(describing: error),
                hint: "move the file away to start with an empty store")
        }
    }
}
