import Diagnostics

/// The coordinator's decisions: a value without clock, randomness or I/O. Event and time in, actions out.
///
/// The rules are those of the farm: only the current attempt of a task may commit; a lost slot costs its chunk nothing
/// but time; failures are retried by their class; every state has a time limit. The cost of an event is constant but
/// for `tick` (linear in slots and running tasks) and for planning (n log n in the job's tasks).
package struct CoordinatorBrain: Sendable {
    package let limits: Limits
    /// The jobs that have not ended, and the last of those that have, by their ids.
    package internal(set) var jobs: [String: JobEntry] = [:]
    package internal(set) var slots: [String: SlotEntry] = [:]
    /// The work of failed jobs that is kept, by their ids; the jobs themselves may be forgotten.
    package internal(set) var kept: [String: KeptWork] = [:]
    /// The number of results, failures and reports of attempts that were no longer current.
    package internal(set) var lateResults = 0

    /// The chunks that are audited; nil for none.
    let audit: AuditRule?
    var leases: LeaseSource
    var now: Instant = .zero
    var actions: [Action] = []
    var arrivals = 0
    var idle: [String] = []
    /// The slots that were lost for their silence and may come back, with their processes and the time of the loss;
    /// none where their processes are not ours to end.
    var missing: [String: (pid: Int64, since: Instant)] = [:]
    /// The ids of unfinished jobs, highest priority first, then by arrival.
    var queue: [String] = []
    var endedOrder: [String] = []
    /// The attempts of an earlier life whose slots have not come back yet.
    var orphans: [Holding] = []
    var mustDispatch = false
    /// The times at which verifications that have begun will have taken too long.
    var verifyBy: [Holding: Instant] = [:]
    /// The times at which checks are asked for again that ended without a word on the segment.
    var verifyAgainAt: [Holding: Instant] = [:]
    /// The number of leases so far: the job that was served longest ago is next.
    var served = 0
    var lastTick: Instant?
    var lastAssetLook: Instant?
    /// The time until which no slot is lost for its silence: the coordinator itself stood still and could not hear it.
    var graceUntil: Instant?

    package init(limits: Limits, leases: LeaseSource, audit: AuditRule? = nil) {
        self.limits = limits
        self.audit = audit
        self.leases = leases
    }

    /// Takes one event at the time `now`, which never runs backwards, and says what to do about it, in order.
    package mutating func handle(_ event: Event, now: Instant) -> [Action] {
        if now - self.now > Self.standstill { forgetRates() }
        self.now = max(self.now, now)
        switch event {
        case .jobSubmitted, .cancelJob, .drainWorker, .jobPlanned, .planningFailed, .jobRecovered, .fetched, .verified,
            .verificationFailed, .allotted, .partJoined, .filmFinished, .published, .stitchFailed, .cleaned, .workBegan:
            handleOwn(event)
        case .jobRetried(let job, let clock): retry(job, clock)
        case .pruneJob(let job): prune(job, "pruned")
        case .folderKept(let job, let bytes): folderKept(job, bytes)
        case .keptFound(let job, let work): keptFound(job, work)
        default:
            handleSlot(event)
        }
        if mustDispatch { dispatch() }
        defer { actions = [] }
        return actions
    }

    private mutating func handleOwn(_ event: Event) {
        switch event {
        case .jobSubmitted(let submission): submit(submission)
        case .cancelJob(let job): cancel(job)
        case .drainWorker(let worker): drain(worker)
        case .jobPlanned(let job, let plan, let cached): planned(job, plan, cached)
        case .planningFailed(let job, let error): planningFailed(job, error)
        case .jobRecovered(let job, let clock): recover(job, clock)
        case .fetched(let holding, let segment): fetched(holding, segment)
        case .verified(let holding, let notices): verified(holding, notices)
        case .verificationFailed(let holding, let error): verificationFailed(holding, error)
        case .allotted(let job, let error): allotted(job, error)
        case .partJoined(let job): partJoined(job)
        case .filmFinished(let job, let film): filmFinished(job, film)
        case .published(let job): published(job)
        case .stitchFailed(let job, let task, let error): stitchFailed(job, task: task, error)
        case .cleaned(let job): ended(job)
        case .workBegan(let work, let more): begun(work, allowing: more)
        default: break
        }
    }

    private mutating func handleSlot(_ event: Event) {
        switch event {
        case .slotRegistered(let spec, let holding): register(spec, holding)
        case .heartbeat(let slot, let holding, let isStill): heartbeat(slot, holding, isStill: isStill)
        case .started(let slot, let holding): started(slot, holding)
        case .progress(let slot, let holding, let done, _): progress(slot, holding, done)
        case .finished(let slot, let holding, let segment): finished(slot, holding, segment)
        case .failed(let slot, let holding, let error, _): failed(slot, holding, error)
        case .sending(let slot, let holding): sending(slot, holding)
        case .arriving(let holding, let bytes): arriving(holding, bytes: bytes)
        case .stands(let holding, let segment): stands(holding, segment)
        case .released(let slot, let holding): released(slot, holding)
        case .leaving(let slot): leaving(slot)
        case .draining(let slot): draining(slot)
        case .assetsChecked(let slot, let job, let error): assetsChecked(slot, job, error)
        case .slotLost(let slot, let peer, let reason, let cause): lose(slot, reason, peer: peer, cause: cause)
        case .tick: tick()
        default: break
        }
    }

    // MARK: - Shared by the rules

    mutating func persist(_ change: Transition.Change, _ text: Phrase) {
        actions.append(.persist(Transition(change, at: now, text: text)))
    }

    /// Stores a task's row as it now stands.
    mutating func persistTask(_ job: String, _ task: Int, _ text: Phrase) {
        guard let row = jobs[job]?.tasks[task].row else { return }
        persist(.task(job: job, task: task, row), text)
    }

    /// Whether nothing has taken the task from that attempt and its job is not ending.
    package func isCurrent(_ holding: Holding) -> Bool { attempt(holding) != nil }

    func attempt(_ holding: Holding) -> Attempt? {
        guard let job = jobs[holding.job], !job.isEnding, job.tasks.indices.contains(holding.task),
            let attempt = job.tasks[holding.task].attempt, attempt.holding == holding
        else { return nil }
        return attempt
    }

    /// Changes a task where it stands: a job may have 100,000, which must not be copied for one.
    mutating func updateTask(_ job: String, _ task: Int, _ body: (inout TaskEntry) -> Void) {
        jobs[job]?.change(task, body)
    }

    mutating func updateAttempt(_ holding: Holding, _ body: (inout Attempt) -> Void) {
        guard var attempt = attempt(holding) else { return }
        body(&attempt)
        jobs[holding.job]?.tasks[holding.task].attempt = attempt
    }

    /// Gives the slot a holding or takes it away, and keeps each job's set of slots and the idle list in step.
    mutating func setHolding(_ slot: String, _ holding: Holding?) {
        guard let old = slots[slot] else { return }
        if let job = old.holding?.job { jobs[job]?.slots.remove(slot) }
        slots[slot]?.holding = holding
        slots[slot]?.cancelledAt = nil
        if let holding {
            jobs[holding.job]?.slots.insert(slot)
            if old.holding == nil { idle.removeAll { $0 == slot } }
        } else if !old.isDraining {
            if !idle.contains(slot) { idle.append(slot) }
            mustDispatch = true
        }
        if let job = old.holding?.job, job != holding?.job { cleanIfFree(job) }
    }
}
