import Scheduling

// Keys: each worker has one of its own.
extension World {
    static let keyIsOver = "its key does not hold any more"

    func isRevoked(_ index: Int) -> Bool { !revoked.isEmpty && revoked.contains(worker(of: index)) }

    /// Revokes a worker's key, at once or at the first moment at which a segment of it is being checked. A coordinator
    /// that is down finds the key revoked when it starts.
    func revokeKey(_ revocation: Scenario.Revocation) {
        let worker = scenario.workers[revocation.worker].name
        if revocation.isWhileChecked, now < scenario.troublesEnd, !isChecked(worker) {
            return agenda.add(.revokeKey(revocation), at: now + .milliseconds(5))
        }
        trace.note(now) { "the key of \(worker) is revoked" }
        revoked.insert(revocation.worker)
        guard let brain = coordinator?.brain else { return }
        let cause: LossCause = putBack.contains(.commitsRevoked) ? .unknown : .keyIsOver
        for slot in slotNames(of: worker, brain) {
            enqueue(.slotLost(slot: slot, reason: Self.keyIsOver, cause: cause))
        }
    }

    /// The hash of a task's segment where farms are held to the truth.
    static func bytes(ofTask task: Int, isLie: Bool) -> [UInt8] { [UInt8(truncatingIfNeeded: task), isLie ? 1 : 0] }

    /// No chunk of the film is a lie.
    func checkTruth(_ film: Disk.Film, of id: String, chunks: Int) throws(Violation) {
        guard scenario.isHeldToTruth else { return }
        for (part, hash) in zip(film.parts, film.hashes) where part < chunks {
            try require(hash == Self.bytes(ofTask: part, isLie: false), "\(id)/\(part) is a lie")
        }
    }

    func isLiar(_ name: String) -> Bool { scenario.workers.contains { $0.name == name && $0.lies } }

    private func isChecked(_ worker: String) -> Bool {
        guard let brain = coordinator?.brain else { return false }
        return brain.unfinishedJobs.contains { id in
            brain.jobs[id]?.tasks.contains { task in
                task.attempt.map { $0.isVerifying && !$0.isRecovered && $0.worker == worker } ?? false
            } ?? false
        }
    }

    /// The worker's slots that are there or are about to register, and those that are gone with something under way.
    private func slotNames(of worker: String, _ brain: CoordinatorBrain) -> [String] {
        var names = Set(brain.slots.values.filter { $0.spec.worker == worker }.map(\.spec.slot))
        for case .slotRegistered(let spec, _) in coordinator?.events ?? [] where spec.worker == worker {
            names.insert(spec.slot)
        }
        for id in brain.unfinishedJobs {
            for task in brain.jobs[id]?.tasks ?? TaskTable() where task.attempt?.worker == worker {
                names.insert(task.lastSlot)
            }
        }
        return names.sorted()
    }
}
