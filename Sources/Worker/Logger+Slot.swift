import Diagnostics
import Logging
import Scheduling

extension Logger {
    /// Logs a note of the slot. Messages are constant; variable parts stand in the metadata.
    func log(_ note: SlotNote, endpoint: String) {
        switch note {
        case .registered: info("registered")
        case .refused(let error): self.error("refused by the coordinator", metadata: metadata(error))
        case .coordinatorMissing: info("no answer yet, still waiting", metadata: ["endpoint": "\(endpoint)"])
        case .coordinatorSilent: warning("nothing heard from the coordinator", metadata: ["endpoint": "\(endpoint)"])
        case .coordinatorBack: info("coordinator is back")
        case .leased(let holding): info("chunk attempt started", metadata: metadata(holding))
        case .revoked(let holding): info("lease taken back", metadata: metadata(holding))
        case .finished(let holding): info("chunk attempt finished", metadata: metadata(holding))
        case .failed(let holding, let error):
            self.error(
                "chunk attempt failed", metadata: metadata(holding).merging(metadata(error)) { first, _ in first })
        case .dropped(let holding): info("late result dropped", metadata: metadata(holding))
        case .gaveUp(let holding): warning("coordinator away for too long, work given up", metadata: metadata(holding))
        case .draining: info("draining")
        case .handedBack(let holding): info("leaving, the chunk goes to another slot", metadata: metadata(holding))
        case .stuck: self.error("render does not stop, ending the process")
        }
    }

    private func metadata(_ holding: Holding) -> Logger.Metadata {
        ["job.id": "\(holding.job)", "task.index": "\(holding.task)", "attempt": "\(holding.epoch)"]
    }

    private func metadata(_ error: SplitreelError) -> Logger.Metadata {
        [
            "error.code": "\(error.code.number)", "error.subject": "\(error.subject)",
            "error.reason": "\(error.reason)",
        ]
    }
}
