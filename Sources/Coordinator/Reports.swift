import Diagnostics
import FarmProtocol
import JobStore
import Scheduling

extension Splitreel_Farm_JobReport {
    /// `chunks` at most so many of them; where there are more, those that are going on or have failed come first.
    static func make(_ job: JobEntry, warnings: [String], clock: WallClock, now: Instant, chunks: Int) -> Self {
        var report = Self()
        report.job = job.id
        report.name = job.name
        report.state = job.state.rawValue
        report.priority = Int32(clamping: job.priority)
        report.progress = job.progress
        report.output = job.output
        report.frames = UInt64(job.frames)
        report.framesDone = UInt64(job.framesDone)
        report.submitted = job.submitted
        report.started = job.started.map(clock.seconds) ?? 0
        report.ended = job.ended.map(clock.seconds) ?? 0
        report.framesPerSecond = job.framesPerSecond(now: now)
        report.warnings = warnings
        if job.state.isTerminal, let error = job.outcome?.error { report.problem = Splitreel_Farm_Problem(error) }
        if chunks > 0 {
            report.chunks = job.reported(chunks).map { .make($0, job.tasks[$0], clock: clock) }
        }
        return report
    }

    static func make(_ stored: StoredJob) -> Self {
        let job = stored.recovered
        var report = Self()
        report.job = job.submission.id
        report.name = job.submission.name
        report.state = stored.state.rawValue
        report.priority = Int32(clamping: job.submission.priority)
        report.progress = stored.state == .completed ? 1 : 0
        report.output = job.submission.output
        report.frames = UInt64(stored.frames)
        report.framesDone = stored.state == .completed ? UInt64(stored.frames) : 0
        report.submitted = job.submission.submitted
        report.started = job.started
        report.ended = stored.ended
        report.warnings = stored.warnings
        if let error = stored.outcome?.error { report.problem = Splitreel_Farm_Problem(error) }
        return report
    }
}

extension JobEntry {
    /// Indexes of the tasks to report, in film order.
    fileprivate func reported(_ limit: Int) -> [Int] {
        guard tasks.count > limit else { return Array(tasks.indices) }
        let urgent = tasks.indices.filter { tasks[$0].state != .pending && tasks[$0].state != .done }.prefix(limit)
        let rest = tasks.indices.filter { tasks[$0].state == .pending || tasks[$0].state == .done }
        return (urgent + rest.prefix(limit - urgent.count)).sorted()
    }
}

extension Splitreel_Farm_ChunkReport {
    static func make(_ index: Int, _ task: TaskEntry, clock: WallClock) -> Self {
        var report = Self()
        report.index = UInt32(clamping: index)
        report.kind = task.spec.kind.rawValue
        report.state = task.state.rawValue
        report.attempt = UInt32(clamping: task.epoch)
        report.worker = task.lastSlot
        report.firstFrame = UInt32(clamping: task.spec.firstUnit)
        report.frameCount = UInt32(clamping: task.spec.unitCount)
        report.unitsDone = UInt32(clamping: task.unitsDone)
        report.started = (task.attempt?.startedAt ?? task.started).map(clock.seconds) ?? 0
        report.ended = task.ended.map(clock.seconds) ?? 0
        if let error = task.lastError { report.lastProblem = Splitreel_Farm_Problem(error) }
        return report
    }
}

extension Splitreel_Farm_WorkersReport {
    /// One entry per worker name, sorted.
    static func make(_ brain: CoordinatorBrain, now: Instant) -> Self {
        let groups = Dictionary(grouping: brain.slots.values, by: \.spec.worker)
        var message = Self()
        message.workers = groups.sorted { $0.key < $1.key }.map { name, slots in
            var report = Splitreel_Farm_WorkerReport()
            report.name = name
            report.slots = UInt32(clamping: slots.count)
            let conditions = slots.map(\.condition)
            let isRendering = slots.contains { $0.holding != nil }
            report.state = conditions.allSatisfy { $0 == .draining } ? "draining" : isRendering ? "rendering" : "idle"
            for slot in slots.sorted(by: { $0.spec.slot < $1.spec.slot }) {
                guard let holding = slot.holding else { continue }
                report.current.append("\(holding.job)/\(holding.task)")
                report.framesPerSecond += brain.framesPerSecond(holding, now: now)
            }
            return report
        }
        return message
    }
}
