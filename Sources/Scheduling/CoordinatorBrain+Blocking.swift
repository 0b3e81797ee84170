import Diagnostics

// Who gets nothing more of a job because of failures: a worker first, then the key that such workers came with. One
// machine of many that share a key may be broken. A key of which most are is not to be trusted under new names either.
extension CoordinatorBrain {
    /// Counts a failure of a worker, or of a slot by itself; answers the key that it blocks, nil where it blocks none.
    @discardableResult
    mutating func noteFailure(of suspect: String, in job: String) -> String? {
        let failures = (jobs[job]?.workers[suspect]?.failures ?? []) + [now]
        jobs[job]?.workers[suspect, default: WorkerRecord()].failures = failures.suffix(limits.workerFailures)
        return blockKey(of: suspect, in: job)
    }

    /// Blocks the worker's key where so many of its workers are blocked, and more than half of those that were given
    /// something of the job. A key without which nobody is there is kept, as a worker is that is alone.
    private mutating func blockKey(of worker: String, in id: String) -> String? {
        guard let job = jobs[id], let key = job.keysOfWorkers[worker], !isBlocked(key: key, in: job) else { return nil }
        let workers = job.keysOfWorkers.filter { $0.value == key }.keys
        let blocked = workers.count { failures(of: $0, in: job) >= limits.workerFailures }
        guard blocked >= limits.blockedWorkersOfKey, 2 * blocked > workers.count else { return nil }
        guard slots.values.contains(where: { $0.spec.key != key && !$0.isDraining }) else { return nil }
        jobs[id]?.blockedKeys[key] = .failures(until: now + limits.workerForgiveness)
        return key
    }

    /// Blocks the key that all workers came with on which a task has failed, where workers of other keys may have the
    /// task; answers the key, nil where it is not one key or nobody else may have it.
    mutating func blockKey(thatFailed task: Int, of id: String) -> String? {
        guard let job = jobs[id] else { return nil }
        let keys = Set(job.tasks[task].failedWorkers.map { job.keysOfWorkers[$0] })
        guard keys.count == 1, let only = keys.first, let key = only else { return nil }
        let hasOthers = slots.values.contains { $0.spec.key != key && !$0.isDraining && mightTake($0.spec, job) }
        guard hasOthers else { return nil }
        if jobs[id]?.blockedKeys[key] != .audit {
            jobs[id]?.blockedKeys[key] = .failures(until: now + limits.workerForgiveness)
        }
        return key
    }

    /// Whether the slot's worker, the slot itself or its key is blocked for this job.
    func isBlocked(_ spec: SlotSpec, in job: JobEntry) -> Bool {
        if let key = spec.key, isBlocked(key: key, in: job) { return true }
        return spec.names.contains { failures(of: $0, in: job) >= limits.workerFailures }
    }

    func isBlocked(key: String, in job: JobEntry) -> Bool { job.blockedKeys[key]?.holds(at: now) ?? false }

    /// The failures that are not forgiven yet of a worker, or of a slot by itself, in the job; those above the limit
    /// are not counted.
    package func failures(of suspect: String, in job: JobEntry) -> Int {
        job.workers[suspect]?.failures.count { now - $0 < limits.workerForgiveness } ?? 0
    }

    // MARK: - Saying so

    /// The keys that are blocked for the job, a sentence each.
    func remarksOnKeys(of job: JobEntry) -> [String] {
        job.blockedKeys.keys.filter { isBlocked(key: $0, in: job) }.sorted().prefix(limits.remarks).map { key in
            job.blockedKeys[key] == .audit
                ? "key \(key) gets none of it: workers of two other keys rendered otherwise than its worker"
                : "key \(key) gets none of it for up to an hour: its workers failed too often"
        }
    }

    /// The reason why failures keep the worker from the job, where its key does not; nil where they do not.
    func block(ofWorker worker: String, in job: JobEntry) -> String? {
        let failures = failures(of: worker, in: job)
        guard failures >= limits.workerFailures else { return nil }
        if let key = job.keysOfWorkers[worker], isBlocked(key: key, in: job) { return nil }
        return "it failed \(failures) times"
    }
}
