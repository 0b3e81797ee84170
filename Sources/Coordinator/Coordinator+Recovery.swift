import Diagnostics
import Foundation
import Isolation
import JobStore
import Logging
import Planning
import RemoteMedia
import Scheduling
import SplitreelFiles
import Threads
import Transport

/// The state of an unfinished job on disk: its plan and folders, and whether its outputs could be claimed again.
struct TakenUp: Sendable {
    let prepared: PreparedJob?
    let claims: Result<[OutputClaim], any Error>
}

/// The unfinished jobs of the store whose disks have not answered yet.
struct Recovery {
    /// The jobs that are waited for, in the store's order.
    var jobs: [RecoveredJob] = []
    var answers: [String: TakenUp] = [:]
    /// The resumption of `start`, which waits until all disks have answered, or for `limits.intake`.
    var starting: CheckedContinuation<Void, Never>?
    /// Whether the store of uploads is being opened: no job is taken up before its view is known.
    var isOpening = false
    /// The ids of jobs that are to be cancelled as soon as they are taken up.
    var cancelled: Set<String> = []

    func isWaiting(for id: String) -> Bool { jobs.contains { $0.submission.id == id } }
}

// Taking up the store's unfinished jobs at the start. Their disks are looked at on threads, one for each folder: one
// that hangs keeps neither the coordinator nor other jobs waiting.
extension Coordinator {
    /// Takes unfinished jobs up, and opens the store of uploads while their disks are looked at. Returns when all disks
    /// have answered, or after `limits.intake`; jobs whose disks answer later are taken up then.
    func recover(from store: any JobRecords) async throws {
        recovery.jobs = []
        recovery.isOpening = true
        if let remote = configuration.remote { _ = try? cleaners.run { remote.endAbandonedUploads() } }
        try lookAtUnfinished(in: store)
        try await openStoreFolder()
        recovery.isOpening = false
        guard self.store != nil, !recovery.jobs.isEmpty || !busyFolders.isEmpty else { return }
        if recovery.jobs.contains(where: { recovery.answers[$0.submission.id] == nil }) || !busyFolders.isEmpty {
            loop.after(limits.intake) { [weak self] in self?.assumeIsolated { $0.goOn() } }
            await withCheckedContinuation { recovery.starting = $0 }
        }
        takeUp()
        for job in recovery.jobs {
            logger.warning(
                "the disk of a job does not answer; it is taken up when it does",
                metadata: ["job.id": "\(job.submission.id)", "output": "\(job.submission.output)"])
        }
    }

    /// Begins to look at the disks of the unfinished jobs, and of those that are kept.
    private func lookAtUnfinished(in store: any JobRecords) throws {
        // Before any job is taken up that goes to the same outputs, and finds their folders stale.
        try findKept(in: store)
        for job in try store.loadUnfinished() {
            if let fault = job.fault ?? requestFault(job) { setAside(job, fault) } else { recovery.jobs.append(job) }
        }
        let (atOutput, access) = (configuration.atOutput, access)
        for job in recovery.jobs {
            let (id, plan) = (job.submission.id, job.plan)
            let hasEnded = job.ending != nil
            let isOver = job.film != nil || hasEnded
            guard let requests = requests(of: job) else { continue }
            do {
                try takers.run(for: parentFolder(of: requests[0].path)) { [self] in
                    let paths = requests.map(\.path)
                    for path in paths { atOutput(path) }
                    let places = paths.map(access.placeOfMaking)
                    let prepared = plan.flatMap { preparedAgain($0, beside: places, isOver: isOver) }
                    let claims = Result { try OutputClaim.claims(on: paths, at: access.placeOfMaking) }
                    // Cleaning up would not find the folders of a plan that this version does not read. The claims
                    // keep other jobs of these outputs away meanwhile.
                    if hasEnded, prepared == nil, case .success = claims { JobFolders.removeStale(beside: places) }
                    post { $0.answered(id, TakenUp(prepared: prepared, claims: claims)) }
                }
            } catch {
                answered(id, TakenUp(prepared: nil, claims: .failure(error)))
            }
        }
    }

    private func goOn() {
        recovery.starting?.resume()
        recovery.starting = nil
    }

    private func answered(_ id: String, _ answer: TakenUp) {
        guard store != nil else { return }
        recovery.answers[id] = answer
        guard !recovery.isOpening else { return }
        if recovery.starting == nil { return takeUp() }
        goOnIfAllAnswered()
    }

    /// Lets `start` go on when every disk has answered, those of kept jobs too.
    func goOnIfAllAnswered() {
        if recovery.starting != nil, recovery.answers.count == recovery.jobs.count, busyFolders.isEmpty { goOn() }
    }

    /// Takes up the jobs whose disks have answered, in the store's order.
    private func takeUp() {
        let (jobs, answers) = (recovery.jobs, recovery.answers)
        recovery.answers = [:]
        recovery.jobs.removeAll { answers[$0.submission.id] != nil }
        for job in jobs {
            guard let answer = answers[job.submission.id], let requests = requests(of: job) else { continue }
            takeUp(job, requests, answer)
        }
    }

    private func takeUp(_ recovered: RecoveredJob, _ requests: [OutputRequest], _ answer: TakenUp) {
        var job = recovered
        let id = job.submission.id
        var openJob = OpenJob(requests: requests)
        (openJob.film, openJob.prepared) = (job.film, answer.prepared)
        openJob.claims = (try? answer.claims.get()) ?? []
        // Without its work folder the job is planned and rendered again; not where its film was about to be renamed,
        // which may have happened.
        if openJob.prepared == nil, job.film == nil, job.ending == nil { (job.plan, job.tasks) = (nil, []) }
        job.plan?.slotBytes = answer.prepared?.slotBytes ?? 0
        openJobs[id] = openJob
        logger.info("job taken up", metadata: ["job.id": "\(id)"])
        enqueue(.jobRecovered(job, clock))
        // Another process writes to the output by now. A job whose film was complete goes on all the same, to see
        // whether the film is in place.
        if case .failure(let error) = answer.claims, job.film == nil, job.ending == nil {
            enqueue(.planningFailed(job: id, asOurs(error, "taking up", id)))
        }
        if recovery.cancelled.remove(id) != nil { enqueue(.cancelJob(id)) }
    }

    private func requests(of job: RecoveredJob) -> [OutputRequest]? {
        try? [OutputRequest](requestText: job.submission.request)
    }

    // MARK: - Jobs that cannot be read

    private func requestFault(_ job: RecoveredJob) -> SplitreelError? {
        guard requests(of: job) == nil else { return nil }
        return SplitreelError(
            .storeFailed, operation: "reading the job", subject: job.submission.id,
            reason: "this release cannot read what was asked for",
            hint: "go on with the release that wrote it, or cancel the job")
    }

    /// Leaves a job where it is and goes on with the others.
    private func setAside(_ job: RecoveredJob, _ fault: SplitreelError) {
        let id = job.submission.id
        logger.error(
            "a stored job cannot be read; it is left as it is",
            metadata: ["job.id": "\(id)", "error.code": "\(fault.code.number)", "error.reason": "\(fault.reason)"])
        unreadable[id] = job
        unreadable[id]?.fault = fault
    }

    /// Ends a job that cannot be read as cancelled, and removes its work folders.
    func cancelUnreadable(_ id: String) {
        guard let job = unreadable.removeValue(forKey: id) else { return }
        unsaved.append(
            Transition(.ended(job: id, .cancelled), at: now, text: "cancelled; this release could not read it"))
        touched.insert(id)
        let paths = [job.submission.output] + job.submission.further
        let access = access
        _ = try? cleaners.run(for: id) {
            guard let claims = try? OutputClaim.claims(on: paths, at: access.placeOfMaking) else { return }
            JobFolders.removeStale(beside: paths.map(access.placeOfMaking))
            for claim in claims { claim.release() }
        }
    }
}

/// The plan that lies in a work folder; nil where it is gone, or another one, or of a version of which no worker of
/// ours would render it.
func planLying(in folder: String, hash: String) -> RenderPlan? {
    guard
        let bytes = try? RegularFile.contents(
            of: folder + "/plan.json", limit: RenderPlan.mostBytes, failure: .planMismatch),
        RenderPlan.hash(ofBytes: bytes) == hash, let decoded = try? RenderPlan.decode(bytes),
        decoded.rendererVersion == RenderPlan.currentRendererVersion
    else { return nil }
    return decoded
}

/// The plan and its folders, locked again; nil where they are gone, changed, of another version, or in another
/// process's hands. Where the store has other tasks than the plan, or some without keys, as earlier releases stored
/// them, it is nil too, unless the job `isOver` and nobody takes its tasks.
/// `held` are the folders where we have them locked already.
func preparedAgain(
    _ plan: JobPlan, beside outputs: [String], isOver: Bool, in held: JobFolders? = nil
) -> PreparedJob? {
    let keys = plan.tasks.compactMap(\.key)
    guard isOver || keys.count == plan.tasks.count, let read = planLying(in: plan.folder, hash: plan.hash),
        // A store from which rows are gone, or in which they were changed, would leave chunks out.
        isOver || read.hasTasks(plan.tasks),
        let folder = held ?? JobFolders(existing: plan.folder, beside: outputs, plan: { read })
    else { return nil }
    let memory = isOver ? nil : (try? read.slotMemory())
    return PreparedJob(
        plan: read, hash: plan.hash, keys: keys, folder: folder, notices: plan.notices, slotBytes: memory?.bytes ?? 0)
}
