import Diagnostics
import FarmProtocol
import Foundation
import Hashing
import Outputs
import Planning
import Threads
import Transport

/// A worker's slot or a client, speaking the farm's messages by hand on a loop of its own.
actor FakePeer {
    typealias Body = Splitreel_Farm_Envelope.OneOf_Body
    struct NothingCame: Error {}

    /// The ways in which a slot answers a lease.
    enum Deed: Sendable {
        case deliver, garbage, nothing
        /// A good segment with something else in its record's place.
        case record(String)
        case fail(ErrorCode)
        case deliverWith(NoticeList)
    }

    nonisolated let loop: EventLoop
    private let endpoint: String
    private var control: SocketID?
    private var heart: SocketID?
    private var queue: [Splitreel_Farm_Envelope] = []
    private var waiters: [CheckedContinuation<Void, Never>] = []

    private(set) var slot = ""
    private(set) var leases: [Splitreel_Farm_Lease] = []
    private(set) var holding: Splitreel_Farm_Holding?
    private var isBeating = true
    /// The state of its machine that its heartbeats tell.
    private var machine = Splitreel_Farm_Heartbeat()
    /// The problem that it tells of every job's files; nil: all is well.
    private var assetProblem: SplitreelError?
    private var deed: @Sendable (Splitreel_Farm_Lease) -> Deed = { _ in .deliver }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ endpoint: String, security: LinkSecurity = .open) async throws {
        loop = try EventLoop(name: "peer", security: security)
        self.endpoint = endpoint
        try connect()
    }

    private func connect() throws {
        let opened = try loop.open(.dealer) { [weak self] frames in self?.assumeIsolated { $0.receive(frames) } }
        try loop.connect(opened, to: endpoint)
        control = opened
        loop.every(.milliseconds(50)) { [weak self] in self?.assumeIsolated { $0.wake() } }
    }

    nonisolated func end() async {
        await onThread { [loop] in loop.shutDown() }
    }

    func send(_ body: Body, request: UInt64 = 0, major: UInt32 = FarmVersion.major) throws {
        var envelope = Splitreel_Farm_Envelope(body, request: request)
        envelope.major = major
        try send(raw: try envelope.frame())
    }

    func send(raw frame: [UInt8]) throws {
        guard let control else { return }
        _ = try loop.send([frame], on: control)
    }

    /// The first message that `pick` takes, come or to come within a minute; others stay.
    func next<T: Sendable>(_ pick: @Sendable (Body) -> T?) async throws -> T {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            for (index, envelope) in queue.enumerated() {
                guard let body = envelope.body, let found = pick(body) else { continue }
                queue.remove(at: index)
                return found
            }
            await withCheckedContinuation { waiters.append($0) }
        }
        throw NothingCame()
    }

    /// Whether a message has come, which stays; waits for half a second at most.
    func isAnswered() async -> Bool {
        let deadline = ContinuousClock.now + .milliseconds(500)
        while queue.isEmpty, ContinuousClock.now < deadline { await withCheckedContinuation { waiters.append($0) } }
        return !queue.isEmpty
    }

    /// The errors that answered a request, of all that came before the answer to a later one. What came till then goes.
    func errors(of request: UInt64, before later: UInt64) async throws -> [ErrorCode] {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            guard queue.contains(where: { $0.request == later }) else {
                await withCheckedContinuation { waiters.append($0) }
                continue
            }
            let answers = queue.filter { $0.request == request }
            queue = []
            return answers.compactMap { answer -> ErrorCode? in
                switch answer.body {
                case .problem(let problem): problem.error.code
                case .refused(let refused): refused.problem.error.code
                default: nil
                }
            }
        }
        throw NothingCame()
    }

    private func wake() {
        let waiting = waiters
        waiters = []
        for waiter in waiting { waiter.resume() }
    }

    private func receive(_ frames: [[UInt8]]) {
        guard let frame = frames.first, let envelope = try? Splitreel_Farm_Envelope.parse(frame) else { return }
        queue.append(envelope)
        switch envelope.body {
        case .welcome(let welcome): beat(at: welcome.heartbeatEndpoint)
        case .lease(let lease): try? work(lease)
        case .checkAssets(let check):
            var checked = Splitreel_Farm_AssetsChecked()
            checked.job = check.job
            if let assetProblem { checked.problem = Splitreel_Farm_Problem(assetProblem) }
            try? send(.assetsChecked(checked))
        case .cancelLease(let cancel):
            holding = nil
            var released = Splitreel_Farm_Released()
            released.holding = cancel.holding
            try? send(.released(released))
        case .acknowledged(let answer):
            if holding == answer.holding { holding = nil }
        default: break
        }
        wake()
    }

    // MARK: - As a slot

    func register(
        _ slot: String, worker: String, version: Int = RenderPlan.currentRendererVersion,
        holding: Splitreel_Farm_Holding? = nil, facts: Splitreel_Farm_WorkerFacts? = nil,
        deed: @escaping @Sendable (Splitreel_Farm_Lease) -> Deed = { _ in .deliver }
    ) throws {
        (self.slot, self.deed, self.holding) = (slot, deed, holding)
        var register = Splitreel_Farm_Register()
        (register.slot, register.worker, register.rendererVersion) = (slot, worker, UInt32(version))
        if let holding { register.holding = holding }
        if let facts { register.facts = facts }
        try send(.register(register))
    }

    /// Has its heartbeats tell of its machine what this one does, its clock so many seconds ahead.
    func tellMachine(_ beat: Splitreel_Farm_Heartbeat, ahead: Double) {
        machine = beat
        machine.clock = ahead
    }

    /// Registers as the slot that holds a lease from before, and waits for the welcome.
    func comeBack(
        _ slot: String, worker: String, with lease: Splitreel_Farm_Lease,
        deed: @escaping @Sendable (Splitreel_Farm_Lease) -> Deed = { _ in .deliver }
    ) async throws {
        try register(slot, worker: worker, holding: lease.holding, deed: deed)
        _ = try await next { if case .welcome(let welcome) = $0 { welcome } else { nil } }
    }

    func fallSilent() { isBeating = false }

    func missAssets(_ problem: SplitreelError?) { assetProblem = problem }

    /// A connection of its own in place of the one before, as a process that starts again has.
    func reconnect() throws {
        if let control { loop.close(control) }
        let opened = try loop.open(.dealer) { [weak self] frames in self?.assumeIsolated { $0.receive(frames) } }
        try loop.connect(opened, to: endpoint)
        control = opened
    }

    private func beat(at endpoint: String) {
        guard heart == nil, let opened = try? loop.open(.dealer, receive: { _ in }) else { return }
        try? loop.connect(opened, to: endpoint)
        heart = opened
        loop.every(.milliseconds(100)) { [weak self] in self?.assumeIsolated { $0.sendHeartbeat() } }
    }

    private func sendHeartbeat() {
        guard isBeating, let heart else { return }
        var beat = machine
        if machine.clock != 0 { beat.clock = Date().timeIntervalSince1970 + machine.clock }
        beat.slot = slot
        if let holding { beat.holding = holding }
        guard let frame = try? Splitreel_Farm_Envelope(.heartbeat(beat)).frame() else { return }
        _ = try? loop.send([frame], on: heart)
    }

    private func work(_ lease: Splitreel_Farm_Lease) throws {
        leases.append(lease)
        holding = lease.holding
        var started = Splitreel_Farm_Started()
        started.holding = lease.holding
        try send(.started(started))
        switch deed(lease) {
        case .nothing: break
        case .deliver: try deliver(lease)
        case .deliverWith(let notices): try deliver(lease, notices: notices)
        case .garbage: try deliver(lease, content: "garbage")
        case .record(let kind): try deliver(lease, record: kind)
        case .fail(let code):
            var failed = Splitreel_Farm_Failed()
            failed.holding = lease.holding
            failed.problem = Splitreel_Farm_Problem(
                SplitreelError(code, operation: "rendering", subject: "clip.mov", reason: "so"))
            try send(.failed(failed))
        }
    }

    /// Writes the segment and its record, and says so.
    func deliver(
        _ lease: Splitreel_Farm_Lease, content: String? = nil, notices: NoticeList = NoticeList(),
        record kind: String = "good"
    ) throws {
        let plan = try RenderPlan.decode(Data(contentsOf: URL(fileURLWithPath: lease.planPath)))
        let task = Int(lease.holding.task)
        let path = lease.folder + "/" + lease.segment
        guard let key = ContentKey(lease.contentKey) else { throw NothingCame() }
        let record = SegmentRecord(
            media: .video, count: 25, packetCount: 25,
            extradataHash: String(repeating: kind == "other sets" ? "1" : "0", count: 64),
            fileHash: String(repeating: "a5", count: 32), byteCount: 1,
            key: kind == "foreign" ? ContentKey(of: []) : key, notices: notices)
        let files = plan.segmentParts(ofTask: task).indices.map { SegmentSet.path(path, file: $0) }
        for file in files {
            try (content ?? FakeMediaWork.content(task < plan.chunks.count ? task : nil))
                .write(toFile: file, atomically: true, encoding: .utf8)
            try put(try JSONEncoder().encode(record), at: file + ".json", as: kind)
        }
        let hash = SegmentSet.hash(of: files.map { _ in record })
        var finished = Splitreel_Farm_Finished()
        finished.holding = lease.holding
        finished.segment = lease.segment
        finished.segmentHash = Data(bytes(ofSHA256: hash) ?? [])
        try send(.finished(finished))
    }

    private func put(_ record: Data, at path: String, as kind: String) throws {
        let files = FileManager.default
        switch kind {
        case "pipe": guard mkfifo(path, 0o600) == 0 else { throw NothingCame() }
        case "link":
            try record.write(to: URL(fileURLWithPath: path + "-elsewhere"))
            try files.createSymbolicLink(atPath: path, withDestinationPath: path + "-elsewhere")
        case "folder": try files.createDirectory(atPath: path, withIntermediateDirectories: false)
        case "huge": try (record + Data(repeating: 0x20, count: 2 << 20)).write(to: URL(fileURLWithPath: path))
        case "numbers":
            let text = String(decoding: record, as: UTF8.self)
                .replacing("\"count\":25", with: "\"count\":\(Int.max)")
                .replacing("\"priming\":0", with: "\"priming\":\(Int.max)")
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        case "text": try Data("no record".utf8).write(to: URL(fileURLWithPath: path))
        case "missing": break
        default: try record.write(to: URL(fileURLWithPath: path))
        }
    }

    // MARK: - As a client

    /// Throws the coordinator's own error where it refuses.
    func submit(_ request: OutputRequest, composition: String = "{}") async throws -> String {
        try await submit([request], composition: composition)
    }

    /// One job of several outputs.
    func submit(_ requests: [OutputRequest], composition: String = "{}") async throws -> String {
        var message = Splitreel_Farm_Submit()
        message.composition = composition
        message.requestJson = try requests.requestText()
        try send(.submit(message), request: 1)
        let answer: Result<String, SplitreelError> = try await next {
            switch $0 {
            case .submitted(let answer): .success(answer.job)
            case .problem(let problem): .failure(problem.error)
            default: nil
            }
        }
        return try answer.get()
    }

    /// Every job that the coordinator lists, page after page.
    func jobs(inPagesOf count: UInt32 = 0) async throws -> [[Splitreel_Farm_JobReport]] {
        var (pages, query) = ([[Splitreel_Farm_JobReport]](), Splitreel_Farm_JobsQuery())
        query.count = count
        while true {
            try send(.jobsQuery(query), request: 90)
            let page = try await next { if case .jobsReport(let report) = $0 { report } else { nil } }
            pages.append(page.jobs)
            guard page.next > 0 else { return pages }
            (query.before, query.ended) = (page.next, page.nextEnded)
        }
    }

    /// Watches to the end and answers the last report.
    func watch(_ job: String) async throws -> Splitreel_Farm_JobReport {
        var query = Splitreel_Farm_JobQuery()
        (query.job, query.watch) = (job, true)
        try send(.jobQuery(query), request: 2)
        return try await next { body in
            guard case .jobReport(let report) = body, report.job == job,
                report.isTerminal
            else { return nil }
            return report
        }
    }

    func problem() async throws -> Splitreel_Farm_Problem {
        try await next {
            switch $0 {
            case .problem(let problem): problem
            case .refused(let refused): refused.problem
            default: nil
            }
        }
    }
}
