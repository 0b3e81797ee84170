package import Diagnostics

/// What the brain wants done. The hands first store every `persist` of a turn in one commit, then do the rest in order.
package enum Action: Sendable, Hashable {
    case persist(Transition)

    // to slots
    case welcome(slot: String)
    case refuse(slot: String, SplitreelError)
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
    /// The sound first, then the chunks in order; never twice in one life of the coordinator.
    case append(job: String, task: Int, ReportedSegment)
    case finishFilm(job: String)
    case publish(job: String)
    /// Stop stitching, remove the work folder; answered with `cleaned`. Must be harmless when repeated.
    case clean(job: String)

    /// Tell everybody who watches; the last thing that happens to a job.
    case jobEnded(job: String, JobOutcome)
}
