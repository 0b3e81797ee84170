package import Scheduling

/// The jobs that a store that takes these transitions gives back after a crash: `JobStore` without a disk.
package struct StoredJobs: Sendable {
    private var jobs: [String: RecoveredJob] = [:]
    private var order: [String] = []
    private var ended: [String: JobOutcome] = [:]
    /// The failed jobs that can be retried, with the time of their end in seconds since 1970.
    package private(set) var kept: [String: (ended: Double, bytes: Int)] = [:]

    package init() {}

    package mutating func take(_ transition: Transition, _ clock: WallClock) {
        let (id, at) = (transition.job, clock.seconds(at: transition.at))
        switch transition.change {
        case .submitted(let submission):
            jobs[id] = RecoveredJob(submission: submission, plan: nil, tasks: [])
            order.append(id)
        case .planned(_, let plan):
            jobs[id]?.plan = plan
            jobs[id]?.tasks = plan.tasks.map { _ in RecoveredTask(state: .pending) }
        case .task(_, let task, let row):
            jobs[id]?.tasks[task] = RecoveredTask(
                state: row.state, epoch: row.epoch, lease: row.lease, slot: row.slot, worker: row.worker,
                tries: row.tries, losses: row.losses, failedWorkers: row.failedWorkers, segment: row.segment,
                started: row.started.map(clock.seconds) ?? 0, ended: row.ended.map(clock.seconds) ?? 0,
                error: row.error, notices: row.notices)
        case .running: jobs[id]?.started = at
        case .stitching, .delayed: break
        case .publishing(_, let film): jobs[id]?.film = film
        case .ending(_, let outcome): jobs[id]?.ending = outcome
        case .ended(_, let outcome, _): ended[id] = outcome
        case .kept(_, let bytes): kept[id] = (kept[id]?.ended ?? at, bytes)
        case .retried:
            jobs[id] = jobs[id]?.retried
            ended[id] = nil
            kept[id] = nil
        case .pruned: kept[id] = nil
        }
    }

    package subscript(id: String) -> RecoveredJob? { jobs[id] }

    package func outcome(of id: String) -> JobOutcome? { ended[id] }

    package func unfinished() -> [RecoveredJob] { order.filter { ended[$0] == nil }.compactMap { jobs[$0] } }
}
