import Diagnostics
import Hashing
import Scheduling
import TestTools

/// One life of the coordinator: its brain, and what its hands have in memory.
final class CoordinatorProcess {
    let life: Int
    var brain: CoordinatorBrain
    var peers = SlotPeers()
    var events: [Event] = []
    /// Jobs that are not stored yet, by their place in the scenario.
    var submissions: [Int] = []
    var isTurnDue = false
    var turns = 0
    /// The store writes until then, and nothing else is done.
    var busyUntil: Instant
    var jobs: [String: JobFiles] = [:]
    /// Which job writes to an output.
    var claims: [String: String] = [:]
    /// How often a job was taken up again in this life.
    var retries: [String: Int] = [:]
    /// Who sent the heartbeat that is to be answered.
    var beats: [String: (index: Int, process: Int)] = [:]

    init(life: Int, brain: CoordinatorBrain, now: Instant) { (self.life, self.brain, busyUntil) = (life, brain, now) }
}

/// The state of a job's files as the hands know it.
struct JobFiles {
    var isPlanned = false
    /// In this life; an allotment of an earlier one says the same.
    var isAllotted = false
    /// The plan is not wanted any more, nor is the film.
    var isDropped = false
    /// Hashes of what was verified.
    var verified: [Int: [UInt8]] = [:]
    var verifying: Set<Holding> = []
    /// The answers to tasks that a cache far away is still asked for, in the life that planned the job.
    var expected: [Int: CacheAnswer] = [:]
    /// When the film's thread is free, and when the last allotment has come to its end.
    var filmFree = Instant.zero
    var allotFree = Instant.zero
    /// Since when the film's thread has stood still over a disk; nil while it goes on.
    var filmStandsSince: Instant?
    var isFilmBegun = false
    var hasFilmFailed = false
    var film: String?
}

// The coordinator's process: it takes what arrives, and once a turn lets the brain decide, stores, and acts.
extension World {
    func startCoordinator() {
        guard coordinator == nil else { return }
        lives += 1
        trace.note(now) { "coordinator starts, life \(self.lives)" }
        let seed = (random.next(), random.next())
        coordinator = CoordinatorProcess(
            life: lives,
            brain: CoordinatorBrain(
                limits: scenario.limits, leases: LeaseSource(seedHigh: seed.0, seedLow: seed.1),
                audit: AuditRule(percent: scenario.auditPercent, secret: [1, 2, 3])),
            now: now)
        for stored in store.unfinished() {
            var job = stored
            let id = job.submission.id
            var files = JobFiles()
            (files.isPlanned, files.film) = (job.plan != nil && disk.folders.contains(id), job.film)
            if !files.isPlanned, job.film == nil, job.ending == nil { (job.plan, job.tasks) = (nil, []) }
            coordinator?.jobs[id] = files
            coordinator?.claims[job.submission.output] = id
            enqueue(.jobRecovered(job, clock))
        }
        for (id, work) in store.kept.sorted(by: { $0.key < $1.key }) {
            let since = clock.instant(atSeconds: work.ended)
            enqueue(.keptFound(job: id, KeptWork(since: since, bytes: work.bytes)))
        }
        agenda.add(.coordinatorTicks(life: lives), at: now + scenario.limits.tick)
    }

    /// kill -9: what is stored and what lies on disks is left, and whatever clients have not heard of they ask again.
    func killCoordinator() {
        guard let process = coordinator else { return }
        trace.note(now) { "coordinator dies" }
        coordinator = nil
        ledger.forgetLife()
        for job in process.submissions { agenda.add(.submit(job: job), at: now + .seconds(1)) }
        agenda.add(.coordinatorStarts, at: now + seconds(0.1...15))
    }

    func tickCoordinator(_ life: Int) {
        guard let process = coordinator, process.life == life else { return }
        agenda.add(.coordinatorTicks(life: life), at: now + scenario.limits.tick)
        // A clock that could not ring does not ring twice.
        if now >= process.busyUntil { enqueue(.tick) }
    }

    func enqueue(_ event: Event) {
        guard coordinator != nil else { return }
        coordinator?.events.append(event)
        wantTurn()
    }

    func wantTurn() {
        guard let process = coordinator, !process.isTurnDue else { return }
        coordinator?.isTurnDue = true
        agenda.add(.turn(life: process.life), at: max(now, process.busyUntil))
    }

    // MARK: - Clients

    func submit(_ number: Int) {
        let job = scenario.jobs[number]
        guard store[job.id] == nil, let process = coordinator else {
            if store[job.id] == nil { agenda.add(.submit(job: number), at: now + .seconds(1)) }
            return
        }
        if process.claims[job.output] != nil, !putBack.contains(.claimsNothing) {
            refused.insert(number)
            return trace.note(now) { "\(job.id) is refused: \(job.output) is in use" }
        }
        coordinator?.claims[job.output] = job.id
        coordinator?.submissions.append(number)
        wantTurn()
    }

    func cancel(_ number: Int) {
        let id = scenario.jobs[number].id
        guard coordinator?.jobs[id] != nil else {
            if store.outcome(of: id) == nil, !refused.contains(number) {
                agenda.add(.cancel(job: number), at: now + .seconds(1))
            }
            return
        }
        cancelAsked.insert(id)
        enqueue(.cancelJob(id))
    }

    // MARK: - A turn

    func turn() throws(Violation) {
        guard let process = coordinator else { return }
        process.isTurnDue = false
        storeSubmissions(process)
        let events = process.events
        process.events = []
        try require(events.count <= scenario.limits.waitingEvents, "\(events.count) events wait")
        var unsent: [Action] = []
        for event in events {
            trace.note(now, event)
            let suspicion = suspicion(process.brain, event)
            if case .slotLost(let slot, _, Self.keyIsOver, _) = event { ledger.shutOut.insert(slot) }
            let actions = process.brain.handle(event, now: now)
            if let suspicion { try check(suspicion, process.brain) }
            for action in actions {
                guard case .persist(let transition) = action else {
                    ledger.take(action)
                    unsent.append(action)
                    continue
                }
                if case .submitted = transition.change { continue }
                try checkTransition(transition)
                store.take(transition, clock)
            }
        }
        // A disk takes its time now and then, and what arrives meanwhile waits for the next turn.
        process.busyUntil = now + pause(happens(0.02) ? 0.1...1.5 : 0.001...0.02)
        for action in unsent { try perform(action) }
        try checkTurn()
    }

    /// Before the brain hears of them.
    private func storeSubmissions(_ process: CoordinatorProcess) {
        for number in process.submissions {
            let job = scenario.jobs[number]
            let submission = JobSubmission(
                id: job.id, name: job.id, priority: job.priority, composition: "{}", request: "{}", output: job.output,
                submitted: clock.seconds(at: now))
            store.take(Transition(.submitted(submission), at: now, text: ""), clock)
            process.jobs[submission.id] = JobFiles()
            process.events.append(.jobSubmitted(submission))
        }
        process.submissions = []
    }

    private func perform(_ action: Action) throws(Violation) {
        trace.note(now, action)
        switch action {
        case .persist: break
        case .plan(let job): startPlanning(job)
        case .verify(let holding, let segment): startVerifying(holding, segment)
        case .allot(let job): try startAllotting(job)
        case .append(let job, let task, let segment): startAppending(job, task, segment)
        case .dropFilm(let job): onFilmThread(job, .filmDropped(job: job))
        case .finishFilm(let job): onFilmThread(job, .filmFinished(job: job))
        case .publish(let job): onFilmThread(job, .renamed(job: job))
        case .clean(let job): startCleaning(job)
        case .keep(let job): startKeeping(job)
        case .dropKept(let job): disk.removeFolder(of: job)
        case .abandon(let work): try abandon(work)
        case .jobEnded(let job, let outcome): try checkOutcome(job, outcome)
        default: try performForSlot(action)
        }
    }

    private func performForSlot(_ action: Action) throws(Violation) {
        switch action {
        case .welcome(let slot, let peer):
            if !putBack.contains(.bindsOnReceipt) { coordinator?.peers.welcome(slot, peer) }
            let limits = scenario.limits
            let lease: Duration = putBack.contains(.tellsUnconfirmed) ? .seconds(3600) : limits.lease
            send(.welcome(heartbeatEndpoint: "hb", heartbeat: limits.heartbeat, lease: lease), to: slot)
        case .refuse(let peer, let slot, let error):
            if let connection = connection(of: peer) { transmit(.refused(error), connection) }
            coordinator?.peers.refuse(slot, peer)
        case .checkAssets(let slot, let job):
            guard coordinator?.jobs[job]?.isPlanned == true else { return }
            send(.checkAssets(AssetOrder(job: job, planPath: "/plan", planHash: "", folder: "/\(job)")), to: slot)
        case .sendLease(let slot, let holding):
            try checkLease(slot, holding)
            guard coordinator?.jobs[holding.job]?.isPlanned == true else { return }
            let order = LeaseOrder(
                holding: holding, planPath: "/plan", planHash: "", folder: "/\(holding.job)",
                segment: segmentName(holding), key: ContentKey(of: Array("\(holding.task)".utf8)))
            send(.lease(order), to: slot)
        case .cancelLease(let slot, let holding): send(.cancelLease(holding), to: slot)
        case .acknowledge(let slot, let holding, let accepted):
            send(.acknowledged(holding, accepted: accepted), to: slot)
        case .requestDrain(let slot): send(.drainRequest, to: slot)
        case .replyToHeartbeat(let slot, let known, let isValid): answerBeat(slot, known, isValid)
        case .forget(let slot, let reason):
            try checkForgotten(slot, reason)
            coordinator?.peers.forget(slot)
        default: break
        }
    }

    func segmentName(_ holding: Holding) -> String { "\(holding.task)-\(holding.epoch).nut" }
}
