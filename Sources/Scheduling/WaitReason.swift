/// The reason why nothing of an unfinished job is in hand; raw values are the words of documents.
package enum WaitReason: String, Sendable, Hashable, CaseIterable {
    /// Its sources are read, and its chunks are planned.
    case planning
    /// No worker is there, or all leave.
    case workers
    /// Jobs of a higher priority have slots, and none is free.
    case priority
    /// Other jobs have every slot.
    case slots
}

extension CoordinatorBrain {
    /// The jobs at the head of the line that are looked at for one that has slots.
    private static let headOfLine = 16

    /// The reason why nothing of the job is in hand; nil where something is, and where a slot is free and it waits for
    /// something of its own, such as its next try.
    package func waitReason(of job: JobEntry) -> WaitReason? {
        guard !job.isEnding else { return nil }
        if job.phase == .planning { return .planning }
        guard job.running == 0, job.hasPending else { return nil }
        if slots.values.allSatisfy(\.isDraining) { return .workers }
        // A slot that is free could have it.
        guard idle.isEmpty else { return nil }
        let isOutranked = queue.prefix(Self.headOfLine).contains { id in
            jobs[id].map { $0.priority > job.priority && $0.running > 0 } ?? false
        }
        return isOutranked ? .priority : .slots
    }

    /// The first reason why free slots get nothing of a job of which nothing is in hand; nil where there is none.
    package func remark(onWaiting job: JobEntry) -> String? {
        guard !job.isEnding, job.running == 0, !idle.isEmpty else { return nil }
        return remarks(on: job.id).first
    }
}
