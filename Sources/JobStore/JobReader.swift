import Diagnostics
import Foundation
import GRDB
import Hashing
import Scheduling

/// Reads jobs within one transaction. Words that a later release wrote and this one does not know are the fault of
/// their job: a state must not be guessed, and other jobs have nothing to do with it.
struct JobReader {
    let database: Database

    /// The job of a row, with the tasks of `page` only; nil for none of them. A job that cannot be read has its fault,
    /// its names and nothing else.
    func job(_ row: Row, page: Range<Int>? = 0..<Int(Int32.max), withCounts: Bool = false) throws -> StoredJob {
        do {
            var job = try whole(row, page: page)
            if withCounts { try count(&job) }
            return job
        } catch let error as DatabaseError {
            throw error
        } catch {
            return names(row, error)
        }
    }

    private func names(_ row: Row, _ error: any Error) -> StoredJob {
        let further: String? = row["further"]
        let submission = JobSubmission(
            id: row["id"], name: row["name"], priority: row["priority"], composition: "", request: row["request"],
            output: row["output"], further: (try? StoredText.decode([String].self, further) ?? []) ?? [],
            submitted: row["submitted"])
        let cause =
            (error as? SplitreelError)
            ?? SplitreelError(
                .storeFailed, operation: "reading", subject: submission.id, reason: String(describing: error))
        let fault = SplitreelError(
            .storeFailed, operation: "reading the job", subject: submission.id,
            reason: "this release cannot read it: \(cause.subject): \(cause.reason)",
            hint: "go on with the release that wrote it, or cancel the job")
        return StoredJob(
            number: row["number"],
            recovered: RecoveredJob(
                submission: submission, plan: nil, tasks: [], started: row["started"], fault: fault),
            state: JobState(rawValue: row["state"]) ?? .waiting, frames: row["frames"], notices: NoticeList(),
            ended: row["ended"])
    }

    private func whole(_ row: Row, page: Range<Int>?) throws -> StoredJob {
        let submission = JobSubmission(
            id: row["id"], name: row["name"], priority: row["priority"], composition: row["composition"],
            request: row["request"], output: row["output"],
            further: try StoredText.decode([String].self, row["further"]) ?? [], madeFor: row["made_for"],
            submitted: row["submitted"])
        let ofPlan = try planNotices(row)
        var plan: JobPlan?
        var tasks: [RecoveredTask] = []
        if let page, let hash: String = row["plan_hash"], let folder: String = row["folder"] {
            let rows = try Row.fetchAll(
                database, sql: "SELECT * FROM tasks WHERE job = ? AND task >= ? AND task < ? ORDER BY task",
                arguments: [submission.id, page.lowerBound, page.upperBound])
            plan = JobPlan(
                hash: hash, folder: folder, frames: row["frames"], tasks: try rows.map(spec), notices: ofPlan,
                versions: try StoredText.decode([String].self, row["versions"]) ?? [],
                encoders: try StoredText.decode([String].self, row["encoders"]) ?? [],
                effects: try StoredText.decode([String].self, row["effects"]) ?? [], runFrames: row["run_frames"])
            tasks = try rows.map(task)
        }
        let outcome = try outcome(row)
        let recovered = RecoveredJob(
            submission: submission, plan: plan, tasks: tasks, ending: outcome, film: row["film"],
            started: row["started"])
        return StoredJob(
            number: row["number"], recovered: recovered, firstTask: page?.lowerBound ?? 0,
            state: try word(JobState.self, row["state"]), frames: row["frames"],
            notices: try notices(of: submission.id, and: ofPlan), outcome: outcome, ended: row["ended"])
    }

    /// The notices of planning. Releases before 0.2 stored plain sentences.
    private func planNotices(_ row: Row) throws -> NoticeList {
        if let list = try StoredText.decode(NoticeList.self, row["notices"]) { return list }
        let texts = try StoredText.decode([String].self, row["warnings"]) ?? []
        return texts.reduce(into: NoticeList()) { $0.add(Notice(.sourceRemark, subject: "", reason: $1)) }
    }

    /// The job's own notices and those of its tasks, in film order.
    private func notices(of job: String, and ofPlan: NoticeList) throws -> NoticeList {
        let texts = try String.fetchAll(
            database, sql: "SELECT notices FROM tasks WHERE job = ? AND notices IS NOT NULL ORDER BY task",
            arguments: [job])
        return try texts.reduce(into: ofPlan) { list, text in
            if let more = try StoredText.decode(NoticeList.self, text) { list.add(more) }
        }
    }

    /// Adds the counts of all of its tasks, whatever page was read.
    private func count(_ job: inout StoredJob) throws {
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT kind, state, count(*) AS count, sum(unit_count) AS units FROM tasks WHERE job = ? "
                + "GROUP BY 1, 2", arguments: [job.recovered.submission.id])
        var (isTwoPass, analysed) = (false, 0)
        for row in rows {
            let count: Int = row["count"]
            job.taskCount += count
            let kind = try word(TaskClass.self, row["kind"])
            guard !kind.isSound else { continue }
            let state = try word(TaskState.self, row["state"])
            guard kind != .analysis else {
                (isTwoPass, analysed) = (true, analysed + (state == .done ? row["units"] : 0))
                continue
            }
            job.chunkStates[state, default: 0] += count
            if state == .done { job.framesDone += row["units"] as Int }
        }
        // Each of the two passes is half of a frame.
        if isTwoPass { job.framesDone = (job.framesDone + analysed) / 2 }
    }

    private func outcome(_ row: Row) throws -> JobOutcome? {
        guard let text: String = row["outcome"] else { return nil }
        switch try word(JobState.self, text) {
        case .completed: return .completed
        case .cancelled: return .cancelled
        case .failed:
            let unknown = SplitreelError(
                .internalFault, operation: "reading the job", subject: row["id"], reason: "its error was not stored")
            return .failed(try StoredText.decode(SplitreelError.self, row["error"]) ?? unknown)
        case .waiting, .running, .stitching: return nil
        }
    }

    private func spec(_ row: Row) throws -> TaskSpec {
        var task = TaskSpec(
            kind: try word(TaskClass.self, row["kind"]), cost: row["cost"], firstUnit: row["first_unit"],
            unitCount: row["unit_count"], label: row["label"])
        task.needs = try StoredText.decode([Int].self, row["needs"])
        let key: Data? = row["content_key"]
        task.key = key.flatMap { ContentKey(hexadecimal($0)) }
        return task
    }

    private func task(_ row: Row) throws -> RecoveredTask {
        let lease: Data? = row["lease"]
        let hash: Data? = row["segment_hash"]
        let name: String? = row["segment"]
        return RecoveredTask(
            state: try word(TaskState.self, row["state"]), epoch: row["epoch"],
            lease: lease.flatMap { LeaseID(bytes: $0) }, slot: row["slot"], worker: row["worker"],
            tries: row["tries"], losses: row["losses"],
            failedWorkers: try StoredText.decode([String].self, row["failed_workers"]) ?? [],
            segment: name.map { ReportedSegment(name: $0, hash: Array(hash ?? Data())) }, started: row["started"],
            ended: row["ended"], error: try StoredText.decode(SplitreelError.self, row["error"]),
            notices: try StoredText.decode(NoticeList.self, row["notices"]) ?? NoticeList())
    }

    private func word<Word: RawRepresentable<String>>(_ type: Word.Type, _ text: String) throws -> Word {
        guard let word = Word(rawValue: text) else {
            throw SplitreelError(
                .storeFailed, operation: "reading", subject: "\(type)", reason: "the store says \"\(text)\"",
                hint: "a newer splitreel wrote it; use that one")
        }
        return word
    }
}
