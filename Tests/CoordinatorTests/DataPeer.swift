import DataPlane
import Diagnostics
import FarmProtocol
import Foundation
import Hashing
import Scheduling
import Threads
import Transport

/// A worker's end of the data socket, speaking its messages by hand.
actor DataPeer {
    struct Message: Sendable {
        let body: Splitreel_Farm_DataEnvelope.OneOf_Body
        let bytes: [UInt8]

        var stream: UInt64 {
            switch body {
            case .piece(let piece): piece.stream
            case .want(let want): want.stream
            case .stored(let stored): stored.stream
            case .refusal(let refusal): refusal.stream
            case .fetch, .credit, .stop, .offer: 0
            }
        }
    }

    nonisolated let loop: EventLoop
    private var socket: SocketID?
    private var queue: [Message] = []
    private var waiters: [CheckedContinuation<Void, Never>] = []
    private var lastStream: UInt64 = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ endpoint: String, security: LinkSecurity = .open) async throws {
        loop = try EventLoop(name: "data-peer", limits: .data, security: security)
        try connect(endpoint)
    }

    private func connect(_ endpoint: String) throws {
        let opened = try loop.open(.dealer) { [weak self] frames in self?.assumeIsolated { $0.receive(frames) } }
        try loop.connect(opened, to: endpoint)
        socket = opened
        loop.every(.milliseconds(50)) { [weak self] in self?.assumeIsolated { $0.wake() } }
    }

    nonisolated func end() async {
        await onThread { [loop] in loop.shutDown() }
    }

    private func receive(_ frames: [[UInt8]]) {
        guard case .message(let body, let bytes) = ReceivedData(frames) else { return }
        queue.append(Message(body: body, bytes: bytes))
        wake()
    }

    private func wake() {
        let waiting = waiters
        waiters = []
        for waiter in waiting { waiter.resume() }
    }

    func send(_ body: Splitreel_Farm_DataEnvelope.OneOf_Body, _ bytes: [UInt8]? = nil) throws {
        guard let socket else { return }
        _ = try loop.send(try Splitreel_Farm_DataEnvelope(body).frames(bytes), on: socket)
    }

    /// The next message of a stream, within a minute.
    private func next(of stream: UInt64) async throws -> Message {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            if let index = queue.firstIndex(where: { $0.stream == stream }) { return queue.remove(at: index) }
            await withCheckedContinuation { waiters.append($0) }
        }
        throw FakePeer.NothingCame()
    }

    /// Whether a message has come, which stays; waits for half a second at most.
    func isAnswered() async -> Bool {
        let deadline = ContinuousClock.now + .milliseconds(500)
        while queue.isEmpty, ContinuousClock.now < deadline { await withCheckedContinuation { waiters.append($0) } }
        return !queue.isEmpty
    }

    /// The errors that answered a stream, of all that came before the answer to a later one. What came up to then goes.
    func errors(of stream: UInt64, before later: UInt64) async throws -> [ErrorCode] {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            guard queue.contains(where: { $0.stream == later }) else {
                await withCheckedContinuation { waiters.append($0) }
                continue
            }
            let answers = queue.filter { $0.stream == stream }
            queue = []
            return answers.compactMap { answer -> ErrorCode? in
                if case .refusal(let refusal) = answer.body { refusal.problem.error.code } else { nil }
            }
        }
        throw FakePeer.NothingCame()
    }

    /// Asks for bytes up to a place, and waits for nothing. Answers the stream.
    func ask(
        _ what: Splitreel_Farm_Fetch.OneOf_What, job: String, slot: String, from first: Int64 = 0,
        limit: Int64 = 1 << 40
    ) throws -> UInt64 {
        lastStream += 1
        var fetch = Splitreel_Farm_Fetch()
        fetch.stream = lastStream
        fetch.job = job
        fetch.slot = slot
        fetch.what = what
        fetch.demand = Demand(offset: first, limit: limit, round: 0).wire
        try send(.fetch(fetch))
        return lastStream
    }

    /// The bytes of the next piece of a stream. Throws the coordinator's refusal.
    func piece(of stream: UInt64) async throws -> [UInt8] {
        let message = try await next(of: stream)
        switch message.body {
        case .piece: return message.bytes
        case .refusal(let refusal): throw refusal.problem.error
        default: throw FakePeer.NothingCame()
        }
    }

    /// The whole content. Throws the coordinator's refusal.
    func fetch(
        _ what: Splitreel_Farm_Fetch.OneOf_What, job: String, slot: String, from first: Int64 = 0
    ) async throws -> [UInt8] {
        let stream = try ask(what, job: job, slot: slot, from: first)
        var content: [UInt8] = []
        while true {
            let message = try await next(of: stream)
            switch message.body {
            case .piece(let piece):
                content += message.bytes
                var credit = Splitreel_Farm_Credit()
                credit.stream = stream
                credit.demand = Demand(offset: first + Int64(content.count), limit: 1 << 40, round: 0).wire
                try send(.credit(credit))
                if first + Int64(content.count) == Int64(piece.end) { return content }
            case .refusal(let refusal): throw refusal.problem.error
            default: throw FakePeer.NothingCame()
            }
        }
    }

    /// Reads a part of a thing and drops it, with ten pieces on their way; `isSlow`: with one, and a second between any
    /// two. Answers the number of bytes that came.
    func pull(
        _ what: Splitreel_Farm_Fetch.OneOf_What, job: String, slot: String, from first: Int64, count: Int64,
        isSlow: Bool = false
    ) async throws -> Int64 {
        var sum: SHA256Sum?
        return try await pull(
            what, job: job, slot: slot, from: first, count: count, isSlow: isSlow, counted: &sum)
    }

    /// Pulls as above, and hashes what comes, piece by piece. Answers the number of bytes and their SHA-256.
    func pullHashed(
        _ what: Splitreel_Farm_Fetch.OneOf_What, job: String, slot: String, from first: Int64, count: Int64
    ) async throws -> (count: Int64, sum: String?) {
        var sum: SHA256Sum? = SHA256Sum()
        let came = try await pull(
            what, job: job, slot: slot, from: first, count: count, isSlow: false, counted: &sum)
        return (came, sum?.text)
    }

    private func pull(
        _ what: Splitreel_Farm_Fetch.OneOf_What, job: String, slot: String, from first: Int64, count: Int64,
        isSlow: Bool, counted sum: inout SHA256Sum?
    ) async throws -> Int64 {
        let piece: Int64 = 262_144
        let window = isSlow ? piece : 10 * piece
        let end = first + count
        lastStream += 1
        var fetch = Splitreel_Farm_Fetch()
        fetch.stream = lastStream
        fetch.job = job
        fetch.slot = slot
        fetch.what = what
        fetch.end = UInt64(end)
        fetch.demand = Demand(offset: first, limit: min(first + window, end), round: 0).wire
        let stream = lastStream
        try send(.fetch(fetch))
        var place = first
        while place < end {
            let message = try await next(of: stream)
            switch message.body {
            case .piece:
                place += Int64(message.bytes.count)
                sum?.update(message.bytes)
            case .refusal(let refusal): throw refusal.problem.error
            default: throw FakePeer.NothingCame()
            }
            // The loop wakes those who wait twenty times a second.
            if isSlow { for _ in 0..<20 { await withCheckedContinuation { waiters.append($0) } } }
            var credit = Splitreel_Farm_Credit()
            credit.stream = stream
            credit.demand = Demand(offset: place, limit: min(place + window, end), round: 0).wire
            try send(.credit(credit))
        }
        return place - first
    }

    /// Offers a file, whatever is said of it, and sends those bytes as often as they are wanted, as the first ones of
    /// `end`. Answers how often that was from the start, and with which error it was refused; none where it was stored.
    func lie(
        _ file: OutboxFile, _ content: [UInt8], end: Int64, of holding: Holding, slot: String
    ) async throws -> (wholes: Int, error: ErrorCode?) {
        lastStream += 1
        let stream = lastStream
        try send(.offer(Splitreel_Farm_Offer(file, of: holding, slot: slot, stream: stream)))
        var sent: Int64 = 0
        var round: UInt32?
        var wholes = 0
        while true {
            switch try await next(of: stream).body {
            case .want(let want):
                guard let demand = Demand(want.demand) else { throw FakePeer.NothingCame() }
                if demand.round != round {
                    if demand.offset == 0 { wholes += 1 }
                    round = demand.round
                    sent = demand.offset
                }
                while sent < min(demand.limit, Int64(content.count)) {
                    let last = min(sent + 262_144, Int64(content.count))
                    let piece = Splitreel_Farm_Piece(stream: stream, offset: sent, end: end)
                    try send(.piece(piece), Array(content[Int(sent)..<Int(last)]))
                    sent = last
                }
            case .stored: return (wholes, nil)
            case .refusal(let refusal): return (wholes, refusal.problem.error.code)
            default: throw FakePeer.NothingCame()
            }
        }
    }

    /// Offers a file of an attempt's segment, and sends it until it is stored, or until so many pieces have come there.
    /// Answers the place from which it was wanted first. Throws the coordinator's refusal.
    func upload(
        _ content: [UInt8], isRecord: Bool = false, of holding: Holding, slot: String, pieces: Int = .max
    ) async throws -> Int64 {
        lastStream += 1
        var sum = SHA256Sum()
        sum.update(content)
        let file = OutboxFile(number: 0, isRecord: isRecord, size: Int64(content.count), sum: sum.bytes)
        let offer = Splitreel_Farm_Offer(file, of: holding, slot: slot, stream: lastStream)
        return try await deliver(content, offer, pieces: pieces)
    }

    /// Offers a content for the store, and sends it as `upload` does; `hash` is its SHA-256 where it is not told right.
    func store(_ content: [UInt8], hash: [UInt8]? = nil, pieces: Int = .max) async throws -> Int64 {
        lastStream += 1
        var sum = SHA256Sum()
        sum.update(content)
        var offer = Splitreel_Farm_Offer()
        offer.stream = lastStream
        offer.size = UInt64(content.count)
        offer.hash = Data(hash ?? sum.bytes)
        return try await deliver(content, offer, pieces: pieces)
    }

    private func deliver(_ content: [UInt8], _ offer: Splitreel_Farm_Offer, pieces: Int) async throws -> Int64 {
        let stream = offer.stream
        let size = Int64(content.count)
        try send(.offer(offer))
        var first: Int64?
        var round: UInt32 = 0
        var sent: Int64 = 0
        var count = 0
        while true {
            let message = try await next(of: stream)
            switch message.body {
            case .want(let want):
                guard let demand = Demand(want.demand) else { throw FakePeer.NothingCame() }
                if count == pieces, demand.offset == sent { return first ?? 0 }
                first = first ?? demand.offset
                // A content whose sum was wrong comes anew.
                if demand.round > round { sent = demand.offset }
                round = max(round, demand.round)
                sent = max(sent, demand.offset)
                while sent < min(demand.limit, size), count < pieces {
                    let last = min(sent + 262_144, size)
                    let piece = Splitreel_Farm_Piece(stream: stream, offset: sent, end: size)
                    try send(.piece(piece), Array(content[Int(sent)..<Int(last)]))
                    sent = last
                    count += 1
                }
            case .stored: return first ?? 0
            case .refusal(let refusal): throw refusal.problem.error
            default: throw FakePeer.NothingCame()
            }
        }
    }
}
