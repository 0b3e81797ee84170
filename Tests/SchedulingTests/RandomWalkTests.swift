import Diagnostics
import Scheduling
import Simulation
import TestTools
import Testing

/// Random events in a random order, among them duplicates, losses, late results and lies; the invariants hold at every
/// step, and once the world behaves, every job ends.
@Suite struct RandomWalkTests {
    @Test(arguments: 0..<40)
    func invariantsHold(seed: UInt64) throws {
        var walk = Walk(seed: seed)
        for _ in 0..<1500 { try walk.step() }
        try walk.settle()
    }
}

private struct Walk {
    let seed: UInt64
    var random: SeededNumbers
    var farm = Walk.newFarm(life: 0)
    var life: UInt64 = 0
    /// The jobs that a store would hold.
    var store = StoredJobs()
    var checking: [(slot: String, job: String)] = []
    var checked = 0
    /// Everything that was ever leased, by slot: old ones are played again.
    var history: [(slot: String, holding: Holding)] = []
    var verifying: [Holding] = []
    var planning: [String] = []
    var finishing: [String] = []
    var publishing: [String] = []
    var cleaning: [String] = []
    var keeping: [String] = []
    var jobs: [String] = []
    var slots: [String] = []
    var committed: [String: [Int: Int]] = [:]
    var appended: [String: [Int]] = [:]
    var ended: [String: Int] = [:]
    var work: [String: WorkDone] = [:]

    init(seed: UInt64) {
        self.seed = seed
        random = SeededNumbers(seed: seed &* 1_000_003)
    }

    /// With the limits on losses that are in force everywhere.
    private static func newFarm(life: UInt64) -> Farm {
        var farm = Farm {
            $0.checksAssets = true
            // Whoever never comes back with a segment does not hold the walk up.
            $0.sending = .seconds(20)
        }
        farm.brain = CoordinatorBrain(
            limits: farm.brain.limits, leases: LeaseSource(seedHigh: life &* 31 &+ 7, seedLow: life &+ 11))
        return farm
    }

    /// kill -9: only the store is left, and the slots with what they hold.
    private mutating func crash() {
        life += 1
        let now = farm.now
        farm = Self.newFarm(life: life)
        farm.now = now + .seconds(1)
        (verifying, planning, finishing, publishing, cleaning, checking) = ([], [], [], [], [], [])
        keeping = []
        (appended, work) = ([:], [:])
        for job in store.unfinished() { send(.jobRecovered(job, WallClock(origin: 0))) }
        for (id, work) in store.kept.sorted(by: { $0.key < $1.key }) {
            let since = WallClock(origin: 0).instant(atSeconds: work.ended)
            send(.keptFound(job: id, KeptWork(since: since, bytes: work.bytes)))
        }
    }

    mutating func step() throws {
        farm.now = farm.now + .milliseconds(Int.random(in: 0...400, using: &random))
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<3: submit()
        case 3..<8: register()
        case 8..<30: beat()
        case 30..<34: send(.tick)
        case 34..<36: lose()
        case 36..<38: cancelOrDrain()
        case 38 where Int.random(in: 0..<6, using: &random) == 0: crash()
        case 38..<75: act(onHistory: false)
        case 75..<80: act(onHistory: true)
        default: answer()
        }
        try check()
    }

    /// No more faults: slots live and deliver, work comes back, nothing new is asked.
    mutating func settle() throws {
        for slot in 0..<4 { send(.slotRegistered(SlotSpec(slot: "good\(slot)", worker: "good\(slot)"), holding: nil)) }
        for _ in 0..<4000 where !farm.brain.isIdle {
            farm.now = farm.now + .milliseconds(500)
            for slot in farm.brain.slots.keys.sorted() where slot.hasPrefix("good") {
                let holding = farm.brain.slots[slot]?.holding
                send(.heartbeat(slot: slot, holding: holding))
                guard let holding else { continue }
                if farm.brain.isCurrent(holding) {
                    send(.finished(slot: slot, holding, Farm.segment(holding)))
                } else {
                    send(.released(slot: slot, holding))
                }
            }
            send(.tick)
            while !verifying.isEmpty || !checking.isEmpty || !planning.isEmpty || !finishing.isEmpty
                || !publishing.isEmpty
                || !cleaning.isEmpty || !keeping.isEmpty
            {
                answer(badly: false)
            }
            try check()
        }
        #expect(farm.brain.isIdle, "seed \(seed): jobs do not end")
        #expect(Set(jobs) == Set(ended.keys), "seed \(seed)")
    }

    private mutating func send(_ event: Event) {
        for action in farm.send(event) { note(action) }
    }

    private mutating func note(_ action: Action) {
        switch action {
        case .sendLease(let slot, let holding): history.append((slot, holding))
        case .verify(let holding, _): verifying.append(holding)
        case .plan(let job): planning.append(job)
        case .finishFilm(let job): finishing.append(job)
        case .publish(let job): publishing.append(job)
        case .clean(let job): cleaning.append(job)
        case .keep(let job): keeping.append(job)
        case .append(let job, let task, _): appended[job, default: []].append(task)
        case .dropFilm(let job): appended[job] = nil
        case .jobEnded(let job, _): ended[job, default: 0] += 1
        case .checkAssets(let slot, let job): checking.append((slot, job))
        case .persist(let transition):
            store.take(transition, WallClock(origin: 0))
            guard case .task(let job, let task, let row) = transition.change else { break }
            if row.state == .done {
                committed[job, default: [:]][task, default: 0] += 1
            } else if row.state == .pending {
                // Only a segment that did not survive a crash goes back from there.
                committed[job, default: [:]][task] = 0
            }
        default: break
        }
    }

    private mutating func submit() {
        guard jobs.count < 12 else { return }
        let id = "j\(jobs.count)"
        jobs.append(id)
        send(
            .jobSubmitted(
                JobSubmission(
                    id: id, name: id, priority: Int.random(in: 0...2, using: &random), composition: "", request: "",
                    output: "/\(id)", submitted: 0)))
    }

    private mutating func register() {
        if let slot = slots.randomElement(using: &random), Bool.random(using: &random) {
            let past = history.filter { $0.slot == slot }.randomElement(using: &random)?.holding
            send(.slotRegistered(SlotSpec(slot: slot, worker: "w\(slot)"), holding: past))
        } else {
            let slot = "s\(slots.count)"
            slots.append(slot)
            send(.slotRegistered(SlotSpec(slot: slot, worker: "w\(slots.count % 7)"), holding: nil))
        }
    }

    private mutating func beat() {
        for slot in farm.brain.slots.keys.sorted() where Int.random(in: 0..<10, using: &random) < 8 {
            send(.heartbeat(slot: slot, holding: farm.brain.slots[slot]?.holding))
        }
    }

    private mutating func lose() {
        guard let slot = slots.randomElement(using: &random) else { return }
        send(Bool.random(using: &random) ? .slotLost(slot: slot, reason: "killed") : .leaving(slot: slot))
    }

    private mutating func cancelOrDrain() {
        if Int.random(in: 0..<8, using: &random) == 0, let job = jobs.randomElement(using: &random) {
            send(.cancelJob(job))
        } else if Int.random(in: 0..<8, using: &random) == 0 {
            send(.drainWorker("w\(Int.random(in: 0..<7, using: &random))"))
        } else if Int.random(in: 0..<3, using: &random) == 0 {
            retryOrPrune()
        }
    }

    /// Somebody goes on with a job that failed, or has nothing kept of it.
    private mutating func retryOrPrune() {
        guard let id = farm.brain.kept.keys.sorted().randomElement(using: &random), let job = store[id] else { return }
        guard Bool.random(using: &random) else { return send(.pruneJob(id)) }
        ended[id] = nil
        appended[id] = nil
        work[id] = nil
        finishing.removeAll { $0 == id }
        publishing.removeAll { $0 == id }
        send(.jobRetried(job, WallClock(origin: 0)))
    }

    /// Some slot says something about what it holds, or about what it (or another) once held.
    private mutating func act(onHistory: Bool) {
        let current = farm.brain.slots.values.compactMap { slot in slot.holding.map { (slot.spec.slot, $0) } }
            .sorted { $0.0 < $1.0 }
        let pool = onHistory ? history.map { ($0.slot, $0.holding) } : current
        guard let (owner, holding) = pool.randomElement(using: &random) else { return }
        var slot = owner
        if onHistory, Int.random(in: 0..<4, using: &random) == 0 { slot = slots.randomElement(using: &random) ?? slot }
        switch Int.random(in: 0..<12, using: &random) {
        case 0, 1: send(.started(slot: slot, holding))
        case 2, 3, 4: send(.progress(slot: slot, holding, done: Int.random(in: 0...120, using: &random), total: 100))
        case 5, 6, 7, 8: send(.finished(slot: slot, holding, Farm.segment(holding)))
        case 9: send(.released(slot: slot, holding))
        case 10 where Bool.random(using: &random): send(.sending(slot: slot, holding))
        case 10: send(.arriving(holding, bytes: Int64.random(in: 0...200_000, using: &random)))
        default:
            let codes: [ErrorCode] = [.transportFailed, .encodeFailed, .diskFull, .cancelled, .internalFault]
            let code = Int.random(in: 0..<60, using: &random) == 0 ? .decodeFailed : codes.randomElement(using: &random)
            let error = SplitreelError(code ?? .cancelled, operation: "", subject: "", reason: "")
            send(.failed(slot: slot, holding, error, unitsDone: 3))
        }
    }

    /// The hands' own work comes back, some of it badly.
    private mutating func answer(badly: Bool = true) {
        let isBad = badly && Int.random(in: 0..<12, using: &random) == 0
        let error = SplitreelError(.segmentInvalid, operation: "", subject: "", reason: "bad")
        if !checking.isEmpty {
            let (slot, job) = checking.removeFirst()
            let cannot = SplitreelError(.mediaNotFound, operation: "", subject: "clip", reason: "not there")
            send(.assetsChecked(slot: slot, job: job, isBad ? cannot : nil))
        } else if !verifying.isEmpty, Bool.random(using: &random) {
            let holding = verifying.remove(at: Int.random(in: 0..<verifying.count, using: &random))
            send(isBad ? .verificationFailed(holding, error) : .verified(holding))
            if badly, Bool.random(using: &random) { send(.verified(holding)) }
        } else if !planning.isEmpty, Bool.random(using: &random) {
            let job = planning.removeFirst()
            let costs = (0..<Int.random(in: 1...12, using: &random)).map { _ in
                Double.random(in: 1...9, using: &random)
            }
            let copied = costs.indices.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
            let plan = Farm.plan(costs: costs, sound: Bool.random(using: &random), copied: Set(copied))
            send(isBad ? .planningFailed(job: job, error) : .jobPlanned(job: job, plan))
        } else if !finishing.isEmpty {
            let job = finishing.removeFirst()
            send(isBad ? failedFilm(job) : .filmFinished(job: job, film: "f"))
        } else if !publishing.isEmpty {
            let job = publishing.removeFirst()
            let full = SplitreelError(.diskFull, operation: "", subject: "", reason: "full")
            send(isBad ? .stitchFailed(job: job, full) : .published(job: job))
        } else if !cleaning.isEmpty {
            send(.cleaned(job: cleaning.removeFirst()))
        } else if !keeping.isEmpty {
            send(.folderKept(job: keeping.removeFirst(), bytes: 1))
        }
    }

    /// A film may meet a full disk, a segment that is another one by now, or what no retry mends.
    private mutating func failedFilm(_ job: String) -> Event {
        let codes: [ErrorCode] = [.diskFull, .segmentInvalid, .muxFailed]
        let code = codes.randomElement(using: &random) ?? .diskFull
        let task = appended[job]?.randomElement(using: &random)
        return .stitchFailed(job: job, task: task, SplitreelError(code, operation: "", subject: "", reason: "bad"))
    }

    // MARK: - Invariants

    private mutating func check() throws {
        var holders: [Holding: String] = [:]
        for (slot, entry) in farm.brain.slots {
            guard let holding = entry.holding, farm.brain.isCurrent(holding) else { continue }
            let other = holders.updateValue(slot, forKey: holding)
            try #require(other == nil, "seed \(seed): two slots hold one lease")
        }
        for (id, job) in farm.brain.jobs {
            let current = job.tasks.indices.filter { job.tasks[$0].attempt != nil }
            let isGoing = !job.isEnding && !job.state.isTerminal && job.phase != .planning
            for index in job.tasks.indices where isGoing { try checkTask(id, job, index) }
            try #require(current.isEmpty || !job.isEnding, "seed \(seed): an ending job has attempts")
            try checkFilm(id, job)
            try checkWork(id, job)
        }
        for (id, count) in ended { try #require(count == 1, "seed \(seed): \(id) ended \(count) times") }
    }

    /// No chunk is lost: it is pending, or somebody has it, or it is done, and done once.
    private func checkTask(_ id: String, _ job: JobEntry, _ index: Int) throws {
        let task = job.tasks[index]
        switch task.state {
        case .pending:
            try #require(task.attempt == nil, "seed \(seed): a pending task has an attempt")
            try #require(job.isWaiting(index), "seed \(seed): \(id)/\(index) is in no queue")
        case .leased, .running:
            let attempt = try #require(task.attempt, "seed \(seed): nobody has \(id)/\(index)")
            // After a crash it waits for its slot to come back with it.
            guard !attempt.slot.isEmpty else { break }
            try #require(
                farm.brain.slots[attempt.slot]?.holding == attempt.holding, "seed \(seed): the slot does not know")
        case .verifying: try #require(task.attempt?.isVerifying == true)
        case .done where task.isCopied: try #require(task.epoch == 0, "seed \(seed): a copied chunk was leased")
        case .done: try #require(committed[id]?[index] == 1, "seed \(seed): \(id)/\(index) committed twice or never")
        case .failed: Issue.record("seed \(seed): a failed task in a job that goes on")
        }
    }

    /// What is told of the work never falls, and its numbers agree with each other and with the tasks.
    private mutating func checkWork(_ id: String, _ job: JobEntry) throws {
        let (now, before) = (job.workDone, work[id] ?? WorkDone())
        work[id] = now
        try #require(now.percent >= before.percent && now.framesDone >= before.framesDone, "seed \(seed): \(id) fell")
        try #require(now.chunksDone >= before.chunksDone && now.chunks >= before.chunks, "seed \(seed): \(id) fell")
        let chunks = job.tasks.filter { $0.spec.kind != .audio }
        let whole = chunks.filter { $0.state == .done }
        try #require(now.framesDone >= whole.reduce(0) { $0 + $1.spec.unitCount }, "seed \(seed)")
        try #require(now.chunks == chunks.count && now.chunksDone >= whole.count, "seed \(seed)")
        try #require((now.percent == 100) == (job.state == .completed), "seed \(seed): \(now)")
        let rate = job.framesPerSecond(now: farm.now) ?? 1
        try #require(rate > 0 && rate.isFinite, "seed \(seed)")
    }

    /// The film grows in order, sound first, each part once.
    private func checkFilm(_ id: String, _ job: JobEntry) throws {
        guard var parts = appended[id] else { return }
        if let audio = job.tasks.indices.last, job.tasks[audio].spec.kind == .audio {
            try #require(parts.removeFirst() == audio, "seed \(seed)")
        }
        try #require(parts == Array(0..<parts.count), "seed \(seed): \(id) appended \(parts)")
    }
}
