import Diagnostics

// Tasks whose segments a cache had. Such a segment is checked as one that a slot reports, where it comes from afar when
// it is here; where it is not good the task is rendered, and nobody has failed.
extension CoordinatorBrain {
    /// Gives the tasks that a cache had an attempt of the cache's own, the first one, whose segment is to be checked.
    mutating func takeCached(_ cached: [Int: ReportedSegment], of job: inout JobEntry) -> [Attempt] {
        cached.sorted { $0.key < $1.key }.compactMap { index, segment in
            guard job.tasks.indices.contains(index), job.isFresh(index) else { return nil }
            let holding = Holding(job: job.id, task: index, epoch: Self.cacheEpoch, lease: leases.next())
            var attempt = Attempt(
                holding: holding, slot: TaskEntry.cacheName, worker: segment.maker ?? TaskEntry.cacheName,
                leasedAt: now, renewedAt: now)
            attempt.isVerifying = true
            attempt.isCached = true
            attempt.segment = segment
            job.change(index) {
                $0.epoch = holding.epoch
                $0.attempt = attempt
                $0.segment = segment
                ($0.state, $0.lastSlot, $0.lastWorker) = (.verifying, attempt.slot, attempt.worker)
            }
            job.running += 1
            return attempt
        }
    }

    /// The epoch of attempts of the cache: no slot has had the task before.
    package static let cacheEpoch = 1

    /// Stores the attempts of the cache, so that no epoch is used twice after a crash, and asks for their checks.
    mutating func checkCached(_ attempts: [Attempt], of id: String) {
        guard !attempts.isEmpty else { return }
        if jobs[id]?.advance(.firstLease) == true {
            jobs[id]?.started = now
            persist(.running(job: id), "the cache has \(attempts.count) of its tasks")
        }
        for attempt in attempts {
            let index = attempt.holding.task
            let label = jobs[id]?.tasks[index].spec.label ?? ""
            persistTask(id, index, "\(label) is in the cache")
            if let segment = attempt.segment { actions.append(.verify(attempt.holding, segment)) }
        }
    }

    /// Takes a segment that has come from a cache, and asks for its check.
    mutating func fetched(_ holding: Holding, _ segment: ReportedSegment) {
        guard let attempt = attempt(holding), attempt.isCached, attempt.isAwaited else { return }
        verifyBy[holding] = nil
        let worker = segment.maker ?? TaskEntry.cacheName
        // Its maker was found out while it was on its way. A key whose workers failed may have made it right.
        let liars = jobs[holding.job]?.blockedKeys.filter { $0.value == .audit } ?? [:]
        if liars.keys.contains(where: { isOf($0, worker, in: holding.job) }) {
            return giveBack(holding, countsAsLoss: false, "the key of \(worker), who made it, is not trusted")
        }
        updateTask(holding.job, holding.task) {
            $0.segment = segment
            $0.lastWorker = worker
            $0.attempt?.segment = segment
            $0.attempt?.worker = worker
        }
        actions.append(.verify(holding, segment))
    }
}

extension Attempt {
    /// Whether its segment is still on its way from a cache.
    var isAwaited: Bool { isCached && segment?.hash.isEmpty == true }
}

extension TaskEntry {
    /// The name that stands for the cache where slots and workers have theirs. A slot's own name has a slash in it.
    package static let cacheName = "cache"

    /// The worker that made the segment, where a cache had it; nil for others, and where nobody knows.
    package var maker: String? { Self.maker(slot: lastSlot, worker: lastWorker) }

    /// The maker of a task's segment by the slot and the worker that are stored of it.
    package static func maker(slot: String, worker: String) -> String? {
        slot == cacheName && worker != cacheName ? worker : nil
    }
}

extension JobEntry {
    /// Whether no key was kept out of the job.
    package var distrustsNobody: Bool { blockedKeys.isEmpty }

    /// The number of the picture's chunks that are done and were in the cache.
    package var chunksCached: Int { tasks.sums.chunksCached }
}
