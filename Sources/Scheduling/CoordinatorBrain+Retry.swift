import Diagnostics

// The fate of a task whose attempt ended without a segment.
extension CoordinatorBrain {
    /// Ends an attempt that failed; the class of the error alone decides. The slot is settled by the caller.
    mutating func fail(_ holding: Holding, _ error: SplitreelError) {
        guard let attempt = attempt(holding), let label = jobs[holding.job]?.tasks[holding.task].spec.label else {
            return
        }
        jobs[holding.job]?.tasks[holding.task].lastError = error
        switch error.code.retry {
        case .permanent:
            failJob(holding, named(error, label))
        case .transient:
            failTransient(holding, error)
        case .suspectWorker:
            failSuspect(holding, error, suspect: suspect(worker: attempt.worker, slot: attempt.slot))
        case .suspectAccess:
            failSuspect(holding, error, suspect: attempt.worker)
        case .resource:
            // The worker is not short of anything where the coordinator lacks room, or a disk hangs.
            let isOwn = attempt.isVerifying || error.code == .tookTooLong
            failResource(
                holding, error, short: isOwn ? nil : suspect(worker: attempt.worker, slot: attempt.slot))
        }
    }

    mutating func failTransient(_ holding: Holding, _ error: SplitreelError) {
        let tries = (jobs[holding.job]?.tasks[holding.task].tries ?? 0) + 1
        jobs[holding.job]?.tasks[holding.task].tries = tries
        jobs[holding.job]?.tasks[holding.task].lastError = error
        guard tries < limits.transientTries else {
            return failJob(holding, exhausted(holding.job, holding.task, error, "it failed \(tries) times"))
        }
        let delay = min(limits.transientDelay * (1 << (tries - 1)), limits.transientDelayCap)
        jobs[holding.job]?.tasks[holding.task].notBefore = now + delay
        putBack(holding, "try \(tries) failed with error \(error.code.number): \(error.reason)")
    }

    /// The name of who is to blame: the worker, or where there is only one, as inside `render`, its slot, for there is
    /// nobody else.
    func suspect(worker: String, slot: String) -> String {
        let hasOthers = slots.values.contains { $0.spec.worker != worker && !$0.isDraining }
        return hasOthers ? worker : slot
    }

    private mutating func failSuspect(_ holding: Holding, _ error: SplitreelError, suspect: String) {
        jobs[holding.job]?.tasks[holding.task].failedWorkers.insert(suspect)
        var key = noteFailure(of: suspect, in: holding.job)
        let distinct = jobs[holding.job]?.tasks[holding.task].failedWorkers.count ?? 0
        if distinct >= limits.suspectWorkers { key = blockKey(thatFailed: holding.task, of: holding.job) }
        guard distinct < limits.suspectWorkers || key != nil else {
            return failJob(holding, exhausted(holding.job, holding.task, error, "it failed on \(distinct) workers"))
        }
        var text: Phrase = "failed on \(suspect) with error \(error.code.number): \(error.reason)"
        if let key { text += "; key \(key) gets nothing more of the job for an hour, since its workers fail" }
        putBack(holding, text)
    }

    /// Delays a task for want of something; `short` is who lacks it and rests meanwhile, nil for the coordinator.
    private mutating func failResource(_ holding: Holding, _ error: SplitreelError, short: String?) {
        guard noteShortage(holding.job, error) else {
            let label = jobs[holding.job]?.tasks[holding.task].spec.label ?? ""
            return failJob(holding, named(error, label))
        }
        jobs[holding.job]?.tasks[holding.task].notBefore = now + limits.resourceDelay
        guard let short else { return putBack(holding, "delayed: \(error.reason)") }
        jobs[holding.job]?.workers[short, default: WorkerRecord()].restsUntil = now + limits.resourceDelay
        putBack(holding, "delayed, \(short) is short of room: \(error.reason)")
    }

    /// Notes that the job met a want of something once more; false where its patience is over.
    mutating func noteShortage(_ job: String, _ error: SplitreelError) -> Bool {
        var shortage = jobs[job]?.shortage ?? Shortage(error, at: now)
        shortage.met(error, at: now, delay: limits.resourceDelay)
        jobs[job]?.shortage = shortage
        return shortage.waited < limits.resourcePatience
    }

    /// Ends an attempt through no fault that counts as a try: lost, expired, or handed back.
    mutating func giveBack(_ holding: Holding, countsAsLoss: Bool, _ text: Phrase) {
        guard let attempt = attempt(holding), var task = jobs[holding.job]?.tasks[holding.task] else { return }
        if countsAsLoss {
            task.losses += 1
            if attempt.startedAt != nil { task.lossUnits.append(attempt.unitsDone) }
            jobs[holding.job]?.tasks[holding.task] = task
            let near = task.lossUnits.filter { abs($0 - attempt.unitsDone) <= limits.lossFrameSlack }.count
            let isSpot = attempt.startedAt != nil && near >= limits.lossesAtOneFrame
            if isSpot || task.losses >= limits.losses {
                let place = isSpot ? "always near unit \(task.spec.firstUnit + attempt.unitsDone)" : "at various places"
                let error = SplitreelError(
                    .chunkLostTooOften, operation: "rendering", subject: "\(task.spec.label)",
                    reason: "\(task.losses) workers died on it, \(place); the last: \(text)",
                    hint: "look at the media that this part of the film uses")
                return failJob(holding, error)
            }
        }
        putBack(holding, text)
    }

    /// Makes the task pending again; its attempt is over.
    mutating func putBack(_ holding: Holding, _ text: Phrase) {
        endAttempt(holding, .pending)
        jobs[holding.job]?.returned.append(holding.task)
        if let label = jobs[holding.job]?.tasks[holding.task].spec.label {
            persistTask(holding.job, holding.task, "\(label) goes back: \(text)")
        }
        mustDispatch = true
    }

    private mutating func endAttempt(_ holding: Holding, _ state: TaskState) {
        guard let attempt = jobs[holding.job]?.tasks[holding.task].attempt else { return }
        // The slot's decoders are gone or not to be trusted.
        releaseRun(of: attempt.slot)
        jobs[holding.job]?.keepProgress()
        jobs[holding.job]?.tasks[holding.task].attempt = nil
        jobs[holding.job]?.tasks[holding.task].state = state
        jobs[holding.job]?.running -= 1
    }

    mutating func failJob(_ holding: Holding, _ error: SplitreelError) {
        endAttempt(holding, .failed)
        failJob(holding.job, task: holding.task, error)
    }

    mutating func failJob(_ job: String, task: Int, _ error: SplitreelError) {
        jobs[job]?.tasks[task].state = .failed
        jobs[job]?.tasks[task].ended = now
        jobs[job]?.tasks[task].lastError = error
        persistTask(job, task, "failed for good with error \(error.code.number): \(error.reason)")
        end(job, .failed(error), "failed with error \(error.code.number): \(error.subject)")
    }

    /// The error with the chunk and its time range in the subject.
    func named(_ error: SplitreelError, _ label: String) -> SplitreelError {
        guard error.subject != Phrase(label) else { return error }
        var error = error
        error.subject += error.subject.isEmpty ? Phrase(label) : ", in \(label)"
        return error
    }

    func exhausted(_ job: String, _ task: Int, _ error: SplitreelError, _ why: String) -> SplitreelError {
        if error.code == .tookTooLong { return named(error, "after several tries") }
        if error.code.retry == .suspectAccess { return accessLost(job, task, error) }
        return SplitreelError(
            .retriesExhausted, operation: error.operation,
            subject: (jobs[job]?.tasks[task].spec.label).map { Phrase($0) } ?? error.subject,
            reason: """
                \(why); the last time with error \(error.code.number), \(error.code.title): \(error.subject): \
                \(error.reason)
                """,
            hint: error.hint)
    }

    /// The error for a task whose files no worker can get at, though the coordinator could, with the chunk and the
    /// workers in it.
    private func accessLost(_ job: String, _ task: Int, _ error: SplitreelError) -> SplitreelError {
        guard let entry = jobs[job]?.tasks[task] else { return error }
        var named = named(error, entry.spec.label)
        let workers = entry.failedWorkers.sorted()
        if !workers.isEmpty {
            named.reason += " on worker\(workers.count == 1 ? "" : "s") \(workers.joined(separator: ", "))"
        }
        if named.hint.isEmpty { named.hint = "workers must see the coordinator's files under the same paths" }
        return named
    }
}
