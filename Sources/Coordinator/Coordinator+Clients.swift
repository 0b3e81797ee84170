import Diagnostics
import FarmProtocol
import Foundation
import JobStore
import Logging
import Planning
import Scheduling

// Requests of clients and their answers.
extension Coordinator {
    /// Answers are given when everything that came before them is stored and in effect.
    func receiveFromClient(_ identity: [UInt8], _ body: Splitreel_Farm_Envelope.OneOf_Body, request: UInt64) {
        switch body {
        case .submit(let message): submit(identity, message, request)
        case .submitPart(let part): take(part, from: identity, request)
        case .cancelJob(let message):
            guard brain.jobs[message.job] != nil else { return sendStored(message.job, identity, request) }
            dossiers[message.job]?.ticket.drop()
            enqueue(.cancelJob(message.job))
            whenStored { $0.sendReport(message.job, identity, request) }
        case .jobQuery(let query):
            whenStored { $0.answer(query, identity, request) }
        case .jobsQuery:
            whenStored { $0.send(.jobsReport($0.jobsReport()), to: identity, request: request) }
        case .workersQuery:
            whenStored { $0.send(.workersReport(.make($0.brain, now: $0.now)), to: identity, request: request) }
        default: unknownMessages += 1
        }
    }

    private func submit(_ identity: [UInt8], _ message: Splitreel_Farm_Submit, _ request: UInt64) {
        do {
            let output = try acceptable(message)
            let composition = try composition(of: message, from: identity)
            let id = newJobID()
            let submission = JobSubmission(
                id: id, name: message.name.isEmpty ? fileName(of: output.path) : message.name,
                priority: Int(message.priority), composition: composition, request: message.requestJson,
                output: output.path, submitted: clock.seconds(at: now))
            dossiers[id] = Dossier(composition: composition, request: output)
            enqueue(.jobSubmitted(submission))
            whenStored { coordinator in
                var submitted = Splitreel_Farm_Submitted()
                submitted.job = id
                coordinator.send(.submitted(submitted), to: identity, request: request)
            }
        } catch {
            send(.problem(Splitreel_Farm_Problem(any: error, operation: "submitting")), to: identity, request: request)
        }
    }

    /// What can be told without reading a file; the rest is found while planning.
    private func acceptable(_ message: Splitreel_Farm_Submit) throws -> OutputRequest {
        guard brain.hasRoomForJob, dossiers.count < limits.unfinishedJobs else {
            throw SplitreelError(
                .refused, operation: "submitting", subject: message.name,
                reason: "\(limits.unfinishedJobs) jobs are unfinished already", hint: "wait for some of them")
        }
        guard message.name.utf8.count <= limits.textBytes,
            let request = try? JSONDecoder().decode(OutputRequest.self, from: Data(message.requestJson.utf8))
        else {
            throw SplitreelError(
                .malformedMessage, operation: "submitting", subject: "the request", reason: "it cannot be read")
        }
        guard request.path.hasPrefix("/"), !fileName(of: request.path).isEmpty, !request.path.utf8.contains(0) else {
            throw SplitreelError(
                .usage, operation: "submitting", subject: request.path, reason: "the output needs an absolute path")
        }
        _ = try Container(forPath: request.path)
        return request
    }

    private func newJobID() -> String {
        var id: String
        repeat {
            id = String((0..<10).map { _ in "abcdefghijkmnpqrstuvwxyz23456789".randomElement() ?? "a" })
        } while brain.jobs[id] != nil || dossiers[id] != nil
        return id
    }

    // MARK: - Questions

    private func answer(_ query: Splitreel_Farm_JobQuery, _ identity: [UInt8], _ request: UInt64) {
        let page = query.withChunks ? Int(query.firstChunk) : nil
        guard let job = brain.jobs[query.job] else { return sendStored(query.job, identity, request, page: page) }
        send(.jobReport(report(job, page: page)), to: identity, request: request)
        guard query.watch, !job.state.isTerminal else { return }
        watchers.removeAll { $0.identity == identity && $0.request == request }
        guard watchers.count < limits.watchers else {
            let error = SplitreelError(
                .refused, operation: "watching", subject: query.job,
                reason: "\(limits.watchers) clients watch already")
            return refuse(identity, error, request: request)
        }
        watchers.append(Watcher(identity: identity, request: request, job: query.job))
    }

    private func sendReport(_ job: String, _ identity: [UInt8], _ request: UInt64) {
        guard let entry = brain.jobs[job] else { return sendStored(job, identity, request) }
        send(.jobReport(report(entry)), to: identity, request: request)
    }

    /// A job that only the store remembers, or none.
    private func sendStored(_ job: String, _ identity: [UInt8], _ request: UInt64, page: Int? = nil) {
        do {
            guard let stored = try store?.job(job) else {
                throw SplitreelError(
                    .noSuchJob, operation: "looking up a job", subject: job, reason: "nothing is known of it",
                    hint: "`splitreel jobs` lists the known ones")
            }
            var report = Splitreel_Farm_JobReport.make(stored)
            if let page {
                let count = min(stored.specs.count, stored.recovered.tasks.count)
                report.add(page..<max(page, count), limits: limits) { .make($0, of: stored) }
            }
            send(.jobReport(report), to: identity, request: request)
        } catch {
            send(.problem(Splitreel_Farm_Problem(any: error, operation: "looking up")), to: identity, request: request)
        }
    }

    /// With the chunks of a page, or with those that are news.
    private func report(_ job: JobEntry, page: Int? = nil) -> Splitreel_Farm_JobReport {
        var report = summary(job)
        let indexes = page.map { Array(job.page(from: $0, limits)) } ?? job.newsworthy(limits)
        report.add(indexes, limits: limits) { .make($0, of: job, clock: clock) }
        return report
    }

    private func summary(_ job: JobEntry) -> Splitreel_Farm_JobReport {
        .make(job, clock: clock, now: now)
    }

    private func jobsReport() -> Splitreel_Farm_JobsReport {
        var message = Splitreel_Farm_JobsReport()
        let inMemory = brain.jobOrder.compactMap { brain.jobs[$0] }
        message.jobs = inMemory.map { summary($0) }
        let stored = (try? store?.history(limit: limits.endedJobs)) ?? []
        message.jobs += stored.filter { brain.jobs[$0.recovered.submission.id] == nil }.map { .make($0) }
        return message
    }

    // MARK: - Watching

    /// Tells watchers what has changed since the last time.
    func report() {
        let changed = touched
        touched = []
        for watcher in watchers where changed.contains(watcher.job) { tell(watcher) }
    }

    /// The last report of a job, at once.
    func reportEnd(_ job: String) {
        for watcher in watchers where watcher.job == job { tell(watcher) }
        watchers.removeAll { $0.job == job }
    }

    private func tell(_ watcher: Watcher) {
        guard let job = brain.jobs[watcher.job] else { return }
        if !send(.jobReport(report(job)), to: watcher.identity, request: watcher.request) {
            watchers.removeAll { $0.identity == watcher.identity && $0.request == watcher.request }
        }
    }
}
