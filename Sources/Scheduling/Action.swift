package import Diagnostics

/// A wish of the brain. The hands first store every `persist` of a turn in one commit, then do the rest in order.
package enum Action: Sendable, Hashable {
    case persist(Transition)

    // to slots
    /// Sends messages to the slot to that peer from now on.
    case welcome(slot: String, Peer)
    case refuse(Peer, slot: String, SplitreelError)
    /// Asks the slot to look whether it can work with the files of the job's plan.
    case checkAssets(slot: String, job: String)
    case sendLease(slot: String, Holding)
    case cancelLease(slot: String, Holding)
    case acknowledge(slot: String, Holding, accepted: Bool)
    case replyToHeartbeat(slot: String, known: Bool, leaseValid: Bool)
    case requestDrain(slot: String)
    /// Forgets the slot: its heartbeats are answered with "unknown" from now on.
    case forget(slot: String, reason: String)
    /// Ends the process of a slot that was lost and has not come back.
    case endProcess(slot: String, pid: Int64)

    // the hands' own work, each off the loop; results come back as events
    case plan(job: String)
    /// Checks a segment. One without a hash is in a cache, and is fetched first.
    case verify(Holding, ReportedSegment)
    /// Shares a job's bits out among its chunks, since every analysis of it is done. Answered with `allotted`.
    case allot(job: String)
    /// Appends a part to the film: the sound first, then the chunks in order; each once, but for a film that was
    /// dropped. A chunk without a segment is copied from its source.
    case append(job: String, task: Int, ReportedSegment?)
    /// Lets go of the film that grows and of its bytes: its parts come anew.
    case dropFilm(job: String)
    case finishFilm(job: String)
    case publish(job: String)
    /// Stops stitching and removes the work folder; answered with `cleaned`. Must be harmless when repeated.
    case clean(job: String)
    /// Stops stitching, removes the film that grew, lets go of the outputs, and keeps the plan and the segments;
    /// answered with `folderKept`.
    case keep(job: String)
    /// Removes what was kept of a failed job; harmless where there is nothing.
    case dropKept(job: String)

    /// Gives up work that nobody waits for any more: its thread may hang, and another takes its place.
    case abandon(Work)

    /// Tells everybody who watches; the last thing that happens to a job.
    case jobEnded(job: String, JobOutcome)
}

/// Blocking work of the hands that the brain can give up on.
package enum Work: Sendable, Hashable {
    case planning(job: String)
    case verifying(Holding)
    case allotting(job: String)
    /// The job's own thread: appending, finishing and publishing.
    case film(job: String)
    case cleaning(job: String)
}
