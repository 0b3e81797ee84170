import Diagnostics

// Recovery of what an earlier life of the coordinator left in the store.
extension CoordinatorBrain {
    /// Takes up a stored job: done chunks are verified again and not rendered again; leased ones wait for their slots
    /// to come back.
    mutating func recover(_ recovered: RecoveredJob, _ clock: WallClock) {
        let id = recovered.submission.id
        guard jobs[id] == nil else { return }
        let plan = recovered.plan.flatMap { $0.tasks.count == recovered.tasks.count ? $0 : nil }
        let phase = JobPhase.recovered(recovered, hasPlan: plan != nil, now: now)
        var job = JobEntry(submission: recovered.submission, order: arrivals, phase: phase)
        job.started = recovered.started > 0 ? clock.instant(atSeconds: recovered.started) : nil
        guard let plan else {
            enqueue(job)
            return phase == .planning ? actions.append(.plan(job: id)) : clean(id)
        }
        job.adopt(plan)
        let isOver = recovered.ending != nil || recovered.film != nil
        for (index, stored) in recovered.tasks.enumerated() {
            job.restore(index, stored, clock, asIs: isOver, now: now)
        }
        job.makeRuns()
        if phase == .publishing { job.dueBy = now + publishing(job) }
        enqueue(job)
        if recovered.ending != nil { return clean(id) }
        if phase == .publishing { return actions.append(.publish(job: id)) }
        for task in job.tasks {
            guard let attempt = task.attempt else { continue }
            if attempt.isVerifying, let segment = attempt.segment {
                actions.append(.verify(attempt.holding, segment))
            } else {
                orphans.append(attempt.holding)
            }
        }
        askForAssets(of: id)
        mustDispatch = true
        advanceFilm(id)
    }
}

extension JobEntry {
    /// Puts a task back as it was stored. With `asIs` the job is past rendering, and nothing is to be checked.
    fileprivate mutating func restore(
        _ index: Int, _ stored: RecoveredTask, _ clock: WallClock, asIs: Bool, now: Instant
    ) {
        var task = tasks[index]
        guard !task.isCopied else { return }
        task.epoch = stored.epoch
        task.tries = stored.tries
        task.losses = stored.losses
        task.lastSlot = stored.slot
        task.lastWorker = stored.worker
        task.lastError = stored.error
        task.failedWorkers = Set(stored.failedWorkers)
        task.started = stored.started > 0 ? clock.instant(atSeconds: stored.started) : nil
        task.ended = stored.ended > 0 ? clock.instant(atSeconds: stored.ended) : nil
        defer { tasks[index] = task }
        if stored.state == .done, let segment = stored.segment { sourceBytes.add(segment.sources) }
        guard stored.state != .pending, stored.state != .failed, let lease = stored.lease else {
            if stored.epoch > 0 { returned.append(index) }
            return
        }
        let holding = Holding(job: id, task: index, epoch: stored.epoch, lease: lease)
        if asIs {
            guard stored.state == .done else { return }
            task.state = .done
            task.segment = stored.segment
            task.committed = holding
            task.isFromEarlierLife = true
            tasks[index] = task
            note(stored.notices, of: index)
            task = tasks[index]
            return
        }
        var attempt = Attempt(holding: holding, slot: "", worker: stored.worker, leasedAt: now, renewedAt: now)
        let isCached = stored.state == .verifying && stored.slot == TaskEntry.cacheName
        if stored.state == .done || isCached, let segment = stored.segment {
            attempt.isVerifying = true
            attempt.isRecovered = !isCached
            attempt.isCached = isCached
            attempt.segment = segment
            task.state = .verifying
        } else {
            task.state = .leased
            attempt.isResumed = true
        }
        task.attempt = attempt
        running += 1
    }
}
