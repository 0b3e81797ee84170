import Diagnostics

// The memory of workers: how many tasks one takes at a time, and what follows where a slot was killed for want of it.

/// The tasks that the slots of one worker have in hand, and the memory that these take by their plans' estimates.
struct WorkerLoad: Sendable {
    var tasks = 0
    var bytes = 0

    mutating func add(_ more: Int) {
        tasks += 1
        bytes += more
    }
}

extension JobEntry {
    /// The memory of a task that mixes or encodes sound, in bytes: it reads a few packets at a time.
    private static let soundBytes = 128 << 20

    /// The memory that one of its tasks takes at its peak, in bytes.
    func bytes(ofTask task: Int) -> Int {
        guard tasks.indices.contains(task), tasks[task].spec.kind.isSound else { return slotBytes }
        return min(slotBytes, Self.soundBytes)
    }
}

extension CoordinatorBrain {
    /// The loads of the workers that have anything in hand. Cost: a look at each slot.
    func workerLoads() -> [String: WorkerLoad] {
        var loads: [String: WorkerLoad] = [:]
        for entry in slots.values {
            guard let holding = entry.holding else { continue }
            loads[entry.spec.worker, default: WorkerLoad()].add(jobs[holding.job]?.bytes(ofTask: holding.task) ?? 0)
        }
        return loads
    }

    /// Whether the slot's worker has room for one more task of the job. One that has nothing else in hand has: the task
    /// needs what it needs, and the estimate may be too high.
    func hasRoom(_ spec: SlotSpec, for job: String, beside load: WorkerLoad?) -> Bool {
        guard let load, load.tasks > 0, let job = jobs[job] else { return true }
        if let crowd = job.workers[spec.worker]?.crowd, load.tasks >= crowd.tasks { return false }
        guard let room = spec.memoryBytes else { return true }
        return load.bytes + job.slotBytes <= room
    }

    /// The free slots in the order in which they are served. Those go first whose run goes on: another slot would have
    /// to decode on the way to it. Where memory counts those are next that have worked: what they keep open is in
    /// memory as it is.
    func inOrderOfService(_ free: [String]) -> [String] {
        func isWarm(_ slot: String) -> Bool {
            guard let entry = slots[slot], let job = entry.lastJob else { return false }
            return entry.spec.memoryBytes != nil || jobs[job]?.workers[entry.spec.worker]?.crowd != nil
        }
        func goesOn(_ slot: String) -> Bool {
            slots[slot]?.lastJob.flatMap { jobs[$0]?.fresh.hasRun(slot) } == true
        }
        let others = free.filter { !goesOn($0) }
        return free.filter(goesOn) + others.filter(isWarm) + others.filter { !isWarm($0) }
    }

    /// Ends an attempt whose slot, gone by now, was killed for want of memory. Where others of its worker were at work
    /// it was one too many, and the worker has fewer of the job at a time from now on. Alone, it is as where a disk is
    /// full.
    mutating func giveBackForMemory(_ holding: Holding, of slot: String, _ reason: String) {
        guard let attempt = attempt(holding) else { return }
        let worker = attempt.worker
        let others = slots.values.count { $0.spec.worker == worker && $0.holding != nil }
        let known = jobs[holding.job]?.workers[worker]?.crowd
        let wasCrowded = known.map { attempt.leasedAt <= $0.since } ?? false
        guard others == 0, !wasCrowded else {
            let most = max(1, min(others, known?.tasks ?? others))
            let crowd = CrowdLimit(tasks: most, since: now)
            jobs[holding.job]?.workers[worker, default: WorkerRecord()].crowd = crowd
            return putBack(holding, "lost \(slot): \(reason); \(worker) gets at most \(most) at a time from now on")
        }
        let need = jobs[holding.job]?.slotBytes ?? 0
        let estimate = need > 0 ? "; such a chunk takes about \(memoryText(need))" : ""
        fail(
            holding,
            SplitreelError(
                .outOfMemory, operation: "rendering", subject: "",
                reason: "\(slot), at work alone on \(worker), was ended: \(reason)\(estimate)",
                hint: """
                    allow more memory, or render with less: a smaller size, a faster preset, 8 bits, fewer layers; \
                    `splitreel plan` tells what a worker takes
                    """))
    }
}
