package import Scheduling

// The words of states, here and nowhere else. A word of a later release reads as nil.

extension Splitreel_Farm_JobReport {
    package var jobState: JobState? {
        get { JobState(rawValue: state) }
        set { state = newValue?.rawValue ?? "" }
    }

    /// The state that the job will end in: decided, but not yet its state.
    package var jobEnding: JobState? {
        get { JobState(rawValue: ending) }
        set { ending = newValue?.rawValue ?? "" }
    }

    package var isTerminal: Bool { jobState?.isTerminal == true }
}

extension Splitreel_Farm_ChunkReport {
    /// The state of the chunk's task; nil, which is `cancelled` on the wire, where it was given up with its job.
    package var taskState: TaskState? {
        get { TaskState(rawValue: state) }
        set { state = newValue?.rawValue ?? "cancelled" }
    }
}

extension Splitreel_Farm_WorkerReport {
    package var condition: SlotEntry.Condition? {
        get { SlotEntry.Condition(rawValue: state) }
        set { state = newValue?.rawValue ?? "" }
    }
}
