package import Scheduling
import TestTools

/// A farm, its work and its troubles, all of which the seed decides.
package struct Scenario: Sendable {
    package struct Worker: Sendable {
        package var name: String
        package var slots = 1
        /// Seconds that it takes for a cost of one.
        package var pace = 1.0
        package var versions = ["libav 1"]
        package var seesMedia = true
        /// It sometimes writes to its segments after they were delivered.
        package var rewrites = false
        /// It does not see work folders: its segments take their time to the coordinator.
        package var sends = false
        /// Its chunks show something else than those of others.
        package var lies = false
    }

    package struct Job: Sendable {
        package var id: String
        package var output: String
        package var priority = 0
        package var costs: [Double]
        package var hasSound = false
        /// Parts that its sound is mixed in; 0: none.
        package var soundParts = 0
        package var hasTwoPasses = false
        /// The chunks that are copied, and that nobody renders.
        package var copied: Set<Int> = []
        /// The answers of a cache that is asked for its tasks.
        package var cached: [Int: CacheAnswer] = [:]
        package var runFrames = 4 * Scenario.chunkFrames
        package var submitted = Instant.zero
        package var cancelled: Instant?
        /// A chunk that can never be rendered.
        package var badChunk: Int?
        /// A chunk that fails so often before it goes well.
        package var slowStart: (chunk: Int, failures: Int)?
    }

    /// The troubles that befall messages, processes and threads until `troublesEnd`; shares are of one.
    package struct Troubles: Sendable {
        package var lost = 0.0
        package var duplicated = 0.0
        package var reordered = 0.0
        package var slow = 0.0
        /// Pauses between two such events, on average; nil: never.
        package var slotDeaths: Double?
        package var slotFreezes: Double?
        package var cutOffs: Double?
        package var drains: Double?
        package var coordinatorDeaths: Double?
        /// The disk of work folders and films is full for a while.
        package var fullDisks: Double?
        /// It is full for a moment.
        package var blinks: Double?
        /// A worker's disk stands still for a minute or so, and below it the coordinator's.
        package var workerStops: Double?
        package var coordinatorStops: Double?
        package var longStop: LongStop?
        /// The share of segments that passed and are found damaged when they are joined; two of a job at most.
        package var damaged = 0.0
        package var revocation: Revocation?
    }

    /// The key of one worker is revoked.
    package struct Revocation: Sendable {
        /// The worker's place in the farm; never the first one's, so that every job can end.
        package var worker: Int
        package var time: Instant
        /// Whether it is put off to a moment at which a segment of the worker is being checked.
        package var isWhileChecked: Bool
    }

    /// One stop of a disk that outlasts most of the patience that the farm has.
    package struct LongStop: Sendable {
        /// Whether it is a worker's disk, or the coordinator's.
        package var isOfWorker: Bool
        package var begins: Instant
        package var length: Duration
    }

    /// Frames of every chunk.
    package static let chunkFrames = 100

    package var workers: [Worker]
    package var jobs: [Job]
    package var troubles = Troubles()
    package var troublesEnd = Instant.zero
    /// The time by which all jobs must have ended.
    package var deadline: Instant
    /// Messages, the store, and the coordinator's own work take no time.
    package var isInstant = false
    /// Segments of one task are equal to the byte, but those of workers that lie, and none of these may be in a film.
    package var isHeldToTruth = false
    /// The percent of chunks that are audited.
    package var auditPercent = 0
    package var limits = Limits()
    package var slotLimits = SlotLimits()

    private static func seconds(_ value: Double) -> Duration { .nanoseconds(Int64(value * 1e9)) }

    /// A farm without troubles in which nothing takes time but rendering: what is left is how chunks are dealt.
    package static func ideal(slots: Int, costs: [Double], runFrames: Int) -> Scenario {
        var scenario = Scenario(
            workers: [Worker(name: "w", slots: slots)],
            jobs: [Job(id: "film", output: "/film", costs: costs, runFrames: runFrames)],
            deadline: .zero + seconds(10 + 2 * costs.reduce(0, +)))
        scenario.isInstant = true
        scenario.limits.checksAssets = false
        // Nothing depends on them here; fewer are faster.
        (scenario.limits.tick, scenario.slotLimits.tick) = (.seconds(1), .seconds(1))
        return scenario
    }

    /// Some workers and jobs, and some of all troubles for a minute.
    package static func troubled(seed: UInt64) -> Scenario {
        var random = SeededNumbers(seed: seed &* 0x2545_F491_4F6C_DD1D &+ 1)
        let workers = (0..<Int.random(in: 1...3, using: &random)).map { number in
            var worker = Worker(name: "w\(number)", slots: Int.random(in: 1...3, using: &random))
            worker.pace = Double.random(in: 0.3...1.5, using: &random)
            worker.sends = (seed &+ UInt64(number)) % 3 == 1
            // The first one can do everything, so that every job can end.
            if number > 0 {
                if Int.random(in: 0..<4, using: &random) == 0 { worker.versions = ["libav 2"] }
                worker.seesMedia = Int.random(in: 0..<4, using: &random) > 0
                worker.rewrites = Int.random(in: 0..<6, using: &random) == 0
            }
            return worker
        }
        let jobs = (0..<Int.random(in: 1...4, using: &random)).map { job($0, &random) }
        var scenario = Scenario(
            workers: workers, jobs: jobs, troublesEnd: .zero + .seconds(60), deadline: .zero + .seconds(900))
        scenario.troubles = troubles(&random)
        // Dice of their own: farms whose disks do nothing live as they did before there were these.
        var others = SeededNumbers(seed: seed &* 0xD6E8_FEB8_6659_FD93 &+ 9)
        addDisks(to: &scenario.troubles, &others)
        var keys = SeededNumbers(seed: seed &* 0x8CB9_2BA7_2F3D_8DD7 &+ 11)
        addRevocation(to: &scenario, &keys)
        scenario.limits.suit()
        let hasStops = scenario.troubles.workerStops != nil || scenario.troubles.coordinatorStops != nil
        if hasStops { scenario.deadline = .zero + .seconds(1500) }
        guard scenario.troubles.longStop != nil else { return scenario }
        scenario.deadline = .zero + .seconds(7200)
        // Half an hour in which little happens: fewer ticks are faster.
        scenario.limits.tick = .milliseconds(500)
        scenario.slotLimits.tick = .milliseconds(500)
        return scenario
    }

    /// A farm of three workers that can do everything and have a key each, in which every chunk is audited. One worker
    /// of most farms lies.
    package static func audited(seed: UInt64) -> Scenario {
        var scenario = troubled(seed: seed)
        var random = SeededNumbers(seed: seed &* 0xC2B2_AE3D_27D4_EB4F &+ 13)
        let liar = Int.random(in: 0...3, using: &random)
        scenario.workers = (0..<3).map { number in
            var worker = Worker(name: "w\(number)", slots: Int.random(in: 1...2, using: &random))
            worker.pace = Double.random(in: 0.3...1.0, using: &random)
            worker.sends = Bool.random(using: &random)
            worker.lies = number == liar
            return worker
        }
        for place in scenario.jobs.indices {
            scenario.jobs[place].badChunk = nil
            scenario.jobs[place].soundParts = 0
            // What comes from a cache is not audited.
            scenario.jobs[place].cached = [:]
        }
        let all = scenario.troubles
        scenario.troubles = Troubles()
        scenario.troubles.lost = all.lost
        scenario.troubles.duplicated = all.duplicated
        scenario.troubles.slow = all.slow
        scenario.troubles.slotDeaths = all.slotDeaths
        scenario.troubles.cutOffs = all.cutOffs
        scenario.troubles.drains = all.drains
        scenario.troubles.coordinatorDeaths = all.coordinatorDeaths
        scenario.isHeldToTruth = true
        scenario.auditPercent = 100
        scenario.deadline = .zero + .seconds(1500)
        return scenario
    }

    private static func job(_ number: Int, _ random: inout SeededNumbers) -> Job {
        var job = Job(
            id: "j\(number)", output: "/film\(Int.random(in: 0..<5, using: &random))",
            costs: (0..<Int.random(in: 1...12, using: &random)).map { _ in Double.random(in: 0.5...5, using: &random) })
        job.priority = Int.random(in: 0...1, using: &random)
        job.hasSound = Bool.random(using: &random)
        if job.hasSound, Bool.random(using: &random) { job.soundParts = Int.random(in: 2...5, using: &random) }
        job.hasTwoPasses = Int.random(in: 0..<3, using: &random) == 0
        job.runFrames = Int.random(in: 1...6, using: &random) * chunkFrames
        job.submitted = .zero + seconds(Double.random(in: 0...30, using: &random))
        if Int.random(in: 0..<5, using: &random) == 0 {
            job.cancelled = job.submitted + seconds(Double.random(in: 0...30, using: &random))
        }
        let chunk = Int.random(in: 0..<job.costs.count, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: job.badChunk = chunk
        case 1, 2: job.slowStart = (chunk, Int.random(in: 1...3, using: &random))
        default: break
        }
        if !job.hasTwoPasses { job.copied = copies(of: job, random) }
        job.cached = CacheAnswer.some(of: job, random)
        return job
    }

    /// Some chunks of some jobs, of dice of their own: all else stays as it is without them.
    private static func copies(of job: Job, _ dice: SeededNumbers) -> Set<Int> {
        var dice = dice
        guard Int.random(in: 0..<3, using: &dice) == 0 else { return [] }
        let isWhole = Int.random(in: 0..<4, using: &dice) == 0
        return Set(job.costs.indices.filter { $0 != job.badChunk && (isWhole || Bool.random(using: &dice)) })
    }

    private static func troubles(_ random: inout SeededNumbers) -> Troubles {
        func share(_ most: Double) -> Double {
            Bool.random(using: &random) ? Double.random(in: 0...most, using: &random) : 0
        }
        func pause(_ least: Double) -> Double? {
            Bool.random(using: &random) ? Double.random(in: least...(4 * least), using: &random) : nil
        }
        var troubles = Troubles()
        (troubles.lost, troubles.duplicated) = (share(0.05), share(0.1))
        (troubles.reordered, troubles.slow) = (share(0.1), share(0.05))
        (troubles.slotDeaths, troubles.slotFreezes, troubles.cutOffs) = (pause(8), pause(10), pause(8))
        (troubles.drains, troubles.coordinatorDeaths) = (pause(20), pause(12))
        troubles.fullDisks = pause(10)
        return troubles
    }

    private static func addRevocation(to scenario: inout Scenario, _ random: inout SeededNumbers) {
        guard scenario.workers.count > 1, Bool.random(using: &random) else { return }
        scenario.troubles.revocation = Revocation(
            worker: Int.random(in: 1..<scenario.workers.count, using: &random),
            time: .zero + seconds(Double.random(in: 5...50, using: &random)),
            isWhileChecked: Bool.random(using: &random))
    }

    private static func addDisks(to troubles: inout Troubles, _ random: inout SeededNumbers) {
        func isChosen(outOf count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
        func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
        if isChosen(outOf: 3) { troubles.blinks = number(0.5...2) }
        if isChosen(outOf: 3) { troubles.workerStops = number(10...40) }
        if isChosen(outOf: 3) { troubles.coordinatorStops = number(10...40) }
        if isChosen(outOf: 3) { troubles.damaged = number(0.05...0.4) }
        guard isChosen(outOf: 10) else { return }
        let isOfWorker = isChosen(outOf: 2)
        let begins = Instant.zero + seconds(number(5...40))
        let stop = LongStop(isOfWorker: isOfWorker, begins: begins, length: seconds(number(300...1800)))
        troubles.longStop = stop
        // Two stops of one disk do not meet.
        if stop.isOfWorker { troubles.workerStops = nil } else { troubles.coordinatorStops = nil }
    }
}

extension Limits {
    /// Killed on purpose, workers die more often on one frame than any film makes them; and a question that was lost on
    /// the way is no answer.
    fileprivate mutating func suit() {
        (losses, lossesAtOneFrame) = (10_000, 10_000)
        // A segment takes 20 s at most: whoever is late has been cut off.
        sending = .seconds(60)
        (assetCheck, assetRecheck, assetRecheckAlone, otherWorkerWait) = (
            .seconds(3), .seconds(5), .seconds(2), .seconds(300)
        )
    }
}

/// Races and gaps that were mended, put back to see that the simulation finds them.
package enum MendedRace: String, Sendable, CaseIterable {
    /// A registration takes the slot's place at once; what its turn then forgets is the new connection.
    case bindsOnReceipt
    /// A message that cannot be delivered loses the slot, whatever connection it has by now.
    case losesByName
    /// The stitcher takes what lies in the folder, not what was verified.
    case stitchesWhatLies
    /// A worker with other libraries gets chunks.
    case comparesNoVersions
    /// A worker that does not see the files gets chunks.
    case asksForNoAssets
    /// Two jobs may write one output.
    case claimsNothing
    /// A plan that comes after its job has ended stays where it is.
    case keepsLatePlans
    /// A slot tells of its result though nobody has confirmed its lease of late.
    case tellsUnconfirmed
    /// A segment that is being checked when its maker's key is revoked is committed.
    case commitsRevoked
}
