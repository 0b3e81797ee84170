package import Scheduling

// States and kinds as the protocol has them, and back. A number of a later minor is nil.

extension Splitreel_Farm_JobState {
    package init(_ state: JobState?) {
        self =
            switch state {
            case .waiting: .waiting
            case .running: .running
            case .stitching: .stitching
            case .completed: .completed
            case .failed: .failed
            case .cancelled: .cancelled
            case nil: .unspecified
            }
    }

    package var known: JobState? {
        switch self {
        case .waiting: .waiting
        case .running: .running
        case .stitching: .stitching
        case .completed: .completed
        case .failed: .failed
        case .cancelled: .cancelled
        case .unspecified, .UNRECOGNIZED: nil
        }
    }
}

extension Splitreel_Farm_ChunkState {
    /// - Parameter state: nil for a chunk that was given up with its job.
    package init(_ state: TaskState?) {
        self =
            switch state {
            case .pending: .pending
            case .leased: .leased
            case .running: .running
            case .verifying: .verifying
            case .done: .done
            case .failed: .failed
            case nil: .cancelled
            }
    }
}

extension Splitreel_Farm_ChunkKind {
    package init(_ kind: TaskClass) {
        self =
            switch kind {
            case .composite: .composite
            case .source: .source
            case .still: .still
            case .audio: .audio
            case .analysis: .analysis
            case .mix: .mix
            case .cut: .cut
            case .passthrough: .passthrough
            }
    }

    package var known: TaskClass? {
        switch self {
        case .composite: .composite
        case .source: .source
        case .still: .still
        case .audio: .audio
        case .analysis: .analysis
        case .mix: .mix
        case .cut: .cut
        case .passthrough: .passthrough
        case .unspecified, .UNRECOGNIZED: nil
        }
    }
}

extension Splitreel_Farm_WorkerState {
    package init(_ condition: SlotEntry.Condition) {
        self =
            switch condition {
            case .idle: .idle
            case .rendering: .rendering
            case .draining: .draining
            }
    }

    package var known: SlotEntry.Condition? {
        switch self {
        case .idle: .idle
        case .rendering: .rendering
        case .draining: .draining
        case .unspecified, .UNRECOGNIZED: nil
        }
    }
}

extension Splitreel_Farm_JobWait {
    package init(_ reason: WaitReason?) {
        self =
            switch reason {
            case .planning: .planning
            case .workers: .workers
            case .priority: .priority
            case .slots: .slots
            case nil: .unspecified
            }
    }

    package var known: WaitReason? {
        switch self {
        case .planning: .planning
        case .workers: .workers
        case .priority: .priority
        case .slots: .slots
        case .unspecified, .UNRECOGNIZED: nil
        }
    }
}

extension Splitreel_Farm_JobReport {
    package var isTerminal: Bool { state.known?.isTerminal == true }
}
