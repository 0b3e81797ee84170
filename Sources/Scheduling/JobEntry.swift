package import Diagnostics

/// The current attempt at a task. At most one exists per task; whatever carries another holding is late.
package struct Attempt: Sendable {
    package var holding: Holding
    /// The slot's name; empty while orphaned: the slot has not come back since the coordinator restarted.
    package var slot: String
    package var worker: String
    package var leasedAt: Instant
    package var renewedAt: Instant
    package var startedAt: Instant?
    package var lastUnitAt: Instant?
    package var unitsDone = 0
    /// The span over which `unitsDone` was last measured; nil where the next report only says where it stands.
    var measured: (from: Instant, to: Instant)?
    package var isVerifying = false
    package var segment: ReportedSegment?
    /// Whether it is from the store of an earlier life: a bad file then is nobody's failure.
    package var isRecovered = false
    /// Whether its segment was in a cache: a bad one is nobody's failure, and the task is rendered.
    package var isCached = false
    /// Whether it was begun in an earlier life, whose work is not this life's speed.
    var isResumed = false
    /// The way of its segment to here; nil while that is made.
    package internal(set) var travel: SegmentTravel?
    /// The time since which its slot's process stands still; nil while that works.
    var stillSince: Instant?
    /// The time since the last unit in which it stood still before.
    var stoodBefore: Duration = .zero

    /// The time since the last unit in which its slot's process stood still.
    func stoodStill(_ now: Instant) -> Duration { stoodBefore + (stillSince.map { now - $0 } ?? .zero) }

    /// Whether its slot has made no frames for so long, and makes none now: it stands still, or sends its segment.
    func hasPaused(for time: Duration, at now: Instant) -> Bool {
        [stillSince, travel?.since].contains { since in since.map { now - $0 >= time } ?? false }
    }

    mutating func note(isStill: Bool, _ now: Instant) {
        if !isStill {
            stoodBefore = stoodStill(now)
            stillSince = nil
        } else if stillSince == nil {
            stillSince = now
        }
    }

    /// Forgets that it stood still: it has made a unit.
    mutating func goOn() {
        stoodBefore = .zero
        stillSince = nil
    }
}

package struct TaskEntry: Sendable {
    package var spec: TaskSpec
    package var state: TaskState = .pending
    package var epoch = 0
    package var attempt: Attempt?
    /// The counted failures of the transient class.
    package var tries = 0
    package var failedWorkers: Set<String> = []
    /// The workers from which a segment of it did not come in time because they were cut off: that is no fault once.
    var cutOffWorkers: Set<String> = []
    package var losses = 0
    /// The units done at each loss of a started attempt.
    package var lossUnits: [Int] = []
    package var notBefore: Instant?
    /// The time since which no living worker may take it because of failures; nil where one may.
    package var unwantedSince: Instant?
    package var segment: ReportedSegment?
    package var committed: Holding?
    /// The segments so far of a task whose audit is not over, each of another key.
    package internal(set) var witnesses: [AuditWitness] = []
    package var lastSlot = ""
    package var lastWorker = ""
    package var started: Instant?
    package var ended: Instant?
    package var lastError: SplitreelError?
    /// The notices of the segment that was committed.
    package fileprivate(set) var notices = NoticeList()
    /// Whether an earlier life made it: its frames do not count as this life's speed.
    package var isFromEarlierLife = false

    package init(spec: TaskSpec) {
        self.spec = spec
        if isCopied { state = .done }
    }

    /// Whether it is copied when the film comes to it, and never worked on.
    package var isCopied: Bool { spec.kind == .passthrough }

    var row: TaskRow {
        let lease = attempt?.holding.lease ?? (state == .done ? committed?.lease : nil)
        return TaskRow(
            state: state, epoch: epoch, lease: lease, slot: lastSlot, worker: lastWorker, tries: tries, losses: losses,
            failedWorkers: failedWorkers.sorted(), segment: segment, started: started, ended: ended, error: lastError,
            notices: state == .done ? notices : NoticeList())
    }
}

/// The faults of one worker in one job.
struct WorkerRecord: Sendable {
    var failures: [Instant] = []
    /// The time until which it gets nothing, being short of disk or memory; nil where it is not.
    var restsUntil: Instant?
    /// The limit of what it has in hand when it gets a task of the job, since more took more memory than there is; nil
    /// for no such limit.
    var crowd: CrowdLimit?
}

/// A worker's limit of tasks at a time.
struct CrowdLimit: Sendable {
    /// The most tasks in hand, from 1.
    var tasks: Int
    /// The time from which it holds: earlier leases were of a larger crowd.
    var since: Instant
}

package struct JobEntry: Sendable {
    package var id: String
    package var name: String
    package var priority: Int
    package var output: String
    /// The paths of all outputs, the first one too.
    package var outputs: [String]
    /// The path of a command's own output, which the job's is made for; nil for others.
    package let madeFor: String?
    /// The person who submitted it, as `USER@HOST`; nil where nobody said.
    package let owner: String?
    /// The name of the key under which it was submitted; nil on a farm without keys.
    package let keyName: String?
    /// The job's place in the order of arrival.
    package var order: Int
    package private(set) var phase: JobPhase
    package var submitted: Double
    package var started: Instant?
    package var ended: Instant?
    package internal(set) var tasks = TaskTable()
    package var frames = 0
    /// The bytes of sources that came from afar for it; of an earlier life those of the segments that were done.
    var sourceBytes = SourceBytes()
    /// The notices for a person, of planning and of every committed segment; attempts that failed do not count.
    package private(set) var notices = NoticeList()
    private var planNotices = NoticeList()
    /// The time at which the coordinator's own work that is under way (planning, finishing, publishing, cleaning) will
    /// have taken too long; nil while it waits for its turn.
    var dueBy: Instant?
    /// The versions of libraries that workers must have to take its tasks, and below them the encoders and the effects.
    var versions: [String] = []
    var encoders: [String] = []
    var effects: [String] = []
    /// The lists of places in `effects` that its tasks need, each list once; nil for all. Fresh chunks' `needs` are
    /// places in it.
    private(set) var needs: [[Int]?] = []
    /// The checks of its files by worker.
    var assets: [String: AssetCheck] = [:]
    /// The time since which every worker that is there has said that it cannot; nil where one has not.
    var unableSince: Instant?
    /// The work that was done when an attempt was last taken back: reports do not fall below it.
    var workFloor = WorkDone()
    /// Whether segments of an earlier life were being checked again when the end was decided: their folder holds them.
    var heldFinished = false
    var meter = RateMeter()

    // Dispatch
    var running = 0
    /// The brain's count of leases when the job last got one.
    var lastServed = 0
    /// The chunks that were never leased yet.
    var fresh = RunQueue()
    private var runFrames = 1
    /// The memory that a slot takes for one of its chunks, in bytes, as planning estimated it; 0 where nobody did.
    private(set) var slotBytes = 0
    /// The tasks that are pending again after a lease.
    var returned: [Int] = []

    // Faults
    var workers: [String: WorkerRecord] = [:]
    /// The keys of the workers that were given something of it; those without a key are not in it.
    var keysOfWorkers: [String: String] = [:]
    /// The keys that get nothing of it, some of them for a time.
    var blockedKeys: [String: KeyBlock] = [:]
    var shortage: Shortage?
    var frameTimes = FrameTimes()

    // Two passes
    /// The number of the picture's chunks, which are the tasks 0..<chunkCount.
    private(set) var chunkCount = 0
    /// The number of those that are copied and not made.
    package private(set) var copiedCount = 0
    /// The number of parts in which the sound is mixed; 0 where its own task mixes it.
    private(set) var mixCount = 0
    /// The number of analyses; 0 for a film of one pass.
    private(set) var analysisCount = 0
    var allotment = AllotmentState.waiting

    // Stitching
    /// The number of parts that the stitcher was handed: the sound first, if any, then the chunks in order.
    var partsAppended = 0
    /// The number of those that stand in the film.
    var partsJoined = 0
    /// Whether the first part has been taken up; before that the film may wait for its turn.
    var isFilmBegun = false
    /// The coordinator's own work on it that failed and is tried again: bits may be allotted while the film grows.
    var waits: [OwnWait.Work: OwnWait] = [:]

    /// The slots that work on it, or are to let go of it.
    var slots: Set<String> = []

    init(submission: JobSubmission, order: Int, phase: JobPhase = .planning) {
        self.phase = phase
        id = submission.id
        name = submission.name
        priority = submission.priority
        output = submission.output
        outputs = [submission.output] + submission.further
        madeFor = submission.madeFor
        owner = submission.owner
        keyName = submission.keyName
        submitted = submission.submitted
        self.order = order
    }

    package var state: JobState { phase.state }
    package var outcome: JobOutcome? { phase.outcome }
    /// Whether the outcome is decided, or reached.
    package var isEnding: Bool { outcome != nil }

    /// Goes into the phase after the step, which has until `dueBy`. False, and nothing is changed, where the step
    /// cannot be next.
    mutating func advance(_ step: JobPhase.Step, dueBy: Instant? = nil) -> Bool {
        guard let next = phase.after(step) else { return false }
        (phase, self.dueBy) = (next, dueBy)
        return true
    }

    var audioTask: Int? {
        tasks.indices.contains(chunkCount) && tasks[chunkCount].spec.kind == .audio ? chunkCount : nil
    }
    /// The first of the tasks that are analyses.
    var firstAnalysis: Int { tasks.count - analysisCount }

    /// The task of the film's next part; nil when the stitcher has them all.
    var nextPart: Int? {
        guard partsAppended < chunkCount + (audioTask == nil ? 0 : 1) else { return nil }
        guard let audioTask else { return partsAppended }
        return partsAppended == 0 ? audioTask : partsAppended - 1
    }

    mutating func change(_ task: Int, _ body: (inout TaskEntry) -> Void) {
        guard tasks.indices.contains(task) else { return }
        body(&tasks[task])
    }

    mutating func adopt(_ plan: JobPlan) {
        frames = plan.frames
        runFrames = plan.runFrames
        slotBytes = plan.slotBytes
        versions = plan.versions
        encoders = plan.encoders
        effects = plan.effects
        tasks = TaskTable(plan.tasks.map(TaskEntry.init))
        chunkCount = plan.tasks.count { ![.audio, .mix, .analysis].contains($0.kind) }
        copiedCount = plan.tasks.count { $0.kind == .passthrough }
        mixCount = plan.tasks.count { $0.kind == .mix }
        analysisCount = plan.tasks.count { $0.kind == .analysis }
        allotment = .waiting
        (planNotices, notices) = (plan.notices, plan.notices)
    }

    /// Takes over what a committed segment's record tells; what an earlier one of the task told is forgotten.
    mutating func note(_ told: NoticeList, of task: Int) {
        guard tasks.indices.contains(task), tasks[task].notices != told else { return }
        let hadNone = tasks[task].notices.isEmpty
        tasks[task].notices = told
        if hadNone {
            notices.add(told)
        } else {
            notices = tasks.reduce(into: planNotices) { $0.add($1.notices) }
        }
    }

    /// Puts the chunks that were never leased into runs, or their analyses while those are to be made; to be called
    /// when the tasks' states stand, and when bits are allotted.
    mutating func makeRuns() {
        var places: [[Int]?: Int] = [:]
        needs = []
        let stage = isChunkBarred ? firstAnalysis..<tasks.count : 0..<chunkCount
        let items = stage.filter(isFresh).map { index in
            let spec = tasks[index].spec
            let place = places[spec.needs] ?? needs.count
            if place == needs.count {
                places[spec.needs] = place
                needs.append(spec.needs)
            }
            return RunQueue.Item(
                chunk: index, frames: spec.unitCount, cost: spec.cost, leadCost: spec.leadCost, needs: place)
        }
        fresh = RunQueue(items, runFrames: runFrames)
    }

    func isFresh(_ index: Int) -> Bool { tasks[index].state == .pending && tasks[index].epoch == 0 }

    /// Whether chunks wait, as they do until every analysis is done and bits are allotted to them; the sound does not.
    var isChunkBarred: Bool { analysisCount > 0 && allotment != .written }

    package func isBarred(_ index: Int) -> Bool {
        if index < chunkCount { return isChunkBarred }
        if index == audioTask { return tasks.sums.mixesDone < mixCount }
        // Nobody needs a part any more when the sound is encoded, or was in the cache.
        return mixTasks.contains(index)
            && audioTask.map { tasks[$0].state == .done || tasks[$0].attempt?.isCached == true } ?? false
    }

    /// The tasks that are parts of the sound.
    private var mixTasks: Range<Int> { firstAnalysis - mixCount..<firstAnalysis }

    /// The tasks of the sound that were never leased and wait for nothing: its parts, or all of it.
    var freshSounds: [Int] {
        ((mixCount > 0 ? Array(mixTasks) : []) + [audioTask].compactMap(\.self)).filter { isFresh($0) && !isBarred($0) }
    }

    /// The epochs of the committed attempts at the sound's parts, in the parts' order: the sound is encoded from these.
    package var mixEpochs: [Int] { mixTasks.compactMap { tasks[$0].committed?.epoch } }
}

/// The stage of the bits of a film of two passes, between its analyses and its chunks.
enum AllotmentState: Sendable, Hashable {
    /// The bits wait for analyses.
    case waiting
    /// The hands work the bits out, and have until `dueBy`; nil while they have not begun.
    case asked(dueBy: Instant?)
    case written
}

/// The median time per unit over the last measurements of a job.
struct FrameTimes: Sendable {
    private var samples: [Int64] = []
    private var next = 0
    private static let capacity = 64

    mutating func add(_ time: Duration, units: Int) {
        guard units > 0 else { return }
        let sample = time.nanoseconds / Int64(units)
        if samples.count < Self.capacity {
            samples.append(sample)
        } else {
            samples[next] = sample
            next = (next + 1) % Self.capacity
        }
    }

    /// The median time of a unit; nil before the first measurement.
    var median: Duration? {
        guard !samples.isEmpty else { return nil }
        return .nanoseconds(samples.sorted()[samples.count / 2])
    }
}
