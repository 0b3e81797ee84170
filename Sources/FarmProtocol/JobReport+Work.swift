package import Scheduling

extension Splitreel_Farm_JobReport {
    /// The work of a report from another process: its numbers may be anything.
    package var workDone: WorkDone {
        WorkDone(
            frames: Int(clamping: frames), framesDone: Int(clamping: framesDone), chunks: Int(counts.total),
            chunksDone: Int(counts.done), isInPlace: jobState == .completed)
    }
}
