package import Diagnostics

/// A lease as the coordinator sent it.
package struct LeaseOrder: Sendable, Hashable {
    package var holding: Holding
    package var planPath: String
    /// SHA-256, hex, of the plan file's bytes.
    package var planHash: String
    package var folder: String
    /// The segment's file name in `folder`, with the epoch in it.
    package var segment: String
    /// SHA-256, hex, of the folder's allotment; empty where the task needs none.
    package var allotmentHash: String
    /// Which attempts at the sound's parts are good, in their order; empty where the task needs none.
    package var mixEpochs: [Int]

    package init(
        holding: Holding, planPath: String, planHash: String, folder: String, segment: String,
        allotmentHash: String = "", mixEpochs: [Int] = []
    ) {
        self.holding = holding
        self.planPath = planPath
        self.planHash = planHash
        self.folder = folder
        self.segment = segment
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
        (self.job, self.planPath, self.planHash, self.folder) = (job, planPath, planHash, folder)
    }
}

/// What a render left: a segment under its final name, complete on disk.
package struct SlotResult: Sendable, Hashable {
    /// SHA-256 of the segment file.
    package var segmentHash: [UInt8]
    /// How long the render took, by the wall.
    package var seconds: Double

    package init(segmentHash: [UInt8], seconds: Double) {
        self.segmentHash = segmentHash
        self.seconds = seconds
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
    // from the thread that looks at files; nil: all is well
    case assetsChecked(job: String, SplitreelError?)
    // from the render's thread
    case progress(Holding, done: Int, total: Int)
    case rendered(Holding, Result<SlotResult, SplitreelError>)
    // from outside
    /// SIGTERM.
    case terminate
    /// Standard input closed: the parent is gone or wants the slot gone.
    case inputClosed
    case tick
}

/// What a slot's brain wants done, in order.
package enum SlotAction: Sendable, Hashable {
    /// A fresh control socket (in place of the old one), with a registration as its first message.
    case register(Holding?)
    case startHeartbeat(endpoint: String, interval: Duration)
    /// What the heartbeats say from now on.
    case hold(Holding?)
    case sendStarted(Holding)
    case sendProgress(Holding, done: Int, total: Int)
    case sendFinished(Holding, segment: String, SlotResult)
    case sendFailed(Holding, SplitreelError, unitsDone: Int)
    case sendReleased(Holding)

    case startAssetCheck(AssetOrder)
    case sendAssetsChecked(job: String, SplitreelError?)

    case startRender(LeaseOrder)
    case cancelRender
    /// Remove the segment and its record, if they are there.
    case discard(LeaseOrder)
    /// Tell the supervisor that this process has been of use.
    case noteChunkDone
    /// Tell it why no retry can help.
    case noteHopeless(SplitreelError)
    case log(SlotNote)

    /// Say goodbye, close everything, end with this status.
    case leave(Int32)
    /// End the process at once.
    case abort(Int32)
}

/// What a log should say; constant texts.
package enum SlotNote: Sendable, Hashable {
    case registered
    case refused(SplitreelError)
    /// None has ever been heard.
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
    case stuck
}
