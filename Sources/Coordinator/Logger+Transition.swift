import Diagnostics
package import Logging
package import Scheduling

extension Logger {
    /// Logs a change in a job's life: messages are constant, variable parts stand in the metadata.
    package func log(_ transition: Transition, of job: JobEntry?, _ clock: WallClock) {
        var metadata: Logger.Metadata = ["job.id": "\(transition.job)"]
        switch transition.change {
        case .submitted(let submission):
            metadata["job.name"] = "\(submission.name)"
            metadata["output"] = "\(submission.output)"
            metadata["priority"] = "\(submission.priority)"
            if let owner = submission.owner { metadata["owner"] = "\(owner)" }
            info("job submitted", metadata: metadata)
        case .planned(_, let plan):
            metadata["chunks"] = "\(plan.tasks.count { !$0.kind.isSound && $0.kind != .analysis })"
            metadata["frames"] = "\(plan.frames)"
            metadata["sound"] = "\(plan.tasks.contains { $0.kind == .audio })"
            info("job planned", metadata: metadata)
        case .running: info("job running", metadata: metadata)
        case .task(_, let index, let row):
            log(row, label: job?.label(of: index) ?? "\(index)", metadata, transition.text.description)
        case .stitching: info("every chunk is done, finishing the film", metadata: metadata)
        case .delayed:
            metadata["reason"] = "\(transition.text)"
            warning("job delayed", metadata: metadata)
        case .publishing: info("film stitched and checked", metadata: metadata)
        case .ending(_, let outcome):
            metadata["state"] = "\(outcome.state.rawValue)"
            debug("job ending", metadata: metadata)
        case .ended(_, let outcome, _):
            metadata["state"] = "\(outcome.state.rawValue)"
            if let job {
                // As tables count it: since the first chunk. Times before that are not work.
                let begun = job.started.map(clock.seconds) ?? job.submitted
                metadata["elapsed"] = "\(Self.seconds(clock.seconds(at: transition.at) - begun)) s"
                if job.started != nil { metadata["waited"] = "\(Self.seconds(begun - job.submitted)) s" }
            }
            if let error = outcome.error { metadata.merge(Self.metadata(error)) { $1 } }
            info("job ended", metadata: metadata)
        case .kept(_, let bytes):
            metadata["bytes"] = "\(bytes)"
            info("failed job kept for a retry", metadata: metadata)
        case .retried: info("failed job taken up again", metadata: metadata)
        case .pruned:
            metadata["reason"] = "\(transition.text)"
            info("failed job kept no longer", metadata: metadata)
        }
    }

    private func log(_ row: TaskRow, label: String, _ common: Logger.Metadata, _ text: String) {
        var metadata = common
        metadata["chunk"] = "\(label)"
        metadata["attempt"] = "\(row.epoch)"
        metadata["worker.id"] = "\(row.slot)"
        switch row.state {
        case .leased, .running: info("chunk attempt started", metadata: metadata)
        case .done:
            if let started = row.started, let ended = row.ended {
                metadata["elapsed"] = "\(Self.seconds((ended - started).inSeconds)) s"
            }
            info("chunk attempt finished", metadata: metadata)
        case .failed:
            if let error = row.error { metadata.merge(Self.metadata(error)) { $1 } }
            error("chunk failed for good", metadata: metadata)
        case .pending:
            metadata["reason"] = "\(text)"
            warning("chunk attempt over without a segment", metadata: metadata)
        case .verifying: debug("chunk attempt being checked", metadata: metadata)
        }
    }

    private static func metadata(_ error: SplitreelError) -> Logger.Metadata {
        [
            "error.code": "\(error.code.number)", "error.subject": "\(error.subject)",
            "error.reason": "\(error.reason)",
        ]
    }

    /// The seconds as text with one decimal.
    private static func seconds(_ seconds: Double) -> String {
        let tenths = Int64(max(0, min(seconds, 1e9)) * 10)
        return "\(tenths / 10).\(tenths % 10)"
    }
}

extension JobEntry {
    fileprivate func label(of task: Int) -> String {
        guard tasks.indices.contains(task) else { return "\(task)" }
        return tasks[task].spec.kind == .audio ? "sound" : "\(task)"
    }
}
