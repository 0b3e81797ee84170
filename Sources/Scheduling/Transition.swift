package import Diagnostics

/// One change of what survives a crash, with the sentence that explains it: stored together or not at all.
package struct Transition: Sendable, Hashable {
    package enum Change: Sendable, Hashable {
        case submitted(JobSubmission)
        case planned(job: String, plan: JobPlan)
        case task(job: String, task: Int, TaskRow)
        /// The first lease of the job.
        case running(job: String)
        case stitching(job: String)
        /// Work of the coordinator's own waits, or a part of the film is to be made again; with the job's state then.
        case delayed(job: String, state: JobState)
        /// The film stands complete under its temporary name; `film` tells it again after a rename.
        case publishing(job: String, film: String)
        /// The outcome is decided; slots and folder are still to be freed.
        case ending(job: String, JobOutcome)
        /// The job has ended, with so much of it done; nil where nobody knows.
        case ended(job: String, JobOutcome, WorkDone? = nil)
        /// The work of a failed job is kept, in so many bytes; stored before the job's end, or once more after it.
        case kept(job: String, bytes: Int)
        /// A failed job goes on: see `RecoveredJob.retried`.
        case retried(job: String)
        /// Nothing is kept of a failed job any more.
        case pruned(job: String)
    }

    package var change: Change
    package var at: Instant
    /// The sentence on what happened, for `logs` and `explain`.
    package var text: Phrase

    package init(_ change: Change, at: Instant, text: Phrase) {
        self.change = change
        self.at = at
        self.text = text
    }

    package var job: String {
        switch change {
        case .submitted(let submission): submission.id
        case .planned(let job, _), .task(let job, _, _), .running(let job), .stitching(let job),
            .delayed(let job, _), .publishing(let job, _), .ending(let job, _), .ended(let job, _, _),
            .kept(let job, _), .retried(let job), .pruned(let job):
            job
        }
    }
}

/// A task's durable columns. Progress is not among them.
package struct TaskRow: Sendable, Hashable {
    package var state: TaskState
    package var epoch: Int
    package var lease: LeaseID?
    package var slot: String
    package var worker: String
    package var tries: Int
    package var losses: Int
    package var failedWorkers: [String]
    package var segment: ReportedSegment?
    package var started: Instant?
    package var ended: Instant?
    package var error: SplitreelError?
    /// The notices for a person on the segment that was committed.
    package var notices: NoticeList

    package init(
        state: TaskState, epoch: Int, lease: LeaseID?, slot: String, worker: String, tries: Int, losses: Int,
        failedWorkers: [String], segment: ReportedSegment?, started: Instant?, ended: Instant?,
        error: SplitreelError?, notices: NoticeList = NoticeList()
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
