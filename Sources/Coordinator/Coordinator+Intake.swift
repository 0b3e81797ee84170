import Diagnostics
import FarmProtocol
import JobStore
import Logging
import Planning
import Scheduling
import SplitreelFiles
import Threads
import Transport

/// A submission whose outputs' places are being looked at.
struct Intake {
    /// The submission, without its composition.
    var submission: PendingSubmission
    let requests: [OutputRequest]
    /// The bytes of its composition.
    let textBytes: Int
    let ticket: ThreadPool.Ticket
    let since: Instant

    /// The time that it may take, with a second for each MiB of its composition that is stored meanwhile.
    func limit(_ limits: Limits) -> Duration { limits.intake + .seconds(textBytes >> 20) }
}

/// The outputs and the composition of a submission, looked at.
private struct Claimed: Sendable {
    /// Whether a job was made of the submission before, which was said again.
    var isKnown = false
    var claims: [OutputClaim] = []
    /// The composition; empty where it is stored already.
    var composition = ""
}

/// A submission that is to be stored, and the client that waits for that.
struct PendingSubmission {
    var submission: JobSubmission
    var identity: [UInt8]
    var request: UInt64
}

// The way from a submission to a job: its outputs are claimed on a thread (a disk may hang), and a long composition is
// looked at and stored there. Then the submission is stored, and only then it is a job.
extension Coordinator {
    /// The most bytes of an owner, which is a user's name and a machine's.
    private static let mostOwnerBytes = 512

    func submit(
        _ identity: [UInt8], _ message: Splitreel_Farm_Submit, _ request: UInt64, from sender: Sender
    ) {
        guard let store else { return }
        let saidID = jobID(of: message, from: sender)
        if let saidID, isTaken(saidID, identity, request) { return }
        do {
            let requests = try acceptable(message)
            let paths = requests.map(\.path)
            let text = try composition(of: message, from: identity)
            let id = saidID ?? newJobID()
            let pending = pendingSubmission(message, as: id, paths: paths, identity, request, from: sender)
            let access = mediaAccess(toView: message.view)
            let isLong = text.byteCount > configuration.uploads.storedAtOnce
            let adopt = try adoption(of: message.view, by: sender, job: id)
            let ticket = try intakes.run { [self] in
                let claimed = Result {
                    if saidID != nil, try store.job(id, tasks: 0..<0) != nil { return Claimed(isKnown: true) }
                    let composition = try text.text()
                    try adopt()
                    for path in paths { try access.check(output: path) }
                    let claims = try OutputClaim.claims(on: paths, at: access.placeOfMaking)
                    guard isLong else { return Claimed(claims: claims, composition: composition) }
                    do {
                        try store.storeText(composition, of: id)
                    } catch {
                        for claim in claims { claim.release() }
                        try? store.dropText(of: id)
                        throw error
                    }
                    return Claimed(claims: claims, composition: "")
                }
                post { $0.claimed(id, claimed) }
            }
            openIntakes[id] = Intake(
                submission: pending, requests: requests, textBytes: text.byteCount, ticket: ticket, since: now)
        } catch {
            send(.problem(Splitreel_Farm_Problem(any: error, operation: "submitting")), to: identity, request: request)
        }
    }

    private func pendingSubmission(
        _ message: Splitreel_Farm_Submit, as id: String, paths: [String], _ identity: [UInt8], _ request: UInt64,
        from sender: Sender
    ) -> PendingSubmission {
        let submission = JobSubmission(
            id: id, name: message.name.isEmpty ? fileName(of: paths[0]) : message.name,
            priority: Int(message.priority), composition: "", request: message.requestJson,
            output: paths[0], further: Array(paths.dropFirst()),
            madeFor: message.madeFor.isEmpty ? nil : message.madeFor,
            owner: message.owner.isEmpty ? nil : message.owner.cut(toBytes: Self.mostOwnerBytes),
            keyName: sender.keyName, submitted: clock.seconds(at: now))
        return PendingSubmission(submission: submission, identity: identity, request: request)
    }

    private func claimed(_ id: String, _ result: Result<Claimed, any Error>) {
        guard let intake = openIntakes.removeValue(forKey: id) else {
            // The claim took longer than it may: its client was told so, and no job writes the output.
            if let claimed = try? result.get() { letGo(of: id, claimed.claims) }
            return
        }
        guard store != nil else {
            for claim in (try? result.get())?.claims ?? [] { claim.release() }
            return
        }
        do {
            let claimed = try result.get()
            if claimed.isKnown { return tellSubmitted(intake.submission) }
            var openJob = OpenJob(unplannedBytes: intake.textBytes, requests: intake.requests)
            do {
                openJob.claims = try unclaimed(claimed.claims)
            } catch {
                letGo(of: id, [])
                throw error
            }
            var pending = intake.submission
            pending.submission.composition = claimed.composition
            openJobs[id] = openJob
            submissions.append(pending)
            wantTurn()
        } catch {
            refuse(intake.submission, named(error))
        }
    }

    /// Lets go of what was taken for a submission that is no job.
    private func letGo(of id: String, _ claims: [OutputClaim]) {
        let store = store
        let work: @Sendable () -> Void = {
            for claim in claims { claim.release() }
            try? store?.dropText(of: id)
        }
        do { try cleaners.run(work) } catch { work() }
    }

    /// The claims, unless one is of an output of ours: where the file system knows no locks, our own jobs at least are
    /// told apart.
    func unclaimed(_ claims: [OutputClaim]) throws -> [OutputClaim] {
        for claim in claims {
            guard let other = writer(of: claim.place) else { continue }
            release(claims)
            throw OutputClaim.inUse(claim.output.isRemoteName ? claim.output : claim.place, by: other)
        }
        return claims
    }

    /// The error, with the job that has the output where that is one of ours.
    private func named(_ error: any Error) -> any Error {
        guard let path = (error as? SplitreelError).flatMap({ $0.code == .outputInUse ? $0.subject.description : nil }),
            let other = openJobs.first(where: { $0.value.requests.contains { $0.path == path } })?.key
        else { return error }
        return OutputClaim.inUse(path, by: other)
    }

    private func writer(of place: String) -> String? {
        openJobs.first { $0.value.claims.contains { $0.place == place } }?.key
    }

    func release(_ claims: [OutputClaim]) {
        let work: @Sendable () -> Void = { for claim in claims { claim.release() } }
        do { try cleaners.run(work) } catch { work() }
    }

    private func refuse(_ entry: PendingSubmission, _ error: any Error) {
        let problem = Splitreel_Farm_Problem(any: error, operation: "submitting", subject: entry.submission.output)
        send(.problem(problem), to: entry.identity, request: entry.request)
    }

    /// Refuses a submission that the store did not take: it is no job.
    func refuseSubmission(_ entry: PendingSubmission, _ error: any Error) {
        logger.error(
            "the job store fails; a submission is refused",
            metadata: ["output": "\(entry.submission.output)", "error": "\(error)"])
        let id = entry.submission.id
        if let claims = openJobs.removeValue(forKey: id)?.claims { letGo(of: id, claims) }
        refuse(entry, error)
    }

    /// Gives up submissions whose outputs' places do not answer: they must not keep their client, or others, waiting.
    func giveUpIntakes() {
        for (id, intake) in openIntakes where now - intake.since > intake.limit(limits) {
            openIntakes[id] = nil
            intakes.abandon(intake.ticket)
            let error = SplitreelError(
                .tookTooLong, operation: "checking the output", subject: intake.submission.submission.output,
                reason: "its folder did not answer within \(intake.limit(limits))",
                hint: "is a disk or a network mount hanging?")
            refuse(intake.submission, error)
        }
    }
}
