package import Diagnostics
package import FarmProtocol
package import Scheduling

/// The state of a chunk, or of another task, for those outside.
package enum ChunkState: String, Sendable, Hashable {
    case pending, leased, running, verifying, done, failed
    /// Given up with its job.
    case cancelled

    init?(_ wire: Splitreel_Farm_ChunkState) {
        switch wire {
        case .pending: self = .pending
        case .leased: self = .leased
        case .running: self = .running
        case .verifying: self = .verifying
        case .done: self = .done
        case .failed: self = .failed
        case .cancelled: self = .cancelled
        case .unspecified, .UNRECOGNIZED: return nil
        }
    }
}

/// The news of one task of a job; encodes as an element of the job's document.
package struct ChunkReport: Sendable, Hashable {
    /// The place among the job's tasks.
    package var index: Int
    package var kind: Told<TaskClass>
    package var state: Told<ChunkState>
    /// The number of leases so far.
    package var attempt = 0
    /// The slot of the current attempt, or of the last one.
    package var worker = ""
    /// Whether its segment was in the coordinator's cache, so that nothing was rendered.
    package var isCached = false
    /// The worker that had made that segment; nil for others, and where nobody knows.
    package var maker: String?
    /// The first frame, or sample of sound.
    package var firstFrame = 0
    package var frameCount = 0
    package var framesDone = 0
    /// The begin of the last attempt in seconds since 1970; nil before any.
    package var started: Double?
    /// The end in seconds since 1970; nil before it.
    package var ended: Double?
    /// The error of the last attempt that failed.
    package var error: SplitreelError?

    package init(index: Int, kind: TaskClass, state: ChunkState) {
        self.index = index
        self.kind = .known(kind)
        self.state = .known(state)
    }

    package init(_ message: Splitreel_Farm_ChunkReport) {
        index = Int(message.index)
        kind = Told(message.kind.known, number: message.kind.rawValue)
        state = Told(ChunkState(message.state), number: message.state.rawValue)
        attempt = Int(message.attempt)
        worker = message.worker
        isCached = message.cached
        maker = message.maker.isEmpty ? nil : message.maker
        firstFrame = Int(message.firstFrame)
        frameCount = Int(message.frameCount)
        framesDone = Int(message.unitsDone)
        started = message.started.asTime
        ended = message.ended.asTime
        error = message.hasLastProblem ? SplitreelError(message.lastProblem) : nil
    }
}

extension ChunkReport: Encodable {
    private enum Key: String, CodingKey {
        case index, kind, state, attempt, worker, cached, maker, firstFrame, frameCount, framesDone, started, ended
        case error, passthrough
    }

    package func encode(to encoder: any Encoder) throws {
        var document = encoder.container(keyedBy: Key.self)
        try document.encode(index, forKey: .index)
        try document.encode(kind, forKey: .kind)
        try document.encode(state, forKey: .state)
        if kind.value == .passthrough { try document.encode(true, forKey: .passthrough) }
        try document.encode(attempt, forKey: .attempt)
        try document.encode(worker, forKey: .worker)
        try document.encodeIfPresent(isCached ? true : nil, forKey: .cached)
        try document.encodeIfPresent(maker, forKey: .maker)
        try document.encode(firstFrame, forKey: .firstFrame)
        try document.encode(frameCount, forKey: .frameCount)
        try document.encode(framesDone, forKey: .framesDone)
        try document.encodeIfPresent(started, forKey: .started)
        try document.encodeIfPresent(ended, forKey: .ended)
        try document.encodeIfPresent(error.map { FailureReport($0) }, forKey: .error)
    }
}
