import Diagnostics
import FarmProtocol
import JobStore
import Planning
import Scheduling
import SplitreelFiles
import Threads

/// A failed job whose outputs and folder are being taken again, and the client that waits for that.
struct Retry {
    let identity: [UInt8]
    let request: UInt64
    let ticket: ThreadPool.Ticket
    let since: Instant
}

/// The state of a failed job that is to go on, with its outputs and its folder in our hands again.
private struct RetriedJob: Sendable {
    let job: RecoveredJob
    let requests: [OutputRequest]
    /// The plan and its folder; nil where the job is to be planned anew.
    let prepared: PreparedJob?
    let claims: [OutputClaim]
}

// The work of jobs that failed: kept in its folder, which stays locked, until the job is retried or pruned.
extension Coordinator {
    /// Lets go of everything of a failed job but its plan and its segments.
    func keep(_ job: String) {
        // Where the folder is lost, nothing is kept.
        guard let openJob = openJobs[job], let folder = openJob.prepared?.folder else { return clean(job) }
        openJob.permit.withdraw()
        data?.letGo(of: job)
        for stop in openJob.verifying.values { stop.stop() }
        busyFolders.insert(job)
        let done: @Sendable () -> Void = { [self] in
            // A chunk of the cache or an allotment may be on its way there.
            Self.waitForEntries(of: openJob.caching)
            openJob.permit.withdrawAndWait()
            let bytes = folder.keep()
            for claim in openJob.claims { claim.release() }
            post { coordinator in
                coordinator.cleaning[job] = nil
                coordinator.busyFolders.remove(job)
                guard coordinator.store != nil else { return folder.unlock() }
                coordinator.openJobs[job]?.claims = []
                coordinator.keptFolders[job] = folder
                coordinator.enqueue(.folderKept(job: job, bytes: bytes))
            }
        }
        if let assembly = openJob.assembly { return assembly.abandon(done: done) }
        do { cleaning[job] = try cleaners.run(for: job, done) } catch { done() }
    }

    /// Removes what was kept of a job.
    func dropKept(_ job: String) {
        guard let folder = keptFolders.removeValue(forKey: job) else { return }
        remove(folder)
    }

    private func remove(_ folder: JobFolders) {
        let work: @Sendable () -> Void = { folder.remove() }
        do { try cleaners.run(work) } catch { work() }
    }

    /// The report, with what is kept of its job.
    func tellingKept(_ report: Splitreel_Farm_JobReport) -> Splitreel_Farm_JobReport {
        guard let work = brain.kept[report.job] else { return report }
        var report = report
        report.keptBytes = UInt64(clamping: work.bytes)
        report.keptUntil = clock.seconds(at: work.since + limits.keptFor)
        return report
    }

    // MARK: - After a restart

    /// Tells the brain what an earlier life kept, and locks the folders again, each disk on a thread of its own.
    func findKept(in store: any JobRecords) throws {
        guard limits.keepsJobs else { return }
        for job in try store.loadKept() {
            let id = job.id
            let outputs = job.outputs.map(access.placeOfMaking)
            let work = KeptWork(since: clock.instant(atSeconds: job.ended), bytes: job.bytes)
            _ = brain.handle(.keptFound(job: id, work), now: now)
            guard let plan = job.plan, let first = outputs.first else { continue }
            busyFolders.insert(id)
            do {
                try takers.run(for: parentFolder(of: first)) { [self] in
                    let folder = lockedAgain(plan, beside: outputs)
                    post { $0.found(id, folder) }
                }
            } catch {
                busyFolders.remove(id)
            }
        }
    }

    private func found(_ id: String, _ folder: JobFolders?) {
        busyFolders.remove(id)
        defer { goOnIfAllAnswered() }
        guard let folder else { return }
        guard store != nil else { return folder.unlock() }
        // It was pruned meanwhile.
        guard brain.kept[id] != nil else { return remove(folder) }
        keptFolders[id] = folder
    }

    // MARK: - Clients

    /// Begins to take a failed job up again; its client is answered when that is stored, or cannot be.
    func retry(_ id: String, _ identity: [UInt8], _ request: UInt64) {
        guard let store else { return }
        guard brain.kept[id] != nil else { return refuseRetry(of: id, identity, request) }
        do {
            guard !busyFolders.contains(id), openJobs[id] == nil, retries[id] == nil else {
                throw Self.refused(id, "its folder is in use", hint: "try again in a moment")
            }
            guard brain.hasRoomForJob, openJobs.count + openIntakes.count + retries.count < limits.unfinishedJobs else {
                throw Self.refused(
                    id, "\(limits.unfinishedJobs) jobs are unfinished already", hint: "wait for some of them")
            }
            let access = mediaAccess(for: id)
            let folder = keptFolders[id]
            let ticket = try intakes.run { [self] in
                let result = Result { try retaken(id, from: store, folder, access) }
                post { $0.takeUp(id, result) }
            }
            retries[id] = Retry(identity: identity, request: request, ticket: ticket, since: now)
        } catch {
            tell(error, identity, request)
        }
    }

    /// Says why a job cannot be retried of which nothing is kept.
    private func refuseRetry(of id: String, _ identity: [UInt8], _ request: UInt64) {
        read(identity, request) { store -> SplitreelError in
            guard let stored = try store.job(id, tasks: 0..<0) else { throw Self.noSuchJob(id) }
            guard stored.state == .failed else {
                return Self.refused(id, "it is \(stored.state.rawValue): only a job that failed can be retried")
            }
            return Self.refused(id, "nothing is kept of it any more", hint: "submit the composition again")
        } then: {
            $0.tell($1, identity, request)
        }
    }

    private static func refused(_ id: String, _ reason: String, hint: String = "") -> SplitreelError {
        SplitreelError(.refused, operation: "retrying", subject: id, reason: reason, hint: hint)
    }

    private func tell(_ error: any Error, _ identity: [UInt8], _ request: UInt64) {
        send(.problem(Splitreel_Farm_Problem(any: error, operation: "retrying")), to: identity, request: request)
    }

    /// Takes a failed job's outputs again, and its plan where that can be gone on with. Blocking.
    private nonisolated func retaken(
        _ id: String, from store: any JobRecords, _ folder: JobFolders?, _ access: MediaAccess
    ) throws -> RetriedJob {
        guard let stored = try store.job(id, tasks: 0..<Int(Int32.max)) else { throw Self.noSuchJob(id) }
        if let fault = stored.recovered.fault { throw fault }
        var job = stored.recovered
        job.submission.composition = ""
        let requests = try [OutputRequest](requestText: job.submission.request)
        for request in requests {
            try access.check(output: request.path)
            try checkPlace(of: request, remote: access.remote)
        }
        let paths = requests.map(\.path)
        let claims = try OutputClaim.claims(on: paths, at: access.placeOfMaking)
        let places = paths.map(access.placeOfMaking)
        let prepared = job.plan.flatMap { preparedAgain($0, beside: places, isOver: false, in: folder) }
        if prepared == nil {
            folder?.remove()
            job.plan = nil
            job.tasks = []
        }
        job.plan?.slotBytes = prepared?.slotBytes ?? 0
        return RetriedJob(job: job, requests: requests, prepared: prepared, claims: claims)
    }

    private func takeUp(_ id: String, _ result: Result<RetriedJob, any Error>) {
        // No entry: it took longer than `limits.intake`, and its client was told so.
        guard let retry = retries.removeValue(forKey: id), store != nil else {
            if let retried = try? result.get() { letGo(of: retried, id) }
            return
        }
        do {
            let retried = try result.get()
            do {
                _ = try unclaimed(retried.claims)
                guard brain.kept[id] != nil else { throw Self.refused(id, "it was pruned meanwhile") }
            } catch {
                letGo(of: retried, id)
                throw error
            }
            // How long its composition is only the store knows.
            var openJob = OpenJob(unplannedBytes: retried.prepared == nil ? nil : 0, requests: retried.requests)
            openJob.prepared = retried.prepared
            openJob.claims = retried.claims
            openJobs[id] = openJob
            keptFolders[id] = nil
            enqueue(.jobRetried(retried.job, clock))
            whenStored(retry.identity, retry.request) { $0.sendReport(id, retry.identity, retry.request) }
        } catch {
            tell(error, retry.identity, retry.request)
        }
    }

    /// Lets go of a job that does not go on after all: what is kept of it is kept.
    private func letGo(of retried: RetriedJob, _ id: String) {
        release(retried.claims)
        guard let folder = retried.prepared?.folder else { return }
        if store == nil { return folder.unlock() }
        if brain.kept[id] == nil { return remove(folder) }
        keptFolders[id] = folder
    }

    /// Gives up retries whose disks do not answer: they must not keep their clients, or others, waiting.
    func giveUpRetries() {
        for (id, retry) in retries where now - retry.since > limits.intake {
            retries[id] = nil
            intakes.abandon(retry.ticket)
            let error = SplitreelError(
                .tookTooLong, operation: "retrying", subject: id,
                reason: "its folder did not answer within \(limits.intake)",
                hint: "is a disk or a network mount hanging?")
            tell(error, retry.identity, retry.request)
        }
    }

    /// Keeps nothing of these jobs any more, or of any where none is named; those that are just being retried go on.
    func prune(_ message: Splitreel_Farm_PruneJobs, _ identity: [UInt8], _ request: UInt64) {
        let asked = message.jobs.isEmpty ? brain.kept.keys.sorted() : message.jobs
        var answer = Splitreel_Farm_JobsPruned()
        for id in asked {
            guard let work = brain.kept[id], retries[id] == nil, !answer.jobs.contains(id) else { continue }
            answer.jobs.append(id)
            answer.bytes += UInt64(clamping: work.bytes)
            enqueue(.pruneJob(id))
        }
        let pruned = answer
        whenStored(identity, request) { $0.send(.jobsPruned(pruned), to: identity, request: request) }
    }
}

/// The folders of a plan that the store knows, locked again; nil where they are gone or another process has them. Where
/// this release does not read the plan, nobody goes on with it, and its folder is removed.
private func lockedAgain(_ plan: KeptJob.Plan, beside outputs: [String]) -> JobFolders? {
    if let folders = JobFolders(
        existing: plan.folder, beside: outputs, plan: { planLying(in: plan.folder, hash: plan.hash) })
    {
        return folders
    }
    if planLying(in: plan.folder, hash: plan.hash) == nil,
        WorkFolder.isName(fileName(of: plan.folder), beside: outputs[0])
    {
        WorkFolder(existing: plan.folder)?.remove()
    }
    return nil
}
