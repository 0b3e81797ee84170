import FarmProtocol
import Scheduling

extension Splitreel_Farm_WorkersReport {
    /// A report of one entry per worker name, sorted: those after `after`, as many as a message has room for. `facts`
    /// has what slots told of their machines, by their names; nil where that is not told.
    static func make(
        _ brain: CoordinatorBrain, after: String, clock: WallClock, now: Instant, facts: [String: ToldFacts]? = nil
    ) -> Self {
        let kits = facts.map { facts in
            FarmKits(brain.slots.values.map { FarmKits.Kit($0.spec, facts[$0.spec.slot]) })
        }
        let groups = Dictionary(grouping: brain.slots.values, by: \.spec.worker)
        var message = Self()
        var room = brain.limits.controlMessageBytes / 2
        for (name, slots) in groups.filter({ $0.key > after }).sorted(by: { $0.key < $1.key }) {
            var report = Splitreel_Farm_WorkerReport.make(name, slots, brain, now)
            report.processes = processes(of: slots, clock, most: brain.limits.processesOfWorker) { slots in
                guard let facts, let kits, let first = slots.first(where: { facts[$0.spec.slot] != nil }) else {
                    return nil
                }
                let kit = FarmKits.Kit(first.spec, facts[first.spec.slot])
                return ToldFacts.report(slots.compactMap { facts[$0.spec.slot] }, lacks: kits.lacks(of: kit))
            }
            room -= report.byteCount + 8
            guard room > 0 || message.workers.isEmpty else {
                message.more = true
                break
            }
            message.workers.append(report)
        }
        return message
    }

    /// Leaves out what the report tells of jobs that are not to be seen.
    mutating func keepJobs(where isSeen: (_ job: String) -> Bool) {
        for place in workers.indices {
            workers[place].current.removeAll { name in !isSeen(String(name.prefix { $0 != "/" })) }
            workers[place].remarks = []
        }
    }

    /// The processes that the slots came from, by host and number.
    private static func processes(
        of slots: [SlotEntry], _ clock: WallClock, most: Int,
        facts: (_ slots: [SlotEntry]) -> Splitreel_Farm_ProcessFacts?
    ) -> [Splitreel_Farm_WorkerProcess] {
        func place(_ process: WorkerProcess) -> (String, Int64, String) {
            (process.host, process.pid ?? 0, process.release)
        }
        let groups = Dictionary(grouping: slots, by: \.spec.process)
        return groups.keys.sorted { place($0) < place($1) }.prefix(most).map { process in
            var report = Splitreel_Farm_WorkerProcess()
            report.host = process.host
            report.pid = process.pid ?? 0
            report.release = process.release
            report.since = groups[process]?.map { clock.seconds(at: $0.registeredAt) }.min() ?? 0
            if let facts = facts(groups[process] ?? []) { report.facts = facts }
            return report
        }
    }
}

extension Splitreel_Farm_WorkerReport {
    fileprivate static func make(_ name: String, _ slots: [SlotEntry], _ brain: CoordinatorBrain, _ now: Instant)
        -> Self
    {
        var report = Self()
        report.name = name
        report.slots = UInt32(clamping: slots.count)
        let conditions = slots.map(\.condition)
        let isRendering = slots.contains { $0.holding != nil }
        report.state = conditions.allSatisfy { $0 == .draining } ? .draining : isRendering ? .rendering : .idle
        for slot in slots.sorted(by: { $0.spec.slot < $1.spec.slot }) {
            guard let holding = slot.holding else { continue }
            report.current.append(brain.name(of: holding))
            report.framesPerSecond += slot.framesPerSecond(now: now) ?? 0
        }
        report.remarks = brain.remarks(onWorker: name)
        return report
    }
}

extension CoordinatorBrain {
    /// The name of a task in hand for people: `JOB/CHUNK`, or `JOB/sound`, also for a part of it.
    fileprivate func name(of holding: Holding) -> String {
        guard let job = jobs[holding.job], job.tasks.indices.contains(holding.task),
            job.tasks[holding.task].spec.kind.isSound
        else { return "\(holding.job)/\(holding.task)" }
        return "\(holding.job)/sound"
    }
}
