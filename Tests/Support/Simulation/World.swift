import Diagnostics
import Scheduling
import TestTools

/// Coordinator, slots, network, disk and clock in one thread: both brains as they are, and around them the least that
/// carries out what they decide. Nothing but the seed decides what happens.
final class World {
    let scenario: Scenario
    let putBack: Set<MendedRace>
    var random: SeededNumbers
    var now = Instant.zero
    var agenda = Agenda()
    let clock = WallClock(origin: 1_000_000)

    var store = StoredJobs()
    var disk = Disk()
    var coordinator: CoordinatorProcess?
    /// Lives of the coordinator so far.
    var lives = 0
    /// The processes of the slots by index; nil: no process at present.
    var slots: [SlotProcess?] = []
    var processes = 0
    var connections = 0
    /// When the last message of each connection arrives: they follow one another, but for those that overtake.
    var lastArrival: [Connection: Instant] = [:]
    var cutOff: [Int: Instant] = [:]
    var diskFullUntil = Instant.zero
    var blinkUntil = Instant.zero
    /// The last stop of each disk that stood still.
    var stops: [DiskPlace: DiskStop] = [:]
    /// The segments of each job that were damaged so far.
    var damages: [String: Int] = [:]
    /// The troubles of disks that somebody met.
    var diskTroubles: Set<DiskTrouble> = []
    /// The dice of disks: what befalls farms without such troubles stays as it was.
    var diskRandom: SeededNumbers

    /// Why a job was not taken, by its place in the scenario.
    var refused: Set<Int> = []
    var cancelAsked: Set<String> = []
    /// The jobs that failed and whose retry or pruning is to come, and those whose bad chunk was mended for it.
    var comingBack: Set<String> = []
    var mended: Set<String> = []
    /// The answers of caches that came to their end, and the dice of caches.
    var cacheAnswers: Set<CacheAnswer> = []
    var cacheRandom: SeededNumbers
    /// The dice of retries: what befalls farms without any stays as it was.
    var retryRandom: SeededNumbers
    /// The workers whose keys were revoked, by their places in the scenario.
    var revoked: Set<Int> = []
    /// When the last job was told as ended.
    var lastEnd = Instant.zero
    var trace: Trace
    var ledger = Ledger()

    init(_ scenario: Scenario, seed: UInt64, puttingBack: Set<MendedRace>, wholeTrace: Bool) {
        self.scenario = scenario
        putBack = puttingBack
        random = SeededNumbers(seed: seed)
        retryRandom = SeededNumbers(seed: seed &* 0x9E37_79B9_7F4A_7C15 &+ 5)
        diskRandom = SeededNumbers(seed: seed &* 0xA24B_AED4_963E_E407 &+ 7)
        cacheRandom = SeededNumbers(seed: seed &* 0xE703_7ED1_A0B4_28DB &+ 15)
        trace = Trace(seed: seed, isWhole: wholeTrace)
    }

    var isTroubled: Bool { now < scenario.troublesEnd }

    func fail(_ text: String) -> Violation { Violation(trace: trace, time: now, text: text) }

    func require(_ condition: Bool, _ text: @autoclosure () -> String) throws(Violation) {
        if !condition { throw fail(text()) }
    }

    /// Until every job has ended, and then for as long as what is under way may take.
    func run() throws(Violation) {
        begin()
        var rest: Instant?
        while let (time, happening) = agenda.takeNext() {
            now = time
            if let rest, now > rest { break }
            try require(now <= scenario.deadline, "\(unfinished) did not end")
            try handle(happening)
            // A job that had failed may be tried again meanwhile.
            rest = isOver ? rest ?? now + (scenario.isInstant ? .zero : .seconds(15)) : nil
        }
        try checkEnd()
    }

    /// Every job was refused, or is stored as ended.
    var isOver: Bool {
        now >= scenario.troublesEnd && unfinished.isEmpty && comingBack.isEmpty
    }

    private var unfinished: [String] {
        scenario.jobs.indices.filter { !refused.contains($0) && store.outcome(of: scenario.jobs[$0].id) == nil }
            .map { scenario.jobs[$0].id }
    }

    private func begin() {
        agenda.add(.coordinatorStarts, at: .zero)
        for worker in scenario.workers {
            for _ in 0..<worker.slots {
                slots.append(nil)
                agenda.add(.slotStarts(index: slots.count - 1), at: .zero + pause(0...0.5))
            }
        }
        for (number, job) in scenario.jobs.enumerated() {
            agenda.add(.submit(job: number), at: job.submitted)
            if let time = job.cancelled { agenda.add(.cancel(job: number), at: time) }
        }
        plan(scenario.troubles.slotDeaths) { .slotDies(index: $0.anySlot) }
        plan(scenario.troubles.slotFreezes) { .slotFreezes(index: $0.anySlot, $0.seconds(0.1...12)) }
        plan(scenario.troubles.cutOffs) { .slotIsCutOff(index: $0.anySlot, $0.seconds(0.1...15)) }
        plan(scenario.troubles.drains) { .drain(worker: $0.scenario.workers[$0.worker(of: $0.anySlot)].name) }
        plan(scenario.troubles.coordinatorDeaths) { _ in .coordinatorDies }
        plan(scenario.troubles.fullDisks) { .diskFills($0.seconds(0.5...20)) }
        if let revocation = scenario.troubles.revocation { agenda.add(.revokeKey(revocation), at: revocation.time) }
        planDisks()
    }

    /// Puts such events down until the troubles end, in pauses of that many seconds on average.
    private func plan(_ pause: Double?, _ make: (World) -> Happening) {
        guard let pause else { return }
        var time = Instant.zero + seconds(0...(2 * pause))
        while time < scenario.troublesEnd {
            agenda.add(make(self), at: time)
            time = time + seconds(0...(2 * pause))
        }
    }

    private func handle(_ happening: Happening) throws(Violation) {
        switch happening {
        case .submit(let job): submit(job)
        case .cancel(let job): cancel(job)
        case .retry(let job): retry(job)
        case .prune(let job): prune(job)
        case .drain(let worker): enqueue(.drainWorker(worker))
        case .revokeKey(let revocation): revokeKey(revocation)
        case .coordinatorStarts: startCoordinator()
        case .coordinatorDies: killCoordinator()
        case .coordinatorTicks(let life): tickCoordinator(life)
        case .turn(let life): if coordinator?.life == life { try turn() }
        case .arrives(let message, let connection): receive(message, connection)
        case .beatArrives(let beat): receive(beat)
        case .slotEnded(let slot): enqueue(.slotLost(slot: slot, reason: "its process ended"))
        case .workDone(let life, let deed): if coordinator?.life == life { try come(deed) }
        case .workGoesOn(let life, let deed, let stand): if coordinator?.life == life { try come(deed, stand) }
        case .rewrites(let file): disk.segments[file]?.hash = hash()
        case .diskFills(let time): diskFullUntil = max(diskFullUntil, now + time)
        case .diskBlinks(let time): blinkUntil = max(blinkUntil, now + time)
        case .diskStops(let place, let time): stopDisk(place, time)
        default: try handleSlot(happening)
        }
    }

    // MARK: - Chance

    var anySlot: Int { Int.random(in: slots.indices, using: &random) }

    func seconds(_ range: ClosedRange<Double>) -> Duration {
        .nanoseconds(Int64(Double.random(in: range, using: &random) * 1e9))
    }

    /// The same, but nothing where nothing takes time.
    func pause(_ range: ClosedRange<Double>) -> Duration { scenario.isInstant ? .zero : seconds(range) }

    func happens(_ share: Double) -> Bool { share > 0 && Double.random(in: 0..<1, using: &random) < share }

    func hash() -> [UInt8] { (0..<4).map { _ in UInt8.random(in: .min ... .max, using: &random) } }

    func worker(of index: Int) -> Int {
        var left = index
        for (number, worker) in scenario.workers.enumerated() {
            if left < worker.slots { return number }
            left -= worker.slots
        }
        preconditionFailure("no slot \(index)")
    }
}

/// The files that outlive all processes.
struct Disk {
    struct Segment {
        var holding: Holding
        var hash: [UInt8]
    }
    struct Film {
        var identity: String
        var parts: [Int] = []
        /// The hashes of the segments that were appended, as they lay there.
        var hashes: [[UInt8]] = []
    }

    /// Jobs that have a work folder.
    var folders: Set<String> = []
    /// The segments by the paths of their files.
    var segments: [String: Segment] = [:]
    /// The growing or finished films in the work folders, by job.
    var films: [String: Film] = [:]
    /// The finished films by their outputs' paths.
    var outputs: [String: Film] = [:]

    mutating func removeFolder(of job: String) {
        folders.remove(job)
        films[job] = nil
        for path in segments.keys where segments[path]?.holding.job == job { segments[path] = nil }
    }
}
