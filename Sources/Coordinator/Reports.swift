import Diagnostics
import FarmProtocol
import JobStore
import Scheduling

extension Splitreel_Farm_JobReport {
    static func make(_ job: JobEntry, clock: WallClock, now: Instant) -> Self {
        var report = Self()
        report.job = job.id
        report.name = job.name
        report.state = Splitreel_Farm_JobState(job.state)
        report.priority = Int32(clamping: job.priority)
        (report.output, report.outputs) = (job.output, job.outputs)
        report.madeFor = job.madeFor ?? ""
        report.owner = job.owner ?? ""
        report.take(job.workDone)
        report.submitted = job.submitted
        report.started = job.started.map(clock.seconds) ?? 0
        report.ended = job.ended.map(clock.seconds) ?? 0
        report.framesPerSecond = job.framesPerSecond(now: now) ?? 0
        report.tell(job.notices)
        if job.state.isTerminal, let error = job.outcome?.error { report.problem = Splitreel_Farm_Problem(error) }
        report.counts = .make(job.chunkStates, job.workDone, copied: job.copiedCount, cached: job.chunksCached)
        report.taskCount = UInt32(clamping: job.tasks.count)
        report.ending = Splitreel_Farm_JobState(job.ending)
        if let delay = job.delay { report.tell(delay, clock) }
        return report
    }

    /// The report of a job that only the store remembers; `fault` says why this release cannot take it up.
    static func make(_ stored: StoredJob, fault: SplitreelError? = nil) -> Self {
        let job = stored.recovered
        var report = Self()
        report.job = job.submission.id
        report.name = job.submission.name
        report.state = Splitreel_Farm_JobState(stored.state)
        report.priority = Int32(clamping: job.submission.priority)
        report.output = job.submission.output
        report.outputs = [job.submission.output] + job.submission.further
        report.madeFor = job.submission.madeFor ?? ""
        report.owner = job.submission.owner ?? ""
        report.take(stored.workDone)
        report.submitted = job.submission.submitted
        report.started = job.started
        report.ended = stored.ended
        report.tell(stored.notices)
        if let error = stored.outcome?.error ?? fault ?? stored.recovered.fault {
            report.problem = Splitreel_Farm_Problem(error)
        }
        let states = stored.chunkStates.filter { !stored.isGivenUp || $0.key == .done || $0.key == .failed }
        report.counts = .make(states, stored.workDone, copied: stored.copiedCount, cached: stored.chunksCached)
        report.taskCount = UInt32(clamping: stored.taskCount)
        return report
    }

    private mutating func take(_ done: WorkDone) {
        progress = done.fraction
        frames = UInt64(done.frames)
        framesDone = UInt64(done.framesDone)
        sources = done.sources
    }

    mutating func tell(_ delay: JobDelay, _ clock: WallClock) {
        delayedWork = delay.work
        delayedSince = clock.seconds(at: delay.since)
        delayProblem = Splitreel_Farm_Problem(delay.error)
    }

    private mutating func tell(_ list: NoticeList) {
        notices = list.notices.map { Splitreel_Farm_Notice($0) }
        noticesDropped = UInt64(clamping: list.dropped)
    }

    /// Adds as many of those chunks as a control message has room for.
    mutating func add(_ indexes: some Sequence<Int>, limits: Limits, _ make: (Int) -> Splitreel_Farm_ChunkReport) {
        var room = limits.controlMessageBytes / 2
        for index in indexes {
            let chunk = make(index)
            room -= chunk.weight
            // One chunk at least, so that whoever asks for page after page comes to an end.
            guard room > 0 || chunks.isEmpty else { return }
            chunks.append(chunk)
        }
    }
}

extension Splitreel_Farm_ChunkCounts {
    /// The counts of a job's chunks. Chunks that are in the total and in no state were given up with their job.
    static func make(_ states: [TaskState: Int], _ work: WorkDone, copied: Int, cached: Int) -> Self {
        func count(_ state: TaskState) -> UInt32 { UInt32(clamping: states[state] ?? 0) }
        // Chunks of an earlier life count as done while they are checked again.
        let recovered = max(0, work.chunksDone - (states[.done] ?? 0))
        var counts = Self()
        counts.total = UInt32(clamping: work.chunks)
        counts.passthrough = UInt32(clamping: copied)
        counts.pending = count(.pending)
        counts.leased = count(.leased)
        counts.running = count(.running)
        counts.verifying = UInt32(clamping: max(0, (states[.verifying] ?? 0) - recovered))
        counts.cached = UInt32(clamping: cached)
        (counts.done, counts.failed) = (UInt32(clamping: work.chunksDone), count(.failed))
        return counts
    }
}

extension JobEntry {
    /// The indexes of the tasks that an unasked report tells of, in film order.
    func newsworthy(_ limits: Limits) -> [Int] {
        guard tasks.count > limits.chunksInUpdate else { return Array(tasks.indices) }
        return activeTasks(limits.chunksInUpdate)
    }

    func page(from first: Int, _ limits: Limits) -> Range<Int> {
        tasks.indices.clamped(to: first..<first + limits.chunksInPage)
    }
}

extension StoredJob {
    var specs: [TaskSpec] { recovered.plan?.tasks ?? [] }

    /// The work that was done at the end. Of a job that an earlier release ended, the parts of chunks that were under
    /// way are not in it.
    var workDone: WorkDone {
        if let work { return work }
        return WorkDone(
            frames: frames, framesDone: state == .completed ? frames : framesDone,
            chunks: chunkStates.values.reduce(0, +), chunksDone: chunkStates[.done] ?? 0,
            isInPlace: state == .completed)
    }

    var isGivenUp: Bool { state == .failed || state == .cancelled }
}

extension TaskState {
    /// The state that is told; nil for a chunk that is not made and never will be, since its job failed or was
    /// cancelled.
    fileprivate func told(isGivenUp: Bool) -> TaskState? {
        isGivenUp && self != .done && self != .failed ? nil : self
    }
}

extension Splitreel_Farm_ChunkReport {
    static func make(_ index: Int, of job: JobEntry, clock: WallClock) -> Self {
        let task = job.tasks[index]
        var report = Self()
        report.index = UInt32(clamping: index)
        report.kind = Splitreel_Farm_ChunkKind(task.spec.kind)
        report.state = Splitreel_Farm_ChunkState(task.state.told(isGivenUp: job.isGivenUp))
        report.attempt = UInt32(clamping: task.epoch)
        report.worker = task.lastSlot
        report.cached = task.state == .done && task.lastSlot == TaskEntry.cacheName
        report.maker = task.maker ?? ""
        report.firstFrame = UInt32(clamping: task.spec.firstUnit)
        report.frameCount = UInt32(clamping: task.spec.unitCount)
        report.unitsDone = UInt32(clamping: task.unitsDone)
        report.started = (task.attempt?.startedAt ?? task.started).map(clock.seconds) ?? 0
        report.ended = task.ended.map(clock.seconds) ?? 0
        if let error = task.lastError { report.lastProblem = Splitreel_Farm_Problem(error) }
        return report
    }

    static func make(_ index: Int, of job: StoredJob) -> Self {
        let (spec, task) = (job.specs[index], job.recovered.tasks[index])
        var report = Self()
        report.index = UInt32(clamping: job.firstTask + index)
        report.kind = Splitreel_Farm_ChunkKind(spec.kind)
        report.state = Splitreel_Farm_ChunkState(task.state.told(isGivenUp: job.isGivenUp))
        report.attempt = UInt32(clamping: task.epoch)
        report.worker = task.slot
        report.cached = task.state == .done && task.slot == TaskEntry.cacheName
        report.maker = TaskEntry.maker(slot: task.slot, worker: task.worker) ?? ""
        report.firstFrame = UInt32(clamping: spec.firstUnit)
        report.frameCount = UInt32(clamping: spec.unitCount)
        report.unitsDone = task.state == .done ? report.frameCount : 0
        (report.started, report.ended) = (task.started, task.ended)
        if let error = task.error { report.lastProblem = Splitreel_Farm_Problem(error) }
        return report
    }

    /// The bytes in a message, roughly, rather more than less.
    fileprivate var weight: Int {
        let names = worker.utf8.count + maker.utf8.count
        guard hasLastProblem else { return 95 + names }
        return 115 + names + lastProblem.weight
    }
}
