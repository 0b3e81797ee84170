import Diagnostics
import Hashing
import Isolation
import JobStore
import Logging
import MediaFacts
import Outputs
import Planning
import RemoteMedia
import Scheduling
import Threads
import Transport

// Blocking work, each on its own kind of thread; results come back as events.
extension Coordinator {
    func plan(_ job: String) {
        guard let store, let openJob = openJobs[job] else { return }
        var access = mediaAccess(for: job)
        access.permit = openJob.permit
        access.began = { [self] more in post { $0.enqueue(.workBegan(.planning(job: job), allowing: more)) } }
        let preparation = JobPreparation(
            mediaWork: configuration.mediaWork, access: access, composition: { try store.composition(of: job) },
            requests: openJob.requests, permit: openJob.permit, memoryBytes: configuration.memoryBytes,
            asksForParameterSets: limits.checksAssets, cache: configuration.chunkCache)
        openJobs[job]?.isPlanning = true
        do {
            try planningMarks.begin(job)
            let isSmall = openJob.unplannedBytes.map { $0 <= configuration.uploads.plannedAtOnce } ?? false
            try (isSmall ? planners : largePlanners).run(for: job, stop: openJob.permit.stop) { [self] in
                post { $0.enqueue(.workBegan(.planning(job: job))) }
                let result = Result { try preparation.run() }
                post { $0.planned(job, result) }
            }
        } catch {
            planned(job, .failure(error))
        }
    }

    private func planned(_ job: String, _ result: Result<PreparedJob, any Error>) {
        openJobs[job]?.isPlanning = false
        planningMarks.end(job)
        switch result {
        case .success(let prepared):
            openJobs[job]?.unplannedBytes = 0
            // The coordinator has stopped meanwhile.
            guard openJobs[job] != nil else { return prepared.folder.remove() }
            openJobs[job]?.prepared = prepared
            openJobs[job]?.caching = prepared.caching
            enqueue(.jobPlanned(job: job, prepared.jobPlan, cached: prepared.caching?.taken ?? [:]))
            beginSums(job)
        case .failure(let error): enqueue(.planningFailed(job: job, asOurs(error, "planning", job)))
        }
    }

    func verify(_ holding: Holding, _ segment: ReportedSegment) {
        guard let openJob = openJobs[holding.job], let prepared = openJob.prepared else { return }
        if holding.epoch == CoordinatorBrain.cacheEpoch, segment.hash.isEmpty,
            let wanted = openJob.caching?.expected[holding.task]
        {
            return fetch(holding, wanted, into: prepared.folder.path)
        }
        let (check, references) = (check(prepared), openJob.references)
        let part = prepared.plan.part(ofTask: holding.task)
        if case .analysis(let chunk) = part { return verifyAnalysis(holding, segment, prepared, chunk) }
        if case .soundPart(let number) = part { return verifySoundPart(holding, segment, prepared, number) }
        let isAudio = part == .audio
        let expected = SegmentFile.name(holding, part)
        let path = prepared.folder.path + "/" + expected
        let parts = prepared.plan.segmentParts(ofTask: holding.task)
        let stop = WorkStop()
        openJobs[holding.job]?.verifying[holding] = stop
        let work: @Sendable () -> Void = { [self] in
            let result = Result {
                try requireReported(segment, named: expected)
                let records = try check.records(ofTask: holding.task, at: path)
                try requireHash(segment, records)
                // Where the plan's own sets are known they decide, when the check has ended.
                try check.require(
                    records, ofTask: holding.task, at: path,
                    references: references.filter { prepared.parameterSets[$0.key] == nil }, stop: stop,
                    began: { post { $0.enqueue(.workBegan(.verifying(holding))) } })
                return records
            }
            post { $0.verified(holding, result, parts: isAudio ? [] : parts) }
        }
        do {
            try verifiers.run(for: holding.job, stop: stop, work)
        } catch {
            openJobs[holding.job]?.verifying[holding] = nil
            noteForCache(holding, error)
            enqueue(.verificationFailed(holding, asOurs(error, "verifying a segment", holding.job)))
        }
    }

    /// The check of what the tasks of a job make.
    func check(_ prepared: PreparedJob) -> SegmentSetCheck {
        SegmentSetCheck(
            plan: prepared.plan, views: prepared.views, keys: prepared.keys, mediaWork: configuration.mediaWork)
    }

    /// Takes the result of verifying a segment set; `parts` are a chunk's, and none of the sound's.
    func verified(_ holding: Holding, _ result: Result<[SegmentRecord], any Error>, parts: [SegmentPart]) {
        // No entry: the brain has given this check up, since it took too long or its job has ended.
        guard openJobs[holding.job]?.verifying.removeValue(forKey: holding) != nil else { return }
        switch result {
        case .success(let records):
            if let fault = referenceFault(holding, records, parts) {
                return enqueue(.verificationFailed(holding, fault))
            }
            openJobs[holding.job]?.records[holding.task] = records
            noteReferences(holding, records, parts)
            var notices = NoticeList()
            for record in records { notices.add(record.notices) }
            enqueue(.verified(holding, notices))
        case .failure(let error):
            noteForCache(holding, error)
            enqueue(.verificationFailed(holding, asOurs(error, "verifying a segment", holding.job)))
        }
    }

    /// Takes the records of segments that passed for the film's references, where there is none, or where these have
    /// the plan's own parameter sets and the reference has not: what passed with others before is made again.
    private func noteReferences(_ holding: Holding, _ records: [SegmentRecord], _ parts: [SegmentPart]) {
        let job = holding.job
        openJobs[job]?.strangers.remove(holding.task)
        for (part, record) in zip(parts, records) {
            let isOurs = isOurs(record, of: job, output: part.output)
            if isOurs == false { openJobs[job]?.strangers.insert(holding.task) }
            guard let reference = openJobs[job]?.references[part.output] else {
                openJobs[job]?.references[part.output] = record
                continue
            }
            guard reference.extradataHash != record.extradataHash else { continue }
            openJobs[job]?.references[part.output] = record
            for task in openJobs[job]?.strangers.sorted() ?? [] where task != holding.task && isDone(task, of: job) {
                enqueue(.stitchFailed(job: job, task: task, otherSets(job, task)))
            }
            openJobs[job]?.strangers = []
        }
    }

    /// Whether a task has a segment that can be taken back; one that was found damaged is made again already.
    private func isDone(_ task: Int, of job: String) -> Bool {
        brain.jobs[job].map { [.done, .verifying].contains($0.tasks[task].state) } ?? false
    }

    /// Whether a segment has the parameter sets of the plan's own settings; nil where they are not known.
    private func isOurs(_ record: SegmentRecord, of job: String, output: Int) -> Bool? {
        openJobs[job]?.prepared?.parameterSets[output].map { $0 == record.extradataHash }
    }

    /// The fault of segments whose parameter sets are others than those of the film's first that passed; nil where they
    /// are the same, or are the plan's own. Several are checked at a time, before there is a first: they are compared
    /// when their checks end.
    private func referenceFault(
        _ holding: Holding, _ records: [SegmentRecord], _ parts: [SegmentPart]
    ) -> SplitreelError? {
        for (part, record) in zip(parts, records) {
            guard let reference = openJobs[holding.job]?.references[part.output],
                reference.extradataHash != record.extradataHash
            else { continue }
            if isOurs(record, of: holding.job, output: part.output) == true { continue }
            return otherSets(holding.job, holding.task)
        }
        return nil
    }

    private func otherSets(_ job: String, _ task: Int) -> SplitreelError {
        SplitreelError(
            .segmentInvalid, operation: "verifying a segment",
            subject: Phrase(brain.jobs[job]?.tasks[task].spec.label ?? job),
            reason: "its parameter sets differ from the other chunks': the encoders or their settings differ")
    }

    // MARK: - The film

    private func assembly(_ job: String) -> FilmAssembly? {
        guard let openJob = openJobs[job], let prepared = openJob.prepared else { return nil }
        let assembly =
            openJob.assembly
            ?? FilmAssembly(
                mediaWork: configuration.mediaWork, views: prepared.views, films: prepared.folder.films,
                paths: openJob.requests.map(\.path),
                began: { [self] in post { $0.enqueue(.workBegan(.film(job: job))) } })
        openJobs[job]?.assembly = assembly
        return assembly
    }

    private func stitchFailure(_ job: String, task: Int? = nil) -> @Sendable (any Error) -> Void {
        { [self] error in
            post { $0.enqueue(.stitchFailed(job: job, task: task, $0.asOurs(error, "stitching", job))) }
        }
    }

    /// Appends the verified segment set of a task. Records that went into the film already, before it was begun anew,
    /// are read again: the reported hash tells that they are those.
    func append(_ job: String, _ task: Int, _ segment: ReportedSegment?) {
        guard let segment else { return appendCopied(job, task) }
        guard let prepared = openJobs[job]?.prepared, let assembly = assembly(job) else { return }
        let path = prepared.folder.path + "/" + segment.name
        let parts = prepared.plan.segmentParts(ofTask: task)
        let key = prepared.keys[task]
        let known = openJobs[job]?.records.removeValue(forKey: task)
        assembly.append(
            path: path, parts: parts, chunk: task < prepared.plan.chunks.count ? task : nil,
            records: {
                if let known { return known }
                let records = try SegmentFile.records(of: path, count: parts.count, key: key)
                try requireHash(segment, records)
                return records
            }, done: { [self] in post { $0.enqueue(.partJoined(job: job)) } },
            failed: stitchFailure(job, task: task))
    }

    private func appendCopied(_ job: String, _ chunk: Int) {
        guard let prepared = openJobs[job]?.prepared, let assembly = assembly(job) else { return }
        let failed = stitchFailure(job, task: chunk)
        guard let source = prepared.plan.copiedSource(ofChunk: chunk, indexes: prepared.folder.path) else {
            return failed(
                SplitreelError(
                    .internalFault, operation: "copying", subject: "chunk \(chunk)", reason: "its plan has no source"))
        }
        let access = mediaAccess(for: job)
        assembly.appendCopied(
            source, chunk: chunk, folder: prepared.folder.path, allow: { try access.check(media: source.path) },
            done: { [self] in post { $0.enqueue(.partJoined(job: job)) } }, failed: failed)
    }

    func finishFilm(_ job: String) {
        let store = storeFolder
        let access = mediaAccess(for: job)
        let sources = openJobs[job]?.prepared?.plan.assets.values.flatMap(\.files) ?? []
        assembly(job)?.finish(
            allow: {
                try store?.requireRoom(forFilms: $0, of: job)
                // Slots that had all blocks in a cache have not asked for any.
                try access.checkAddresses(of: sources)
            },
            send: { [places = places(of: job)] films in
                for (place, film) in zip(places, films) { try place.send(film) }
            },
            done: { [self] film in
                post {
                    $0.openJobs[job]?.film = film
                    $0.enqueue(.filmFinished(job: job, film: film))
                }
            }, failed: stitchFailure(job))
    }

    /// The places of a job's films. What is sent to one goes on for as long as the job is wanted.
    private func places(of job: String) -> [OutputPlace] {
        guard let openJob = openJobs[job] else { return [] }
        let permit = openJob.permit
        let signs = SignsOfLife { [self] in post { $0.enqueue(.workBegan(.film(job: job))) } }
        return openJob.requests.map { request in
            var place = OutputPlace(request, configuration.remote)
            place.going = {
                try permit.check(request.path)
                signs.give()
            }
            return place
        }
    }

    /// Moves the films to their places. It can be repeated: after a crash they may already stand there.
    func publish(_ job: String) {
        guard let openJob = openJobs[job], let identity = openJob.film else { return }
        let permit = openJob.permit
        let publication = FilmPublication(
            places: places(of: job),
            films: openJob.prepared?.folder.films, identity: identity, streams: openJob.requests.map(\.stream))
        let atOutput = configuration.atOutput
        let work: @Sendable () throws -> Void = { [self] in
            let first = publication.first.path
            atOutput(first)
            try permit.check(first)
            try publication.run { path in
                if path != first { atOutput(path) }
                try permit.check(path)
            }
            post { $0.enqueue(.published(job: job)) }
        }
        let failed = stitchFailure(job)
        if let assembly = assembly(job) { return assembly.publish(work, failed: failed) }
        // A job was taken up without its plan: all there is to be seen is whether the film stands in its place.
        do {
            try verifiers.run(for: job, stop: permit.stop) {
                do { try work() } catch { failed(error) }
            }
        } catch {
            failed(error)
        }
    }

    func clean(_ job: String) {
        guard let openJob = openJobs[job] else { return enqueue(.cleaned(job: job)) }
        openJob.permit.withdraw()
        data?.letGo(of: job)
        for stop in openJob.verifying.values { stop.stop() }
        let (folder, claims, remote) = (openJob.prepared?.folder, openJob.claims, configuration.remote)
        let done: @Sendable () -> Void = { [self] in
            Self.waitForEntries(of: openJob.caching)
            // An allotment may be on its way there.
            if folder != nil { openJob.permit.withdrawAndWait() }
            // A film that was sent, and does not show, ends with its job.
            for film in folder?.films ?? [] { remote?.drop(film) }
            folder?.remove()
            for claim in claims { claim.release() }
            post { coordinator in
                coordinator.cleaning[job] = nil
                // Planning may go on for a while, and has no output any more.
                coordinator.openJobs[job]?.claims = []
                coordinator.enqueue(.cleaned(job: job))
                // Planning that came to its end after the job's is cleaned up here as well, and then nothing else
                // removes the job's entry.
                if coordinator.brain.jobs[job]?.state.isTerminal ?? true, !openJob.isPlanning {
                    coordinator.openJobs[job] = nil
                }
            }
        }
        if let assembly = openJob.assembly { return assembly.abandon(done: done) }
        do { cleaning[job] = try cleaners.run(for: job, done) } catch { done() }
    }

    /// Gives work up whose result nobody waits for any more.
    func abandon(_ work: Work) {
        switch work {
        case .planning(let job): openJobs[job]?.permit.withdraw()
        // A film that was given up must not appear later.
        case .film(let job), .allotting(let job): openJobs[job]?.permit.withdraw()
        case .verifying(let holding): openJobs[holding.job]?.verifying.removeValue(forKey: holding)?.stop()
        case .cleaning(let job):
            guard let ticket = cleaning.removeValue(forKey: job), cleaners.abandon(ticket) else { return }
            leaveFolder(of: job)
        }
    }

    /// Lets go of the outputs and the folder of a job that no thread had time for. The folder is kept as it is where it
    /// was to be kept; otherwise the next job of that output removes it.
    private func leaveFolder(of job: String) {
        guard let openJob = openJobs[job] else { return }
        openJobs[job]?.claims = []
        release(openJob.claims)
        let folder = openJob.prepared?.folder
        if busyFolders.remove(job) != nil { keptFolders[job] = folder } else { folder?.unlock() }
    }

    /// The error as one of ours: one that is no `SplitreelError` is a fault of this program.
    nonisolated func asOurs(_ error: any Error, _ operation: String, _ subject: String) -> SplitreelError {
        (error as? SplitreelError)
            ?? SplitreelError(
                .internalFault, operation: operation, subject: subject, reason: String(describing: error))
    }
}

func requireReported(_ segment: ReportedSegment, named expected: String) throws {
    guard segment.name == expected else {
        throw SplitreelError(
            .segmentInvalid, operation: "verifying a segment", subject: expected,
            reason: "the worker names another file")
    }
}

func requireHash(_ segment: ReportedSegment, _ records: [SegmentRecord]) throws {
    guard hexadecimal(segment.hash) == SegmentSet.hash(of: records) else {
        throw SplitreelError(
            .segmentInvalid, operation: "verifying a segment", subject: segment.name,
            reason: "the reported hash is not that of its records")
    }
}
