import Diagnostics
import Scheduling

// What must hold after every turn of the coordinator, and at the end.
extension World {
    func checkTurn() throws(Violation) {
        guard let process = coordinator else { return }
        process.turns += 1
        var holders: [Holding: String] = [:]
        for (name, slot) in process.brain.slots {
            try require(process.peers.peer(of: name) == slot.spec.peer, "\(name) is registered and cannot be reached")
            guard let holding = slot.holding, process.brain.isCurrent(holding) else { continue }
            let other = holders.updateValue(name, forKey: holding)
            try require(other == nil, "\(name) and \(other ?? "") have one lease")
        }
        var outputs: Set<String> = []
        for id in process.brain.unfinishedJobs {
            guard let job = process.brain.jobs[id] else { continue }
            try require(outputs.insert(job.output).inserted, "two jobs write \(job.output)")
            guard !job.isEnding, job.phase != .planning else { continue }
            // Of a long film now and then: what is lost stays lost.
            guard job.tasks.count < 200 || process.turns % 64 == 0 else { continue }
            for index in job.tasks.indices { try checkTask(process.brain, job, index) }
        }
        try checkPatience(process.brain)
        try require(agenda.size < 5000 + 100 * slots.count, "\(agenda.size) things are under way")
    }

    /// It waits, or somebody has it for no longer than a lease lasts, or it is looked at, or done.
    private func checkTask(_ brain: CoordinatorBrain, _ job: JobEntry, _ index: Int) throws(Violation) {
        let task = job.tasks[index]
        switch task.state {
        case .pending:
            // A cache may have what analyses and parts of the sound are for: the film is there without them.
            let isSpare = job.phase == .publishing && [.analysis, .mix].contains(task.spec.kind)
            let isWaiting = job.isWaiting(index) || isSpare
            try require(task.attempt == nil && isWaiting, "\(job.id)/\(index) is in no queue")
        case .leased, .running:
            guard let attempt = task.attempt else { throw fail("nobody has \(job.id)/\(index)") }
            let usual = attempt.slot.isEmpty ? scenario.limits.orphan : scenario.limits.lease
            let limit = attempt.travel == nil ? usual : scenario.limits.sending
            // A coordinator that stood still allows as much again.
            let slack = scenario.limits.dead + scenario.limits.stall + .seconds(2)
            try require(now - attempt.renewedAt <= limit + slack, "the lease of \(job.id)/\(index) outlives its limit")
            guard !attempt.slot.isEmpty else { return }
            try require(
                brain.slots[attempt.slot]?.holding == attempt.holding, "\(attempt.slot) lost \(job.id)/\(index)")
        case .verifying: try require(task.attempt?.isVerifying == true, "\(job.id)/\(index) is not looked at")
        case .done: try require(task.segment != nil || task.isCopied, "\(job.id)/\(index) is done without a segment")
        case .failed: throw fail("\(job.id)/\(index) has failed, and its job goes on")
        }
    }

    /// No slot is free for long beside a chunk that it could take.
    private func checkPatience(_ brain: CoordinatorBrain) throws(Violation) {
        // Who was caught rewriting or lying gets nothing more.
        guard !scenario.workers.contains(where: { $0.rewrites || $0.lies }) else { return }
        let waiting = brain.unfinishedJobs.contains { id in
            guard let job = brain.jobs[id], !job.isEnding else { return false }
            return job.tasks.indices.contains {
                job.tasks[$0].state == .pending && job.tasks[$0].epoch == 0 && !job.isBarred($0)
            }
        }
        // One that was gone meanwhile has waited since it came back.
        ledger.idleSince = ledger.idleSince.filter { brain.slots[$0.key] != nil }
        for (name, slot) in brain.slots {
            let number = scenario.workers.firstIndex { $0.name == slot.spec.worker }
            let worker = number.map { scenario.workers[$0] }
            // Over a disk that stands still nobody can say that the files are there.
            let stands = number.map { standing(.worker($0)) != nil } ?? false
            let isAble =
                worker?.seesMedia == true && worker?.versions == scenario.workers[0].versions && !stands
            guard waiting, isAble, slot.holding == nil, !slot.isDraining else {
                ledger.idleSince[name] = nil
                continue
            }
            let since = ledger.idleSince[name] ?? now
            ledger.idleSince[name] = since
            try require(now - since <= .seconds(30), "\(name) is free, chunks wait, and nothing happens")
        }
    }

    func checkEnd() throws(Violation) {
        try require(isOver, "nothing more happens, and jobs have not ended")
        let left = disk.folders.subtracting(store.kept.keys)
        try require(left.isEmpty, "folders are left of \(left.sorted())")
        try require(disk.films.isEmpty, "films are left in the folders of \(disk.films.keys.sorted())")
        let stored = store.kept.keys.sorted()
        let known = coordinator?.brain.kept.keys.sorted() ?? stored
        try require(known == stored, "the brain keeps \(known), the store \(stored)")
        try require(coordinator?.claims.isEmpty ?? true, "outputs are still claimed")
        for job in scenario.jobs {
            guard case .failed(let error) = store.outcome(of: job.id) else { continue }
            try require(error.code != .tookTooLong, "\(job.id) failed for a disk that moves again")
        }
        for (number, job) in scenario.jobs.enumerated() where refused.contains(number) {
            let others = scenario.jobs.filter { $0.output == job.output }
            try require(others.count > 1, "\(job.id) was refused, and nobody else wants \(job.output)")
        }
    }
}
