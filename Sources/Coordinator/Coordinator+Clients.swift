import Diagnostics
import FarmProtocol
import Foundation
import JobStore
import Logging
import Outputs
import Planning
import Scheduling
import SplitreelFiles
import Threads
import Transport

// The requests of clients and their answers.
extension Coordinator {
    /// Takes a client's request. Answers are given when everything that came before them is stored and in effect; to
    /// questions without that, while the store fails.
    func receiveFromClient(
        _ identity: [UInt8], _ body: Splitreel_Farm_Envelope.OneOf_Body, request: UInt64, from sender: Sender
    ) {
        guard nameAsked(body).utf8.count <= limits.textBytes else {
            let error = SplitreelError(
                .malformedMessage, operation: "asking the coordinator", subject: "the request",
                reason: "it names something by more than \(limits.textBytes) bytes")
            malformedMessages += 1
            send(.problem(Splitreel_Farm_Problem(error)), to: identity, request: request)
            return
        }
        guard let name = sender.onlyJobsOf, let jobs = jobsAsked(body) else {
            return take(body, identity, request, from: sender)
        }
        guard !jobs.isEmpty else {
            let error = SplitreelError(
                .roleRefused, operation: "asking the coordinator", subject: "key \(name)",
                reason: "its role has jobs of its own alone, and none is named", hint: "name the jobs")
            return refuse(identity, error, request: request)
        }
        ifOwn(jobs, of: name, identity, request) { $0.take(body, identity, request, from: sender) }
    }

    /// The jobs that a request names; nil for one that is not about jobs by their names.
    private func jobsAsked(_ body: Splitreel_Farm_Envelope.OneOf_Body) -> [String]? {
        switch body {
        case .cancelJob(let message): [message.job]
        case .retryJob(let message): [message.job]
        case .pruneJobs(let message): message.jobs
        case .jobQuery(let query): [query.job]
        case .eventsQuery(let query): [query.job]
        case .filmsQuery(let query): [query.job]
        default: nil
        }
    }

    /// Takes a request of somebody who may make it.
    private func take(
        _ body: Splitreel_Farm_Envelope.OneOf_Body, _ identity: [UInt8], _ request: UInt64, from sender: Sender
    ) {
        switch body {
        case .submit(let message): submit(identity, message, request, from: sender)
        case .submitPart(let part): take(part, from: identity, request)
        case .cancelJob(let message):
            guard brain.jobs[message.job] != nil else {
                if recovery.isWaiting(for: message.job) { recovery.cancelled.insert(message.job) }
                cancelUnreadable(message.job)
                if brain.kept[message.job] != nil { enqueue(.cancelJob(message.job)) }
                return whenStored(identity, request) { $0.sendStored(message.job, identity, request) }
            }
            // A film that may be on its way to its place is no longer cancelled, and needs its permit for the others.
            if brain.jobs[message.job]?.state != .stitching { openJobs[message.job]?.permit.withdraw() }
            enqueue(.cancelJob(message.job))
            whenStored(identity, request) { $0.sendReport(message.job, identity, request) }
        case .retryJob(let message):
            whenStored(identity, request) { $0.retry(message.job, identity, request) }
        case .pruneJobs(let message):
            whenStored(identity, request) { $0.prune(message, identity, request) }
        case .jobQuery(let query):
            whenKnown(identity, request) { $0.answer(query, identity, request, from: sender) }
        case .jobsQuery(let query):
            whenKnown(identity, request) { $0.answer(query, identity, request, from: sender) }
        case .watchJobs: watchJobs(identity, request, from: sender)
        // While the store fails they tell how much is lost by it: they do not wait for it.
        case .countersQuery: send(.countersReport(counters()), to: identity, request: request)
        case .eventsQuery(let query):
            whenKnown(identity, request) { $0.answer(query, identity, request) }
        case .workersQuery(let query):
            whenKnown(identity, request) { coordinator in
                let brain = coordinator.brain
                // Paths of machines are nobody's business who may see only jobs of their own.
                let mayHear = query.facts && sender.onlyJobsOf == nil
                var report = Splitreel_Farm_WorkersReport.make(
                    brain, after: query.after, clock: coordinator.clock, now: coordinator.now,
                    facts: mayHear ? coordinator.slotFacts : nil)
                if let name = sender.onlyJobsOf { report.keepJobs { brain.jobs[$0]?.keyName == name } }
                coordinator.send(.workersReport(report), to: identity, request: request)
            }
        default:
            if !takeAboutStore(body, identity, request, from: sender) { unknownMessages += 1 }
        }
    }

    /// The name of the job or the worker in a question, which is kept until it is answered; empty where there is none.
    private func nameAsked(_ body: Splitreel_Farm_Envelope.OneOf_Body) -> String {
        switch body {
        case .cancelJob(let message): message.job
        case .retryJob(let message): message.job
        case .pruneJobs(let message): message.jobs.joined(separator: " ")
        case .jobQuery(let query): query.job
        case .eventsQuery(let query): query.job
        case .filmsQuery(let query): query.job
        case .workersQuery(let query): query.after
        default: ""
        }
    }

    /// Whether one more job would be taken.
    var hasRoomForJob: Bool {
        brain.hasRoomForJob && openJobs.count + openIntakes.count < limits.unfinishedJobs
    }

    /// The outputs of a submission that can be accepted, as far as that is told without reading a file; planning finds
    /// the rest. Throws where it cannot be.
    func acceptable(_ message: Splitreel_Farm_Submit) throws -> [OutputRequest] {
        guard hasRoomForJob else {
            throw SplitreelError(
                .refused, operation: "submitting", subject: message.name,
                reason: "\(limits.unfinishedJobs) jobs are unfinished already", hint: "wait for some of them")
        }
        guard max(message.name.utf8.count, message.madeFor.utf8.count) <= limits.textBytes,
            let requests = try? [OutputRequest](requestText: message.requestJson)
        else {
            throw SplitreelError(
                .malformedMessage, operation: "submitting", subject: "the request", reason: "it cannot be read")
        }
        var paths: Set<String> = []
        for request in requests {
            let path = request.path
            guard path.isAbsolutePath || path.isRemoteName, !fileName(of: path).isEmpty, !path.utf8.contains(0) else {
                throw SplitreelError(
                    .usage, operation: "submitting", subject: path, reason: "the output needs an absolute path")
            }
            guard paths.insert(path).inserted else {
                throw SplitreelError(
                    .outputInvalid, operation: "submitting", subject: path, reason: "two outputs go to this file",
                    hint: "give each output a file of its own")
            }
            // A waveform's name tells a waveform, but not that it is no composition.
            if try Container(of: request).kind == .waveform, WaveformKind(path: path) == nil {
                _ = try Container(forPath: path)
            }
        }
        return requests
    }

    static let jobIDLength = 10
    static let jobIDLetters = "abcdefghijkmnpqrstuvwxyz23456789"

    func newJobID() -> String {
        var id: String
        repeat {
            id = String((0..<Self.jobIDLength).map { _ in Self.jobIDLetters.randomElement() ?? "a" })
        } while brain.jobs[id] != nil || openJobs[id] != nil || openIntakes[id] != nil
        return id
    }

    // MARK: - Questions

    private func answer(
        _ query: Splitreel_Farm_JobQuery, _ identity: [UInt8], _ request: UInt64, from sender: Sender
    ) {
        let page = query.withChunks ? Int(query.firstChunk) : nil
        if let job = brain.jobs[query.job] {
            send(.jobReport(report(job, page: page)), to: identity, request: request)
            if query.watch, !job.state.isTerminal { watch(query, identity, request, from: sender) }
        } else {
            sendStored(query.job, identity, request, page: page)
            if query.watch, recovery.isWaiting(for: query.job) { watch(query, identity, request, from: sender) }
        }
    }

    func sendReport(_ job: String, _ identity: [UInt8], _ request: UInt64) {
        guard let entry = brain.jobs[job] else { return sendStored(job, identity, request) }
        send(.jobReport(report(entry)), to: identity, request: request)
    }

    /// Sends a job that only the store remembers, or the problem that there is none.
    private func sendStored(_ job: String, _ identity: [UInt8], _ request: UInt64, page: Int? = nil) {
        let first = page ?? 0
        let limits = limits
        let fault = unreadable[job]?.fault
        let tasks = page == nil ? 0..<0 : first..<first + limits.chunksInPage
        read(identity, request) { store in
            guard let stored = try store.job(job, tasks: tasks) else { throw Self.noSuchJob(job) }
            var report = Splitreel_Farm_JobReport.make(stored, fault: fault)
            let count = min(stored.specs.count, stored.recovered.tasks.count)
            report.add(0..<count, limits: limits) { .make($0, of: stored) }
            return report
        } then: {
            $0.send(.jobReport($0.tellingKept($1)), to: identity, request: request)
        }
    }

    static func noSuchJob(_ job: String) -> SplitreelError {
        SplitreelError(
            .noSuchJob, operation: "looking up a job", subject: job, reason: "nothing is known of it",
            hint: "`splitreel jobs` lists the known ones")
    }

    /// Asks the store on a thread of its own: however long it takes, the loop goes on.
    func read<Answer: Sendable>(
        _ identity: [UInt8], _ request: UInt64, _ body: @escaping @Sendable (any JobRecords) throws -> Answer,
        then: @escaping @Sendable (isolated Coordinator, Answer) -> Void
    ) {
        guard let store else { return }
        do {
            try readers.run { [self] in
                let result = Result { try body(store) }
                post { coordinator in
                    do {
                        then(coordinator, try result.get())
                    } catch {
                        let problem = Splitreel_Farm_Problem(any: error, operation: "looking up")
                        coordinator.send(.problem(problem), to: identity, request: request)
                    }
                }
            }
        } catch {
            refuseBusy(identity, request)
        }
    }

    /// The report of a job, with the chunks of a page, or with those that are news where `page` is nil.
    func report(_ job: JobEntry, page: Int? = nil) -> Splitreel_Farm_JobReport {
        var report = summary(job)
        let indexes = page.map { Array(job.page(from: $0, limits)) } ?? job.newsworthy(limits)
        report.remarks = brain.remarks(on: job.id)
        report.add(indexes, limits: limits) { .make($0, of: job, clock: clock) }
        return report
    }

    func summary(_ job: JobEntry) -> Splitreel_Farm_JobReport {
        var report = Splitreel_Farm_JobReport.make(job, clock: clock, now: now)
        report.waitsFor = Splitreel_Farm_JobWait(brain.waitReason(of: job))
        if let remark = brain.remark(onWaiting: job) { report.remarks = [remark] }
        if let storeFault, !job.state.isTerminal { report.tell(storeFault, clock) }
        return tellingKept(report)
    }

    /// Answers one page of all jobs. The store says which jobs are in it; the brain reports those that it still knows.
    private func answer(
        _ query: Splitreel_Farm_JobsQuery, _ identity: [UInt8], _ request: UInt64, from sender: Sender
    ) {
        let asked = query.count == 0 ? limits.jobsInPage : Int(query.count)
        let (count, before) = (min(asked, limits.jobsInPage), Int(clamping: query.before))
        read(identity, request) { store in
            try store.page(before: before, ended: query.ended, count: count)
        } then: { coordinator, page in
            let report = coordinator.report(page, of: sender.onlyJobsOf)
            coordinator.send(.jobsReport(report), to: identity, request: request)
        }
    }

    /// The report of a page; of the jobs of one key alone where `keyName` is given.
    private func report(_ page: JobPage, of keyName: String?) -> Splitreel_Farm_JobsReport {
        var message = Splitreel_Farm_JobsReport()
        var room = limits.controlMessageBytes / 2
        for stored in page.jobs {
            let submission = stored.recovered.submission
            let id = submission.id
            guard keyName == nil || submission.keyName == keyName else {
                message.next = UInt64(clamping: stored.number)
                message.nextEnded = stored.state.isTerminal
                continue
            }
            let report =
                brain.jobs[id].map { summary($0) } ?? tellingKept(.make(stored, fault: unreadable[id]?.fault))
            room -= report.byteCount + 8
            // One job at least, so that whoever asks for page after page comes to an end.
            guard room > 0 || message.jobs.isEmpty else { return message }
            message.jobs.append(report)
            (message.next, message.nextEnded) = (UInt64(clamping: stored.number), stored.state.isTerminal)
        }
        if page.isLast { (message.next, message.nextEnded) = (0, false) }
        return message
    }
}
