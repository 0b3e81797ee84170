import Diagnostics
import Foundation
import GRDB
import Hashing
import Scheduling

/// Reads jobs within one transaction. Words that a later release wrote and this one does not know are the fault of
/// their job: a state must not be guessed, and other jobs have nothing to do with it. Numbers that cannot be are, too:
/// who counts on from them would end the process.
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
            owner: row["owner"], keyName: row["key_name"], submitted: row["submitted"])
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
                submission: submission, plan: nil, tasks: [], started: (try? time("started", row)) ?? 0, fault: fault),
            state: JobState(rawValue: row["state"]) ?? .waiting,
            frames: (try? number("frames", row, in: Self.frames)) ?? 0, notices: NoticeList(),
            ended: row["ended"])
    }

    private func whole(_ row: Row, page: Range<Int>?) throws -> StoredJob {
        let submission = JobSubmission(
            id: row["id"], name: row["name"], priority: row["priority"], composition: row["composition"],
            request: row["request"], output: row["output"],
            further: try StoredText.decode([String].self, row["further"]) ?? [], madeFor: row["made_for"],
            owner: row["owner"], keyName: row["key_name"], submitted: row["submitted"])
        let ofPlan = try planNotices(row)
        var plan: JobPlan?
        var tasks: [RecoveredTask] = []
        if let page, let hash: String = row["plan_hash"], let folder: String = row["folder"] {
            let rows = try Row.fetchAll(
                database, sql: "SELECT * FROM tasks WHERE job = ? AND task >= ? AND task < ? ORDER BY task",
                arguments: [submission.id, page.lowerBound, page.upperBound])
            plan = JobPlan(
                hash: hash, folder: folder, frames: try number("frames", row, in: Self.frames),
                tasks: try rows.map(spec), notices: ofPlan,
                versions: try StoredText.decode([String].self, row["versions"]) ?? [],
                encoders: try StoredText.decode([String].self, row["encoders"]) ?? [],
                effects: try StoredText.decode([String].self, row["effects"]) ?? [], runFrames: row["run_frames"])
            tasks = try rows.map(task)
        }
        let outcome = try outcome(row)
        let recovered = RecoveredJob(
            submission: submission, plan: plan, tasks: tasks, ending: outcome, film: row["film"],
            started: try time("started", row))
        return StoredJob(
            number: row["number"], recovered: recovered, firstTask: page?.lowerBound ?? 0, work: try work(row),
            state: try word(JobState.self, row["state"]), frames: try number("frames", row, in: Self.frames),
            notices: try notices(of: submission.id, and: ofPlan), outcome: outcome, ended: row["ended"])
    }

    private func work(_ row: Row) throws -> WorkDone? {
        guard row.hasColumn("work_frames"), let frames: Int = row["work_frames"] else { return nil }
        guard Self.samples.contains(frames) else { throw outOfRange("work_frames", "\(frames)") }
        for name in ["work_frames_done", "work_chunks", "work_chunks_done"] {
            guard (row[name] as Int?) != nil else { throw outOfRange(name, "NULL") }
        }
        var work = WorkDone(
            frames: frames, framesDone: try number("work_frames_done", row, in: Self.samples),
            chunks: try number("work_chunks", row, in: Self.frames),
            chunksDone: try number("work_chunks_done", row, in: Self.frames),
            isInPlace: try word(JobState.self, row["state"]) == .completed)
        if row.hasColumn("source_bytes") {
            work.sources = try StoredText.decode(SourceBytes.self, row["source_bytes"]) ?? SourceBytes()
        }
        return work
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
            sql: "SELECT kind, state, count(*) AS count, CAST(min(total(unit_count), 9e18) AS INTEGER) AS units, "
                + "sum(state = 'done' AND slot = ?) AS cached "
                + "FROM tasks WHERE job = ? GROUP BY 1, 2",
            arguments: [TaskEntry.cacheName, job.recovered.submission.id])
        var (isTwoPass, analysed) = (false, 0)
        for row in rows {
            let count: Int = row["count"]
            job.taskCount += count
            let kind = try word(TaskClass.self, row["kind"])
            guard !kind.isSound else { continue }
            let state = try word(TaskState.self, row["state"])
            let units = try number("units", row, in: Self.samples)
            guard kind != .analysis else {
                (isTwoPass, analysed) = (true, analysed + (state == .done ? units : 0))
                continue
            }
            job.chunkStates[state, default: 0] += count
            if kind == .passthrough { job.copiedCount += count }
            if state == .done { job.framesDone += units }
            job.chunksCached += row["cached"] ?? 0
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
        let kind = try word(TaskClass.self, row["kind"])
        let units = kind.isSound ? Self.samples : Self.frames
        var task = TaskSpec(
            kind: kind, cost: try cost("cost", row), firstUnit: try number("first_unit", row, in: units),
            unitCount: try number("unit_count", row, in: units), label: row["label"])
        task.leadCost = try cost("lead_cost", row)
        task.needs = try StoredText.decode([Int].self, row["needs"])
        let key: Data? = row["content_key"]
        task.key = key.flatMap { ContentKey(hexadecimal($0)) }
        return task
    }

    private func task(_ row: Row) throws -> RecoveredTask {
        let lease: Data? = row["lease"]
        let hash: Data? = row["segment_hash"]
        let name: String? = row["segment"]
        let sources = try StoredText.decode(SourceBytes.self, row["source_bytes"]) ?? SourceBytes()
        return RecoveredTask(
            state: try word(TaskState.self, row["state"]), epoch: try number("epoch", row, in: Self.attempts),
            lease: lease.flatMap { LeaseID(bytes: $0) }, slot: row["slot"], worker: row["worker"],
            tries: try number("tries", row, in: Self.attempts), losses: try number("losses", row, in: Self.attempts),
            failedWorkers: try StoredText.decode([String].self, row["failed_workers"]) ?? [],
            segment: name.map { ReportedSegment(name: $0, hash: Array(hash ?? Data()), sources: sources) },
            started: try time("started", row), ended: try time("ended", row),
            error: try StoredText.decode(SplitreelError.self, row["error"]),
            notices: try StoredText.decode(NoticeList.self, row["notices"]) ?? NoticeList())
    }

    /// A job of which something is kept. Times and sizes that cannot be are brought to the nearest that can.
    static func kept(_ row: Row) -> KeptJob {
        let further: String = row["further"]
        let hash: String? = row["plan_hash"]
        let folder: String? = row["folder"]
        let ended: Double = row["ended"]
        let bytes: Int = row["kept_bytes"]
        var plan: KeptJob.Plan?
        if let hash, let folder { plan = KeptJob.Plan(folder: folder, hash: hash) }
        let output: String = row["output"]
        let others = (try? StoredText.decode([String].self, further)) ?? []
        return KeptJob(
            id: row["id"], outputs: [output] + others, plan: plan,
            ended: min(max(times.lowerBound, ended), times.upperBound), bytes: min(max(0, bytes), 1 << 50))
    }

    // MARK: - Single values

    /// The counts of attempts that can be: far below what the wire carries, so that there is room to count on.
    private static let attempts = 0...(1 << 30)
    /// The numbers of frames that can be, twice what a plan may have.
    private static let frames = 0...(1 << 32)
    /// The numbers of samples that can be; sums of two of them are numbers, too.
    private static let samples = 0...(1 << 56)
    /// The seconds since 1970 that can be, to the year 2128: in nanoseconds they are numbers of 64 bits.
    private static let times = 0.0...5e9

    private func number(_ column: String, _ row: Row, in range: ClosedRange<Int>) throws -> Int {
        let number: Int = row[column]
        guard range.contains(number) else { throw outOfRange(column, "\(number)") }
        return number
    }

    private func time(_ column: String, _ row: Row) throws -> Double {
        let time: Double = row[column]
        guard Self.times.contains(time) else { throw outOfRange(column, "\(time)") }
        return time
    }

    /// The expected work of a task. Costs are added up, and compared with one another.
    private func cost(_ column: String, _ row: Row) throws -> Double {
        let cost: Double = row[column]
        guard (0...1e15).contains(cost) else { throw outOfRange(column, "\(cost)") }
        return cost
    }

    private func outOfRange(_ column: String, _ number: String) -> SplitreelError {
        SplitreelError(
            .storeFailed, operation: "reading", subject: column, reason: "the store says \(number), which cannot be",
            hint: "cancel the job")
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
