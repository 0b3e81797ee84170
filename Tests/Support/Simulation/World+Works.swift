import Diagnostics
import Scheduling

/// Work of the coordinator's threads that has come to its end.
enum Deed {
    case planned(job: String)
    case verified(Holding, ReportedSegment)
    /// A cache far away has answered, or bytes have come from there.
    case fetched(Holding, CacheAnswer)
    case bytesCame(Holding)
    case allotted(job: String)
    /// A part without a segment is copied.
    case appended(job: String, task: Int, ReportedSegment?)
    case filmDropped(job: String)
    case filmFinished(job: String)
    case renamed(job: String)
    case published(job: String)
    case cleaned(job: String)
    case folderKept(job: String)

    var job: String {
        switch self {
        case .planned(let job), .allotted(let job), .appended(let job, _, _), .filmDropped(let job),
            .filmFinished(let job), .renamed(let job), .published(let job), .cleaned(let job), .folderKept(let job):
            job
        case .verified(let holding, _), .fetched(let holding, _), .bytesCame(let holding): holding.job
        }
    }
}

// The coordinator's threads: what they are asked, and what becomes of it some time later.
extension World {
    func schedule(_ deed: Deed, at time: Instant) {
        guard let life = coordinator?.life else { return }
        agenda.add(.workDone(life: life, deed), at: time)
    }

    func startPlanning(_ job: String) {
        enqueue(.workBegan(.planning(job: job)))
        schedule(.planned(job: job), at: now + pause(0.05...3))
    }

    func startVerifying(_ holding: Holding, _ segment: ReportedSegment) {
        if startFetching(holding, segment) { return }
        coordinator?.jobs[holding.job]?.verifying.insert(holding)
        enqueue(.workBegan(.verifying(holding)))
        schedule(.verified(holding, segment), at: now + pause(happens(0.05) ? 0.5...5 : 0.005...0.2))
    }

    /// One job's film is made in order, on a thread of its own.
    func onFilmThread(_ job: String, _ deed: Deed) {
        let time = max(now, coordinator?.jobs[job]?.filmFree ?? now) + pause(0.01...0.5)
        coordinator?.jobs[job]?.filmFree = time
        schedule(deed, at: time)
    }

    /// As what was verified, or not at all.
    func startAppending(_ job: String, _ task: Int, _ segment: ReportedSegment?) {
        guard segment == nil || coordinator?.jobs[job]?.verified[task] != nil || putBack.contains(.stitchesWhatLies)
        else {
            return enqueue(.stitchFailed(job: job, Self.error(.internalFault, "it was not verified")))
        }
        onFilmThread(job, .appended(job: job, task: task, segment))
    }

    func startCleaning(_ job: String) {
        guard coordinator?.jobs[job] != nil else { return enqueue(.cleaned(job: job)) }
        coordinator?.jobs[job]?.isDropped = true
        schedule(.cleaned(job: job), at: now + pause(0.01...1))
    }

    func startKeeping(_ job: String) {
        guard coordinator?.jobs[job] != nil else { return enqueue(.cleaned(job: job)) }
        coordinator?.jobs[job]?.isDropped = true
        // Threads that still write there come to their end first.
        let files = coordinator?.jobs[job]
        let free = max(now, files?.filmFree ?? now, files?.allotFree ?? now)
        schedule(.folderKept(job: job), at: free + pause(0.01...1))
    }

    func abandon(_ work: Work) throws(Violation) {
        switch work {
        case .planning(let job), .film(let job), .allotting(let job): coordinator?.jobs[job]?.isDropped = true
        case .verifying(let holding):
            try checkGivenUp(holding)
            coordinator?.jobs[holding.job]?.verifying.remove(holding)
        case .cleaning: break
        }
    }

    func startAllotting(_ job: String) throws(Violation) {
        try checkAnalysed(job)
        enqueue(.workBegan(.allotting(job: job)))
        let time = now + pause(happens(0.1) ? 0.5...5 : 0.005...0.2)
        coordinator?.jobs[job]?.allotFree = time
        schedule(.allotted(job: job), at: time)
    }

    // MARK: - What comes of it

    func finish(_ deed: Deed) throws(Violation) {
        switch deed {
        case .planned(let job): finishPlanning(job)
        case .verified(let holding, let segment): finishVerifying(holding, segment)
        case .fetched(let holding, let answer): try finishFetching(holding, answer)
        case .bytesCame(let holding): goOnFetching(holding)
        case .allotted(let job): finishAllotting(job)
        case .appended(let job, let task, let segment): try append(job, task, segment)
        case .filmDropped(let job):
            disk.films[job] = nil
            coordinator?.jobs[job]?.isFilmBegun = false
            coordinator?.jobs[job]?.hasFilmFailed = false
        case .filmFinished(let job):
            guard isFilmWanted(job) else { return }
            if let error = fullDisk() { return failFilm(job, error) }
            guard let film = disk.films[job] else { return }
            try checkFilm(film, of: job)
            coordinator?.jobs[job]?.film = film.identity
            enqueue(.filmFinished(job: job, film: film.identity))
        case .renamed(let job): rename(job)
        case .published(let job): enqueue(.published(job: job))
        case .cleaned(let job):
            disk.removeFolder(of: job)
            letGoOfOutput(job)
            enqueue(.cleaned(job: job))
        case .folderKept(let job):
            disk.films[job] = nil
            letGoOfOutput(job)
            let count = disk.segments.values.count { $0.holding.job == job }
            enqueue(.folderKept(job: job, bytes: count))
        }
    }

    private func letGoOfOutput(_ job: String) {
        guard let output = store[job]?.submission.output, coordinator?.claims[output] == job else { return }
        coordinator?.claims[output] = nil
    }

    private func finishPlanning(_ id: String) {
        guard let job = scenario.jobs.first(where: { $0.id == id }) else { return }
        guard coordinator?.jobs[id]?.isDropped == false else {
            // The last look at whether it is wanted stands right before the work folder is made.
            if putBack.contains(.keepsLatePlans) {
                disk.folders.insert(id)
                return
            }
            return enqueue(.planningFailed(job: id, Self.error(.cancelled, "the job ended while it was planned")))
        }
        if let error = fullDisk() { return enqueue(.planningFailed(job: id, error)) }
        disk.removeFolder(of: id)
        disk.folders.insert(id)
        coordinator?.jobs[id]?.isPlanned = true
        let frames = Scenario.chunkFrames
        var tasks = job.costs.enumerated().map { index, cost in
            var task = TaskSpec(
                kind: job.copied.contains(index) ? .passthrough : .composite, cost: cost, firstUnit: index * frames,
                unitCount: frames, label: "chunk \(index)")
            // Key frames lie anywhere: up to a chunk of work is in vain.
            task.leadCost = cost * Double(index % 5) / 4
            return task
        }
        if job.hasSound { tasks.append(TaskSpec(kind: .audio, cost: 1, firstUnit: 0, unitCount: 100, label: "sound")) }
        tasks += (0..<job.soundParts).map { part in
            TaskSpec(kind: .mix, cost: 1, firstUnit: part * 20, unitCount: 20, label: "part \(part) of the sound")
        }
        if job.hasTwoPasses { tasks += tasks.prefix(job.costs.count).map(\.analysis) }
        let plan = JobPlan(
            hash: "00", folder: "/\(id)", frames: job.costs.count * frames, tasks: tasks,
            versions: putBack.contains(.comparesNoVersions) ? [] : scenario.workers[0].versions,
            runFrames: job.runFrames)
        enqueue(.jobPlanned(job: id, plan, cached: takeCached(job)))
    }

    private func finishVerifying(_ holding: Holding, _ segment: ReportedSegment) {
        // Without an entry it took too long, or its job has ended.
        guard coordinator?.jobs[holding.job]?.verifying.remove(holding) != nil else { return }
        claimCached(holding)
        let lies = disk.segments["/\(holding.job)/\(segmentName(holding))"]
        guard segment.name == segmentName(holding), let lies, lies.hash == segment.hash else {
            let reason = lies == nil ? "it is not there" : "its hash is another"
            return enqueue(.verificationFailed(holding, Self.error(.segmentInvalid, reason)))
        }
        ledger.verified[holding] = lies.hash
        coordinator?.jobs[holding.job]?.verified[holding.task] = lies.hash
        enqueue(.verified(holding))
    }

    /// Ends the allotting of all analyses as they were verified, into the work folder.
    private func finishAllotting(_ id: String) {
        guard coordinator?.jobs[id]?.isDropped == false else { return }
        if let error = fullDisk() { return enqueue(.allotted(job: id, error)) }
        coordinator?.jobs[id]?.isAllotted = true
        enqueue(.allotted(job: id))
    }

    func isFilmWanted(_ job: String) -> Bool {
        guard let files = coordinator?.jobs[job] else { return false }
        return !files.isDropped && !files.hasFilmFailed
    }

    private func append(_ job: String, _ task: Int, _ segment: ReportedSegment?) throws(Violation) {
        guard isFilmWanted(job) else { return }
        enqueue(.workBegan(.film(job: job)))
        if let error = fullDisk() { return failFilm(job, error) }
        try checkCopy(of: job, task, isCopied: segment == nil)
        var hash = Self.bytes(ofTask: task, isLie: false)
        if let segment {
            damage(job, segment)
            let verified = coordinator?.jobs[job]?.verified[task]
            let lies = disk.segments["/\(job)/\(segment.name)"]
            guard let lies, verified == lies.hash || putBack.contains(.stitchesWhatLies) else {
                return failFilm(job, task: task, Self.error(.segmentInvalid, "its bytes are others"))
            }
            try checkPart(lies, of: job, task)
            hash = lies.hash
        }
        // A film that an earlier life had begun is begun again.
        if coordinator?.jobs[job]?.isFilmBegun == false {
            disk.films[job] = Disk.Film(identity: "film \(job) \(lives)")
            coordinator?.jobs[job]?.isFilmBegun = true
        }
        disk.films[job]?.parts.append(task)
        disk.films[job]?.hashes.append(hash)
        enqueue(.partJoined(job: job))
    }

    /// Nothing more is done for the film, until it is dropped.
    func failFilm(_ job: String, task: Int? = nil, _ error: SplitreelError) {
        coordinator?.jobs[job]?.hasFilmFailed = true
        enqueue(.stitchFailed(job: job, task: task, error))
    }

    /// Repeatable: after a crash the film may already stand in its place.
    private func rename(_ job: String) {
        guard isFilmWanted(job), let output = store[job]?.submission.output, let film = coordinator?.jobs[job]?.film
        else { return }
        if let error = fullDisk() { return enqueue(.stitchFailed(job: job, error)) }
        if disk.outputs[output]?.identity != film {
            guard let finished = disk.films.removeValue(forKey: job), finished.identity == film else {
                return enqueue(.stitchFailed(job: job, Self.error(.outputNotWritable, "the finished film is gone")))
            }
            disk.outputs[output] = finished
        }
        schedule(.published(job: job), at: now + pause(0...0.5))
    }

    static func error(_ code: ErrorCode, _ reason: String) -> SplitreelError {
        SplitreelError(code, operation: "simulating", subject: "", reason: reason)
    }
}

extension TaskSpec {
    /// The first pass of a chunk.
    fileprivate var analysis: TaskSpec {
        TaskSpec(kind: .analysis, cost: cost, firstUnit: firstUnit, unitCount: unitCount, label: "analysis of \(label)")
    }
}
