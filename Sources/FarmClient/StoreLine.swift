import DataPlane
import Diagnostics
import FarmProtocol
import Foundation
import Scheduling
import SplitreelFiles
import Threads
import Transport

/// A client's end of the data socket, on a loop of its own: contents that it sends, and films that it fetches. Links
/// may break, and the coordinator may be another process meanwhile: a transfer goes on where the other end stands. It
/// fails where nothing is heard for `patience`.
actor StoreLine {
    private typealias Body = Splitreel_Farm_DataEnvelope.OneOf_Body

    /// A content that is sent.
    private struct Sending {
        let file: any MediaSource
        let sum: [UInt8]
        let progress: @Sendable (Int64) -> Void
        let continuation: CheckedContinuation<Void, any Error>
        /// The time at which it is offered again, unless the coordinator asks for bytes meanwhile.
        var offerAt: ContinuousClock.Instant = .now
        var pieces = PiecesUnderWay()

        var size: Int64 { Int64(file.identity.byteCount) }
    }

    /// A film that is fetched.
    private struct Fetching {
        let job: String
        let film: String
        let size: Int64
        let file: ArrivingFile
        let progress: @Sendable (Int64) -> Void
        let continuation: CheckedContinuation<Void, any Error>
    }

    /// The coordinator, whichever it is at the time, as the other end of every stream.
    private static let coordinator = Peer([])

    nonisolated let loop: EventLoop
    private let endpoint: String
    private let patience: Duration
    private let origin = ContinuousClock.now
    private var lastHeard = ContinuousClock.now
    private var socket: SocketID?
    private var lastStream = UInt64.random(in: 1...(1 << 48))
    private var sender = PieceSender()
    private var uploads: [UInt64: Sending] = [:]
    private var receiver = PieceReceiver()
    private var downloads: [UInt64: Fetching] = [:]
    private let files = ThreadPool(name: "client-files", size: 2, perAsker: 1)

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Starts the loop's thread; `close` ends it.
    init(endpoint: String, security: LinkSecurity, patience: Duration) throws {
        self.endpoint = endpoint
        self.patience = patience
        loop = try EventLoop(name: "client-data", limits: .data, security: security)
    }

    /// Fails what is under way with `.cancelled`, and returns at once.
    nonisolated func close() {
        loop.post { [self] in assumeIsolated { $0.endAll(ClientSession.closed) } }
        startThread("client-data-end") { [loop] in loop.shutDown() }
    }

    // MARK: - Contents

    /// Sends a content, and returns when the store has it. `progress` is told the bytes that have arrived. Throws the
    /// coordinator's refusal, and `CancellationError`.
    func send(_ file: any MediaSource, sum: [UInt8], progress: @escaping @Sendable (Int64) -> Void) async throws {
        try open()
        let number = nextStream()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                uploads[number] = Sending(file: file, sum: sum, progress: progress, continuation: continuation)
                if Task.isCancelled { return endSending(number, CancellationError()) }
                offerDue()
            }
        } onCancel: {
            loop.post { self.assumeIsolated { $0.endSending(number, CancellationError()) } }
        }
    }

    private func nextStream() -> UInt64 {
        lastStream += 1
        return lastStream
    }

    /// Offers what is due: what nobody has asked for, or not for a while.
    private func offerDue() {
        let now = ContinuousClock.now
        for (number, entry) in uploads where entry.offerAt <= now {
            uploads[number]?.offerAt = now + sender.limits.offer
            var offer = Splitreel_Farm_Offer()
            offer.stream = number
            offer.size = UInt64(clamping: entry.size)
            offer.hash = Data(entry.sum)
            say(.offer(offer))
        }
    }

    private func wanted(_ number: UInt64, _ demand: Demand) {
        guard let entry = uploads[number] else { return say(.stop(Splitreel_Farm_Stop(stream: number))) }
        uploads[number]?.offerAt = ContinuousClock.now + sender.limits.offer
        entry.progress(min(demand.offset, entry.size))
        serve(.begin(StreamID(Self.coordinator, number), end: entry.size, demand))
    }

    private func refused(_ number: UInt64, _ error: SplitreelError) {
        guard uploads[number] != nil else { return }
        guard error.code.retry == .transient else { return endSending(number, error) }
        uploads[number]?.offerAt = ContinuousClock.now + sender.limits.again
    }

    /// Ends an upload; `error` is nil where the store has all of it.
    private func endSending(_ number: UInt64, _ error: (any Error)?) {
        guard let entry = uploads.removeValue(forKey: number) else { return }
        serve(.stop(StreamID(Self.coordinator, number)))
        if let error {
            say(.stop(Splitreel_Farm_Stop(stream: number)))
            entry.continuation.resume(throwing: error)
        } else {
            entry.continuation.resume()
        }
    }

    private func serve(_ event: PieceSender.Event) {
        for action in sender.handle(event, now: now) {
            guard case .send(let id, let offset, let count, let end) = action else { continue }
            guard let file = uploads[id.number]?.file else { continue }
            do {
                try files.run(for: "send \(id.number)") { [self] in
                    let result = Result { try file.read(at: Int(offset), count: count) }
                    loop.post { [self] in assumeIsolated { $0.read(id, offset, count, end, result) } }
                }
                uploads[id.number]?.pieces.add(offset)
            } catch {
                // Not in the middle of the actions that it is one of.
                loop.post { [self] in assumeIsolated { $0.takeBack(id, offset) } }
            }
        }
    }

    private func read(
        _ id: StreamID, _ offset: Int64, _ count: Int, _ end: Int64, _ result: Result<[UInt8], any Error>
    ) {
        guard let file = uploads[id.number]?.file, uploads[id.number]?.pieces.next(offset) == true else { return }
        do {
            let bytes = try result.get()
            guard bytes.count == count else { throw sourceChanged(file.name, "it has become shorter") }
            let piece = Splitreel_Farm_Piece(stream: id.number, offset: offset, end: end)
            if !transmit(.piece(piece), bytes) { takeBack(id, offset) }
        } catch {
            endSending(id.number, error)
        }
    }

    private func takeBack(_ id: StreamID, _ offset: Int64) {
        let place = uploads[id.number]?.pieces.takeBack(from: offset) ?? offset
        serve(.unsent(id, offset: place))
    }

    // MARK: - Films

    /// Fetches a film of a job into a file, which appears when its SHA-256 is right; a hidden part of it that an
    /// earlier process left goes on. `progress` is told the bytes that are there. Throws the coordinator's refusal, and
    /// as writing does.
    func fetch(
        _ film: StoredFilm, of job: String, into path: String, progress: @escaping @Sendable (Int64) -> Void
    ) async throws {
        let file = ArrivingFile(path: path)
        let resumed = try await onThread { Result { try file.resume(most: film.size) } }.get()
        progress(resumed)
        try open()
        let number = nextStream()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                downloads[number] = Fetching(
                    job: job, film: film.path, size: film.size, file: file, progress: progress,
                    continuation: continuation)
                if Task.isCancelled { return endFetching(number, CancellationError()) }
                let goal = StreamGoal(from: resumed, end: film.size, sum: film.sum)
                take(.open(StreamID(Self.coordinator, number), goal))
            }
        } onCancel: {
            loop.post { self.assumeIsolated { $0.endFetching(number, CancellationError()) } }
        }
    }

    /// Ends a download; `error` is nil where the file has its name. What came stays for a later one, unless it is
    /// dropped.
    private func endFetching(_ number: UInt64, _ error: (any Error)?, isDropped: Bool = false) {
        guard let entry = downloads.removeValue(forKey: number) else { return }
        take(.close(StreamID(Self.coordinator, number)))
        if let error {
            say(.stop(Splitreel_Farm_Stop(stream: number)))
            if isDropped { return drop(entry, number, error) }
            entry.continuation.resume(throwing: error)
        } else {
            entry.continuation.resume()
        }
    }

    /// Removes what came of a download that failed, behind what is still written of it.
    private func drop(_ entry: Fetching, _ number: UInt64, _ error: any Error) {
        let file = entry.file
        let continuation = entry.continuation
        let end: @Sendable () -> Void = {
            file.remove()
            continuation.resume(throwing: error)
        }
        if (try? files.run(for: "fetch \(number)", end)) == nil { end() }
    }

    /// Lets the receiving brain take an event; `bytes` are those of the piece that has just come.
    private func take(_ event: PieceReceiver.Event, _ bytes: [UInt8] = []) {
        for action in receiver.handle(event, now: now) {
            switch action {
            case .ask(let id, let demand, .begin):
                guard let entry = downloads[id.number] else { continue }
                var fetch = Splitreel_Farm_Fetch()
                fetch.stream = id.number
                fetch.job = entry.job
                fetch.film = entry.film
                fetch.end = UInt64(clamping: entry.size)
                fetch.demand = demand.wire
                say(.fetch(fetch))
            case .ask(let id, let demand, .more): say(.credit(Splitreel_Farm_Credit(stream: id.number, demand)))
            case .take(let id, let offset, let skip, let count):
                let part = bytes[skip..<skip + count]
                let place = offset + Int64(count)
                write(id.number, { try $0.append(part) }, then: { $0.written(id, place) })
            case .startOver(let id): write(id.number) { try $0.begin() }
            case .sum(let id):
                guard let file = downloads[id.number]?.file else { continue }
                write(id.number, { _ in }, then: { $0.take(.summed(id, file.sum)) })
            case .complete(let id): write(id.number, { try $0.place() }, then: { $0.endFetching(id.number, nil) })
            case .giveUp(let id, let error):
                // No later download of it can go on with what came.
                endFetching(id.number, error, isDropped: error.code.retry == .permanent)
            }
        }
    }

    private func written(_ id: StreamID, _ place: Int64) {
        downloads[id.number]?.progress(place)
        take(.taken(id, place))
    }

    /// Works on a film's file on a thread, in the order of the calls; what goes wrong ends the download.
    private func write(
        _ number: UInt64, _ body: @escaping @Sendable (ArrivingFile) throws -> Void,
        then next: @escaping @Sendable (isolated StoreLine) -> Void = { _ in }
    ) {
        guard let file = downloads[number]?.file else { return }
        do {
            try files.run(for: "fetch \(number)") { [self] in
                do {
                    try body(file)
                    loop.post { [self] in assumeIsolated(next) }
                } catch {
                    loop.post { [self] in assumeIsolated { $0.endFetching(number, error) } }
                }
            }
        } catch {
            loop.post { [self] in assumeIsolated { $0.endFetching(number, error) } }
        }
    }

    // MARK: - The socket

    private var now: Instant { Instant(nanoseconds: (ContinuousClock.now - origin).nanoseconds) }

    private func open() throws {
        lastHeard = .now
        guard socket == nil else { return }
        let opened = try loop.open(.dealer) { [weak self] frames in self?.assumeIsolated { $0.receive(frames) } }
        do {
            try loop.connect(opened, to: endpoint)
        } catch {
            loop.close(opened)
            throw error
        }
        socket = opened
        loop.every(.milliseconds(100)) { [weak self] in self?.assumeIsolated { $0.tick() } }
    }

    private func tick() {
        take(.tick)
        serve(.tick)
        offerDue()
        guard !uploads.isEmpty || !downloads.isEmpty else { return lastHeard = .now }
        guard ContinuousClock.now - lastHeard > patience else { return }
        endAll(
            SplitreelError(
                .coordinatorUnreachable, operation: "sending and fetching files", subject: endpoint,
                reason: "nothing was heard from it for \(patience)", hint: "the same command goes on where it stopped"))
    }

    private func endAll(_ error: SplitreelError) {
        for number in uploads.keys.sorted() { endSending(number, error) }
        for number in downloads.keys.sorted() { endFetching(number, error) }
    }

    private func receive(_ frames: [[UInt8]]) {
        guard case .message(let body, let bytes) = ReceivedData(frames) else { return }
        lastHeard = .now
        switch body {
        case .want(let want):
            if let demand = Demand(want.demand) { wanted(want.stream, demand) }
        case .stored(let stored): endSending(stored.stream, nil)
        case .piece(let piece):
            guard let offset = Int64(exactly: piece.offset), let end = Int64(exactly: piece.end) else { return }
            // Late bytes of a download that is over.
            guard downloads[piece.stream] != nil else { return say(.stop(Splitreel_Farm_Stop(stream: piece.stream))) }
            let id = StreamID(Self.coordinator, piece.stream)
            take(.piece(id, offset: offset, count: bytes.count, end: end), bytes)
        case .refusal(let refusal):
            if downloads[refusal.stream] != nil {
                take(.refused(StreamID(Self.coordinator, refusal.stream), refusal.problem.error))
            } else {
                refused(refusal.stream, refusal.problem.error)
            }
        case .fetch, .credit, .stop, .offer: break
        }
    }

    /// Sends a message that is said again by itself where it is lost.
    private func say(_ body: Body) { _ = transmit(body) }

    private func transmit(_ body: Body, _ bytes: [UInt8]? = nil) -> Bool {
        guard let socket, let frames = try? Splitreel_Farm_DataEnvelope(body).frames(bytes) else { return false }
        guard let result = try? loop.send(frames, on: socket) else { return false }
        if case .sent = result { return true }
        return false
    }
}
