package import Diagnostics

/// The coordinator's own work on a job that failed for want of something, as of room on a disk, and is tried again.
package struct OwnWait: Sendable, Hashable {
    /// The kinds of such work; raw values are the words of reports.
    package enum Work: String, Sendable, Hashable {
        case planning
        case allotting = "allotting bits"
        case stitching, publishing
    }

    package var work: Work
    /// The error of the last try.
    package var error: SplitreelError
    /// The time of the first try that failed.
    package var since: Instant
    /// The time of the next try; nil while that is under way.
    package var until: Instant?
    /// The time that was spent between tries, with the pause before the next one; work itself is no waiting.
    var waited: Duration
    /// The number of tries that failed.
    var tries: Int
    /// The most parts that a film had when a try failed: with one more the wait is over.
    var parts: Int
}

/// The work on a job that waits, as reports tell it.
package struct JobDelay: Sendable, Hashable {
    /// The name of the work, such as `stitching`.
    package var work: String
    /// The time of the first failure.
    package var since: Instant
    /// The error of the last try.
    package var error: SplitreelError

    package init(work: String, since: Instant, error: SplitreelError) {
        self.work = work
        self.since = since
        self.error = error
    }
}

// The coordinator's own work heeds the retry table as the work of slots does: for room it waits as long as a chunk, a
// passing failure is tried again as often as one. Nobody else can do this work, so that a failure of the classes that
// ask for another worker is the last one; but a place that could be written when the job was planned is waited for.
extension CoordinatorBrain {
    /// Takes a failure of the coordinator's own work; the job ends with `text` where it is not tried again.
    mutating func ownWorkFailed(_ id: String, _ work: OwnWait.Work, _ error: SplitreelError, _ text: Phrase) {
        guard let job = jobs[id], !job.isEnding else { return }
        let last = job.waits[work]
        guard let pause = pause(before: last, work, error) else { return end(id, .failed(error), text) }
        jobs[id]?.waits[work] = OwnWait(
            work: work, error: error, since: last?.since ?? now, until: now + pause,
            waited: (last?.waited ?? .zero) + pause, tries: (last?.tries ?? 0) + 1,
            parts: max(last?.parts ?? 0, job.partsJoined))
        jobs[id]?.dueBy = nil
        if work == .stitching { dropFilm(id) }
        guard let state = jobs[id]?.state else { return }
        persist(
            .delayed(job: id, state: state),
            "\(work.rawValue) waits: error \(error.code.number): \(error.subject): \(error.reason)")
    }

    /// The pause before the work is tried again; nil where it is not.
    private func pause(before last: OwnWait?, _ work: OwnWait.Work, _ error: SplitreelError) -> Duration? {
        let tries = last?.tries ?? 0
        func growing(_ first: Duration) -> Duration { min(first * (1 << min(tries, 16)), limits.transientDelayCap) }
        switch error.code.retry {
        case .permanent, .suspectWorker: return nil
        case .transient: return tries + 1 < limits.transientTries ? growing(limits.transientDelay) : nil
        case .suspectAccess where work == .planning || work == .allotting: return nil
        // Another content does not become the planned one again.
        case .suspectAccess where error.code == .mediaChanged: return nil
        case .suspectAccess, .resource:
            let left = limits.resourcePatience - (last?.waited ?? .zero)
            // Where patience is no longer than one pause, as inside `render`, nothing is made twice.
            guard left > .zero, limits.resourceDelay < limits.resourcePatience else { return nil }
            return min(growing(limits.resourceDelay), left)
        }
    }

    /// Tries the work again whose pause is over.
    mutating func resumeOwnWork() {
        for id in queue {
            let waits = jobs[id]?.waits ?? [:]
            let due = waits.values.filter { $0.until.map { now >= $0 } ?? false }.map(\.work)
            for work in due.sorted(by: { $0.rawValue < $1.rawValue }) { resume(id, work) }
        }
    }

    private mutating func resume(_ id: String, _ work: OwnWait.Work) {
        jobs[id]?.waits[work]?.until = nil
        switch work {
        case .planning: actions.append(.plan(job: id))
        case .allotting:
            jobs[id]?.allotment = .waiting
            allotIfAnalysed(id)
        case .stitching: advanceFilm(id)
        case .publishing:
            let due = jobs[id].map { now + publishing($0) }
            jobs[id]?.dueBy = due
            actions.append(.publish(job: id))
        }
    }

    // MARK: - The film

    /// Takes a failure of the film; `task` is the part that was being joined, if any.
    mutating func stitchFailed(_ id: String, task: Int?, _ error: SplitreelError) {
        guard let job = jobs[id], !job.isEnding else { return }
        let text: Phrase = "stitching failed: \(error.reason)"
        if job.phase == .publishing { return ownWorkFailed(id, .publishing, error, text) }
        if let task, error.code == .segmentInvalid, job.tasks.indices.contains(task), job.tasks[task].state == .done,
            !job.tasks[task].isCopied
        {
            return takeBack(id, task, error)
        }
        ownWorkFailed(id, .stitching, error, text)
    }

    /// Notes that a part stands in the film.
    mutating func partJoined(_ id: String) {
        guard let job = jobs[id], !job.isEnding, job.partsJoined < job.partsAppended else { return }
        jobs[id]?.partsJoined += 1
        if let wait = job.waits[.stitching], job.partsJoined + 1 > wait.parts { jobs[id]?.waits[.stitching] = nil }
    }

    /// Makes a done task again: its segment passed its checks and is another one by now. Its worker is suspected, and
    /// may have the task again all the same: once may be the disk's doing.
    private mutating func takeBack(_ id: String, _ index: Int, _ error: SplitreelError) {
        guard let task = jobs[id]?.tasks[index] else { return }
        dropFilm(id)
        reopen(id, index, error, "its segment is damaged, error \(error.code.number): \(error.reason)")
        // A chunk that is made again wants its bits, which nobody asked for while all chunks were there.
        allotIfAnalysed(id)
        // A cache's segment was damaged by the disk of the cache, and by no worker.
        if task.lastSlot != TaskEntry.cacheName {
            noteFailure(of: suspect(worker: task.lastWorker, slot: task.lastSlot), in: id)
        }
        if let state = jobs[id]?.state {
            persist(.delayed(job: id, state: state), "the film is begun anew when \(task.spec.label) is there")
        }
        mustDispatch = true
        advanceFilm(id)
    }

    /// Makes a done task pending again.
    mutating func reopen(_ id: String, _ index: Int, _ error: SplitreelError, _ why: Phrase) {
        guard let label = jobs[id]?.tasks[index].spec.label else { return }
        jobs[id]?.keepProgress()
        jobs[id]?.note(NoticeList(), of: index)
        updateTask(id, index) {
            $0.state = .pending
            $0.segment = nil
            $0.committed = nil
            $0.started = nil
            $0.ended = nil
            $0.lastError = error
        }
        jobs[id]?.returned.append(index)
        persistTask(id, index, "\(label) goes back: \(why)")
        mustDispatch = true
    }

    /// Lets go of the film that grows; its parts are to be handed over anew.
    mutating func dropFilm(_ id: String) {
        jobs[id]?.partsAppended = 0
        jobs[id]?.partsJoined = 0
        jobs[id]?.isFilmBegun = false
        _ = jobs[id]?.advance(.filmFellBack)
        actions.append(.dropFilm(job: id))
    }
}
