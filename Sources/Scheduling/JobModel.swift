package import Diagnostics

/// What kind of work a task is; raw values are the words of plans and reports.
package enum TaskClass: String, Sendable, Hashable, CaseIterable {
    case audio, composite, source, still, passthrough
    /// A chunk's first pass: how large it becomes, for the allotment of bits that its second one waits for.
    case analysis
    /// A part of a long sound, mixed as samples for the task that encodes all of it.
    case mix

    /// Its units are samples.
    package var isSound: Bool { self == .audio || self == .mix }
}

/// One task as the plan has it. A job has its chunks at 0..<n in film order, then the sound, if any, then the parts
/// that a long sound is mixed in, then, for a film of two passes, an analysis of each chunk in the same order.
package struct TaskSpec: Sendable, Hashable {
    package var kind: TaskClass
    /// Expected work; any unit, compared within a job only.
    package var cost: Double
    /// First frame (or sample) and their number.
    package var firstUnit: Int
    package var unitCount: Int
    /// For people: `chunk 3 (frames 120..<240, 4.004 s to 8.008 s)`.
    package var label: String
    /// Places in the plan's `effects` of those that it needs, sorted; nil: all of them.
    package var needs: [Int]?

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
    /// Higher goes first.
    package var priority: Int
    package var composition: String
    package var request: String
    /// The first one's path, and those of further ones.
    package var output: String
    package var further: [String]
    /// Seconds since 1970.
    package var submitted: Double

    package init(
        id: String, name: String, priority: Int, composition: String, request: String, output: String,
        further: [String] = [], submitted: Double
    ) {
        (self.id, self.name, self.priority) = (id, name, priority)
        (self.composition, self.request, self.output) = (composition, request, output)
        self.further = further
        self.submitted = submitted
    }
}

/// A job's frozen plan as far as scheduling and recovery need it.
package struct JobPlan: Sendable, Hashable {
    /// SHA-256 of the plan file, hex.
    package var hash: String
    /// The work folder; the plan stands in it as `plan.json`, the segments beside it.
    package var folder: String
    package var frames: Int
    package var tasks: [TaskSpec]
    /// What planning found that a person should know.
    package var notices: NoticeList
    /// The versions of the libraries that the plan was made with; workers must have the same. Empty: not compared.
    package var versions: [String]
    /// libavcodec's names of the encoders that the film needs.
    package var encoders: [String]
    /// The registered things that the film needs, each as "id version".
    package var effects: [String]
    /// How much of the film a slot renders on end while its run lasts: about 12 s.
    package var runFrames: Int

    package init(
        hash: String, folder: String, frames: Int, tasks: [TaskSpec], notices: NoticeList = NoticeList(),
        versions: [String] = [], encoders: [String] = [], effects: [String] = [], runFrames: Int = 1
    ) {
        (self.hash, self.folder, self.frames, self.runFrames) = (hash, folder, frames, runFrames)
        (self.tasks, self.notices) = (tasks, notices)
        (self.versions, self.encoders, self.effects) = (versions, encoders, effects)
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
    /// Accepted, not planned yet or nothing leased yet.
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

/// What a slot says it made.
package struct ReportedSegment: Sendable, Hashable {
    /// File name in the job's folder, no path.
    package var name: String
    /// SHA-256 of the file, 32 bytes.
    package var hash: [UInt8]

    package init(name: String, hash: [UInt8]) { (self.name, self.hash) = (name, hash) }
}

package struct SlotSpec: Sendable, Hashable {
    /// Unique per process.
    package var slot: String
    /// The logical name that its siblings share.
    package var worker: String
    package var pid: Int64
    /// The connection by which it registered.
    package var peer: Peer
    /// Versions of its libraries, and the encoders that it has.
    package var versions: [String]
    package var encoders: [String]
    /// The registered things that it has, each as "id version".
    package var effects: Set<String>

    package init(
        slot: String, worker: String, pid: Int64 = 0, peer: Peer = Peer([]), versions: [String] = [],
        encoders: [String] = [], effects: Set<String> = []
    ) {
        (self.slot, self.worker, self.pid, self.peer) = (slot, worker, pid, peer)
        (self.versions, self.encoders, self.effects) = (versions, encoders, effects)
    }

    /// By which failures are counted against it.
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
    /// Seconds since 1970; 0: not yet.
    package var started: Double
    package var ended: Double
    package var error: SplitreelError?
    package var notices: NoticeList

    package init(
        state: TaskState, epoch: Int = 0, lease: LeaseID? = nil, slot: String = "", worker: String = "",
        tries: Int = 0, losses: Int = 0, failedWorkers: [String] = [], segment: ReportedSegment? = nil,
        started: Double = 0, ended: Double = 0, error: SplitreelError? = nil, notices: NoticeList = NoticeList()
    ) {
        (self.state, self.epoch, self.lease, self.slot, self.worker) = (state, epoch, lease, slot, worker)
        (self.tries, self.losses, self.failedWorkers, self.segment) = (tries, losses, failedWorkers, segment)
        (self.started, self.ended, self.error, self.notices) = (started, ended, error, notices)
    }
}

/// An unfinished job as the store had it.
package struct RecoveredJob: Sendable, Hashable {
    package var submission: JobSubmission
    /// nil where it was not planned yet.
    package var plan: JobPlan?
    /// As many as the plan has.
    package var tasks: [RecoveredTask]
    /// Set where the job had begun to end.
    package var ending: JobOutcome?
    /// Identity of the finished film where publishing had begun; see `Event.filmFinished`.
    package var film: String?
    /// Seconds since 1970; 0: not yet.
    package var started: Double

    package init(
        submission: JobSubmission, plan: JobPlan?, tasks: [RecoveredTask], ending: JobOutcome? = nil,
        film: String? = nil, started: Double = 0
    ) {
        (self.submission, self.plan, self.tasks) = (submission, plan, tasks)
        (self.ending, self.film, self.started) = (ending, film, started)
    }
}
