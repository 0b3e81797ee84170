package import Diagnostics
package import Hashing

/// A lease as the coordinator sent it.
package struct LeaseOrder: Sendable, Hashable {
    package var holding: Holding
    package var planPath: String
    /// The SHA-256 of the plan file's bytes, in hexadecimal digits.
    package var planHash: String
    package var folder: String
    /// The segment's file name in `folder`, with the epoch in it.
    package var segment: String
    /// The key of the task's content, which goes into the segment's record.
    package var key: ContentKey
    /// The SHA-256 of the folder's allotment, in hexadecimal digits; empty where the task needs none.
    package var allotmentHash: String
    /// The epochs of the good attempts at the sound's parts, in the parts' order; empty where the task needs none.
    package var mixEpochs: [Int]

    package init(
        holding: Holding, planPath: String, planHash: String, folder: String, segment: String,
        key: ContentKey, allotmentHash: String = "", mixEpochs: [Int] = []
    ) {
        self.holding = holding
        self.planPath = planPath
        self.planHash = planHash
        self.folder = folder
        self.segment = segment
        self.key = key
        self.allotmentHash = allotmentHash
        self.mixEpochs = mixEpochs
    }

    package var segmentPath: String { folder + "/" + segment }
}

/// A question whether this slot can work with a job's files.
package struct AssetOrder: Sendable, Hashable {
    package var job: String
    package var planPath: String
    package var planHash: String
    package var folder: String

    package init(job: String, planPath: String, planHash: String, folder: String) {
        self.job = job
        self.planPath = planPath
        self.planHash = planHash
        self.folder = folder
    }
}

/// The result of a render: a segment under its final name, complete on disk.
package struct SlotResult: Sendable, Hashable {
    /// The SHA-256 of the segment file, 32 bytes.
    package var segmentHash: [UInt8]
    /// The seconds that the render took, by the wall.
    package var seconds: Double
    /// Whether the segment lies in the worker's outbox, and has to be sent before it is told.
    package var isKept: Bool
    /// The bytes of sources that came from afar since the slot's last result for the job.
    package var sources: SourceBytes

    package init(segmentHash: [UInt8], seconds: Double, isKept: Bool = false, sources: SourceBytes = SourceBytes()) {
        self.segmentHash = segmentHash
        self.seconds = seconds
        self.isKept = isKept
        self.sources = sources
    }
}

/// Everything that can happen to a slot.
package enum SlotEvent: Sendable {
    case begin
    // from the coordinator
    case welcome(heartbeatEndpoint: String, heartbeat: Duration, lease: Duration)
    case refused(SplitreelError)
    case lease(LeaseOrder)
    case cancelLease(Holding)
    case acknowledged(Holding, accepted: Bool)
    case drainRequest
    case heartbeatReply(known: Bool, leaseValid: Bool)
    case checkAssets(AssetOrder)
    // from the thread that looks at files, with nil where all is well
    case assetsChecked(job: String, SplitreelError?)
    // from the render's thread
    case progress(Holding, done: Int, total: Int)
    case rendered(Holding, Result<SlotResult, SplitreelError>)
    // from the outbox
    /// The coordinator has the whole segment.
    case delivered(Holding)
    /// The coordinator does not take the segment.
    case undelivered(Holding, SplitreelError)
    // from outside
    /// The process got SIGTERM.
    case terminate
    /// Standard input closed: the parent is gone or wants the slot gone.
    case inputClosed
    case tick
}

/// A wish of a slot's brain; wishes are done in order.
package enum SlotAction: Sendable, Hashable {
    /// Opens a fresh control socket (in place of the old one), with a registration as its first message.
    case register(Holding?)
    case startHeartbeat(endpoint: String, interval: Duration)
    /// Sets what the heartbeats say from now on.
    case hold(Holding?)
    case sendStarted(Holding)
    case sendProgress(Holding, done: Int, total: Int)
    case sendFinished(Holding, segment: String, SlotResult)
    case sendFailed(Holding, SplitreelError, unitsDone: Int)
    case sendReleased(Holding)
    /// Tells that the segment is complete, and on its way.
    case sendSending(Holding)
    /// Tells that the slot finishes what it has in hand and takes nothing more.
    case sendDraining

    case startAssetCheck(AssetOrder)
    case sendAssetsChecked(job: String, SplitreelError?)

    case startRender(LeaseOrder)
    case cancelRender
    /// Sends the segment from the outbox; answered with `delivered` or `undelivered`.
    case deliver(LeaseOrder)
    /// Removes the segment and its record, if they are there, from the outbox too.
    case discard(LeaseOrder)
    /// Tells the supervisor that this process has been of use.
    case noteChunkDone
    /// Tells the supervisor why no retry can help.
    case noteHopeless(SplitreelError)
    case log(SlotNote)

    /// Says goodbye, closes everything, ends with this status.
    case leave(Int32)
    /// Ends the process at once with this status.
    case abort(Int32)
}

/// A sentence of a log; constant texts.
package enum SlotNote: Sendable, Hashable {
    case registered
    case refused(SplitreelError)
    /// No coordinator has ever been heard.
    case coordinatorMissing
    case coordinatorSilent
    case coordinatorBack
    case leased(Holding)
    case revoked(Holding)
    case finished(Holding)
    case failed(Holding, SplitreelError)
    case dropped(Holding)
    case gaveUp(Holding)
    case draining
    /// The chunk goes to somebody else, since the slot leaves before its render has stopped.
    case handedBack(Holding)
    case stuck
}
