import Diagnostics
import FarmProtocol
import Reports
import Transport

/// The socket and the requests that wait for answers; lives on the client's loop.
actor ClientSession {
    typealias Body = Splitreel_Farm_Envelope.OneOf_Body

    private struct Pending {
        let continuation: CheckedContinuation<Body, any Error>
        let body: Body
        let asked: ContinuousClock.Instant
        /// Whether it waits for as long as the coordinator answers to pings.
        let isLong: Bool
        /// The link on which it was sent last, as far as that is known; see `linkNumber`.
        var link: UInt64

        /// Whether it is sent again where answers come from this link now. What was sent before any answer may have
        /// gone anywhere: it is sent again where that does no harm.
        func isLost(on now: UInt64) -> Bool {
            guard isLong, link != now else { return false }
            if case .retryJob = body { return link != 0 }
            return true
        }
    }

    /// The way in which the session speaks with the coordinator.
    struct Link: Sendable {
        let hasToken: Bool
        /// Whether it is watched why the coordinator does not speak with us.
        let isWatched: Bool
    }

    nonisolated let endpoint: String
    private let link: Link
    /// The name by which reports call a setting.
    private nonisolated let name: @Sendable (Setting) -> String
    private let loop: EventLoop
    private let timeout: Duration
    /// The endpoint of the coordinator's data socket, as it told last; empty before that, and where there is none.
    private(set) var dataEndpoint = ""
    /// The number that the coordinator gives our connection to it; 0 before its first answer, and where it gives none.
    /// Where it is another one, whatever was not answered is lost.
    private(set) var linkNumber: UInt64 = 0
    private var socket: SocketID?
    private var pending: [UInt64: Pending] = [:]
    private var watches: [UInt64: JobWatch] = [:]
    private var jobsWatches: [UInt64: JobsWatch] = [:]
    private var lastRequest: UInt64 = 0
    private var lastHeard = ContinuousClock.now
    private var hasHeard = false
    private var lastPing = ContinuousClock.now
    private var lastTick = ContinuousClock.now
    private var isClosed = false

    init(
        loop: EventLoop, endpoint: String, timeout: Duration, link: Link,
        calling name: @escaping @Sendable (Setting) -> String
    ) {
        self.loop = loop
        self.endpoint = endpoint
        self.timeout = timeout
        self.link = link
        self.name = name
    }

    nonisolated func report(_ message: Splitreel_Farm_JobReport) -> JobReport { JobReport(message).told(name) }

    nonisolated func report(_ message: Splitreel_Farm_EventReport) -> EventReport {
        EventReport(message, calling: name)
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    func ask(_ body: Body, isLong: Bool) async throws -> Body {
        try start()
        let number = nextRequest()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                pending[number] = Pending(
                    continuation: continuation, body: body, asked: .now, isLong: isLong, link: linkNumber)
                if Task.isCancelled { return fail(number, CancellationError()) }
                do {
                    try transmit(body, number)
                } catch {
                    fail(number, error)
                }
            }
        } onCancel: {
            loop.post { self.assumeIsolated { $0.fail(number, CancellationError()) } }
        }
    }

    func watch(
        _ job: String, patience: Duration, _ out: AsyncThrowingStream<JobNews, any Error>.Continuation
    ) -> UInt64 {
        let number = nextRequest()
        do {
            try start()
            watches[number] = JobWatch(job: job, patience: patience, asked: .now, out: out)
            try transmit(jobQuery(job, watch: true), number)
        } catch {
            endWatch(number)
            out.finish(throwing: error)
        }
        return number
    }

    func watchJobs(
        patience: Duration, _ out: AsyncThrowingStream<JobsNews, any Error>.Continuation
    ) -> UInt64 {
        let number = nextRequest()
        do {
            try start()
            jobsWatches[number] = JobsWatch(patience: patience, asked: .now, out: out)
            try transmit(.watchJobs(Splitreel_Farm_WatchJobs()), number)
        } catch {
            endWatch(number)
            out.finish(throwing: error)
        }
        return number
    }

    func endWatch(_ number: UInt64) {
        watches[number] = nil
        jobsWatches[number] = nil
    }

    func endWatches(of job: String) {
        for (number, watch) in watches where watch.job == job {
            watches[number] = nil
            watch.out.finish(
                throwing: SplitreelError(
                    .cancelled, operation: "watching", subject: "job \(job)", reason: "nobody waits for its end"))
        }
    }

    func close() {
        isClosed = true
        endAll(Self.closed)
        if let socket { loop.close(socket) }
        socket = nil
    }

    private func endAll(_ error: SplitreelError) {
        for number in pending.keys { fail(number, error) }
        for watch in watches.values { watch.out.finish(throwing: error) }
        for watch in jobsWatches.values { watch.out.finish(throwing: error) }
        watches = [:]
        jobsWatches = [:]
    }

    static let closed = SplitreelError(
        .cancelled, operation: "asking the coordinator", subject: "client", reason: "the client has been closed")

    // MARK: Out

    private func start() throws {
        guard !isClosed else { throw Self.closed }
        if !hasHeard, let reason = try Endpoint(endpoint).refusal { throw unreachable(reason) }
        guard socket == nil else { return }
        let opened = try loop.open(.dealer) { [weak self] frames in self?.assumeIsolated { $0.receive(frames) } }
        do {
            try loop.connect(opened, to: endpoint, watchesLink: link.isWatched)
        } catch {
            loop.close(opened)
            throw error
        }
        socket = opened
        let beat = min(max(timeout / 4, .milliseconds(10)), .milliseconds(250))
        loop.every(beat) { [weak self] in self?.assumeIsolated { $0.tick() } }
    }

    private func nextRequest() -> UInt64 {
        lastRequest += 1
        return lastRequest
    }

    private func transmit(_ body: Body, _ number: UInt64) throws {
        guard let socket else { throw Self.closed }
        // A full queue means that nothing has been taken for long: the time limit tells it in better words.
        _ = try loop.send([try Splitreel_Farm_Envelope(body, request: number).frame()], on: socket)
    }

    private func jobQuery(_ job: String, watch: Bool) -> Body {
        var query = Splitreel_Farm_JobQuery()
        query.job = job
        query.watch = watch
        return .jobQuery(query)
    }

    // MARK: In

    private func receive(_ frames: [[UInt8]]) {
        guard let frame = frames.first, frames.count == 1 else { return }
        switch ReceivedFrame(frame) {
        case .message(let envelope):
            lastHeard = .now
            hasHeard = true
            if !envelope.dataEndpoint.isEmpty { dataEndpoint = envelope.dataEndpoint }
            if let body = envelope.body { deliver(body, envelope.request) }
            if envelope.link != 0 { sendLost(on: envelope.link) }
        case .otherMajor(let major, let request):
            settle(request, .failure(Splitreel_Farm_Envelope.versionMismatch(theirs: major)))
        case .unknownBody, .malformed: return
        }
    }

    /// Sends again what another coordinator, or this one on another connection, was asked and has not answered.
    private func sendLost(on link: UInt64) {
        linkNumber = link
        for (number, waiting) in pending where waiting.isLost(on: link) {
            do {
                try transmit(waiting.body, number)
                pending[number]?.link = link
            } catch {
                fail(number, error)
            }
        }
    }

    private func deliver(_ body: Body, _ number: UInt64) {
        switch body {
        case .problem(let problem): settle(number, .failure(SplitreelError(problem)))
        case .refused(let refused): settle(number, .failure(SplitreelError(refused.problem)))
        case .jobReport(let report) where watches[number] != nil:
            deliver(self.report(report), toWatch: number, isPoll: false)
        case .jobsChanged(let news):
            jobsWatches[number]?.take(news.jobs.map { report($0) }, begins: news.begins)
        default: settle(number, .success(body))
        }
    }

    private func settle(_ number: UInt64, _ result: Result<Body, any Error>) {
        if let waiting = pending.removeValue(forKey: number) { return waiting.continuation.resume(with: result) }
        if case .failure(let error) = result, let watch = jobsWatches.removeValue(forKey: number) {
            return watch.out.finish(throwing: error)
        }
        let key = watches[number] == nil ? watches.first { $0.value.poll == number }?.key : number
        guard let key else { return }
        switch result {
        case .success(.jobReport(let report)): deliver(self.report(report), toWatch: key, isPoll: true)
        case .success: return
        case .failure(let error): watches.removeValue(forKey: key)?.out.finish(throwing: error)
        }
    }

    private func deliver(_ report: JobReport, toWatch number: UInt64, isPoll: Bool) {
        guard var watch = watches[number] else { return }
        let isNews = watch.take(report)
        watches[number] = watch
        if isNews { watch.out.yield(.report(report)) }
        if report.isTerminal {
            watches[number] = nil
            watch.out.finish()
        } else if isNews, isPoll {
            // A poll that knows more than the stream: the coordinator has forgotten the stream, so ask for it again.
            try? transmit(jobQuery(watch.job, watch: true), number)
        }
    }

    private func fail(_ number: UInt64, _ error: any Error) {
        pending.removeValue(forKey: number)?.continuation.resume(throwing: error)
    }

    // MARK: Time

    private func tick() {
        let now = ContinuousClock.now
        let pause = now - lastTick
        lastTick = now
        if let socket, let fault = loop.linkFault(of: socket) {
            return endAll(fault.error(connecting: endpoint, hasToken: link.hasToken))
        }
        // The process was stopped by a signal, or the machine slept: nobody else was silent.
        if pause > Self.standstill {
            for number in watches.keys { watches[number]?.hearing.excuse(pause) }
            for number in jobsWatches.keys { jobsWatches[number]?.hearing.excuse(pause) }
        }
        for (number, waiting) in pending {
            let silentSince = waiting.isLong ? max(waiting.asked, lastHeard) : waiting.asked
            if now - silentSince > timeout { fail(number, unreachable(after: timeout)) }
        }
        tickWatches(now)
        if pending.values.contains(where: \.isLong), now - lastPing > pingInterval {
            lastPing = now
            try? transmit(.workersQuery(Splitreel_Farm_WorkersQuery()), nextRequest())
        }
    }

    private func tickWatches(_ now: ContinuousClock.Instant) {
        let silence = pingInterval + min(timeout, Self.answerTime)
        for (number, watch) in watches {
            let limit = watch.last == nil ? timeout : max(timeout, watch.patience)
            if now - watch.hearing.heard > limit {
                watches[number] = nil
                watch.out.finish(throwing: unreachable(after: limit))
            } else {
                watches[number]?.tellSilence(now, after: silence)
                if isPollDue(watch.hearing, now) { poll(number, now) }
            }
        }
        for (number, watch) in jobsWatches {
            let limit = watch.hasBegun ? max(timeout, watch.patience) : timeout
            if now - watch.hearing.heard > limit {
                jobsWatches[number] = nil
                watch.out.finish(throwing: unreachable(after: limit))
            } else {
                jobsWatches[number]?.tellSilence(now, after: silence)
                guard isPollDue(watch.hearing, now) else { continue }
                jobsWatches[number]?.hearing.asked = now
                try? transmit(.watchJobs(Splitreel_Farm_WatchJobs()), number)
            }
        }
    }

    private func isPollDue(_ hearing: Hearing, _ now: ContinuousClock.Instant) -> Bool {
        now - max(hearing.heard, hearing.asked) > pingInterval
    }

    /// Asks once for the job's state, which answers whether the coordinator lives and whether news were missed.
    private func poll(_ number: UInt64, _ now: ContinuousClock.Instant) {
        guard let job = watches[number]?.job else { return }
        let poll = nextRequest()
        watches[number]?.poll = poll
        watches[number]?.hearing.asked = now
        try? transmit(jobQuery(job, watch: false), poll)
    }

    /// The time within which a coordinator that lives answers a question.
    private static let answerTime: Duration = .seconds(2)
    /// The time between two ticks above which this process stood still.
    private static let standstill: Duration = .seconds(3)

    private var pingInterval: Duration { min(timeout / 4, .seconds(1)) }

    private func unreachable(after limit: Duration) -> SplitreelError {
        let reason = "nothing was heard from \(endpoint) for \(limit)"
        return unreachable(link.hasToken ? reason + ", or this token is of another farm" : reason)
    }

    private func unreachable(_ reason: String) -> SplitreelError {
        SplitreelError(
            .coordinatorUnreachable, operation: "asking the coordinator", subject: "\(endpoint)", reason: "\(reason)",
            hint: "start `splitreel coordinator` there, or name another with \(.connect)")
    }
}
