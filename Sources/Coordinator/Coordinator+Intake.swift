import Diagnostics
import FarmProtocol
import Logging
import Planning
import Scheduling
import SplitreelFiles
import Threads
import Transport

/// A submission whose outputs' places are being looked at.
struct Intake {
    let submission: PendingSubmission
    let requests: [OutputRequest]
    let ticket: ThreadPool.Ticket
    let since: Instant
}

/// A submission that is to be stored, and the client that waits for that.
struct PendingSubmission {
    let submission: JobSubmission
    let identity: [UInt8]
    let request: UInt64
}

// The way from a submission to a job: its outputs are claimed on a thread (a disk may hang), then it is stored, and
// only then it is a job.
extension Coordinator {
    func submit(_ identity: [UInt8], _ message: Splitreel_Farm_Submit, _ request: UInt64) {
        do {
            let requests = try acceptable(message)
            let paths = requests.map(\.path)
            let composition = try composition(of: message, from: identity)
            let id = newJobID()
            let submission = JobSubmission(
                id: id, name: message.name.isEmpty ? fileName(of: paths[0]) : message.name,
                priority: Int(message.priority), composition: composition, request: message.requestJson,
                output: paths[0], further: Array(paths.dropFirst()),
                madeFor: message.madeFor.isEmpty ? nil : message.madeFor, submitted: clock.seconds(at: now))
            let pending = PendingSubmission(submission: submission, identity: identity, request: request)
            let access = access
            let ticket = try intakes.run { [self] in
                let claims = Result {
                    for path in paths { try access.check(output: path) }
                    return try OutputClaim.claims(on: paths)
                }
                post { $0.claimed(id, claims) }
            }
            openIntakes[id] = Intake(submission: pending, requests: requests, ticket: ticket, since: now)
        } catch {
            send(.problem(Splitreel_Farm_Problem(any: error, operation: "submitting")), to: identity, request: request)
        }
    }

    private func claimed(_ id: String, _ result: Result<[OutputClaim], any Error>) {
        guard let intake = openIntakes.removeValue(forKey: id) else {
            // The claim took longer than `limits.intake`: its client was told so, and no job writes the output.
            if let claims = try? result.get() { release(claims) }
            return
        }
        guard store != nil else {
            for claim in (try? result.get()) ?? [] { claim.release() }
            return
        }
        do {
            let claims = try unclaimed(try result.get())
            var openJob = OpenJob(
                unplannedBytes: intake.submission.submission.composition.utf8.count, requests: intake.requests)
            openJob.claims = claims
            openJobs[id] = openJob
            submissions.append(intake.submission)
            wantTurn()
        } catch {
            refuse(intake.submission, named(error))
        }
    }

    /// The claims, unless one is of an output of ours: where the file system knows no locks, our own jobs at least are
    /// told apart.
    func unclaimed(_ claims: [OutputClaim]) throws -> [OutputClaim] {
        for claim in claims {
            guard let other = writer(of: claim.place) else { continue }
            release(claims)
            throw OutputClaim.inUse(claim.place, by: other)
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
        if let claims = openJobs.removeValue(forKey: entry.submission.id)?.claims { release(claims) }
        refuse(entry, error)
    }

    /// Gives up submissions whose outputs' places do not answer: they must not keep their client, or others, waiting.
    func giveUpIntakes() {
        for (id, intake) in openIntakes where now - intake.since > limits.intake {
            openIntakes[id] = nil
            intakes.abandon(intake.ticket)
            let error = SplitreelError(
                .tookTooLong, operation: "checking the output", subject: intake.submission.submission.output,
                reason: "its folder did not answer within \(limits.intake)",
                hint: "is a disk or a network mount hanging?")
            refuse(intake.submission, error)
        }
    }
}
