import Diagnostics

/// The work of a job that failed, kept until somebody retries the job or prunes it, or until a limit is reached: its
/// plan and its verified segments in the work folder, and its composition in the store.
package struct KeptWork: Sendable, Hashable {
    /// The time at which the job ended.
    package var since: Instant
    /// The bytes of the work folder; 0 where nothing was verified, and nothing lies there.
    package var bytes: Int

    package init(since: Instant, bytes: Int) {
        self.since = since
        self.bytes = bytes
    }
}

// The work that a farm keeps of jobs that failed. The film that grew is made again from the segments, and the claims on
// the outputs are let go: another job may make them meanwhile.
extension CoordinatorBrain {
    /// Whether a job that ends now can be retried later. A command that has a job made for it does not come back; of a
    /// job of an earlier release this one has not all that was asked for.
    private func isKept(_ job: JobEntry) -> Bool {
        guard case .failed(let error) = job.outcome, error.code != .versionMismatch else { return false }
        return limits.keepsJobs && limits.keptFor > .zero && job.madeFor == nil
    }

    /// Whether the job's folder is kept, since a task of it is done, or was done before and was being checked again.
    /// Copied chunks leave nothing there.
    func keepsFolder(_ job: JobEntry) -> Bool {
        isKept(job) && (job.heldFinished || job.tasks.contains { $0.state == .done && !$0.isCopied })
    }

    /// Notes that a job that has just ended can be retried; `bytes` are those of its folder.
    mutating func noteKept(_ id: String, _ bytes: Int) {
        guard let job = jobs[id], isKept(job) else { return }
        kept[id] = KeptWork(since: now, bytes: bytes)
        persist(.kept(job: id, bytes: bytes), "kept for a retry")
    }

    /// Takes the hands' word on a folder that was put in order. One that comes after the job was given up as ended
    /// counts from then on.
    mutating func folderKept(_ id: String, _ bytes: Int) {
        if case .cleaning = jobs[id]?.phase { return ended(id, keptBytes: bytes) }
        guard kept[id] != nil else { return actions.append(.dropKept(job: id)) }
        kept[id]?.bytes = bytes
        persist(.kept(job: id, bytes: bytes), "kept for a retry")
        pruneKept()
    }

    /// Takes the word of the store on what an earlier life kept.
    mutating func keptFound(_ id: String, _ work: KeptWork) {
        guard jobs[id] == nil, kept[id] == nil else { return }
        kept[id] = work
    }

    /// Takes a failed job up again, as one of an earlier life: its done tasks are verified, the others are made.
    mutating func retry(_ job: RecoveredJob, _ clock: WallClock) {
        let id = job.submission.id
        guard jobs[id]?.state.isTerminal ?? true else { return }
        guard kept.removeValue(forKey: id) != nil else { return actions.append(.clean(job: id)) }
        jobs[id] = nil
        endedOrder.removeAll { $0 == id }
        persist(.retried(job: id), "taken up again")
        recover(job.retried, clock)
    }

    mutating func prune(_ id: String, _ text: Phrase) {
        guard kept.removeValue(forKey: id) != nil else { return }
        persist(.pruned(job: id), text)
        actions.append(.dropKept(job: id))
    }

    /// Prunes what is older than the limits allow, and the oldest of what is more.
    mutating func pruneKept() {
        guard !kept.isEmpty else { return }
        var bytes = kept.values.reduce(0) { $0 + $1.bytes }
        for (id, work) in kept.sorted(by: { ($0.value.since, $0.key) < ($1.value.since, $1.key) }) {
            let isOld = now - work.since >= limits.keptFor
            let isTooMuch = kept.count > limits.keptJobs || (bytes > limits.keptBytes && work.bytes > 0)
            guard isOld || isTooMuch else { continue }
            bytes -= work.bytes
            prune(id, isOld ? "kept no longer: its time is over" : "kept no longer: others need the room")
        }
    }
}

extension RecoveredJob {
    /// The job as a retry begins with it: its done tasks are done, the others begin anew, and no failure counts.
    package var retried: RecoveredJob {
        var job = self
        job.ending = nil
        job.film = nil
        job.started = 0
        job.tasks = tasks.map { stored in
            guard stored.state == .done else {
                return RecoveredTask(state: .pending, epoch: stored.epoch, slot: stored.slot, worker: stored.worker)
            }
            var task = stored
            task.tries = 0
            task.losses = 0
            task.failedWorkers = []
            task.error = nil
            return task
        }
        return job
    }
}
