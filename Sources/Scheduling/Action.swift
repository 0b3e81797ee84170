package import Diagnostics

/// What the brain wants done. The hands first store every `persist` of a turn in one commit, then do the rest in order.
package enum Action: Sendable, Hashable {
    case persist(Transition)

    // to slots
    /// From now on messages to the slot go to that peer.
    case welcome(slot: String, Peer)
    case refuse(Peer, slot: String, SplitreelError)
    /// Asks the slot to look whether it can work with the files of the job's plan.
    case checkAssets(slot: String, job: String)
    case sendLease(slot: String, Holding)
    case cancelLease(slot: String, Holding)
    case acknowledge(slot: String, Holding, accepted: Bool)
    case replyToHeartbeat(slot: String, known: Bool, leaseValid: Bool)
    case requestDrain(slot: String)
    /// The slot is forgotten: its heartbeats are answered with "unknown" from now on.
    case forget(slot: String, reason: String)

    // the hands' own work, each off the loop; results come back as events
    case plan(job: String)
    case verify(Holding, ReportedSegment)
    /// Every analysis of the job is done: to share its bits out among its chunks. Answered with `allotted`.
    case allot(job: String)
    /// The sound first, then the chunks in order; never twice in one life of the coordinator.
    case append(job: String, task: Int, ReportedSegment)
    case finishFilm(job: String)
    case publish(job: String)
    /// Stop stitching, remove the work folder; answered with `cleaned`. Must be harmless when repeated.
    case clean(job: String)

    /// Nobody waits for that work any more: its thread may hang, and another takes its place.
    case abandon(Work)

    /// Tell everybody who watches; the last thing that happens to a job.
    case jobEnded(job: String, JobOutcome)
}

/// Blocking work of the hands that the brain can give up on.
package enum Work: Sendable, Hashable {
    case planning(job: String)
    case verifying(Holding)
    case allotting(job: String)
    /// Appending, finishing and publishing: the job's own thread.
    case film(job: String)
    case cleaning(job: String)
}
