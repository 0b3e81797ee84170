// The numbers that reports are made of.
extension CoordinatorBrain {
    /// All known jobs: unfinished ones in dispatch order, then ended ones, the latest first.
    package var jobOrder: [String] { queue + endedOrder.reversed() }

    package var unfinishedJobs: [String] { queue }

    /// The slots that were lost for their silence and whose processes are still there, by their processes' numbers.
    package var missingSlots: [Int64: String] {
        Dictionary(missing.map { ($0.value.pid, $0.key) }) { first, _ in first }
    }

    /// Whether every job has ended.
    package var isIdle: Bool { queue.isEmpty }

    /// Whether a slot may have the plan of a job: its worker was asked about its files, or has a task of it in hand.
    package func isGiven(_ job: String, to slot: String) -> Bool {
        guard let worker = slots[slot]?.spec.worker, let entry = jobs[job], !entry.isEnding else { return false }
        return entry.assets[worker] != nil || isLeased(job, to: slot)
    }

    /// Whether a slot's worker has a task of a job in hand.
    package func isLeased(_ job: String, to slot: String) -> Bool {
        guard let worker = slots[slot]?.spec.worker, let entry = jobs[job], !entry.isEnding else { return false }
        return entry.slots.contains { slots[$0]?.spec.worker == worker }
    }

    /// The slot that has an attempt, or had it when it was heard of last; nil where the attempt is over.
    package func slot(of holding: Holding) -> String? {
        guard let attempt = attempt(holding) else { return nil }
        return attempt.slot.isEmpty ? jobs[holding.job]?.tasks[holding.task].lastSlot : attempt.slot
    }

    /// Whether a slot is gone, and something of it is still waited for or checked.
    package func isAwaited(_ slot: String) -> Bool { slots[slot] == nil && !attempts(of: slot).isEmpty }

    /// Whether a task was done by the attempt of that epoch.
    package func isDone(_ job: String, task: Int, epoch: Int) -> Bool {
        guard let entry = jobs[job], entry.tasks.indices.contains(task) else { return false }
        return entry.tasks[task].committed?.epoch == epoch
    }
}

extension JobEntry {
    /// The work that is done of the job, for every report of it; kept, not counted.
    package var workDone: WorkDone {
        let sums = tasks.sums
        var done = WorkDone(
            frames: frames > 0 ? frames : sums.samples, framesDone: frames > 0 ? pictureDone : soundDone,
            chunks: chunkCount, chunksDone: sums.chunksDone, isInPlace: state == .completed)
        done.keep(workFloor)
        done.sources = sourceBytes
        return done
    }

    /// The frames that are done. Each of the two passes of a film that has two is half of a frame.
    private var pictureDone: Int {
        analysisCount > 0 ? (tasks.sums.framesDone + tasks.sums.framesAnalysed) / 2 : tasks.sums.framesDone
    }

    /// The samples that are done. Mixing is most of the work where it is a task of its own.
    private var soundDone: Int {
        let sums = tasks.sums
        return mixCount > 0 ? (sums.samplesMixed / 10 * 9 + sums.samplesDone / 10) : sums.samplesDone
    }

    /// Keeps what is done from falling; to be called before work that was counted is taken back.
    mutating func keepProgress() { workFloor = workDone }

    /// The numbers of chunks by their state; of a job that ends unfinished only of those that are done or have failed.
    package var chunkStates: [TaskState: Int] {
        let isGivenUp = isGivenUp
        return tasks.sums.states.filter { state, count in
            count > 0 && (!isGivenUp || state == .done || state == .failed)
        }
    }

    /// Indexes of the tasks that are going on or have failed, in film order, at most `limit`.
    package func activeTasks(_ limit: Int) -> [Int] { Array(tasks.sums.active.sorted().prefix(limit)) }

    /// Whether the job failed or was cancelled: chunks that are not made by now will never be.
    package var isGivenUp: Bool {
        switch outcome {
        case .failed, .cancelled: true
        case .completed, nil: false
        }
    }

    /// The state that the job will end in, where that is decided and not reached: a cancel comes too late then. nil
    /// otherwise.
    package var ending: JobState? {
        guard !state.isTerminal else { return nil }
        return outcome?.state ?? (isBeyondCancel ? .completed : nil)
    }

    /// Whether the film may be on its way to its place, which cannot be called back.
    package var isBeyondCancel: Bool { phase == .publishing && waits[.publishing]?.until == nil }

    /// Whether the film's parts wait to be handed over anew.
    var isStitchingDelayed: Bool { waits[.stitching]?.until != nil }

    /// The coordinator's own work on it that failed and is tried again, the one that has waited longest; nil for none.
    package var wait: OwnWait? {
        waits.values.min { ($0.since.nanoseconds, $0.work.rawValue) < ($1.since.nanoseconds, $1.work.rawValue) }
    }

    /// The work on it that failed for want of something and is tried again, the coordinator's own or the chunks': that
    /// which has waited longest; nil for none.
    package var delay: JobDelay? {
        guard !isEnding else { return nil }
        let own = wait.map { JobDelay(work: $0.work.rawValue, since: $0.since, error: $0.error) }
        return [own, shortage?.told].compactMap(\.self).min { $0.since < $1.since }
    }

    /// The frames a second of late; nil where nothing was rendered of late, and for a job that is not running.
    package func framesPerSecond(now: Instant) -> Double? {
        guard state == .running, !isEnding, let rate = meter.rate(at: now) else { return nil }
        // Two passes make a frame.
        return analysisCount > 0 ? rate / 2 : rate
    }
}

extension TaskEntry {
    package var unitsDone: Int {
        if state == .done || attempt.map({ $0.isVerifying && !$0.isAwaited }) == true { return spec.unitCount }
        return min(attempt?.unitsDone ?? 0, spec.unitCount)
    }
}

extension SlotEntry {
    /// The words of tables and documents.
    package enum Condition: String, Sendable {
        case idle, rendering
        case draining = "leaving"
    }

    package var condition: Condition { isDraining ? .draining : holding == nil ? .idle : .rendering }
}

extension SlotEntry {
    /// The frames a second of late; nil for a slot that has nothing in hand or rendered no picture of late.
    package func framesPerSecond(now: Instant) -> Double? { holding == nil ? nil : meter.rate(at: now) }
}

extension JobEntry {
    /// Whether a pending task stands in one of the queues that slots are served from; anything else would be lost.
    package func isWaiting(_ index: Int) -> Bool {
        if tasks[index].epoch > 0 { return returned.contains(index) }
        return freshSounds.contains(index) || fresh.contains(index) || isBarred(index)
    }
}
