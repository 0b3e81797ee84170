import Diagnostics
import Scheduling

// People who come back to jobs that failed.
extension World {
    /// Decides what becomes of a job that has failed: retried once with its bad chunk mended, pruned, or left. One that
    /// waited too long for a disk is always retried, when the disk moves.
    func planRetry(of id: String, _ error: SplitreelError) {
        guard let number = scenario.jobs.firstIndex(where: { $0.id == id }) else { return }
        if error.code == .tookTooLong {
            let end = stops.values.map(\.until).max() ?? now
            agenda.add(.retry(job: number), at: max(now, end) + .seconds(5))
            comingBack.insert(id)
        }
        guard error.code != .tookTooLong, !mended.contains(id) else { return }
        let delay = Duration.milliseconds(Int.random(in: 10...20_000, using: &retryRandom))
        switch Int.random(in: 0..<4, using: &retryRandom) {
        case 0, 1: agenda.add(.retry(job: number), at: now + delay)
        case 2: agenda.add(.prune(job: number), at: now + delay)
        default: return
        }
        comingBack.insert(id)
    }

    /// Takes the job's output again, and its folder as it was left; asks again later where that cannot be yet.
    func retry(_ number: Int) {
        let job = scenario.jobs[number]
        guard store.kept[job.id] != nil else { return giveUp(job.id) }
        guard let process = coordinator, process.brain.kept[job.id] != nil, process.claims[job.output] == nil,
            var recovered = store[job.id]
        else { return agenda.add(.retry(job: number), at: now + .seconds(1)) }
        trace.note(now) { "\(job.id) is retried" }
        comingBack.remove(job.id)
        mended.insert(job.id)
        var files = JobFiles()
        files.isPlanned = recovered.plan != nil && disk.folders.contains(job.id)
        if !files.isPlanned {
            recovered.plan = nil
            recovered.tasks = []
        }
        process.claims[job.output] = job.id
        process.jobs[job.id] = files
        process.retries[job.id, default: 0] += 1
        enqueue(.jobRetried(recovered, clock))
    }

    func prune(_ number: Int) {
        let id = scenario.jobs[number].id
        guard store.kept[id] != nil else { return giveUp(id) }
        // It is asked for until it is stored: a coordinator may die with the question.
        if coordinator?.brain.kept[id] != nil { enqueue(.pruneJob(id)) }
        agenda.add(.prune(job: number), at: now + .seconds(1))
    }

    private func giveUp(_ id: String) { comingBack.remove(id) }
}
