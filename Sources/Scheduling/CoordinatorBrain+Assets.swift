import Diagnostics

/// The answers of one worker on whether it sees a job's files.
struct AssetCheck: Sendable {
    /// The slot that was asked and has not answered yet, and since when; nil for none.
    var asked: (slot: String, since: Instant)?
    /// Whether the worker can work with the files; nil before the first answer.
    var isAble: Bool?
    /// The reason why it cannot; nil where it can.
    var problem: SplitreelError?
    /// The time of its last answer.
    var answered: Instant = .zero
}

// Checks of assets: a job's tasks may go to workers with the same libraries that see its files. Each worker is asked
// before its first lease, so that a missing mount costs no chunk.
extension CoordinatorBrain {
    func isAble(_ worker: String, _ job: JobEntry) -> Bool {
        !limits.checksAssets || job.assets[worker]?.isAble == true
    }

    /// The reason why the slot's libraries or encoders do not fit the job's plan, or its effects none of the tasks that
    /// wait; nil where they do.
    func difference(_ spec: SlotSpec, _ job: JobEntry) -> SplitreelError? {
        if !job.versions.isEmpty, spec.versions != job.versions {
            let theirs = Set(spec.versions)
            let ours = job.versions.filter { !theirs.contains($0) }
            let other = spec.versions.filter { !Set(job.versions).contains($0) }
            return differs(
                spec,
                "it has \(other.isEmpty ? "no" : other.joined(separator: ", ")), the plan was made with "
                    + ours.joined(separator: ", "))
        }
        let missing = job.encoders.filter { !spec.encoders.contains($0) }
        if !missing.isEmpty { return differs(spec, "it lacks the encoder \(missing.joined(separator: ", "))") }
        let lack = job.lack(of: spec)
        guard !lack.isEmpty, !job.hasPending(for: lack) else { return nil }
        return differs(
            spec, "it lacks \(listed(lack.places.sorted().map { job.effects[$0] }))",
            hint: "start it from the program that has it")
    }

    private func listed(_ effects: [String]) -> String {
        let more = effects.count > limits.remarks ? " and \(effects.count - limits.remarks) more" : ""
        return effects.prefix(limits.remarks).joined(separator: ", ") + more
    }

    private func differs(
        _ spec: SlotSpec, _ reason: String, hint: String = "install the same packages on all machines"
    ) -> SplitreelError {
        SplitreelError(
            .workerDiffers, operation: "dispatching", subject: spec.worker, reason: reason, hint: hint)
    }

    // MARK: - Asking

    /// A slot of each worker, in a fixed order.
    private var speakers: [(worker: String, slot: String)] {
        var first: [String: String] = [:]
        for entry in slots.values where !entry.isDraining {
            let slot = entry.spec.slot
            first[entry.spec.worker] = min(first[entry.spec.worker] ?? slot, slot)
        }
        return first.map { (worker: $0.key, slot: $0.value) }.sorted { $0.worker < $1.worker }
    }

    mutating func askForAssets(of job: String) {
        guard limits.checksAssets else { return }
        for (worker, slot) in speakers { ask(worker, slot, job) }
    }

    mutating func askForAssets(worker: String, slot: String) {
        guard limits.checksAssets else { return }
        for job in queue where jobs[job]?.hasPending == true && jobs[job]?.assets[worker] == nil {
            ask(worker, slot, job)
        }
    }

    private mutating func ask(_ worker: String, _ slot: String, _ job: String) {
        guard let spec = slots[slot]?.spec, let entry = jobs[job], difference(spec, entry) == nil else { return }
        jobs[job]?.assets[worker, default: AssetCheck()].asked = (slot, now)
        actions.append(.checkAssets(slot: slot, job: job))
    }

    mutating func assetsChecked(_ slot: String, _ job: String, _ error: SplitreelError?) {
        guard touch(slot), let worker = slots[slot]?.spec.worker, jobs[job]?.isEnding == false,
            jobs[job]?.assets[worker] != nil
        else { return }
        answer(worker, job, error)
    }

    private mutating func answer(_ worker: String, _ job: String, _ error: SplitreelError?) {
        jobs[job]?.assets[worker] = AssetCheck(asked: nil, isAble: error == nil, problem: error, answered: now)
        mustDispatch = true
    }

    /// Forgets the questions to a slot that is gone or new: it will not answer them.
    mutating func forgetChecks(askedOf slot: String) {
        guard limits.checksAssets, let worker = slots[slot]?.spec.worker else { return }
        for job in queue where jobs[job]?.assets[worker]?.asked?.slot == slot {
            jobs[job]?.assets[worker]?.asked = nil
            if jobs[job]?.assets[worker]?.isAble == nil { jobs[job]?.assets[worker] = nil }
        }
    }

    // MARK: - As time passes

    mutating func lookAfterAssets() {
        guard limits.checksAssets, lastAssetLook.map({ now - $0 >= .seconds(1) }) ?? true else { return }
        lastAssetLook = now
        let speakers = speakers
        for id in queue where jobs[id]?.hasPending == true {
            for (worker, slot) in speakers { look(at: worker, slot, id) }
            judgeAssets(id, speakers)
        }
    }

    private mutating func look(at worker: String, _ slot: String, _ id: String) {
        guard let check = jobs[id]?.assets[worker] else { return ask(worker, slot, id) }
        if let asked = check.asked {
            guard now - asked.since > limits.assetCheck else { return }
            let error = SplitreelError(
                .tookTooLong, operation: "checking the assets", subject: worker,
                reason: "it did not answer within \(limits.assetCheck)", hint: "is one of its mounts hanging?")
            return answer(worker, id, error)
        }
        guard check.isAble != true else { return }
        let pause = jobs[id]?.unableSince == nil ? limits.assetRecheck : limits.assetRecheckAlone
        if now - check.answered > pause { ask(worker, slot, id) }
    }

    /// Ends a job where every worker that could be used has said that it cannot; others have `otherWorkerWait` to
    /// appear. One that says nothing may have a disk that hangs, and has as long as a chunk that stands still.
    private mutating func judgeAssets(_ id: String, _ speakers: [(worker: String, slot: String)]) {
        guard let job = jobs[id], !job.isEnding else { return }
        let fitting = speakers.filter { speaker in
            slots[speaker.slot].map { difference($0.spec, job) == nil } ?? false
        }
        let problems = fitting.compactMap { job.assets[$0.worker]?.problem }
        guard !fitting.isEmpty, problems.count == fitting.count, job.running == 0, let first = problems.first else {
            if job.unableSince != nil { jobs[id]?.unableSince = nil }
            return
        }
        let since = job.unableSince ?? now
        jobs[id]?.unableSince = since
        let isHanging = problems.contains { $0.code.retry == .resource }
        guard now - since >= (isHanging ? limits.standing : limits.otherWorkerWait) else { return }
        var error = first
        let names = fitting.map(\.worker)
        error.reason +=
            " on worker\(names.count == 1 ? "" : "s") \(names.prefix(limits.remarks).joined(separator: ", "))"
        if error.hint.isEmpty { error.hint = "workers must see the coordinator's files under the same paths" }
        end(id, .failed(error), "no worker can reach its files: error \(error.code.number): \(error.subject)")
    }

    // MARK: - Saying so

    /// The reasons why the job's waiting chunks are not given to workers that are there, a sentence each; empty where
    /// all is well.
    package func remarks(on id: String) -> [String] {
        guard let job = jobs[id], job.hasPending else { return [] }
        let speakers = speakers
        if speakers.isEmpty { return ["no worker is connected"] }
        var remarks = remarksOnKeys(of: job)
        for (worker, slot) in speakers {
            guard remarks.count < limits.remarks else { break }
            guard let problem = obstacle(worker, slot, job) else {
                if let block = block(ofWorker: worker, in: job) {
                    remarks.append("worker \(worker) gets none of it for up to an hour: \(block)")
                }
                continue
            }
            remarks.append(
                "worker \(worker) gets none of it: error \(problem.code.number), \(problem.code.title): "
                    + "\(problem.subject == Phrase(worker) ? "" : "\(problem.subject): ")\(problem.reason)")
        }
        return remarks + remarksOnAudits(of: job) + unmetNeeds(of: job, speakers)
    }

    /// The effects of waiting tasks that no worker has of those that are there and get some of the job, as a sentence.
    private func unmetNeeds(of job: JobEntry, _ speakers: [(worker: String, slot: String)]) -> [String] {
        guard !job.effects.isEmpty else { return [] }
        let specs = speakers.compactMap { slots[$0.slot]?.spec }.filter { difference($0, job) == nil }
        guard !specs.isEmpty else { return [] }
        let unmet = job.effects.indices.compactMap { place -> String? in
            guard !specs.contains(where: { $0.effects.contains(job.effects[place]) }) else { return nil }
            let count = job.pendingCount(needing: place)
            return count > 0 ? "\(job.effects[place]) (\(count))" : nil
        }
        guard !unmet.isEmpty else { return [] }
        return ["no worker has what some of its chunks need: \(listed(unmet)); start one from the program that has it"]
    }

    /// The jobs that a worker is kept from, a sentence each.
    package func remarks(onWorker worker: String) -> [String] {
        guard let slot = slots.values.filter({ $0.spec.worker == worker }).map(\.spec.slot).min() else { return [] }
        return queue.lazy.compactMap { id -> String? in
            guard let job = jobs[id], job.hasPending, let problem = obstacle(worker, slot, job) else { return nil }
            return "nothing of job \(id): error \(problem.code.number), \(problem.code.title): \(problem.reason)"
        }.prefix(limits.remarks).map { $0 }
    }

    private func obstacle(_ worker: String, _ slot: String, _ job: JobEntry) -> SplitreelError? {
        if let spec = slots[slot]?.spec, let difference = difference(spec, job) { return difference }
        return job.assets[worker]?.problem
    }
}
