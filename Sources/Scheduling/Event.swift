package import Diagnostics

/// Everything that can happen to the coordinator's brain. Messages of slots that are not registered are ignored, save
/// that a heartbeat is answered with "unknown", upon which the slot registers again.
package enum Event: Sendable {
    // clients
    case jobSubmitted(JobSubmission)
    case cancelJob(String)
    case drainWorker(String)
    /// A failed job is to go on, as the store has it; only one that is kept does.
    case jobRetried(RecoveredJob, WallClock)
    /// The work of a failed job is to be kept no longer.
    case pruneJob(String)

    // the hands' own work
    /// The plan stands. Below it the segments that a cache had of its tasks, by task: they lie in the job's folder, and
    /// are still to be checked. One without a hash is still to be fetched: `fetched` or `verificationFailed` answers.
    case jobPlanned(job: String, JobPlan, cached: [Int: ReportedSegment] = [:])
    case planningFailed(job: String, SplitreelError)
    /// A segment that a cache was asked for lies in the job's folder.
    case fetched(Holding, ReportedSegment)
    case jobRecovered(RecoveredJob, WallClock)
    /// A segment was found good; with the notices that its record has for a person.
    case verified(Holding, NoticeList = NoticeList())
    case verificationFailed(Holding, SplitreelError)
    /// The bits of a film of two passes stand in its work folder for all workers, or could not be put there.
    case allotted(job: String, SplitreelError? = nil)
    /// One of the film's parts stands in the film.
    case partJoined(job: String)
    /// The film is complete and checked under its temporary name. `film` identifies the file (inode, size).
    case filmFinished(job: String, film: String)
    case published(job: String)
    /// An append, the finish, the check or the rename went wrong; `task` is the part that was being appended.
    case stitchFailed(job: String, task: Int? = nil, SplitreelError)
    /// Folder and stitcher of an ending job are gone.
    case cleaned(job: String)
    /// The folder of a failed job holds what is kept and nothing else, in so many bytes; its stitcher is gone.
    case folderKept(job: String, bytes: Int)
    /// An earlier life kept that of a failed job.
    case keptFound(job: String, KeptWork)
    /// A thread has taken up work that had to wait for one, or has come a step further: its time counts from here,
    /// with so much more as the step may take.
    case workBegan(Work, allowing: Duration = .zero)

    // slots
    case slotRegistered(SlotSpec, holding: Holding?)
    /// `isStill` tells that the slot's process has neither taken processor time nor moved bytes since the last one.
    case heartbeat(slot: String, holding: Holding?, isStill: Bool = false)
    case started(slot: String, Holding)
    case progress(slot: String, Holding, done: Int, total: Int)
    case finished(slot: String, Holding, ReportedSegment)
    case failed(slot: String, Holding, SplitreelError, unitsDone: Int)
    /// A slot's segment is complete, and on its way here.
    case sending(slot: String, Holding)
    /// So many bytes of that segment have come that had not come before.
    case arriving(Holding, bytes: Int64)
    /// All files of that segment are here, of a slot that is gone: it cannot say so any more.
    case stands(Holding, ReportedSegment)
    case released(slot: String, Holding)
    case leaving(slot: String)
    /// A slot finishes what it has in hand, takes nothing more, and leaves.
    case draining(slot: String)
    /// A slot's word on the files of a job's plan, which it was asked to look at; nil where it can work with all of
    /// them.
    case assetsChecked(slot: String, job: String, SplitreelError?)
    /// A slot's process ended, or its connection is gone; with a `peer` only as long as the slot has not come by
    /// another.
    case slotLost(slot: String, peer: Peer? = nil, reason: String, cause: LossCause = .unknown)

    case tick
}

/// The cause of a slot's end, as far as it decides what follows.
package enum LossCause: Sendable, Hashable {
    /// A crash or a signal: the chunk may be to blame, or nobody.
    case unknown
    /// Its connection is gone, or it is silent: it may come back with what it has.
    case unreachable
    /// The system killed its process for want of memory.
    case outOfMemory
    /// Its key does not hold any more: nothing that it has in hand or has sent counts, but what was committed.
    case keyIsOver
}
