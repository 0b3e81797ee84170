import Diagnostics

// Audits: some chunks are rendered by workers of two keys, and stand in the film only when both made the same bytes.
// Where they did not, a third key decides. Tasks of equal content keys make equal bytes, so that a difference is a lie
// or a broken machine. What an audit has seen is not stored: a coordinator that comes back begins it anew.
extension CoordinatorBrain {
    /// Takes a segment that has passed its check; answers whether it may be committed now. Where it may not, the
    /// attempt is over.
    mutating func passesAudit(_ attempt: Attempt) -> Bool {
        let holding = attempt.holding
        guard let witness = witness(attempt), let task = jobs[holding.job]?.tasks[holding.task] else { return true }
        let earlier = task.witnesses
        if earlier.contains(where: { $0.hash == witness.hash }) {
            jobs[holding.job]?.tasks[holding.task].witnesses = []
            for other in earlier where other.hash != witness.hash { distrust(other, in: holding.job, task.spec.label) }
            return true
        }
        jobs[holding.job]?.tasks[holding.task].witnesses.append(witness)
        verifyBy[holding] = nil
        jobs[holding.job]?.shortage = nil
        settle(attempt.slot, holding, accepted: true)
        switch earlier.count {
        case 0: putBack(holding, "rendered by \(attempt.slot), and audited by a worker of another key")
        case 1:
            putBack(
                holding,
                "\(attempt.slot) made another segment of it than \(earlier[0].worker), and a third key decides")
        default: failJob(holding, disagreement(earlier + [witness], task.spec.label))
        }
        return false
    }

    /// The attempt as a witness; nil where its task is not audited. The sound is not: its encoders may round otherwise
    /// on another processor. Analyses decide sizes alone.
    private func witness(_ attempt: Attempt) -> AuditWitness? {
        let holding = attempt.holding
        guard let audit, !attempt.isRecovered, !attempt.isCached, let segment = attempt.segment,
            let job = jobs[holding.job], holding.task < job.chunkCount,
            let key = job.keysOfWorkers[attempt.worker] ?? Self.keyInName(of: attempt.worker),
            audit.picks(job: holding.job, task: holding.task)
        else { return nil }
        return AuditWitness(key: key, worker: attempt.worker, hash: segment.hash)
    }

    /// The key of a worker of an earlier life, whose name begins with it.
    private static func keyInName(of worker: String) -> String? {
        worker.firstIndex(of: ":").map { String(worker[..<$0]) }
    }

    func disagreement(_ witnesses: [AuditWitness], _ label: String) -> SplitreelError {
        let workers = witnesses.map { "\($0.worker) (key \($0.key))" }.joined(separator: ", ")
        let isOfThree = witnesses.count > 2
        let lack = isOfThree ? "" : ", and no worker of a third key is there to decide"
        return SplitreelError(
            .auditDisagrees, operation: "auditing", subject: Phrase(label),
            reason: "each of the workers \(workers) made another segment of it\(lack)",
            hint: isOfThree
                ? "one of them lies, or a machine is broken: render with `splitreel render` on a machine that you trust"
                : "revoke the key that you do not trust, or start a worker of a third key, and retry the job")
    }

    // MARK: - A key that was caught

    /// Takes a key out of a job that made another segment of a chunk than two others did. Its chunks are made again:
    /// those that were not audited may be wrong as well.
    private mutating func distrust(_ liar: AuditWitness, in id: String, _ label: String) {
        jobs[id]?.blockedKeys[liar.key] = .audit
        dropWitnesses(of: liar.key, in: id)
        takeFromHand(of: liar.key, in: id)
        let error = SplitreelError(
            .segmentInvalid, operation: "auditing", subject: Phrase(liar.worker),
            reason: "workers of two other keys agreed on another segment of \(label)")
        let done = tasks(doneBy: liar.key, in: id)
        for index in done { reopen(id, index, error, "its key \(liar.key) is not trusted") }
        dropSound(mixedFrom: done, in: id)
        if !done.isEmpty {
            if jobs[id].map({ $0.partsAppended > 0 }) ?? false { dropFilm(id) }
            // Chunks that are made again want their bits.
            allotIfAnalysed(id)
        }
        guard let state = jobs[id]?.state else { return }
        persist(
            .delayed(job: id, state: state),
            """
            key \(liar.key) is out of this job, since \(liar.worker) made another segment of \(label) than two other \
            keys; \(done.count) of its tasks are made again
            """)
        mustDispatch = true
    }

    /// Forgets what workers of a key made of tasks whose audit is not over.
    private mutating func dropWitnesses(of key: String, in id: String) {
        guard let job = jobs[id] else { return }
        for index in 0..<job.chunkCount where job.tasks[index].witnesses.contains(where: { $0.key == key }) {
            jobs[id]?.tasks[index].witnesses.removeAll { $0.key == key }
        }
    }

    private mutating func takeFromHand(of key: String, in id: String) {
        for index in jobs[id]?.tasks.sums.active.sorted() ?? [] {
            guard let attempt = jobs[id]?.tasks[index].attempt, isOf(key, attempt.worker, in: id) else { continue }
            drop(attempt, "its key \(key) is not trusted")
        }
    }

    /// Ends an attempt, also one that is being checked.
    private mutating func drop(_ attempt: Attempt, _ why: Phrase) {
        let (holding, slot) = (attempt.holding, attempt.slot)
        if attempt.isVerifying {
            verifyBy[holding] = nil
            actions.append(.abandon(.verifying(holding)))
            settle(slot, holding, accepted: false)
        }
        giveBack(holding, countsAsLoss: false, why)
        if !attempt.isVerifying { revoke(slot, holding) }
    }

    /// The tasks that were done by workers of a key, without analyses; with the sound where one of its parts is among
    /// them.
    private func tasks(doneBy key: String, in id: String) -> [Int] {
        guard let job = jobs[id] else { return [] }
        var done = job.tasks.indices.filter { index in
            let task = job.tasks[index]
            return task.state == .done && task.spec.kind != .analysis && isOf(key, task.lastWorker, in: id)
        }
        let hasPart = done.contains { job.tasks[$0].spec.kind == .mix }
        if hasPart, let sound = job.audioTask, job.tasks[sound].state == .done, !done.contains(sound) {
            done.append(sound)
        }
        return done
    }

    /// Ends the attempt at the sound that is made of parts which are made again.
    private mutating func dropSound(mixedFrom parts: [Int], in id: String) {
        guard let job = jobs[id], let sound = job.audioTask, let attempt = job.tasks[sound].attempt,
            parts.contains(where: { job.tasks[$0].spec.kind == .mix })
        else { return }
        drop(attempt, "parts of it are made again")
    }

    /// Whether a worker is of a key. One of an earlier life is known by its name, which begins with the key's.
    func isOf(_ key: String, _ worker: String, in id: String) -> Bool {
        jobs[id]?.keysOfWorkers[worker].map { $0 == key } ?? worker.hasPrefix("\(key):")
    }

    // MARK: - Saying so

    /// The chunks that wait for a worker of another key, as a sentence; empty where one is there.
    func remarksOnAudits(of job: JobEntry) -> [String] {
        let specs = slots.values.filter { !$0.isDraining }.map(\.spec).filter { mightTake($0, job) }
        let waiting = job.returned.filter { index in
            let task = job.tasks[index]
            return !task.witnesses.isEmpty
                && !specs.contains { task.isOpen(to: $0) && task.failedWorkers.isDisjoint(with: $0.names) }
        }
        guard !waiting.isEmpty else { return [] }
        let (them, wait) = waiting.count == 1 ? ("it", "waits") : ("them", "wait")
        return [
            "\(waiting.count) of its chunks \(wait) for a worker of another key, which is to render \(them) again: the "
                + "coordinator audits"
        ]
    }
}
