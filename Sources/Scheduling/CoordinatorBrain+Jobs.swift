import Diagnostics

// The life of a job: submitted, planned, recovered, stitched, ended.
extension CoordinatorBrain {
    /// Whether there is room for one more unfinished job; ask before `jobSubmitted`.
    package var hasRoomForJob: Bool { queue.count < limits.unfinishedJobs }

    mutating func submit(_ submission: JobSubmission) {
        guard jobs[submission.id] == nil else { return }
        enqueue(JobEntry(submission: submission, order: arrivals))
        persist(.submitted(submission), "submitted")
        actions.append(.plan(job: submission.id))
    }

    mutating func enqueue(_ job: JobEntry) {
        arrivals += 1
        jobs[job.id] = job
        let place = queue.firstIndex { (jobs[$0]?.priority ?? .min) < job.priority } ?? queue.endIndex
        queue.insert(job.id, at: place)
    }

    mutating func planned(_ id: String, _ plan: JobPlan, _ cached: [Int: ReportedSegment]) {
        guard var job = jobs[id], !job.isEnding else { return planningCameLate(id) }
        guard job.phase == .planning else { return }
        guard !plan.tasks.isEmpty, plan.tasks.count <= limits.tasksOfJob else {
            let error = SplitreelError(
                .settingsImpossible, operation: "planning", subject: "\(job.output)",
                reason: "the plan has \(plan.tasks.count) chunks, which must be 1 to \(limits.tasksOfJob)",
                hint: "choose a longer \(.chunkSeconds)")
            return planningFailed(id, error)
        }
        guard job.advance(.planned) else { return }
        job.waits = [:]
        job.adopt(plan)
        let taken = takeCached(cached, of: &job)
        job.makeRuns()
        jobs[id] = job
        persist(.planned(job: id, plan: plan), "planned: \(plan.tasks.count) chunks, \(plan.frames) frames")
        checkCached(taken, of: id)
        askForAssets(of: id)
        mustDispatch = true
        // Copied chunks wait for nobody.
        advanceFilm(id)
    }

    mutating func planningFailed(_ id: String, _ error: SplitreelError) {
        guard let job = jobs[id], !job.isEnding else { return planningCameLate(id) }
        let text: Phrase = "planning failed with error \(error.code.number): \(error.subject)"
        // A job that is taken up without its claims has its plan.
        guard job.phase == .planning else { return end(id, .failed(error), text) }
        ownWorkFailed(id, .planning, error, text)
    }

    /// Removes what planning made, since the job ended while it was planned.
    private mutating func planningCameLate(_ id: String) {
        if case .ending = jobs[id]?.phase {
            cleanIfFree(id)
        } else {
            actions.append(.clean(job: id))
        }
    }

    mutating func cancel(_ id: String) {
        // A job that failed cannot be cancelled any more; what is kept of it can go.
        if kept[id] != nil { return prune(id, "cancelled: nothing of it is kept") }
        // Past the point of no return the film is being renamed into place.
        guard let job = jobs[id], !job.isBeyondCancel else { return }
        end(id, .cancelled, "cancelled")
    }

    // MARK: - The film

    /// Hands the stitcher the parts that are next: the sound first, the chunks in order.
    mutating func advanceFilm(_ id: String) {
        guard let job = jobs[id], job.phase.after(.allTasksDone) != nil, !job.isStitchingDelayed else { return }
        while let task = jobs[id]?.nextPart {
            guard let done = jobs[id]?.tasks[task], done.state == .done else { return }
            guard done.segment != nil || done.isCopied else { return }
            actions.append(.append(job: id, task: task, done.segment))
            jobs[id]?.partsAppended += 1
        }
        // A film that waits for a place to be made in is not late.
        let due = jobs[id].flatMap { $0.isFilmBegun ? now + finishing($0) : nil }
        guard jobs[id]?.advance(.allTasksDone, dueBy: due) == true else { return }
        if jobs[id]?.started == nil {
            // Nothing was leased of a film that is all copied.
            jobs[id]?.started = now
            persist(.running(job: id), "every chunk is copied")
        }
        persist(.stitching(job: id), "every chunk is done")
        actions.append(.finishFilm(job: id))
    }

    mutating func filmFinished(_ id: String, _ film: String) {
        let due = jobs[id].map { now + publishing($0) }
        guard jobs[id]?.advance(.filmChecked, dueBy: due) == true else { return }
        jobs[id]?.waits = [:]
        persist(.publishing(job: id, film: film), "the film is complete and checked")
        actions.append(.publish(job: id))
    }

    /// Ends a job whose film is in its place. A thread that hung may say so when the job has long ended and goes on
    /// anew.
    mutating func published(_ id: String) {
        guard jobs[id]?.phase == .publishing else { return }
        end(id, .completed, "the film is in place")
    }

    // MARK: - The end

    /// Decides the outcome; the first decision stands. The job has ended when its slots and its folder are free.
    mutating func end(_ id: String, _ outcome: JobOutcome, _ text: Phrase) {
        guard var job = jobs[id], !job.isEnding else { return }
        job.keepProgress()
        var verifying: Set<String> = []
        for index in job.tasks.indices {
            guard let attempt = job.tasks[index].attempt else { continue }
            if attempt.isRecovered { job.heldFinished = true }
            if attempt.isVerifying {
                verifying.insert(attempt.slot)
                verifyBy[attempt.holding] = nil
                verifyAgainAt[attempt.holding] = nil
                actions.append(.abandon(.verifying(attempt.holding)))
            }
            job.tasks[index].attempt = nil
            job.tasks[index].state = .pending
        }
        (job.running, job.fresh, job.returned, job.assets) = (0, RunQueue(), [], [:])
        job.waits = [:]
        if job.phase == .planning { actions.append(.abandon(.planning(job: id))) }
        let wait = outcome == .cancelled ? limits.cancelWait : limits.failWait
        guard job.advance(.decided(outcome, letGoBy: now + wait)) else { return }
        jobs[id] = job
        persist(.ending(job: id, outcome), text)
        for slot in job.slots.sorted() {
            guard let holding = slots[slot]?.holding else { continue }
            if verifying.contains(slot) {
                settle(slot, holding, accepted: false)
            } else {
                revoke(slot, holding)
            }
        }
        cleanIfFree(id)
    }

    /// Goes on with an ending job as soon as nobody works in its folder any more. Planning is not waited for: its work
    /// after this is removed when it comes.
    mutating func cleanIfFree(_ id: String) {
        if jobs[id]?.slots.isEmpty == true { clean(id) }
    }

    mutating func clean(_ id: String) {
        let keeps = jobs[id].map { keepsFolder($0) } ?? false
        let due = now + (keeps ? limits.keeping : limits.cleaning)
        guard jobs[id]?.advance(.slotsLetGo, dueBy: due) == true else { return }
        actions.append(keeps ? .keep(job: id) : .clean(job: id))
    }

    /// Ends a job whose folder is gone, or holds so many bytes that are kept.
    mutating func ended(_ id: String, keptBytes: Int = 0) {
        guard jobs[id]?.advance(.cleaned) == true, let outcome = jobs[id]?.outcome else { return }
        jobs[id]?.ended = now
        queue.removeAll { $0 == id }
        endedOrder.append(id)
        noteKept(id, keptBytes)
        persist(.ended(job: id, outcome, jobs[id]?.workDone), "ended: \(outcome.state.rawValue)")
        actions.append(.jobEnded(job: id, outcome))
        pruneKept()
        forgetOldJobs()
    }

    private mutating func forgetOldJobs() {
        var tasks = endedOrder.reduce(0) { $0 + (jobs[$1]?.tasks.count ?? 0) }
        while endedOrder.count > 1, endedOrder.count > limits.endedJobs || tasks > limits.tasksOfJob {
            let oldest = endedOrder.removeFirst()
            tasks -= jobs.removeValue(forKey: oldest)?.tasks.count ?? 0
        }
    }
}
