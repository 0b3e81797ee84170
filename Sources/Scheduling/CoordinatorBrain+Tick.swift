import Diagnostics

// The tick: everything that happens because nothing happened.
extension CoordinatorBrain {
    mutating func tick() {
        if let last = lastTick, now - last > limits.stall {
            graceUntil = now + limits.dead
            allowMoreTime(now - last)
        }
        lastTick = now
        if graceUntil.map({ now >= $0 }) ?? true {
            graceUntil = nil
            dropSilentSlots()
            endMissing()
            expireLeases()
            expireOrphans()
            stopStuckAttempts()
        }
        endOverdueJobs()
        giveUpOverdueWork()
        resumeOwnWork()
        verifyAgain()
        lookAfterAssets()
        failUnwantedTasks()
        pruneKept()
        mustDispatch = true
    }

    private mutating func dropSilentSlots() {
        for (slot, entry) in slots.sorted(by: { $0.key < $1.key }) {
            if now - entry.lastHeard > limits.dead {
                lose(slot, "silent for \(limits.dead)", cause: .unreachable)
            } else if let since = entry.cancelledAt, now - since > limits.cancelWait {
                lose(slot, "did not drop a cancelled lease within \(limits.cancelWait)")
            } else {
                continue
            }
            if limits.comingBack != nil { missing[slot] = (pid: entry.spec.pid, since: now) }
        }
    }

    /// Ends the processes of slots that have not come back: one that was stopped would stand still for ever.
    private mutating func endMissing() {
        guard let wait = limits.comingBack else { return }
        for (slot, lost) in missing.sorted(by: { $0.key < $1.key }) where now - lost.since > wait {
            missing[slot] = nil
            actions.append(.endProcess(slot: slot, pid: lost.pid))
        }
    }

    private mutating func expireLeases() {
        for (slot, entry) in slots.sorted(by: { $0.key < $1.key }) {
            guard let holding = entry.holding, let attempt = attempt(holding), attempt.slot == slot,
                !attempt.isVerifying
            else { continue }
            if let travel = attempt.travel {
                guard now >= travel.until else { continue }
                endSending(attempt, travel, from: slot)
            } else {
                guard now - attempt.renewedAt > limits.lease else { continue }
                giveBack(holding, countsAsLoss: true, "\(slot) did not renew its lease")
            }
            if slots[slot]?.cancelledAt == nil { revoke(slot, holding) }
        }
    }

    private mutating func expireOrphans() {
        guard !orphans.isEmpty else { return }
        orphans = orphans.filter { attempt($0)?.slot.isEmpty == true }
        for holding in orphans {
            guard let attempt = attempt(holding) else { continue }
            if let travel = attempt.travel {
                guard now >= travel.until else { continue }
                endSending(attempt, travel, from: jobs[holding.job]?.tasks[holding.task].lastSlot ?? "")
            } else if now - attempt.renewedAt > limits.orphan {
                giveBack(holding, countsAsLoss: false, "its worker did not come back after the restart")
            }
        }
    }

    /// Ends an attempt whose segment did not come in time. A slot that could have sent it is to blame, and so is one
    /// that was cut off again.
    private mutating func endSending(_ attempt: Attempt, _ travel: SegmentTravel, from slot: String) {
        let holding = attempt.holding
        let name = suspect(worker: attempt.worker, slot: slot)
        guard let task = jobs[holding.job]?.tasks[holding.task] else { return }
        guard travel.couldSend(now, limits) || task.cutOffWorkers.contains(name) else {
            jobs[holding.job]?.tasks[holding.task].cutOffWorkers.insert(name)
            return giveBack(holding, countsAsLoss: false, "\(slot) did not come back in time with its segment")
        }
        updateAttempt(holding) { $0.slot = slot }
        let error = SplitreelError(
            .noProgress, operation: "sending a segment", subject: "\(task.spec.label)",
            reason: "\(slot) was \(limits.sending) late at \(limits.sendingRate) bytes a second")
        fail(holding, error)
    }

    private mutating func stopStuckAttempts() {
        for (slot, entry) in slots.sorted(by: { $0.key < $1.key }) {
            guard let holding = entry.holding, let attempt = attempt(holding), attempt.slot == slot,
                !attempt.isVerifying, attempt.travel == nil, let error = halt(attempt)
            else { continue }
            fail(holding, error)
            if slots[slot]?.cancelledAt == nil { revoke(slot, holding) }
        }
    }

    /// The error of an attempt that does not go on; nil while it does. Who stands still, without processor time or
    /// bytes, has a disk that does not answer, and nobody is charged for that; who works and makes no frame is stuck.
    private func halt(_ attempt: Attempt) -> SplitreelError? {
        let label = jobs[attempt.holding.job]?.tasks[attempt.holding.task].spec.label ?? ""
        if let since = attempt.stillSince, now - since >= limits.standing {
            return SplitreelError(
                .tookTooLong, operation: "rendering", subject: label,
                reason: "\(attempt.slot) stood still for \(limits.standing), after \(attempt.unitsDone) of its frames",
                hint: "is a disk or a network mount hanging?")
        }
        guard let wait = stuckAfter(attempt, attempt.holding.job) else { return nil }
        return SplitreelError(
            .noProgress, operation: "rendering", subject: label,
            reason: "\(attempt.slot) made no frame for \(wait), after \(attempt.unitsDone) of them")
    }

    /// The limit that the attempt exceeded while it worked; nil while it goes on well.
    private func stuckAfter(_ attempt: Attempt, _ job: String) -> Duration? {
        let worked = now - (attempt.lastUnitAt ?? attempt.leasedAt) - attempt.stoodStill(now)
        guard attempt.lastUnitAt != nil else { return worked > limits.startLimit ? limits.startLimit : nil }
        guard worked > limits.progressFloor else { return nil }
        let median = jobs[job]?.frameTimes.median ?? .zero
        let limit = max(limits.progressFloor, median * limits.progressFactor)
        return worked > limit ? limit : nil
    }

    private mutating func endOverdueJobs() {
        for id in queue {
            if case .ending(_, let letGoBy) = jobs[id]?.phase, now > letGoBy { clean(id) }
        }
    }

    /// Fails tasks that every living worker is ruled out for by failures: another worker has `otherWorkerWait` to
    /// appear. "Never the same worker again" must not make a job wait for ever.
    private mutating func failUnwantedTasks() {
        let specs = slots.values.filter { !$0.isDraining }.map(\.spec)
        for id in queue where jobs[id].map({ !$0.workers.isEmpty || $0.hasDispute }) ?? false {
            let open = specs.filter { spec in jobs[id].map { mightTake(spec, $0) } ?? false }
            for index in jobs[id]?.pendingToJudge(withFresh: open.isEmpty) ?? [] {
                guard let task = jobs[id]?.tasks[index], task.state == .pending else { continue }
                let fitting = open.filter {
                    task.isOpen(to: $0) && jobs[id]?.lack(of: $0).allows(task.spec.needs) == true
                }
                // An audit waits for another key as a job waits for workers, but for none that have failed the task.
                let awaitsKey = task.witnesses.count == 1 && fitting.isEmpty && !open.isEmpty
                let isWanted = awaitsKey || fitting.contains { task.failedWorkers.isDisjoint(with: $0.names) }
                judge(id, index, isUnwanted: !specs.isEmpty && !isWanted)
            }
        }
    }

    /// Whether nothing that lasts keeps the slot from the job's tasks.
    func mightTake(_ spec: SlotSpec, _ job: JobEntry) -> Bool {
        guard !isBlocked(spec, in: job), difference(spec, job) == nil else { return false }
        // A disk that hangs may move again.
        return job.assets[spec.worker]?.problem.map { $0.code.retry == .resource } ?? true
    }

    private mutating func judge(_ id: String, _ index: Int, isUnwanted: Bool) {
        guard jobs[id]?.isEnding == false, let task = jobs[id]?.tasks[index] else { return }
        guard isUnwanted else {
            if task.unwantedSince != nil { jobs[id]?.tasks[index].unwantedSince = nil }
            return
        }
        let since = task.unwantedSince ?? now
        jobs[id]?.tasks[index].unwantedSince = since
        guard now - since >= limits.otherWorkerWait else { return }
        if task.isDisputed { return failJob(id, task: index, disagreement(task.witnesses, task.spec.label)) }
        let last =
            task.lastError ?? jobs[id]?.tasks.compactMap(\.lastError).first
            ?? SplitreelError(.noWorkers, operation: "rendering", subject: task.spec.label, reason: "no worker is left")
        failJob(id, task: index, exhausted(id, index, last, "no living worker is left that has not failed"))
    }
}

extension TaskEntry {
    /// Whether two keys made different segments of it.
    fileprivate var isDisputed: Bool { witnesses.count > 1 }
}

extension JobEntry {
    fileprivate var hasDispute: Bool { returned.contains { tasks[$0].isDisputed } }

    fileprivate func pendingToJudge(withFresh: Bool) -> [Int] {
        guard hasPending else { return [] }
        let open = returned.filter { !isBarred($0) }
        guard withFresh, let first = freshSounds.first ?? fresh.first else { return open }
        return open + [first]
    }
}
