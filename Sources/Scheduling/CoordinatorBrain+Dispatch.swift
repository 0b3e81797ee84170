import Diagnostics

// The choice of which free slot gets which chunk.
extension CoordinatorBrain {
    /// Gives every free slot the best task that it may take.
    mutating func dispatch() {
        mustDispatch = false
        guard !idle.isEmpty, queue.contains(where: { jobs[$0]?.hasPending == true }) else { return }
        let free = inOrderOfService(idle)
        idle = []
        var left: [String] = []
        var loads = workerLoads()
        for slot in free {
            guard let entry = slots[slot], entry.holding == nil, !entry.isDraining else { continue }
            if let (job, task) = pick(for: entry.spec, loads[entry.spec.worker]) {
                lease(job, task, to: entry.spec)
                loads[entry.spec.worker, default: WorkerLoad()].add(jobs[job]?.bytes(ofTask: task) ?? 0)
            } else {
                left.append(slot)
            }
        }
        idle = left
    }

    /// The task that the slot gets, taken out of its job's queues; nil for none. Higher priority goes first; within one
    /// priority the job with the fewest running chunks, then the one that was served longest ago, then the oldest: no
    /// job waits for another's last chunk. `load` is what the slot's worker has in hand: a job of which nothing runs
    /// yet, and for which there is no room beside it, keeps the slot free for its turn.
    private mutating func pick(for spec: SlotSpec, _ load: WorkerLoad?) -> (job: String, task: Int)? {
        var start = queue.startIndex
        while start < queue.endIndex {
            let priority = jobs[queue[start]]?.priority
            let end = queue[start...].firstIndex { jobs[$0]?.priority != priority } ?? queue.endIndex
            // Keys only: a copy of a job held here would make every change to it a copy of all its tasks.
            let level = queue[start..<end].compactMap { jobs[$0]?.share }.sorted { $0.key < $1.key }
            for share in level where mayTake(spec, share.id) {
                guard hasRoom(spec, for: share.id, beside: load) else {
                    // A job of which this slot may have nothing, as where an audit wants another key, keeps no room.
                    if jobs[share.id]?.atWork == 0, jobs[share.id]?.hasTask(for: spec) == true { return nil }
                    continue
                }
                if let task = jobs[share.id]?.takeNext(for: spec, now: now, limits) { return (share.id, task) }
            }
            start = end
        }
        return nil
    }

    private func mayTake(_ spec: SlotSpec, _ id: String) -> Bool {
        guard let job = jobs[id], difference(spec, job) == nil, isAble(spec.worker, job) else { return false }
        let rests = spec.names.contains { name in job.workers[name]?.restsUntil.map { now < $0 } ?? false }
        return !rests && !isBlocked(spec, in: job)
    }

    private mutating func lease(_ id: String, _ index: Int, to spec: SlotSpec) {
        guard let epoch = jobs[id]?.tasks[index].epoch else { return }
        let holding = Holding(job: id, task: index, epoch: epoch + 1, lease: leases.next())
        if let last = slots[spec.slot]?.lastJob, last != id { jobs[last]?.fresh.release(spec.slot) }
        slots[spec.slot]?.lastJob = id
        let now = now
        updateTask(id, index) {
            $0.epoch = holding.epoch
            $0.attempt = Attempt(
                holding: holding, slot: spec.slot, worker: spec.worker, leasedAt: now, renewedAt: now)
            ($0.state, $0.lastSlot, $0.lastWorker) = (.leased, spec.slot, spec.worker)
            ($0.notBefore, $0.unwantedSince) = (nil, nil)
        }
        jobs[id]?.keysOfWorkers[spec.worker] = spec.key
        jobs[id]?.running += 1
        served += 1
        jobs[id]?.lastServed = served
        if jobs[id]?.advance(.firstLease) == true {
            if jobs[id]?.started == nil { jobs[id]?.started = now }
            persist(.running(job: id), "the first chunk is leased")
        }
        let label = jobs[id]?.tasks[index].spec.label ?? ""
        persistTask(id, index, "\(label) leased to \(spec.slot), attempt \(holding.epoch)")
        setHolding(spec.slot, holding)
        actions.append(.sendLease(slot: spec.slot, holding))
    }
}

extension JobEntry {
    /// Whether some task waits for a slot, perhaps only after a delay.
    var hasPending: Bool {
        let isRendering = phase.after(.allTasksDone) != nil
        return isRendering && (fresh.count > 0 || !freshSounds.isEmpty || returned.contains { !isBarred($0) })
    }

    /// Whether something waits that the slot may have, perhaps only after a delay.
    func hasTask(for spec: SlotSpec) -> Bool {
        fresh.count > 0 || !freshSounds.isEmpty
            || returned.contains {
                !isBarred($0) && tasks[$0].isOpen(to: spec) && tasks[$0].failedWorkers.isDisjoint(with: spec.names)
            }
    }

    /// The job's claim to the next slot among jobs of its priority, the smallest first; nil where nothing waits.
    var share: (id: String, key: (Int, Int, Int))? { hasPending ? (id, (atWork, lastServed, order)) : nil }

    /// The number of its tasks that somebody is at work on.
    var atWork: Int { running - tasks.sums.awaited }

    /// Takes the next task that the slot may have out of the queues: the sound or its next part, then what came back,
    /// then the next chunk of the slot's run.
    mutating func takeNext(for spec: SlotSpec, now: Instant, _ limits: Limits) -> Int? {
        let lack = lack(of: spec)
        if let sound = freshSounds.first(where: { lack.allows(tasks[$0].spec.needs) }) {
            tasks[sound].state = .leased
            return sound
        }
        let ready = returned.filter { index in
            let task = tasks[index]
            guard !isBarred(index) else { return false }
            return task.notBefore.map { $0 <= now } ?? true && task.failedWorkers.isDisjoint(with: spec.names)
                && lack.allows(task.spec.needs) && task.isOpen(to: spec)
        }
        if let index = ready.min() {
            returned.removeAll { $0 == index }
            return index
        }
        guard let index = takeFresh(for: spec.slot, lack, now, limits) else { return nil }
        tasks[index].state = .leased
        return index
    }

    /// Takes the next chunk of the slot's run. By itself, so that nothing holds the tasks when one of them changes.
    private mutating func takeFresh(for slot: String, _ lack: EffectLack, _ now: Instant, _ limits: Limits) -> Int? {
        let isAble: ((Int) -> Bool)? = lack.isEmpty ? nil : { [needs] in lack.allows(needs[$0]) }
        let leftInHand: (Int) -> Double? = { [tasks] chunk in
            let (task, count) = (tasks[chunk], tasks[chunk].spec.unitCount)
            guard let attempt = task.attempt, task.unitsDone < count else { return nil }
            // Its disk may hang, or its segment be on its way, for many minutes.
            guard !attempt.hasPaused(for: limits.dead, at: now) else { return nil }
            return 1 - Double(task.unitsDone) / Double(count)
        }
        return fresh.take(for: slot, isAble: isAble, leftInHand: leftInHand)
    }
}

// MARK: - What tasks need of workers

/// The places in a job's `effects` of those that a worker lacks.
struct EffectLack {
    let places: Set<Int>

    var isEmpty: Bool { places.isEmpty }

    /// Whether the worker may have a task with those needs, places in the job's `effects`; nil for all of them.
    func allows(_ needs: [Int]?) -> Bool { isEmpty || needs.map { places.isDisjoint(with: $0) } ?? false }
}

extension JobEntry {
    func lack(of spec: SlotSpec) -> EffectLack {
        EffectLack(places: Set(effects.indices.filter { !spec.effects.contains(effects[$0]) }))
    }

    /// Whether a task that waits may go to a worker that lacks so much.
    func hasPending(for lack: EffectLack) -> Bool {
        lack.isEmpty || freshSounds.contains { lack.allows(tasks[$0].spec.needs) }
            || fresh.left.contains { $0.value > 0 && lack.allows(needs[$0.key]) }
            || returned.contains { lack.allows(tasks[$0].spec.needs) }
    }

    /// The number of tasks that wait and need the effect.
    func pendingCount(needing place: Int) -> Int {
        func isNeeded(_ needs: [Int]?) -> Bool { needs?.contains(place) ?? true }
        let inQueue = fresh.left.reduce(0) { $0 + (isNeeded(needs[$1.key]) ? $1.value : 0) }
        let others = returned + freshSounds
        return inQueue + others.count { isNeeded(tasks[$0].spec.needs) }
    }
}
