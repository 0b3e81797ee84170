import Diagnostics
import Scheduling
import TestTools

/// The answer of a cache that is asked for a task. One that is near answers while the job is planned, one far away
/// when it is asked for the segment that its list names.
package enum CacheAnswer: String, Sendable, CaseIterable {
    /// The segment is there.
    case near
    /// It is there, and its bytes are others than its entry says.
    case nearWrong
    /// It comes within seconds.
    case far
    /// It comes, and its bytes are others than its entry says.
    case farWrong
    /// It does not come.
    case missing
    /// It takes longer than a check may, and its bytes come all the while.
    case slow
    /// It stands still until nobody waits for it any more.
    case still

    /// Whether it is near.
    var isNear: Bool { self == .near || self == .nearWrong }

    /// Answers to some tasks of some jobs, of dice of their own: all else stays as it is without them. The slow ones
    /// cost minutes, and are rare.
    static func some(of job: Scenario.Job, _ dice: SeededNumbers) -> [Int: CacheAnswer] {
        var dice = dice
        for _ in 0..<7 { _ = dice.next() }
        guard Int.random(in: 0..<3, using: &dice) == 0 else { return [:] }
        let count = job.costs.count + (job.hasSound ? 1 + job.soundParts : 0)
        let tasks = (0..<count).filter { task in
            Bool.random(using: &dice) && !job.copied.contains(task) && task != job.badChunk
        }
        return Dictionary(
            uniqueKeysWithValues: tasks.map { task in
                let roll = Int.random(in: 0..<60, using: &dice)
                let answers: [CacheAnswer] = [.near, .far, .far, .nearWrong, .farWrong, .missing]
                return (task, roll < 2 ? [.slow, .still][roll] : answers[roll % answers.count])
            })
    }
}

// A cache of segments beside the coordinator, or far away.
extension World {
    private func cacheSeconds(_ range: ClosedRange<Double>) -> Duration {
        .nanoseconds(Int64(Double.random(in: range, using: &cacheRandom) * 1e9))
    }

    private func cacheHash() -> [UInt8] { (0..<4).map { _ in UInt8.random(in: .min ... .max, using: &cacheRandom) } }

    /// The segments of a job that its plan says are in a cache: near ones lie in its folder, others have no hash.
    func takeCached(_ job: Scenario.Job) -> [Int: ReportedSegment] {
        var segments: [Int: ReportedSegment] = [:]
        for (task, answer) in job.cached.sorted(by: { $0.key < $1.key }) {
            // Nobody needs the parts of a sound that is there.
            if task > job.costs.count, segments[job.costs.count] != nil { continue }
            // Nobody has it yet.
            let holding = Holding(job: job.id, task: task, epoch: 0, lease: LeaseID(high: 0, low: 0))
            let name = segmentName(Holding(job: job.id, task: task, epoch: 1, lease: holding.lease))
            segments[task] = answer.isNear ? lay(holding, answer, name) : ReportedSegment(name: name, hash: [])
            coordinator?.jobs[job.id]?.expected[task] = answer.isNear ? nil : answer
            if answer.isNear { cacheAnswers.insert(answer) }
        }
        return segments
    }

    /// Puts a cache's segment into the folder of its job.
    private func lay(_ holding: Holding, _ answer: CacheAnswer, _ name: String) -> ReportedSegment {
        let isWrong = answer == .nearWrong || answer == .farWrong
        let hash = cacheHash()
        disk.segments["/\(holding.job)/\(name)"] = Disk.Segment(holding: holding, hash: isWrong ? cacheHash() : hash)
        return ReportedSegment(name: name, hash: hash, maker: "elsewhere")
    }

    /// Gives a segment that came from a near cache to the attempt that its check is of.
    func claimCached(_ holding: Holding) {
        let path = "/\(holding.job)/\(segmentName(holding))"
        if disk.segments[path]?.holding.epoch == 0 { disk.segments[path]?.holding = holding }
    }

    /// Asks a cache far away for a segment; false where the segment is none that this life has listed there.
    func startFetching(_ holding: Holding, _ segment: ReportedSegment) -> Bool {
        guard segment.hash.isEmpty, holding.epoch == CoordinatorBrain.cacheEpoch,
            let answer = coordinator?.jobs[holding.job]?.expected[holding.task]
        else { return false }
        coordinator?.jobs[holding.job]?.verifying.insert(holding)
        let limit = scenario.limits.verifying
        switch answer {
        case .slow:
            schedule(.fetched(holding, answer), at: now + limit + cacheSeconds(1...60))
            goOnFetching(holding)
        case .still:
            enqueue(.workBegan(.verifying(holding)))
            schedule(.fetched(holding, answer), at: now + limit + cacheSeconds(30...60))
        default:
            enqueue(.workBegan(.verifying(holding)))
            schedule(.fetched(holding, answer), at: now + cacheSeconds(0.02...8))
        }
        return true
    }

    /// Says that bytes have come, and has more of them come.
    func goOnFetching(_ holding: Holding) {
        guard coordinator?.jobs[holding.job]?.verifying.contains(holding) == true,
            coordinator?.jobs[holding.job]?.expected[holding.task] != nil
        else { return }
        enqueue(.workBegan(.verifying(holding)))
        schedule(.bytesCame(holding), at: now + .seconds(50))
    }

    /// Takes the answer of a cache far away.
    func finishFetching(_ holding: Holding, _ answer: CacheAnswer) throws(Violation) {
        // Without an entry it took too long, or its job has ended.
        guard coordinator?.jobs[holding.job]?.verifying.remove(holding) != nil else { return }
        try require(answer != .still, "\(holding.job)/\(holding.task) stood still, and was waited for")
        coordinator?.jobs[holding.job]?.expected[holding.task] = nil
        cacheAnswers.insert(answer)
        guard answer != .missing, fullDisk() == nil else {
            return enqueue(.verificationFailed(holding, Self.error(.segmentInvalid, "it did not come")))
        }
        enqueue(.fetched(holding, lay(holding, answer, segmentName(holding))))
    }

    /// Checks that a fetch is given up while its job goes on only where it stands still.
    func checkGivenUp(_ holding: Holding) throws(Violation) {
        guard let process = coordinator, process.brain.jobs[holding.job]?.isEnding == false,
            let answer = process.jobs[holding.job]?.expected[holding.task]
        else { return }
        try require(answer == .still, "\(holding.job)/\(holding.task) was on its way, and was given up")
        cacheAnswers.insert(answer)
    }

    /// Whether a task is given to the cache, which nobody had before.
    func isOfCache(_ id: String, _ task: Int, _ before: RecoveredTask, _ row: TaskRow) -> Bool {
        let isKnown = scenario.jobs.first { $0.id == id }?.cached[task] != nil
        return isKnown && row.state == .verifying && row.slot == TaskEntry.cacheName && before.epoch == 0
    }
}
