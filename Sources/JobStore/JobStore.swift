import Diagnostics
import Foundation
import GRDB
package import Scheduling
import Synchronization

/// The jobs that survive a crash: SQLite in WAL mode, every commit on the disk before it returns.
///
/// Calls block for as long as the disk takes; any thread may make them, one write at a time. Every error is
/// `.storeFailed`.
package final class JobStore: JobRecords {
    package let path: String
    private let pool: DatabasePool
    private let retention: Retention
    private let written = Mutex(0)
    /// The past as the store has it; nil before it is counted, and after a commit that failed.
    private let past = Mutex<PastJobs?>(nil)
    private let gate = CallGate()

    /// Opens or creates the file and brings its tables up to date, or up to a migration of before, as the release left
    /// them that had it last. A store of a later release is refused and stays as it is.
    package init(path: String, retention: Retention = Retention(), upTo migration: String? = nil) throws {
        (self.path, self.retention) = (path, retention)
        pool = try Self.guarded("opening", path) {
            var configuration = Configuration()
            configuration.busyMode = .timeout(5)
            configuration.maximumReaderCount = 2
            let pool = try DatabasePool(path: path, configuration: configuration)
            try Self.refuseLaterRelease(pool, path)
            // Set after WAL was set up, which lowers it.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            if let migration {
                try Schema.migrator.migrate(pool, upTo: migration)
            } else {
                try Schema.migrator.migrate(pool)
                // An earlier life may have ended between a text and its submission.
                try pool.write { try $0.execute(sql: "DELETE FROM texts WHERE job NOT IN (SELECT id FROM jobs)") }
            }
            return pool
        }
    }

    /// Throws where the store had changes that this release does not know: what stands there may mean something else.
    private static func refuseLaterRelease(_ pool: DatabasePool, _ path: String) throws {
        guard try pool.read({ try Schema.migrator.hasBeenSuperseded($0) }) else { return }
        throw SplitreelError(
            .storeFailed, operation: "opening", subject: "\(path)",
            reason: "a later release of splitreel wrote this store, and this one does not read it",
            hint: "use that release or a later one, or name another folder with \(.dataFolder)")
    }

    /// Stores the transitions and the events that explain them, all or none, in one commit.
    package func apply(_ transitions: [Transition], clock: WallClock) throws {
        guard !transitions.isEmpty else { return }
        try using("storing") {
            do {
                try pool.write { database in
                    var past = try self.past.withLock { $0 } ?? PastJobs(counting: database)
                    var writer = TransitionWriter(database: database, clock: clock)
                    for transition in transitions { try writer.write(transition) }
                    past = past + writer.past
                    if isPruneDue(transitions) {
                        try retention.prune(database, now: clock.seconds(at: transitions[0].at), &past)
                    }
                    let counted = past
                    self.past.withLock { $0 = counted }
                }
            } catch {
                past.withLock { $0 = nil }
                throw error
            }
        }
    }

    /// Every job that has not ended, oldest first, those too that cannot be read; without their compositions, which may
    /// be long.
    package func loadUnfinished() throws -> [RecoveredJob] {
        try using("reading") {
            try pool.read { database in
                let rows = try Row.fetchAll(
                    database,
                    sql: """
                        SELECT number, id, name, priority, '' AS composition, request, output, further, made_for,
                        owner, key_name, submitted, state, started, ended, frames, plan_hash, folder, film, outcome,
                        error, warnings, notices, versions, encoders, effects, run_frames
                        FROM jobs WHERE state NOT IN ('completed', 'failed', 'cancelled') ORDER BY number
                        """)
                return try rows.map { try JobReader(database: database).job($0).recovered }
            }
        }
    }

    package func loadKept() throws -> [KeptJob] {
        try using("reading") {
            try pool.read { database in
                let rows = try Row.fetchAll(
                    database,
                    sql: """
                        SELECT id, output, further, plan_hash, folder, ended, kept_bytes FROM jobs
                        WHERE kept_bytes IS NOT NULL ORDER BY number
                        """)
                return rows.map { JobReader.kept($0) }
            }
        }
    }

    package func composition(of job: String) throws -> String {
        try using("reading") {
            try pool.read { database in
                guard
                    let text = try String.fetchOne(
                        database, sql: "SELECT composition FROM jobs WHERE id = ?", arguments: [job])
                else {
                    throw SplitreelError(
                        .storeFailed, operation: "reading", subject: job, reason: "the job is not there")
                }
                guard text.isEmpty else { return text }
                let pieces = try Data.fetchCursor(
                    database, sql: "SELECT content FROM texts WHERE job = ? ORDER BY part", arguments: [job])
                var whole = Data()
                while let piece = try pieces.next() { whole.append(piece) }
                return String(decoding: whole, as: UTF8.self)
            }
        }
    }

    /// The bytes of a piece of a long text: storing one takes some tens of milliseconds, for which others wait.
    private static let pieceBytes = 1 << 20

    package func storeText(_ text: String, of job: String) throws {
        try using("storing") {
            let bytes = Data(text.utf8)
            for (part, start) in stride(from: 0, to: bytes.count, by: Self.pieceBytes).enumerated() {
                let piece = bytes[start..<min(start + Self.pieceBytes, bytes.count)]
                try pool.write {
                    try $0.execute(
                        sql: "INSERT INTO texts (job, part, content) VALUES (?, ?, ?)", arguments: [job, part, piece])
                }
            }
        }
    }

    package func dropText(of job: String) throws {
        try using("storing") {
            try pool.write { try $0.execute(sql: "DELETE FROM texts WHERE job = ?", arguments: [job]) }
        }
    }

    package func page(before: Int, ended: Bool, count: Int) throws -> JobPage {
        try using("reading") {
            try pool.read { database in
                var jobs: [StoredJob] = []
                for phase in ended ? [true] : [false, true] where jobs.count <= count {
                    let start = phase == ended && before > 0 ? before : Int.max
                    jobs += try Self.rows(database, ended: phase, before: start, limit: count + 1 - jobs.count)
                }
                return JobPage(jobs: Array(jobs.prefix(count)), isLast: jobs.count <= count)
            }
        }
    }

    private static func rows(_ database: Database, ended: Bool, before: Int, limit: Int) throws -> [StoredJob] {
        let columns = """
            number, id, name, priority, '' AS composition, '' AS request, output, further, made_for, owner, key_name,
            submitted, state, started, ended, frames, NULL AS plan_hash, NULL AS folder, film, outcome, error, warnings,
            notices, work_frames, work_frames_done, work_chunks, work_chunks_done, source_bytes
            """
        let sql = """
            SELECT \(columns) FROM jobs
            WHERE state \(ended ? "" : "NOT ")IN ('completed', 'failed', 'cancelled') AND number < ?
            ORDER BY number DESC LIMIT ?
            """
        let reader = JobReader(database: database)
        return try Row.fetchAll(database, sql: sql, arguments: [before, limit]).map { try reader.job($0, page: nil) }
    }

    /// One job with its tasks, or with a page of them; nil where there is none.
    package func job(_ id: String, tasks: Range<Int> = 0..<Int(Int32.max)) throws -> StoredJob? {
        try using("reading") {
            try pool.read { database in
                guard let row = try Row.fetchOne(database, sql: "SELECT * FROM jobs WHERE id = ?", arguments: [id])
                else { return nil }
                return try JobReader(database: database).job(row, page: tasks, withCounts: true)
            }
        }
    }

    /// Whether to prune: when a job ends, and every so many transitions.
    private func isPruneDue(_ transitions: [Transition]) -> Bool {
        let isEnd = transitions.contains { if case .ended = $0.change { true } else { false } }
        return written.withLock { written in
            written += transitions.count
            guard isEnd || written >= retention.interval else { return false }
            written = 0
            return true
        }
    }

    /// The bytes of the database and its log on disk.
    package var byteCount: Int {
        [path, path + "-wal"].reduce(0) { sum, path in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            return sum + ((attributes?[.size] as? Int) ?? 0)
        }
    }

    package func events(of job: String, _ page: EventPage) throws -> [JobEvent]? {
        try using("reading") {
            try pool.read { database in
                let isThere = try Bool.fetchOne(
                    database, sql: "SELECT EXISTS (SELECT 1 FROM jobs WHERE id = ?)", arguments: [job])
                guard isThere == true else { return nil }
                let rows = try Row.fetchAll(
                    database,
                    sql: """
                        SELECT number, task, slot, at, text, phrase FROM events WHERE job = ? AND number > ?
                        ORDER BY number \(page.isLatest ? "DESC" : "ASC") LIMIT ?
                        """, arguments: [job, page.after, page.count])
                let events = rows.map { row in
                    JobEvent(
                        number: row["number"], task: row["task"], slot: row["slot"], at: row["at"],
                        // A later release may write phrases that this one cannot read.
                        text: (try? StoredText.decode(Phrase.self, row["phrase"])) ?? Phrase(row["text"] as String))
                }
                return page.isLatest ? events.reversed() : events
            }
        }
    }

    /// Folds the log into the file and closes it, when the calls that are under way have ended; later calls fail.
    package func close() throws {
        // The pool itself lets a read begin on a connection that it has closed.
        guard gate.close() else { return }
        try Self.guarded("closing", path) { try pool.close() }
    }

    /// A setting of the connection that writes, such as `synchronous`; for tests and diagnosis.
    package func pragma(_ name: String) throws -> String? {
        try using("reading") {
            try pool.writeWithoutTransaction { try String.fetchOne($0, sql: "PRAGMA \(name)") }
        }
    }

    /// Runs a call of the open store.
    private func using<R>(_ operation: String, _ body: () throws -> R) throws -> R {
        guard gate.enter() else {
            throw SplitreelError(.storeFailed, operation: operation, subject: path, reason: "the store is closed")
        }
        defer { gate.leave() }
        return try Self.guarded(operation, path, body)
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
