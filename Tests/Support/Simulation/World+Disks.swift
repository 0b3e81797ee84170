import Diagnostics
import Scheduling

/// The disk of a worker, by its place in the scenario, or of the coordinator.
enum DiskPlace: Hashable {
    case worker(Int)
    case coordinator
}

/// A time in which nothing comes from a disk and nothing goes there.
struct DiskStop {
    var since: Instant
    var until: Instant
}

/// The wait of the coordinator's work over a disk that stands still.
struct Standstill {
    var since: Instant
    /// How often its job had been taken up again: a later one has nothing to do with this work.
    var retries: Int
}

/// Troubles of disks, as somebody in the farm met them.
package enum DiskTrouble: String, Sendable, CaseIterable {
    case fullDisk
    /// A disk was full for a moment.
    case blink
    /// A chunk stood still over its worker's disk.
    case workerStop
    /// Planning, a check, the film or its publishing stood still over the coordinator's disk.
    case coordinatorStop
    /// A stop outlasted somebody's patience.
    case tooLate
    /// A segment that had passed was found damaged.
    case damage
}

extension Scenario.Troubles {
    /// Whether the dice allow the trouble; whether anybody meets it is another matter.
    package func mayBring(_ trouble: DiskTrouble) -> Bool {
        switch trouble {
        case .fullDisk: fullDisks != nil
        case .blink: blinks != nil
        case .workerStop: workerStops != nil || longStop?.isOfWorker == true
        case .coordinatorStop: coordinatorStops != nil || longStop?.isOfWorker == false
        case .tooLate: longStop != nil
        case .damage: damaged > 0
        }
    }
}

// Disks that are full, stand still, and spoil what lies on them.
extension World {
    /// The time for which a process that reads media may stand still.
    private static let childPatience: Duration = .seconds(600)
    /// The segments of a job that are damaged at most: whose segments are damaged three times gets nothing more of it.
    private static let mostDamages = 2

    // MARK: - Dice

    func planDisks() {
        let troubles = scenario.troubles
        planDisk(troubles.blinks) { .diskBlinks($0.diskSeconds(0.02...0.6)) }
        planDisk(troubles.workerStops) { .diskStops(.worker($0.anyWorker), $0.diskSeconds(1...90)) }
        planDisk(troubles.coordinatorStops) { .diskStops(.coordinator, $0.diskSeconds(1...90)) }
        guard let stop = troubles.longStop else { return }
        agenda.add(.diskStops(stop.isOfWorker ? .worker(anyWorker) : .coordinator, stop.length), at: stop.begins)
    }

    /// Puts such events down as `plan` does, by the dice of disks.
    private func planDisk(_ pause: Double?, _ make: (World) -> Happening) {
        guard let pause else { return }
        var time = Instant.zero + diskSeconds(0...(2 * pause))
        while time < scenario.troublesEnd {
            agenda.add(make(self), at: time)
            time = time + diskSeconds(0...(2 * pause))
        }
    }

    private var anyWorker: Int { Int.random(in: scenario.workers.indices, using: &diskRandom) }

    private func diskSeconds(_ range: ClosedRange<Double>) -> Duration {
        .nanoseconds(Int64(Double.random(in: range, using: &diskRandom) * 1e9))
    }

    // MARK: - Full disks

    /// The error of whoever writes to the disk of work folders and films now; nil while it has room.
    func fullDisk() -> SplitreelError? {
        guard now < max(diskFullUntil, blinkUntil) else { return nil }
        diskTroubles.insert(now < diskFullUntil ? .fullDisk : .blink)
        return Self.error(.diskFull, "no space left")
    }

    // MARK: - Damage

    /// Damages a segment that has passed, now and then, right before it is joined.
    func damage(_ job: String, _ segment: ReportedSegment) {
        let path = "/\(job)/\(segment.name)"
        let share = scenario.troubles.damaged
        guard share > 0, damages[job, default: 0] < Self.mostDamages, disk.segments[path] != nil,
            Double.random(in: 0..<1, using: &diskRandom) < share
        else { return }
        trace.note(now) { "\(path) is damaged" }
        damages[job, default: 0] += 1
        disk.segments[path]?.hash[0] ^= 0xFF
        diskTroubles.insert(.damage)
    }

    // MARK: - Disks that stand still

    /// Stops a disk; one that stands still already goes on when it would have.
    func stopDisk(_ place: DiskPlace, _ length: Duration) {
        guard standing(place) == nil else { return }
        trace.note(now) { "the disk of \(place) stands still for \(length)" }
        stops[place] = DiskStop(since: now, until: now + length)
    }

    /// The stop that is in force now; nil while the disk moves.
    func standing(_ place: DiskPlace) -> DiskStop? {
        guard let stop = stops[place], now < stop.until else { return nil }
        return stop
    }

    /// Whether the slot's process has done nothing since its last heartbeat.
    func isStill(_ index: Int) -> Bool {
        guard slots[index]?.render != nil, let stop = standing(.worker(worker(of: index))) else { return false }
        return now - stop.since >= scenario.limits.heartbeat
    }

    /// Lets work of the coordinator come to its end: later, or too late, where its disk stands still.
    func come(_ deed: Deed, _ stand: Standstill? = nil) throws(Violation) {
        guard let process = coordinator else { return }
        let retries = process.retries[deed.job, default: 0]
        if let stand, stand.retries != retries { return }
        guard let stop = standing(.coordinator), isAtDisk(deed) else {
            if isOfFilm(deed) { process.jobs[deed.job]?.filmStandsSince = nil }
            return try finish(deed)
        }
        diskTroubles.insert(.coordinatorStop)
        var since = stand?.since ?? now
        if isOfFilm(deed) {
            // One thread does all of it in order: what follows waits as long as the first.
            since = process.jobs[deed.job]?.filmStandsSince ?? now
            process.jobs[deed.job]?.filmStandsSince = since
        }
        let end = min(stop.until, since + Self.childPatience)
        guard end > now else { return beTooLate(deed) }
        agenda.add(.workGoesOn(life: process.life, deed, Standstill(since: since, retries: retries)), at: end)
    }

    private func isOfFilm(_ deed: Deed) -> Bool {
        switch deed {
        case .appended, .filmFinished, .renamed: true
        default: false
        }
    }

    /// Whether the work reads or writes media that somebody still wants.
    private func isAtDisk(_ deed: Deed) -> Bool {
        switch deed {
        case .planned(let job): coordinator?.jobs[job]?.isDropped == false
        case .verified(let holding, _): coordinator?.jobs[holding.job]?.verifying.contains(holding) == true
        case .appended(let job, _, _), .filmFinished(let job), .renamed(let job): isFilmWanted(job)
        default: false
        }
    }

    private func beTooLate(_ deed: Deed) {
        let error = Self.error(.tookTooLong, "the process that reads it stood still")
        switch deed {
        case .planned(let job): enqueue(.planningFailed(job: job, error))
        case .verified(let holding, _):
            coordinator?.jobs[holding.job]?.verifying.remove(holding)
            enqueue(.verificationFailed(holding, error))
        case .appended(let job, let task, _): failFilm(job, task: task, error)
        case .filmFinished(let job): failFilm(job, error)
        case .renamed(let job): enqueue(.stitchFailed(job: job, error))
        default: break
        }
        if isOfFilm(deed) { coordinator?.jobs[deed.job]?.filmStandsSince = nil }
    }
}

// What must hold of disks.
extension World {
    private var somebodyRewrites: Bool { scenario.workers.contains { $0.rewrites } }

    /// Nobody is charged for a disk that is full or stands still: tries are of chunks that failed, and no worker is
    /// ruled out but for what it did.
    func checkCharges(_ id: String, _ task: Int, _ row: TaskRow) throws(Violation) {
        let slow = scenario.jobs.first { $0.id == id }?.slowStart
        let failures = slow?.chunk == task ? ledger.failures[id, default: 0] : 0
        try require(row.tries <= failures, "\(id)/\(task) has used \(row.tries) tries, and failed \(failures) times")
        if !somebodyRewrites {
            try require(row.failedWorkers.isEmpty, "\(row.failedWorkers) did nothing to \(id)/\(task)")
        }
        guard row.error?.code == .tookTooLong else { return }
        diskTroubles.insert(.tooLate)
        try require(scenario.troubles.longStop != nil, "\(id)/\(task) was too late, and no disk stood for long")
    }

    /// The suspicion that a damaged segment must bring on its maker alone; nil for every other event.
    func suspicion(_ brain: CoordinatorBrain, _ event: Event) -> Suspicion? {
        guard !somebodyRewrites, case .stitchFailed(let id, let task?, let error) = event,
            error.code == .segmentInvalid, let job = brain.jobs[id], !job.isEnding, job.phase != .publishing,
            job.tasks.indices.contains(task), job.tasks[task].state == .done,
            let maker = job.tasks[task].committed.flatMap({ ledger.makers[$0] })
        else { return nil }
        return Suspicion(job: id, maker: maker, before: failures(brain, id, maker))
    }

    func check(_ suspicion: Suspicion, _ brain: CoordinatorBrain) throws(Violation) {
        let (id, maker) = (suspicion.job, suspicion.maker)
        for (name, after) in failures(brain, id, maker) {
            let more = name == maker.worker ? 1 : 0
            try require(
                after == suspicion.before[name, default: 0] + more,
                "a segment of \(maker.slot) for \(id) is damaged, and \(name) is suspected of \(after)")
        }
    }

    /// The failures in the job by worker; of the maker's slot too, which stands for it where no other worker is there.
    private func failures(_ brain: CoordinatorBrain, _ id: String, _ maker: SlotSpec) -> [String: Int] {
        guard let job = brain.jobs[id] else { return [:] }
        var failures: [String: Int] = [:]
        for worker in scenario.workers { failures[worker.name] = brain.failures(of: worker.name, in: job) }
        failures[maker.worker, default: 0] += brain.failures(of: maker.slot, in: job)
        return failures
    }
}

/// The state of suspicion before a damaged segment is told of.
struct Suspicion {
    var job: String
    /// The slot that made the segment.
    var maker: SlotSpec
    /// The failures of each worker so far.
    var before: [String: Int]
}
