package import Diagnostics
package import Hashing

/// The kind of work that a task is; raw values are the words of plans and reports.
package enum TaskClass: String, Sendable, Hashable, CaseIterable {
    case audio, composite, source, still
    /// A chunk of what a cut left of groups of pictures, beside copied ones; made as any other.
    case cut
    /// A chunk that is copied from its source when its turn in the film comes. It is no work: done from the beginning,
    /// never leased, and without a segment.
    case passthrough
    /// A chunk's first pass: how large it becomes, for the allotment of bits that its second one waits for.
    case analysis
    /// A part of a long sound, mixed as samples for the task that encodes all of it.
    case mix

    /// Whether its units are samples.
    package var isSound: Bool { self == .audio || self == .mix }
}

/// One task as the plan has it. A job has its chunks at 0..<n in film order, then the sound, if any, then the parts
/// that a long sound is mixed in, then, for a film of two passes, an analysis of each chunk in the same order.
package struct TaskSpec: Sendable, Hashable {
    package var kind: TaskClass
    /// The expected work, in any unit; compared within a job only.
    package var cost: Double
    /// The work in that unit that a slot has beside it which did not render the chunk before.
    package var leadCost = 0.0
    /// The first frame (or sample) of the task.
    package var firstUnit: Int
    /// The number of its frames (or samples).
    package var unitCount: Int
    /// The name for people: `chunk 3 (frames 120..<240, 4.004 s to 8.008 s)`.
    package var label: String
    /// The places in the plan's `effects` of those that it needs, sorted; nil for all of them.
    package var needs: [Int]?
    /// The key of its content; nil of a task that was stored before there were keys.
    package var key: ContentKey?

    package init(kind: TaskClass, cost: Double, firstUnit: Int, unitCount: Int, label: String) {
        self.kind = kind
        self.cost = cost
        self.firstUnit = firstUnit
        self.unitCount = unitCount
        self.label = label
    }
}

/// A job as it was asked for. The brain keeps id, name, priority; the texts only pass through into the store.
package struct JobSubmission: Sendable, Hashable {
    package var id: String
    package var name: String
    /// The priority; a higher one goes first.
    package var priority: Int
    package var composition: String
    package var request: String
    /// The path of the first output, and below it those of further ones.
    package var output: String
    package var further: [String]
    /// The path of a command's own output, which the job's is made for; nil where nobody waits for it to go on.
    package var madeFor: String?
    /// The person who submitted it, as `USER@HOST`; nil where nobody said.
    package var owner: String?
    /// The name of the key under which it was submitted; nil on a farm without keys.
    package var keyName: String?
    /// The time of the submission, in seconds since 1970.
    package var submitted: Double

    package init(
        id: String, name: String, priority: Int, composition: String, request: String, output: String,
        further: [String] = [], madeFor: String? = nil, owner: String? = nil,
        keyName: String? = nil, submitted: Double
    ) {
        self.id = id
        self.name = name
        self.priority = priority
        self.composition = composition
        self.request = request
        self.output = output
        self.further = further
        self.madeFor = madeFor
        self.owner = owner
        self.keyName = keyName
        self.submitted = submitted
    }
}

/// A job's frozen plan as far as scheduling and recovery need it.
package struct JobPlan: Sendable, Hashable {
    /// The SHA-256 of the plan file, in hexadecimal digits.
    package var hash: String
    /// The work folder; the plan stands in it as `plan.json`, the segments beside it.
    package var folder: String
    package var frames: Int
    package var tasks: [TaskSpec]
    /// The notices of planning for a person.
    package var notices: NoticeList
    /// The versions of the libraries that the plan was made with; workers must have the same. Empty where they are not
    /// compared.
    package var versions: [String]
    /// libavcodec's names of the encoders that the film needs.
    package var encoders: [String]
    /// The registered things that the film needs, each as "id version".
    package var effects: [String]
    /// The frames that a slot renders on end while its run lasts: about 12 s.
    package var runFrames: Int
    /// The memory that a slot takes for a chunk at its peak, in bytes, about; 0 where it is not known.
    package var slotBytes: Int

    package init(
        hash: String, folder: String, frames: Int, tasks: [TaskSpec], notices: NoticeList = NoticeList(),
        versions: [String] = [], encoders: [String] = [], effects: [String] = [], runFrames: Int = 1,
        slotBytes: Int = 0
    ) {
        self.hash = hash
        self.folder = folder
        self.frames = frames
        self.runFrames = runFrames
        self.slotBytes = slotBytes
        (self.tasks, self.notices) = (tasks, notices)
        self.versions = versions
        self.encoders = encoders
        self.effects = effects
    }
}

package enum JobOutcome: Sendable, Hashable {
    case completed
    case failed(SplitreelError)
    case cancelled

    package var state: JobState {
        switch self {
        case .completed: .completed
        case .failed: .failed
        case .cancelled: .cancelled
        }
    }
    package var error: SplitreelError? {
        if case .failed(let error) = self { error } else { nil }
    }
}

package enum JobState: String, Sendable, Hashable, CaseIterable {
    /// The job is accepted, and not planned yet or nothing of it leased yet.
    case waiting
    case running
    /// Every task done; the film is being finished, checked and published.
    case stitching
    case completed, failed, cancelled

    package var isTerminal: Bool { self == .completed || self == .failed || self == .cancelled }
}

package enum TaskState: String, Sendable, Hashable, CaseIterable {
    case pending, leased, running, verifying, done, failed
}

/// The segment that a slot says it made.
package struct ReportedSegment: Sendable, Hashable {
    /// The file's name in the job's folder, without a path.
    package var name: String
    /// The SHA-256 of the file, 32 bytes.
    package var hash: [UInt8]
    /// The bytes of sources that its slot had sent since its last result for the job.
    package var sources: SourceBytes
    /// The worker that made the file, where a cache had it; nil where a slot reports it.
    package var maker: String?

    package init(name: String, hash: [UInt8], sources: SourceBytes = SourceBytes(), maker: String? = nil) {
        (self.name, self.hash, self.sources, self.maker) = (name, hash, sources, maker)
    }
}

package struct SlotSpec: Sendable, Hashable {
    /// The slot's name, unique per process.
    package var slot: String
    /// The logical name that it shares with its siblings.
    package var worker: String
    /// The name of the key that it came with, which it may share with other workers; nil on a farm without keys.
    package var key: String?
    package var pid: Int64
    /// The connection by which it registered.
    package var peer: Peer
    /// The versions of its libraries, and below them the encoders that it has.
    package var versions: [String]
    package var encoders: [String]
    /// The registered things that it has, each as "id version".
    package var effects: Set<String>
    /// The memory in bytes that all slots of its worker together may take; nil where nobody said.
    package var memoryBytes: Int?
    /// The process that it is a child of.
    package var process: WorkerProcess

    package init(
        slot: String, worker: String, key: String? = nil, pid: Int64 = 0, peer: Peer = Peer([]),
        versions: [String] = [], encoders: [String] = [], effects: Set<String> = [], memoryBytes: Int? = nil,
        process: WorkerProcess = WorkerProcess()
    ) {
        self.slot = slot
        self.worker = worker
        self.key = key
        self.pid = pid
        self.peer = peer
        self.versions = versions
        self.encoders = encoders
        self.effects = effects
        self.memoryBytes = memoryBytes
        self.process = process
    }

    /// The names under which failures are counted against it.
    var names: [String] { [worker, slot] }
}

/// A task as the store had it when the coordinator came back.
package struct RecoveredTask: Sendable, Hashable {
    package var state: TaskState
    package var epoch: Int
    package var lease: LeaseID?
    package var slot: String
    package var worker: String
    package var tries: Int
    package var losses: Int
    package var failedWorkers: [String]
    package var segment: ReportedSegment?
    /// The times of its start and, below, of its end, in seconds since 1970; 0 where there was none yet.
    package var started: Double
    package var ended: Double
    package var error: SplitreelError?
    package var notices: NoticeList

    package init(
        state: TaskState, epoch: Int = 0, lease: LeaseID? = nil, slot: String = "", worker: String = "",
        tries: Int = 0, losses: Int = 0, failedWorkers: [String] = [], segment: ReportedSegment? = nil,
        started: Double = 0, ended: Double = 0, error: SplitreelError? = nil, notices: NoticeList = NoticeList()
    ) {
        self.state = state
        self.epoch = epoch
        self.lease = lease
        self.slot = slot
        self.worker = worker
        self.tries = tries
        self.losses = losses
        self.failedWorkers = failedWorkers
        self.segment = segment
        self.started = started
        self.ended = ended
        self.error = error
        self.notices = notices
    }
}

/// An unfinished job as the store had it.
package struct RecoveredJob: Sendable, Hashable {
    package var submission: JobSubmission
    /// The job's plan; nil where it was not planned yet.
    package var plan: JobPlan?
    /// The tasks, as many as the plan has.
    package var tasks: [RecoveredTask]
    /// The outcome where the job had begun to end; nil where it had not.
    package var ending: JobOutcome?
    /// The identity of the finished film where publishing had begun, see `Event.filmFinished`; nil where it had not.
    package var film: String?
    /// The time of its start, in seconds since 1970; 0 where it was not started yet.
    package var started: Double
    /// The reason why this release cannot read all that is stored of it, and leaves that out; nil where it can.
    package var fault: SplitreelError?

    package init(
        submission: JobSubmission, plan: JobPlan?, tasks: [RecoveredTask], ending: JobOutcome? = nil,
        film: String? = nil, started: Double = 0, fault: SplitreelError? = nil
    ) {
        self.fault = fault
        self.submission = submission
        self.plan = plan
        self.tasks = tasks
        self.ending = ending
        self.film = film
        self.started = started
    }
}
