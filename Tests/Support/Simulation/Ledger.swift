import Diagnostics
import Scheduling

/// The events that the simulation itself has seen, to hold the brains against.
struct Ledger {
    /// The hash of the segment that passed, by attempt.
    var verified: [Holding: [UInt8]] = [:]
    /// The slot that made each segment.
    var makers: [Holding: SlotSpec] = [:]
    /// How often a job's unlucky chunk has failed.
    var failures: [String: Int] = [:]
    /// The slots whose keys the coordinator knows as revoked, and the number of chunks that went back from them.
    var shutOut: Set<String> = []
    var takenBack = 0
    /// Jobs that were told as ended.
    var ended: [String: JobOutcome] = [:]

    // Of one life of the coordinator
    /// "worker job" where the worker has said that it sees the job's files.
    var able: Set<String> = []
    /// Jobs that were planned in this life: their runs are as the plan has them.
    var planned: Set<String> = []
    /// A slot's last chunk that nobody had before, while its run may go on.
    var last: [String: (job: String, chunk: Int)] = [:]
    /// Since when a free slot and a chunk that it could take have stood beside each other.
    var idleSince: [String: Instant] = [:]

    mutating func forgetLife() { (able, planned, last, idleSince) = ([], [], [:], [:]) }

    /// Slots whose runs are anyone's from here on.
    mutating func take(_ action: Action) {
        switch action {
        case .forget(let slot, _), .requestDrain(let slot): last[slot] = nil
        default: break
        }
    }
}

// What must hold, whatever happens.
extension World {
    // MARK: - At every change that is stored

    func checkTransition(_ transition: Transition) throws(Violation) {
        let stored = store[transition.job]
        switch transition.change {
        case .submitted: break
        case .planned(let job, _): ledger.planned.insert(job)
        case .task(let job, let task, let row):
            guard let before = stored?.tasks[task] else { throw fail("\(job)/\(task) is in no plan") }
            try checkRow(job, task, before, row)
            try checkCharges(job, task, row)
            if row.state == .leased { try checkBarrier(job, task) }
            if row.state == .leased, ledger.last[row.slot]?.job != job { ledger.last[row.slot] = nil }
            if row.state == .leased, row.epoch == 1 { try checkRun(job, task, row.slot) }
            if row.state != .leased, row.state != .done { ledger.last[row.slot] = nil }
        case .ending(let job, _):
            try require(stored?.ending == nil, "the end of \(job) is decided twice")
        case .ended(let job, let outcome, _):
            try require(store.outcome(of: job) == nil && stored?.ending == outcome, "\(job) ends otherwise")
        case .kept(let job, _):
            try require(stored?.ending?.state == .failed, "\(job) is kept, and did not fail")
        case .retried(let job):
            try require(store.outcome(of: job)?.state == .failed, "\(job) is taken up again, and has not failed")
            ledger.ended[job] = nil
            ledger.planned.remove(job)
            // Its runs are dealt anew.
            ledger.last = ledger.last.filter { $0.value.job != job }
        case .pruned(let job): try require(store.kept[job] != nil, "\(job) is pruned, and nothing was kept")
        case .running, .stitching, .delayed, .publishing:
            try require(stored?.ending == nil, "\(transition.job) goes on after its end")
        }
    }

    /// Each chunk is accepted once, and only what was verified.
    private func checkRow(_ job: String, _ task: Int, _ before: RecoveredTask, _ row: TaskRow) throws(Violation) {
        let isNew = row.state == .leased || isOfCache(job, task, before, row)
        try require(row.epoch == before.epoch + (isNew ? 1 : 0), "\(job)/\(task): a wrong epoch")
        if row.state == .done {
            try require(before.state != .done, "\(job)/\(task) is accepted twice")
            try require(!ledger.shutOut.contains(row.slot), "\(row.slot) commits \(job)/\(task) without a key")
            let holding = row.lease.map { Holding(job: job, task: task, epoch: row.epoch, lease: $0) }
            let hash = holding.flatMap { ledger.verified[$0] }
            try require(hash != nil && hash == row.segment?.hash, "\(job)/\(task) is accepted, and was not verified")
        } else if row.state == .pending, ledger.shutOut.contains(before.slot), before.state != .done {
            ledger.takenBack += 1
        } else if before.state == .done, !isLiar(before.worker), let segment = before.segment {
            let lies = disk.segments["/\(job)/\(segment.name)"]
            try require(lies?.hash != segment.hash, "\(job)/\(task) was done, and is rendered again")
        }
    }

    /// Chunks of a film of two passes wait for all of its analyses, and for what is made of them; the sound for the
    /// parts that it is mixed in.
    private func checkBarrier(_ id: String, _ task: Int) throws(Violation) {
        try checkSoundParts(id, task)
        guard let job = scenario.jobs.first(where: { $0.id == id }), job.hasTwoPasses, task < job.costs.count else {
            return
        }
        try require(
            coordinator?.jobs[id]?.isAllotted == true,
            "\(id)/\(task) is leased before its bits are allotted")
    }

    private func checkSoundParts(_ id: String, _ task: Int) throws(Violation) {
        guard let job = scenario.jobs.first(where: { $0.id == id }), job.soundParts > 0, task == job.costs.count,
            let tasks = store[id]?.tasks
        else { return }
        for part in task + 1...task + job.soundParts {
            let isKnown = coordinator?.jobs[id]?.verified[part] == tasks[part].segment?.hash
            try require(tasks[part].state == .done && isKnown, "\(id) has its sound encoded without its part \(part)")
        }
    }

    /// Each analysis is stored, and this life has seen that it is what was stored.
    func checkAnalysed(_ id: String) throws(Violation) {
        guard let job = scenario.jobs.first(where: { $0.id == id }), let tasks = store[id]?.tasks else { return }
        let count = job.costs.count + (job.hasSound ? 1 : 0) + job.soundParts
        for task in count..<tasks.count {
            let isKnown = coordinator?.jobs[id]?.verified[task] == tasks[task].segment?.hash
            try require(tasks[task].state == .done && isKnown, "\(id) is allotted without its analysis \(task)")
        }
        try require(coordinator?.jobs[id]?.isAllotted == false, "\(id) is allotted twice")
    }

    /// A slot goes on with its run while there is anything of it; else it begins the first one that nobody has begun,
    /// or what somebody left of an earlier one. Only near the end the dearest chunk of all may go first.
    private func checkRun(_ id: String, _ chunk: Int, _ slot: String) throws(Violation) {
        guard let job = scenario.jobs.first(where: { $0.id == id }), let tasks = store[id]?.tasks,
            chunk < job.costs.count, ledger.planned.contains(id), job.copied.isEmpty, job.cached.isEmpty
        else { return }
        let length = max(1, job.runFrames / Scenario.chunkFrames)
        func isFresh(_ place: Int) -> Bool { tasks[place].epoch == 0 }
        let left = job.costs.indices.filter(isFresh).map { job.costs[$0] }
        let count = max(slots.count, coordinator?.brain.slots.count ?? 0)
        let isNearEnd = 2 * (left.max() ?? 0) * Double(count) >= left.reduce(0, +)
        if isNearEnd, job.costs[chunk] == left.max() {
            ledger.last[slot] = (id, chunk)
            return
        }
        if let last = ledger.last[slot], last.job == id {
            let next = last.chunk + 1
            if next < job.costs.count, next / length == last.chunk / length, isFresh(next) {
                try require(chunk == next, "\(slot) left its run at \(id)/\(next) for \(chunk)")
                ledger.last[slot] = (id, chunk)
                return
            }
        }
        let runs = stride(from: 0, to: job.costs.count, by: length)
        let unbegun = runs.first { start in (start..<min(start + length, job.costs.count)).allSatisfy(isFresh) }
        if let unbegun { try require(chunk <= unbegun, "\(slot) begins \(id)/\(chunk) before the run at \(unbegun)") }
        ledger.last[slot] = (id, chunk)
    }

    // MARK: - At what is said and done

    func checkLease(_ slot: String, _ holding: Holding) throws(Violation) {
        let name = String(slot.prefix { $0 != "/" })
        guard let worker = scenario.workers.first(where: { $0.name == name }) else { throw fail("who is \(slot)?") }
        let job = scenario.jobs.first { $0.id == holding.job }
        try require(job?.copied.contains(holding.task) != true, "\(slot) gets a chunk that is copied")
        try require(worker.versions == scenario.workers[0].versions, "\(slot) differs, and gets a chunk")
        try require(worker.seesMedia, "\(slot) does not see the files, and gets a chunk")
        try require(
            !scenario.limits.checksAssets || putBack.contains(.asksForNoAssets)
                || ledger.able.contains("\(name) \(holding.job)"), "\(slot) was not asked for the files")
    }

    /// Who has a connection that stands is not lost by an earlier one.
    func checkForgotten(_ slot: String, _ reason: String) throws(Violation) {
        guard reason == Self.connectionGone, let peer = coordinator?.peers.peer(of: slot) else { return }
        try require(connection(of: peer) == nil, "\(slot) is lost, and its connection stands")
    }

    /// A result is told while the lease is known to hold; told once, it may be said again.
    func checkTold(_ index: Int, _ process: SlotProcess, _ holding: Holding) throws(Violation) {
        guard process.told != holding else { return }
        slots[index]?.told = holding
        let isConfirmed = process.confirmedAt.map { now - $0 <= scenario.limits.lease } ?? false
        try require(isConfirmed, "\(process.spec.slot) tells of a chunk whose lease nobody has confirmed")
    }

    /// Checks that copied chunks are never segments, and that nothing else is copied.
    func checkCopy(of id: String, _ task: Int, isCopied: Bool) throws(Violation) {
        let isMeant = scenario.jobs.first { $0.id == id }?.copied.contains(task) == true
        try require(isCopied == isMeant, "\(id)/\(task) is \(isCopied ? "" : "not ")copied")
    }

    func checkPart(_ lies: Disk.Segment, of id: String, _ task: Int) throws(Violation) {
        try require(
            ledger.verified[lies.holding] == lies.hash && lies.holding.task == task && lies.holding.job == id,
            "\(id)/\(task) is stitched, and was not verified")
    }

    func checkFilm(_ film: Disk.Film, of id: String) throws(Violation) {
        guard let job = scenario.jobs.first(where: { $0.id == id }) else { return }
        let chunks = Array(job.costs.indices)
        try require(
            film.parts == (job.hasSound ? [chunks.count] : []) + chunks, "the film of \(id) has the parts \(film.parts)"
        )
        try checkTruth(film, of: id, chunks: chunks.count)
    }

    func checkOutcome(_ id: String, _ outcome: JobOutcome) throws(Violation) {
        guard let job = scenario.jobs.first(where: { $0.id == id }) else { return }
        lastEnd = now
        try require(ledger.ended.updateValue(outcome, forKey: id) == nil, "\(id) ends twice")
        let film = disk.outputs[job.output]
        let isMine = film?.identity.hasPrefix("film \(id) ") == true
        try require(
            isMine == (outcome == .completed), "\(id) is \(outcome.state), its film is \(film?.identity ?? "nowhere")")
        switch outcome {
        case .completed:
            try require(
                job.badChunk == nil || mended.contains(id), "\(id) has a chunk that nobody can render, and is complete")
        case .cancelled: try require(cancelAsked.contains(id), "nobody cancelled \(id)")
        case .failed(let error):
            let isBad = job.badChunk != nil && !mended.contains(id) && error.code == .decodeFailed
            let isTooLate = error.code == .tookTooLong && scenario.troubles.longStop != nil
            if isTooLate { diskTroubles.insert(.tooLate) }
            try require(isBad || isTooLate || scenario.workers.contains { $0.rewrites }, "\(id) fails: \(error)")
            try require(store.kept[id] != nil, "nothing is kept of \(id)")
            planRetry(of: id, error)
        }
    }
}
