// What reports are made of.
extension CoordinatorBrain {
    /// All known jobs: unfinished ones in dispatch order, then ended ones, the latest first.
    package var jobOrder: [String] { queue + endedOrder.reversed() }

    package var unfinishedJobs: [String] { queue }

    /// True while a slot works on the job or the job has not ended.
    package var isIdle: Bool { queue.isEmpty }
}

extension JobEntry {
    /// Frames that are in committed or running attempts.
    package var framesDone: Int {
        tasks.reduce(0) { $0 + ($1.spec.kind == .audio ? 0 : $1.unitsDone) }
    }

    /// 0…1 over all tasks, by expected cost; 1 only when the film is in place. Never falls, whatever is lost.
    package var progress: Double { state == .completed ? 1 : max(progressFloor, currentProgress) }

    /// To be called before work that was counted is taken back.
    mutating func keepProgress() { progressFloor = max(progressFloor, currentProgress) }

    private var currentProgress: Double {
        let isWeighed = tasks.contains { $0.spec.cost > 0 }
        var (total, done) = (0.0, 0.0)
        for task in tasks where task.spec.unitCount > 0 {
            // Without expectations every frame weighs the same, and the sound nothing.
            let units = task.spec.kind == .audio ? 0 : Double(task.spec.unitCount)
            let weight = isWeighed ? max(0, task.spec.cost) : units
            total += weight
            done += weight * Double(task.unitsDone) / Double(task.spec.unitCount)
        }
        return total > 0 ? min(done / total, 1) * 0.99 : 0
    }

    /// Tasks by state, without the sound.
    package var chunkStates: [TaskState: Int] {
        tasks.reduce(into: [:]) { if $1.spec.kind != .audio { $0[$1.state, default: 0] += 1 } }
    }

    /// What the job will end as, where that is decided and not reached: a cancel comes too late then.
    package var ending: JobState? {
        guard !state.isTerminal else { return nil }
        return outcome?.state ?? (isPublishing ? .completed : nil)
    }

    /// Frames of this life of the coordinator per second since the job started (or since its last chunk ended).
    package func framesPerSecond(now: Instant) -> Double {
        let fresh = tasks.filter { !$0.isFromEarlierLife && $0.spec.kind != .audio }
        let starts = fresh.compactMap { $0.attempt?.startedAt ?? ($0.state == .done ? $0.started : nil) }
        guard let first = starts.min() else { return 0 }
        let isOver = state == .stitching || state.isTerminal
        let end = isOver ? (fresh.compactMap(\.ended).max() ?? now) : now
        let seconds = (end - first).inSeconds
        return seconds > 0 ? Double(fresh.reduce(0) { $0 + $1.unitsDone }) / seconds : 0
    }

    /// How much of the job was there before this life; such chunks count as done.
    package var recoveredCount: Int { tasks.count { $0.isFromEarlierLife } }
}

extension TaskEntry {
    package var unitsDone: Int {
        if state == .done || attempt?.isVerifying == true { return spec.unitCount }
        return min(attempt?.unitsDone ?? 0, spec.unitCount)
    }
}

extension SlotEntry {
    package enum Condition: String, Sendable { case idle, rendering, draining }

    package var condition: Condition { isDraining ? .draining : holding == nil ? .idle : .rendering }
}

extension CoordinatorBrain {
    /// Speed of a current attempt at a chunk since it started; 0 for the sound.
    package func framesPerSecond(_ holding: Holding, now: Instant) -> Double {
        guard let attempt = attempt(holding), let started = attempt.startedAt,
            jobs[holding.job]?.tasks[holding.task].spec.kind != .audio
        else { return 0 }
        let seconds = (now - started).inSeconds
        return seconds > 0 ? Double(attempt.unitsDone) / seconds : 0
    }
}

extension JobEntry {
    /// Whether a pending task stands in one of the queues that slots are served from; anything else would be lost.
    package func isWaiting(_ index: Int) -> Bool {
        tasks[index].epoch > 0 ? returned.contains(index) : headOrder.dropFirst(headCursor).contains(index)
    }
}
