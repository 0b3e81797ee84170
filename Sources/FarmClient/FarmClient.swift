package import Diagnostics
package import FarmKeys
import FarmProtocol
import Foundation
import Hashing
package import Reports
import Threads
import Transport

/// A person's side of the farm: submits jobs to a coordinator and asks after them.
///
/// Owns one thread with one socket. Safe from any task; nothing blocks the cooperative pool. Every call fails with
/// `.coordinatorUnreachable` when nothing is heard for `timeout`, and with the coordinator's own error when it answers
/// with one.
package final class FarmClient: Sendable {
    private let loop: EventLoop
    let session: ClientSession
    /// The keys under which its sockets speak.
    let security: LinkSecurity

    /// Throws `.usage` for an endpoint with bad syntax, `.keyFileUnusable` for a token. Does not wait for the
    /// coordinator. Reports and events of jobs call settings as `name` does. `token` is that of the farm, where it has
    /// keys; `watchesLink` lets a farm that wants one be told from a silent one.
    package init(
        endpoint: String, timeout: Duration = .seconds(5), token: FarmToken? = nil, watchesLink: Bool = false,
        calling name: @escaping @Sendable (Setting) -> String = { $0.rawValue }
    ) throws {
        let endpoint = try Endpoint(endpoint)
        security = try token?.security() ?? .open
        loop = try EventLoop(name: "farm-client", security: security)
        let link = ClientSession.Link(hasToken: token != nil, isWatched: watchesLink || token != nil)
        session = ClientSession(loop: loop, endpoint: endpoint.text, timeout: timeout, link: link, calling: name)
    }

    deinit { close() }

    /// Answers the new job's id once the coordinator has stored it; planning follows, and its faults show in the job's
    /// reports. Waits as long as the coordinator answers to pings. A submission whose coordinator is another process
    /// before the answer is said again, and one job is made of it. `madeFor` is the path of a command's own output that
    /// the job's is made for, `owner` the person who submits it, as `USER@HOST`, `view` the view of the
    /// store in which paths of the composition, or outputs, lie.
    package func submit(
        composition: String, requestJSON: String, priority: Int, name: String, madeFor: String? = nil,
        owner: String? = nil, view: String? = nil
    ) async throws -> String {
        var submit = Splitreel_Farm_Submit()
        submit.submission = Data((0..<16).map { _ in UInt8.random(in: .min ... .max) })
        submit.requestJson = requestJSON
        submit.priority = Int32(clamping: priority)
        submit.name = name
        submit.madeFor = madeFor ?? ""
        submit.owner = owner ?? ""
        submit.view = view ?? ""
        let answer: Splitreel_Farm_Envelope.OneOf_Body
        if composition.utf8.count <= Self.largestPart {
            submit.composition = composition
            answer = try await session.ask(.submit(submit), isLong: true)
        } else {
            answer = try await submitInParts(submit, Data(composition.utf8))
        }
        guard case .submitted(let submitted) = answer else { throw unexpected(answer) }
        return submitted.job
    }

    /// Sends a long composition and then its submission. Parts that have come are gone with the connection: all of them
    /// are sent again then.
    private func submitInParts(
        _ message: Splitreel_Farm_Submit, _ content: Data
    ) async throws -> Splitreel_Farm_Envelope.OneOf_Body {
        var submit = message
        submit.compositionBytes = UInt64(content.count)
        var hash = SHA256Sum()
        hash.update(content)
        submit.compositionHash = Data(hash.bytes)
        var tries = 0
        while true {
            let link = await session.linkNumber
            do {
                submit.upload = UInt64.random(in: 1...UInt64.max)
                try await send(content, as: submit.upload)
                return try await session.ask(.submit(submit), isLong: true)
            } catch let error as SplitreelError where error.code == .malformedMessage {
                tries += 1
                let isSame = await session.linkNumber == link
                guard tries < Self.mostTries, !isSame else { throw error }
            }
        }
    }

    /// The most times that a composition is sent.
    private static let mostTries = 10

    /// The most bytes of a part: half of what a message may hold.
    private static let largestPart = FarmVersion.largestFrame / 2

    /// Sends a text piece by piece, each after the answer to the one before.
    private func send(_ content: Data, as upload: UInt64) async throws {
        var offset = 0
        while offset < content.count {
            var part = Splitreel_Farm_SubmitPart()
            (part.upload, part.offset) = (upload, UInt64(offset))
            part.content = content[offset..<min(offset + Self.largestPart, content.count)]
            offset += part.content.count
            let answer = try await session.ask(.submitPart(part), isLong: true)
            guard case .partTaken(let taken) = answer, taken.bytes == UInt64(offset) else { throw unexpected(answer) }
        }
    }

    /// The report of a job with all of its chunks, asked for page after page.
    package func job(_ id: String) async throws -> JobReport {
        var chunks: [Splitreel_Farm_ChunkReport] = []
        while true {
            var report = try await page(of: id, from: chunks.count)
            chunks += report.chunks
            if report.chunks.isEmpty || chunks.count >= Int(report.taskCount) {
                report.chunks = chunks
                return session.report(report)
            }
        }
    }

    private func page(of id: String, from first: Int) async throws -> Splitreel_Farm_JobReport {
        var query = Splitreel_Farm_JobQuery()
        query.job = id
        query.withChunks = true
        query.firstChunk = UInt32(clamping: first)
        let answer = try await session.ask(.jobQuery(query), isLong: false)
        guard case .jobReport(let report) = answer else { throw unexpected(answer) }
        return report
    }

    /// The reports of unfinished jobs by priority and age, then of `ended` that have ended, the latest first; without
    /// chunks.
    package func jobs(ended: Int = 200) async throws -> [JobReport] {
        var (unfinished, over): ([Splitreel_Farm_JobReport], [Splitreel_Farm_JobReport]) = ([], [])
        var seen: Set<String> = []
        var query = Splitreel_Farm_JobsQuery()
        while true {
            let answer = try await session.ask(.jobsQuery(query), isLong: false)
            guard case .jobsReport(let page) = answer else { throw unexpected(answer) }
            // A job that ended between two pages stands in both.
            for job in page.jobs where seen.insert(job.job).inserted {
                if job.isTerminal { over.append(job) } else { unfinished.append(job) }
            }
            let isNew = page.next != query.before || page.nextEnded != query.ended
            guard page.next > 0, isNew, over.count < ended || !page.nextEnded else { break }
            (query.before, query.ended) = (page.next, page.nextEnded)
        }
        unfinished.sort { ($1.priority, $0.submitted) < ($0.priority, $1.submitted) }
        return (unfinished + over.prefix(ended)).map { session.report($0) }
    }

    /// The last events of a job, oldest first: `count` at most, and of those as many as a message has room for.
    package func lastEvents(of job: String, count: Int) async throws -> [EventReport] {
        var query = Splitreel_Farm_EventsQuery()
        query.job = job
        query.limit = UInt32(clamping: count)
        query.latest = true
        let answer = try await session.ask(.eventsQuery(query), isLong: false)
        guard case .eventsReport(let report) = answer else { throw unexpected(answer) }
        return report.events.map { session.report($0) }
    }

    package func counters() async throws -> CountersReport { CountersReport(try await counts()) }

    /// The reason why the coordinator takes no job now, for people; nil where it takes them.
    package func refusalOfJobs() async throws -> String? {
        let reason = try await counts().takesNoJobs
        return reason.isEmpty ? nil : reason
    }

    private func counts() async throws -> Splitreel_Farm_CountersReport {
        let answer = try await session.ask(.countersQuery(Splitreel_Farm_CountersQuery()), isLong: false)
        guard case .countersReport(let report) = answer else { throw unexpected(answer) }
        return report
    }

    /// The workers by name; with `facts` also what they told of their machines, which some keys are not told.
    package func workers(facts: Bool = false) async throws -> [WorkerReport] {
        var workers: [WorkerReport] = []
        var query = Splitreel_Farm_WorkersQuery()
        query.facts = facts
        while true {
            let answer = try await session.ask(.workersQuery(query), isLong: false)
            guard case .workersReport(let page) = answer else { throw unexpected(answer) }
            workers += page.workers.map { WorkerReport($0) }
            guard page.more, let last = page.workers.last?.name, last > query.after else { return workers }
            query.after = last
        }
    }

    /// Cancels a job. Returns when the coordinator has acknowledged. The job's state, or its coming end, says whether
    /// the cancel came in time.
    @discardableResult
    package func cancel(_ id: String) async throws -> JobReport {
        var cancel = Splitreel_Farm_CancelJob()
        cancel.job = id
        return try await report(.cancelJob(cancel), isLong: false)
    }

    /// Has a job that failed go on with what was kept of it. Returns when the coordinator has stored that; waits as
    /// long as it answers to pings, since its disks are looked at first.
    @discardableResult
    package func retry(_ id: String) async throws -> JobReport {
        var retry = Splitreel_Farm_RetryJob()
        retry.job = id
        return try await report(.retryJob(retry), isLong: true)
    }

    private func report(_ request: Splitreel_Farm_Envelope.OneOf_Body, isLong: Bool) async throws -> JobReport {
        let answer = try await session.ask(request, isLong: isLong)
        guard case .jobReport(let report) = answer else { throw unexpected(answer) }
        return session.report(report)
    }

    /// Has nothing kept any more of these jobs that failed, or of any where none is named. Answers those of which
    /// something was kept, and the bytes.
    package func prune(_ jobs: [String] = []) async throws -> PruneReport {
        var prune = Splitreel_Farm_PruneJobs()
        prune.jobs = jobs
        let answer = try await session.ask(.pruneJobs(prune), isLong: false)
        guard case .jobsPruned(let pruned) = answer else { throw unexpected(answer) }
        return PruneReport(pruned)
    }

    /// The job's reports as they change; ends after the one that says completed, failed or cancelled.
    ///
    /// A coordinator that goes away after the first report may be away for `patience`, which is told; the reports go
    /// on when it is back. A slow reader loses older news, never the last one.
    package func watch(
        _ job: String, patience: Duration = .seconds(60)
    ) -> AsyncThrowingStream<JobNews, any Error> {
        let (stream, continuation) = AsyncThrowingStream<JobNews, any Error>.makeStream(
            bufferingPolicy: .bufferingNewest(8))
        let session = session
        let loop = loop
        let accepted = loop.post {
            session.assumeIsolated { session in
                let number = session.watch(job, patience: patience, continuation)
                continuation.onTermination = { _ in
                    loop.post { session.assumeIsolated { $0.endWatch(number) } }
                }
            }
        }
        if !accepted { continuation.finish(throwing: ClientSession.closed) }
        return stream
    }

    /// Ends all watches of a job, with `.cancelled`; the job goes on. Returns at once.
    package func endWatches(of job: String) {
        let session = session
        _ = loop.post { session.assumeIsolated { $0.endWatches(of: job) } }
    }

    /// The jobs as they change, until the reader ends it.
    ///
    /// A coordinator that goes away after the first answer may be away for `patience`, which is told; where it is back
    /// the news begin anew. So they do where a slow reader has lost some.
    package func watchJobs(patience: Duration) -> AsyncThrowingStream<JobsNews, any Error> {
        let (stream, continuation) = AsyncThrowingStream<JobsNews, any Error>.makeStream(
            bufferingPolicy: .bufferingNewest(64))
        let session = session
        let loop = loop
        let accepted = loop.post {
            session.assumeIsolated { session in
                let number = session.watchJobs(patience: patience, continuation)
                continuation.onTermination = { _ in
                    loop.post { session.assumeIsolated { $0.endWatch(number) } }
                }
            }
        }
        if !accepted { continuation.finish(throwing: ClientSession.closed) }
        return stream
    }

    /// Fails requests that are under way with `.cancelled` and returns at once; the socket and the thread end soon
    /// after.
    package func close() {
        let (loop, session) = (loop, session)
        guard loop.post({ session.assumeIsolated { $0.close() } }) else { return }
        startThread("farm-client-end") { loop.shutDown() }
    }

    func unexpected(_ body: Splitreel_Farm_Envelope.OneOf_Body) -> SplitreelError {
        SplitreelError(
            .malformedMessage, operation: "reading the answer", subject: session.endpoint,
            reason: "the coordinator answered with a message of another kind")
    }
}
