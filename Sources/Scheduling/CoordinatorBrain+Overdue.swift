import Diagnostics

// Time limits of the coordinator's own work. A thread that hangs in a system call cannot be ended; its result is not
// waited for any more, and another thread takes its place.
extension CoordinatorBrain {
    mutating func begun(_ work: Work, allowing more: Duration) {
        switch work {
        case .planning(let id):
            guard jobs[id]?.phase == .planning else { return }
            jobs[id]?.dueBy = now + limits.planning + more
        case .verifying(let holding):
            guard attempt(holding)?.isVerifying == true else { return }
            verifyBy[holding] = now + limits.verifying
        case .film(let id):
            guard let job = jobs[id], !job.isFilmBegun, !job.isEnding else { return }
            let due = now + finishing(job)
            jobs[id]?.isFilmBegun = true
            if job.phase == .finishing { jobs[id]?.dueBy = due }
        case .allotting(let id):
            guard let job = jobs[id], !job.isEnding, case .asked = job.allotment else { return }
            jobs[id]?.allotment = .asked(dueBy: now + limits.verifying)
        case .cleaning: break
        }
    }

    /// The time from the last chunk to the checked film.
    func finishing(_ job: JobEntry) -> Duration {
        (limits.finishing + limits.finishingPerFrame * job.frames) * job.outputs.count
    }

    /// The time from the checked films to all of them in their places.
    func publishing(_ job: JobEntry) -> Duration { limits.publishing * job.outputs.count }

    /// Gives all work under way more time: the coordinator stood still for `gap`, and so did its threads.
    mutating func allowMoreTime(_ gap: Duration) {
        for id in queue {
            if let due = jobs[id]?.dueBy { jobs[id]?.dueBy = due + gap }
            if case .asked(let due?) = jobs[id]?.allotment { jobs[id]?.allotment = .asked(dueBy: due + gap) }
        }
        verifyBy = verifyBy.mapValues { $0 + gap }
        missing = missing.mapValues { (pid: $0.pid, since: $0.since + gap) }
        for holding in Set(slots.values.compactMap(\.holding) + orphans) {
            updateAttempt(holding) { $0.travel?.shift(gap) }
        }
    }

    mutating func giveUpOverdueWork() {
        for id in queue { if let due = jobs[id]?.dueBy, now > due { giveUp(id) } }
        for id in queue { if case .asked(let due?) = jobs[id]?.allotment, now > due { giveUpAllotment(id) } }
        let late = verifyBy.filter { now > $0.value }.keys
        for holding in late.sorted(by: { ($0.job, $0.task) < ($1.job, $1.task) }) { giveUpVerifying(holding) }
    }

    private mutating func giveUp(_ id: String) {
        guard let job = jobs[id] else { return }
        jobs[id]?.dueBy = nil
        switch job.phase {
        case .cleaning:
            // Its folder goes when it can; nobody waits for that.
            actions.append(.abandon(.cleaning(job: id)))
            ended(id)
        case .publishing: giveUpFilm(id, "publishing", job.output, publishing(job))
        case .finishing: giveUpFilm(id, "stitching", job.output, finishing(job))
        case .planning:
            let error = tookTooLong("planning", job.output, limits.planning)
            end(id, .failed(error), "planning took too long")
        case .waiting, .rendering, .ending, .ended: break
        }
    }

    private mutating func giveUpFilm(_ id: String, _ operation: String, _ output: String, _ limit: Duration) {
        actions.append(.abandon(.film(job: id)))
        end(id, .failed(tookTooLong(operation, output, limit)), "\(operation) took too long")
    }

    /// Gives up a check. The segment may be good, only its disk does not answer: that costs time, and no try.
    private mutating func giveUpVerifying(_ holding: Holding) {
        verifyBy[holding] = nil
        guard attempt(holding)?.isVerifying == true else { return }
        actions.append(.abandon(.verifying(holding)))
        let label = jobs[holding.job]?.tasks[holding.task].spec.label ?? ""
        verificationFailed(holding, tookTooLong("verifying a segment", label, limits.verifying))
    }

    /// Puts off the check of a segment of an earlier life, which was done and may be good: nothing was said of it. The
    /// job has the patience that it has for missing room.
    mutating func verifyLater(_ holding: Holding, _ error: SplitreelError) {
        let label = jobs[holding.job]?.tasks[holding.task].spec.label ?? ""
        guard noteShortage(holding.job, error) else {
            return end(holding.job, .failed(named(error, label)), "checking failed with error \(error.code.number)")
        }
        verifyAgainAt[holding] = now + limits.resourceDelay
    }

    /// Asks for the checks again whose pause is over.
    mutating func verifyAgain() {
        let due = verifyAgainAt.filter { now >= $0.value }.keys
        for holding in due.sorted(by: { ($0.job, $0.task) < ($1.job, $1.task) }) {
            verifyAgainAt[holding] = nil
            guard let attempt = attempt(holding), attempt.isVerifying, let segment = attempt.segment else { continue }
            actions.append(.verify(holding, segment))
        }
    }

    func tookTooLong(_ operation: String, _ subject: String, _ limit: Duration) -> SplitreelError {
        SplitreelError(
            .tookTooLong, operation: operation, subject: subject, reason: "it did not end within \(limit)",
            hint: "is a disk or a network mount hanging?")
    }
}
