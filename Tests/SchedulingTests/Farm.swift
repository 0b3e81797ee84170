import Diagnostics
import Scheduling

/// A brain and a clock by hand, for tables of rules.
struct Farm {
    var brain: CoordinatorBrain
    var now = Instant.zero
    var log: [Action] = []

    init(_ change: (inout Limits) -> Void = { _ in }) {
        var limits = Limits()
        // Tables of other rules need no farm that looks at files first.
        limits.checksAssets = false
        change(&limits)
        brain = CoordinatorBrain(limits: limits, leases: LeaseSource(seedHigh: 7, seedLow: 11))
    }

    @discardableResult
    mutating func send(_ event: Event) -> [Action] {
        let actions = brain.handle(event, now: now)
        log += actions
        return actions
    }

    /// Lets time pass in heartbeats: every slot named goes on living and holding what it holds.
    mutating func pass(_ duration: Duration, alive: [String] = []) {
        let end = now + duration
        while now < end {
            now = min(now + .milliseconds(500), end)
            for slot in alive { send(.heartbeat(slot: slot, holding: brain.slots[slot]?.holding)) }
            send(.tick)
        }
    }

    mutating func submit(
        _ id: String = "job", priority: Int = 0, costs: [Double], leads: [Double] = [], sound: Bool = false,
        runFrames: Int = 1, outputs: Int = 1, cached: [Int: ReportedSegment] = [:]
    ) {
        send(
            .jobSubmitted(
                JobSubmission(
                    id: id, name: id, priority: priority, composition: "{}", request: "{}", output: "/\(id).mov",
                    further: (1..<outputs).map { "/\(id)-\($0).mov" }, submitted: 0)))
        var plan = Self.plan(costs: costs, sound: sound, runFrames: runFrames)
        for (index, lead) in leads.enumerated() { plan.tasks[index].leadCost = lead }
        send(.jobPlanned(job: id, plan, cached: cached))
    }

    static func plan(
        costs: [Double], sound: Bool = false, versions: [String] = [], encoders: [String] = [],
        effects: [String] = [], runFrames: Int = 1, copied: Set<Int> = []
    ) -> JobPlan {
        var tasks = costs.enumerated().map { index, cost in
            TaskSpec(
                kind: copied.contains(index) ? .passthrough : .composite, cost: cost, firstUnit: index * 100,
                unitCount: 100,
                label: "chunk \(index) (frames \(index * 100)..<\(index * 100 + 100))")
        }
        if sound { tasks.append(TaskSpec(kind: .audio, cost: 1, firstUnit: 0, unitCount: 48000, label: "the sound")) }
        return JobPlan(
            hash: "00", folder: "/w", frames: costs.count * 100, tasks: tasks, versions: versions, encoders: encoders,
            effects: effects, runFrames: runFrames)
    }

    mutating func register(
        _ slot: String, worker: String? = nil, key: String? = nil, holding: Holding? = nil, peer: UInt8 = 0
    ) {
        let spec = SlotSpec(slot: slot, worker: worker ?? slot, key: key, peer: Peer([peer]))
        send(.slotRegistered(spec, holding: holding))
    }

    func lease(of slot: String) -> Holding? { brain.slots[slot]?.holding }

    /// The slot's lease through to its commit.
    mutating func complete(_ slot: String) {
        guard let holding = lease(of: slot) else { return }
        send(.started(slot: slot, holding))
        send(.finished(slot: slot, holding, Self.segment(holding)))
        send(.verified(holding))
    }

    /// The tasks that the slot, newly registered, gets and completes in turn, to the last.
    mutating func order(_ slot: String) -> [Int] {
        var order: [Int] = []
        register(slot)
        while let holding = lease(of: slot) {
            order.append(holding.task)
            complete(slot)
        }
        return order
    }

    static func segment(_ holding: Holding) -> ReportedSegment {
        ReportedSegment(name: "\(holding.task)-\(holding.epoch)", hash: [])
    }

    mutating func fail(_ slot: String, _ code: ErrorCode) {
        guard let holding = lease(of: slot) else { return }
        let error = SplitreelError(code, operation: "op", subject: "clip.mov", reason: "why")
        send(.failed(slot: slot, holding, error, unitsDone: 0))
    }

    func task(_ index: Int, of job: String = "job") -> TaskEntry? {
        brain.jobs[job]?.tasks[index]
    }

    func outcome(_ job: String = "job") -> JobOutcome? { brain.jobs[job]?.outcome }

    func appended(_ job: String = "job") -> [Int] {
        log.compactMap { if case .append(job, let task, _) = $0 { task } else { nil } }
    }
}

extension [Action] {
    var leases: [Holding] { compactMap { if case .sendLease(_, let holding) = $0 { holding } else { nil } } }
    var assetChecks: [String] {
        compactMap { if case .checkAssets(let slot, let job) = $0 { "\(slot) of \(job)" } else { nil } }
    }
    var checks: [(holding: Holding, segment: ReportedSegment)] {
        compactMap { if case .verify(let holding, let segment) = $0 { (holding, segment) } else { nil } }
    }
    var abandoned: [Work] { compactMap { if case .abandon(let work) = $0 { work } else { nil } } }
    var cancels: [Holding] { compactMap { if case .cancelLease(_, let holding) = $0 { holding } else { nil } } }
    var acknowledgements: [Bool] {
        compactMap { if case .acknowledge(_, _, let accepted) = $0 { accepted } else { nil } }
    }
}
