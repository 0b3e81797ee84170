package import DataPlane
package import Diagnostics
import FarmProtocol
import Foundation
import Hashing
package import Scheduling
import SplitreelFiles
import Synchronization
import Threads
package import Transport

/// A worker's end of the data socket, on a loop of its own: bytes that it asks for, and segments that it sends. Links
/// may break, and the coordinator may be away: whoever waits for bytes waits on.
package actor DataLine {
    /// The news of a segment that is sent.
    package enum Report: Sendable, Hashable {
        /// It is on its way: to be told to the coordinator, so that the lease lasts.
        case sending(Holding)
        /// The coordinator has all of it.
        case delivered(Holding)
        case gaveUp(Holding, SplitreelError)
    }

    /// The coordinator, whichever it is at the time, as the other end of every stream.
    static let coordinator = Peer([])

    nonisolated let loop: EventLoop
    let slot: String
    let folder: OutboxFolder?
    let report: @Sendable (Report) -> Void
    private let origin = ContinuousClock.now
    private var socket: SocketID?
    private var lastStream: UInt64

    private var receiver = PieceReceiver()
    private var fetches: [UInt64: Fetch] = [:]
    private var isOver = false
    var sender = PieceSender()
    var outbox: Outbox
    /// The files that are offered, by their streams.
    var uploads: [UInt64: SentFile] = [:]
    /// The segments that are sent while the disk takes them.
    var begun: [Holding: BegunSegment] = [:]
    let files = ThreadPool(name: "transfer", size: 2, perAsker: 1)
    private let meter = Mutex(LinkMeter())

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Starts the loop's thread; `stop` ends it. `slot` is the name that the coordinator knows, or that its key has
    /// there. Segments that an earlier process left in `folder` are sent too, when there is a link.
    package init(
        slot: String, security: LinkSecurity = .open, outbox folder: OutboxFolder? = nil,
        budget: DiskBudget = DiskBudget(mostBytes: 64 << 30, spareBytes: 256 << 20),
        report: @escaping @Sendable (Report) -> Void = { _ in }
    ) throws {
        self.slot = slot
        self.folder = folder
        self.report = report
        // The coordinator may still know streams of an earlier process.
        let first = UInt64.random(in: 1...(1 << 48))
        lastStream = first
        outbox = Outbox(budget: budget, firstStream: first + (1 << 60))
        loop = try EventLoop(name: "transfer", limits: .data, security: security)
    }

    /// Takes up what the outbox holds and begins to look after time; once.
    package nonisolated func start() {
        post { line in
            for item in line.folder?.restore() ?? [] { line.note(.kept(item)) }
            line.loop.every(.milliseconds(100)) { [weak line] in line?.assumeIsolated { $0.tick() } }
        }
    }

    /// Ends the loop. Whoever waits for bytes gets the error `.cancelled`.
    package nonisolated func stop() {
        post { $0.isOver = true }
        cancelFetches()
        loop.shutDown()
    }

    /// The bytes a second that the link carried of late, both ways together; nil where nothing was measured.
    package nonisolated var linkRate: Double? { meter.withLock { $0.rate } }

    // MARK: - The link

    /// Takes a fresh socket to the coordinator's data endpoint, as after each welcome: what was asked for is asked for
    /// again.
    package nonisolated func link(to endpoint: String) {
        post { $0.relink(endpoint) }
    }

    /// Notes that the coordinator is silent.
    package nonisolated func unlink() {
        post { line in
            line.closeSocket()
            line.note(.link(isUp: false))
        }
    }

    private func relink(_ endpoint: String) {
        closeSocket()
        do {
            let opened = try loop.open(.dealer) { [weak self] frames in self?.assumeIsolated { $0.receive(frames) } }
            socket = opened
            try loop.connect(opened, to: endpoint)
        } catch {
            // The next welcome brings another one.
            return closeSocket()
        }
        // Whoever never speaks is the first to go where a coordinator has too many connections.
        say(.stop(Splitreel_Farm_Stop(stream: 0)))
        note(.link(isUp: false))
        receive(.relinked(Self.coordinator))
        note(.link(isUp: true))
    }

    private func closeSocket() {
        if let socket { loop.close(socket) }
        socket = nil
    }

    // MARK: - Bytes that are asked for

    /// The bytes of a thing of a job from a place on, exactly `count` of them. Blocks, for as long as the coordinator
    /// is away, until they are there or the line is stopped; not from a loop's thread or the cooperative pool.
    /// Throws `.cancelled`, or what the coordinator refuses with: `.refused`, `.mediaChanged`, or that it cannot read
    /// them.
    package nonisolated func fetch(
        _ subject: DataSubject, of job: String, at place: Int64, count: Int
    ) throws -> [UInt8] {
        guard count > 0 else { return [] }
        let goal = StreamGoal(from: place, end: place + Int64(count))
        return try wait(for: subject, job, goal, most: place + Int64(count))
    }

    /// Ends every fetch that is under way with `.cancelled`.
    private nonisolated func cancelFetches() {
        post { line in
            for number in line.fetches.keys.sorted() { line.end(number, .failure(Self.cancelled), isStopped: true) }
        }
    }

    /// Fetches, and blocks until that has ended; the stop of the work ends it with `.cancelled`.
    nonisolated func wait(
        for subject: DataSubject, _ job: String, _ goal: StreamGoal, most: Int64, into file: ArrivingFile? = nil,
        stop: WorkStop = WorkStop()
    ) throws -> [UInt8] {
        let outcome = Outcome()
        let fetch = Fetch(subject: subject, job: job, goal: goal, most: most, file: file, outcome: outcome)
        guard post({ $0.begin(fetch) }) else { throw Self.cancelled }
        return try stop.during({ [self] in post { $0.cancel(outcome) } }) { try outcome.wait().get() }
    }

    private func cancel(_ outcome: Outcome) {
        guard let number = fetches.first(where: { $0.value.outcome === outcome })?.key else { return }
        end(number, .failure(Self.cancelled), isStopped: true)
    }

    private static let cancelled = SplitreelError(
        .cancelled, operation: "fetching", subject: "bytes of the coordinator",
        reason: "nobody waits for them any more")

    private static func tooMuch(_ count: Int64, _ most: Int64) -> SplitreelError {
        SplitreelError(
            .malformedMessage, operation: "fetching", subject: "bytes of the coordinator",
            reason: "there are \(count) of them, and such a thing has \(most) at most")
    }

    private func begin(_ fetch: Fetch) {
        guard !isOver else {
            fetch.outcome.set(.failure(Self.cancelled))
            return
        }
        lastStream += 1
        let number = lastStream
        fetches[number] = fetch
        // A block comes in pieces: they are put behind one another without being moved again.
        if fetch.file == nil, let end = fetch.goal.end {
            fetches[number]?.bytes.reserveCapacity(Int(end - fetch.goal.from))
        }
        if fetch.file != nil { write(number) { try $0.begin() } }
        receive(.open(StreamID(Self.coordinator, number), fetch.goal))
    }

    private func end(_ number: UInt64, _ result: Result<[UInt8], any Error>, isStopped: Bool = false) {
        guard let fetch = fetches.removeValue(forKey: number) else { return }
        if isStopped {
            receive(.close(StreamID(Self.coordinator, number)))
            say(.stop(Splitreel_Farm_Stop(stream: number)))
        }
        if case .failure = result { fetch.file?.remove() }
        fetch.outcome.set(result)
    }

    /// Lets the receiving brain take an event; `bytes` are those of the piece that has just come.
    private func receive(_ event: PieceReceiver.Event, _ bytes: [UInt8] = []) {
        for action in receiver.handle(event, now: now) {
            switch action {
            case .ask(let id, let demand, .begin):
                guard let fetch = fetches[id.number] else { continue }
                say(
                    .fetch(
                        Splitreel_Farm_Fetch(
                            fetch.subject, of: fetch.job, slot: slot, stream: id.number, demand: demand,
                            end: fetch.goal.end)))
            case .ask(let id, let demand, .more): say(.credit(Splitreel_Farm_Credit(stream: id.number, demand)))
            case .take(let id, let offset, let skip, let count):
                put(bytes[skip..<skip + count], id.number, upTo: offset + Int64(count))
            case .startOver(let id):
                fetches[id.number]?.bytes = []
                write(id.number) { try $0.begin() }
            case .sum(let id): sum(id.number)
            case .complete(let id): complete(id.number)
            case .giveUp(let id, let error): end(id.number, .failure(error))
            }
        }
    }

    private func put(_ part: ArraySlice<UInt8>, _ number: UInt64, upTo place: Int64) {
        let id = StreamID(Self.coordinator, number)
        if fetches[number]?.file == nil {
            fetches[number]?.bytes += part
            receive(.taken(id, place))
        } else {
            write(number, { try $0.append(part) }, then: { $0.receive(.taken(id, place)) })
        }
    }

    private func sum(_ number: UInt64) {
        let id = StreamID(Self.coordinator, number)
        guard let file = fetches[number]?.file else {
            var sum = SHA256Sum()
            sum.update(fetches[number]?.bytes ?? [])
            return receive(.summed(id, sum.bytes))
        }
        write(number, { _ in }, then: { $0.receive(.summed(id, file.sum)) })
    }

    private func complete(_ number: UInt64) {
        guard let fetch = fetches[number] else { return }
        guard fetch.file != nil else { return end(number, .success(fetch.bytes)) }
        write(number, { try $0.place() }, then: { $0.end(number, .success([])) })
    }

    /// Works on a fetch's file on a thread, in the order of the calls; what goes wrong ends the fetch.
    private func write(
        _ number: UInt64, _ body: @escaping @Sendable (ArrivingFile) throws -> Void,
        then next: @escaping @Sendable (isolated DataLine) -> Void = { _ in }
    ) {
        guard let file = fetches[number]?.file else { return }
        do {
            try files.run(for: "fetch \(number)") { [self] in
                do {
                    try body(file)
                    post(next)
                } catch {
                    post { $0.end(number, .failure(error), isStopped: true) }
                }
            }
        } catch {
            post { $0.end(number, .failure(error), isStopped: true) }
        }
    }

    // MARK: - The socket

    var now: Instant { Instant(nanoseconds: (ContinuousClock.now - origin).nanoseconds) }

    @discardableResult
    nonisolated func post(_ body: @escaping @Sendable (isolated DataLine) -> Void) -> Bool {
        loop.post { [self] in assumeIsolated(body) }
    }

    func measure(_ count: Int) {
        let now = now
        meter.withLock { $0.add(count, now) }
    }

    private func tick() {
        receive(.tick)
        serve(.tick)
        note(.tick)
    }

    private func receive(_ frames: [[UInt8]]) {
        guard case .message(let body, let bytes) = ReceivedData(frames) else { return }
        switch body {
        case .piece(let piece):
            guard let offset = Int64(exactly: piece.offset), let end = Int64(exactly: piece.end) else { return }
            // Late bytes of a fetch that is over.
            guard fetches[piece.stream] != nil else { return say(.stop(Splitreel_Farm_Stop(stream: piece.stream))) }
            measure(bytes.count)
            let id = StreamID(Self.coordinator, piece.stream)
            // A coordinator that lies would fill the memory, or the disk.
            if let fetch = fetches[piece.stream], fetch.goal.end == nil, end > fetch.most {
                return self.end(piece.stream, .failure(Self.tooMuch(end, fetch.most)), isStopped: true)
            }
            receive(.piece(id, offset: offset, count: bytes.count, end: end), bytes)
        case .want(let want):
            guard let demand = Demand(want.demand) else { return }
            note(.wanted(want.stream))
            guard let file = uploads[want.stream]?.file else { return }
            let end = Int64(file.identity.byteCount)
            serve(.begin(StreamID(Self.coordinator, want.stream), end: end, demand))
        case .stored(let stored): note(.stored(stored.stream))
        case .refusal(let refusal):
            let error = refusal.problem.error
            if fetches[refusal.stream] != nil {
                receive(.refused(StreamID(Self.coordinator, refusal.stream), error))
            } else {
                note(.refused(refusal.stream, error))
            }
        case .fetch, .credit, .stop, .offer: break
        }
    }

    /// Sends a message that is said again by itself where it is lost.
    func say(_ body: Splitreel_Farm_DataEnvelope.OneOf_Body) { _ = transmit(body) }

    /// Sends a message; false where the socket does not take it.
    func transmit(_ body: Splitreel_Farm_DataEnvelope.OneOf_Body, _ bytes: [UInt8]? = nil) -> Bool {
        guard let socket, let frames = try? Splitreel_Farm_DataEnvelope(body).frames(bytes) else { return false }
        guard let result = try? loop.send(frames, on: socket) else { return false }
        if case .sent = result { return true }
        return false
    }
}

private typealias Outcome = OneShot<Result<[UInt8], any Error>>

/// Bytes that somebody waits for.
private struct Fetch: Sendable {
    let subject: DataSubject
    let job: String
    let goal: StreamGoal
    /// The most bytes of the whole thing, where the goal does not say where it ends.
    let most: Int64
    /// The file that the bytes go to; nil where they stay in memory.
    let file: ArrivingFile?
    let outcome: Outcome
    var bytes: [UInt8] = []
}
