import Diagnostics
import Foundation
import GRDB
import Hashing
import Scheduling

/// Writes transitions within one transaction.
struct TransitionWriter {
    private let database: Database
    private let clock: WallClock
    /// The jobs of this transaction of which something is kept: those keep their compositions.
    private var kept: Set<String> = []
    /// The jobs that have ended by it, without those that go on again.
    private(set) var past = PastJobs()
    /// The most bytes of an event's text, which is cut there.
    private static let longestText = 500

    init(database: Database, clock: WallClock) {
        self.database = database
        self.clock = clock
    }

    mutating func write(_ transition: Transition) throws {
        let at = clock.seconds(at: transition.at)
        var task: Int?
        var slot = ""
        switch transition.change {
        case .submitted(let submission): try insert(submission)
        case .planned(let job, let plan): try plan.write(database, job: job)
        case .task(let job, let index, let row):
            task = index
            slot = row.slot
            try update(job, index, row)
        case .running(let job):
            try run("UPDATE jobs SET state = 'running', started = ? WHERE id = ?", [at, job])
        case .stitching(let job):
            try run("UPDATE jobs SET state = 'stitching' WHERE id = ?", [job])
        case .delayed(let job, let state):
            try run("UPDATE jobs SET state = ? WHERE id = ?", [state.rawValue, job])
        case .publishing(let job, let film):
            try run("UPDATE jobs SET film = ? WHERE id = ?", [film, job])
        case .ending(let job, let outcome):
            try run(
                "UPDATE jobs SET outcome = ?, error = ? WHERE id = ?",
                [outcome.state.rawValue, try StoredText.encode(outcome.error), job])
        case .ended(let job, let outcome, let work): try end(job, outcome, work, at)
        case .kept(let job, let bytes):
            kept.insert(job)
            try run("UPDATE jobs SET kept_bytes = ? WHERE id = ?", [bytes, job])
        case .retried(let job):
            past = past + PastJobs(jobs: -1, tasks: -(try tasks(of: job)))
            try retry(job)
        case .pruned(let job):
            try run("UPDATE jobs SET kept_bytes = NULL, composition = '' WHERE id = ?", [job])
        }
        try run(
            "INSERT INTO events (job, task, at, text, slot, phrase) VALUES (?, ?, ?, ?, ?, ?)",
            [
                transition.job, task, at, transition.text.description.cut(toBytes: Self.longestText), slot,
                try phrase(transition.text),
            ])
    }

    /// The parts of a text that names settings, in JSON; nil for others, and for one that is too long.
    private func phrase(_ text: Phrase) throws -> String? {
        guard text.namesSettings else { return nil }
        let parts = try StoredText.encode(text)
        return parts.utf8.count > 4 * Self.longestText ? nil : parts
    }

    private func insert(_ submission: JobSubmission) throws {
        try run(
            """
            INSERT INTO jobs (id, name, priority, composition, request, output, further, made_for, submitted, state)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'waiting')
            """,
            [
                submission.id, submission.name, submission.priority, submission.composition, submission.request,
                submission.output, try StoredText.encode(submission.further), submission.madeFor, submission.submitted,
            ])
        guard submission.owner != nil || submission.keyName != nil else { return }
        try run(
            "UPDATE jobs SET owner = ?, key_name = ? WHERE id = ?",
            [submission.owner, submission.keyName, submission.id])
    }

    private func update(_ job: String, _ task: Int, _ row: TaskRow) throws {
        try run(
            """
            UPDATE tasks SET state = ?, epoch = ?, lease = ?, slot = ?, worker = ?, tries = ?, losses = ?,
            failed_workers = ?, segment = ?, segment_hash = ?, started = ?, ended = ?, error = ?,
            notices = ? WHERE job = ? AND task = ?
            """,
            [
                row.state.rawValue, row.epoch, row.lease.map { Data($0.bytes) }, row.slot, row.worker, row.tries,
                row.losses, try StoredText.encode(row.failedWorkers), row.segment?.name,
                row.segment.map { Data($0.hash) }, row.started.map(clock.seconds) ?? 0,
                row.ended.map(clock.seconds) ?? 0, try StoredText.encode(row.error),
                try StoredText.encode(row.notices), job, task,
            ])
        guard let segment = row.segment else { return }
        let sources: String? = try StoredText.encode(segment.sources)
        try run("UPDATE tasks SET source_bytes = ? WHERE job = ? AND task = ?", [sources, job, task])
    }

    private mutating func end(_ job: String, _ outcome: JobOutcome, _ work: WorkDone?, _ at: Double) throws {
        try run(
            "UPDATE jobs SET state = ?, outcome = ?, error = ?, ended = ? WHERE id = ?",
            [outcome.state.rawValue, outcome.state.rawValue, try StoredText.encode(outcome.error), at, job])
        if let work {
            let sources: String? = try StoredText.encode(work.sources)
            try run(
                """
                UPDATE jobs SET work_frames = ?, work_frames_done = ?, work_chunks = ?, work_chunks_done = ?,
                source_bytes = ? WHERE id = ?
                """, [work.frames, work.framesDone, work.chunks, work.chunksDone, sources, job])
        }
        past = past + PastJobs(jobs: 1, tasks: try tasks(of: job))
        // Only planning reads the composition, which may be long.
        if !kept.contains(job) { try run("UPDATE jobs SET composition = '' WHERE id = ?", [job]) }
    }

    private func tasks(of job: String) throws -> Int {
        let row = try Row.fetchOne(database, sql: "SELECT task_count FROM jobs WHERE id = ?", arguments: [job])
        return row.map { PastJobs.tasks($0) } ?? 0
    }

    /// Takes a job's end back, and all failures of its tasks: `RecoveredJob.retried` in the store.
    private func retry(_ job: String) throws {
        try run(
            """
            UPDATE jobs SET state = 'waiting', started = 0, ended = 0, outcome = NULL, error = NULL, film = NULL,
            kept_bytes = NULL, work_frames = NULL, work_frames_done = NULL, work_chunks = NULL, work_chunks_done = NULL,
            source_bytes = NULL WHERE id = ?
            """, [job])
        try run(
            "UPDATE tasks SET tries = 0, losses = 0, failed_workers = '[]', error = NULL WHERE job = ?", [job])
        try run(
            """
            UPDATE tasks SET state = 'pending', lease = NULL, segment = NULL, segment_hash = NULL, started = 0,
            ended = 0, notices = NULL, source_bytes = NULL WHERE job = ? AND state <> 'done'
            """, [job])
    }

    private func run(_ sql: String, _ arguments: StatementArguments) throws {
        try database.cachedStatement(sql: sql).execute(arguments: arguments)
    }
}

extension JobPlan {
    /// Writes the plan in place of whatever an earlier plan of the job left.
    fileprivate func write(_ database: Database, job: String) throws {
        try database.execute(sql: "DELETE FROM tasks WHERE job = ?", arguments: [job])
        try database.execute(
            sql: """
                UPDATE jobs SET plan_hash = ?, folder = ?, frames = ?, notices = ?, versions = ?, encoders = ?,
                effects = ?, task_count = ?, run_frames = ? WHERE id = ?
                """,
            arguments: [
                hash, folder, frames, try StoredText.encode(notices), try StoredText.encode(versions),
                try StoredText.encode(encoders), try StoredText.encode(effects), tasks.count, runFrames, job,
            ])
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO tasks (job, task, kind, cost, first_unit, unit_count, label, needs, content_key, state)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        for (index, task) in tasks.enumerated() {
            try statement.execute(arguments: [
                job, index, task.kind.rawValue, task.cost, task.firstUnit, task.unitCount, task.label,
                try task.needs.map { try StoredText.encode($0) },
                task.key.flatMap { bytes(ofSHA256: $0.text) }.map { Data($0) },
                TaskEntry(spec: task).state.rawValue,
            ])
        }
        // A job without such a cost can be put into the tables of an earlier release, too.
        guard tasks.contains(where: { $0.leadCost > 0 }) else { return }
        let lead = try database.cachedStatement(sql: "UPDATE tasks SET lead_cost = ? WHERE job = ? AND task = ?")
        for (index, task) in tasks.enumerated() where task.leadCost > 0 {
            try lead.execute(arguments: [task.leadCost, job, index])
        }
    }
}

/// Stores small values as JSON text in a column.
enum StoredText {
    static func encode<Value: Encodable>(_ value: Value) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    static func encode(_ error: SplitreelError?) throws -> String? {
        guard let error else { return nil }
        return String(decoding: try JSONEncoder().encode(error), as: UTF8.self)
    }

    static func encode(_ notices: NoticeList) throws -> String? {
        guard !notices.isEmpty else { return nil }
        return String(decoding: try JSONEncoder().encode(notices), as: UTF8.self)
    }

    static func encode(_ bytes: SourceBytes) throws -> String? {
        guard !bytes.isNone else { return nil }
        return String(decoding: try JSONEncoder().encode(bytes), as: UTF8.self)
    }

    /// The value of a column; nil for an empty one.
    static func decode<Value: Decodable>(_ type: Value.Type, _ text: String?) throws -> Value? {
        try text.map { try JSONDecoder().decode(type, from: Data($0.utf8)) }
    }
}
