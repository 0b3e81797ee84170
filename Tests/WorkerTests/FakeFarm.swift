import FarmProtocol
import Foundation
import Scheduling
import Synchronization
import Threads
import Transport

/// A coordinator's two sockets, spoken through by a test.
actor FakeFarm {
    typealias Body = Splitreel_Farm_Envelope.OneOf_Body

    nonisolated let loop: EventLoop
    nonisolated let received: AsyncStream<Body>
    private let continuation: AsyncStream<Body>.Continuation
    private var control: SocketID?
    private var peer: [UInt8] = []
    private var heartbeatEndpoint = ""
    /// The answer to heartbeats; nil: none.
    private var answer: (known: Bool, leaseValid: Bool)? = (true, true)
    private(set) var lastHeartbeat = Splitreel_Farm_Heartbeat()

    init() throws {
        loop = try EventLoop(name: "fake-farm")
        (received, continuation) = AsyncStream.makeStream()
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    func start(control controlEndpoint: String = "ipc://*", heartbeat: String = "ipc://*") throws -> String {
        let heartbeats = try loop.open(.router) { [weak self] frames in self?.assumeIsolated { $0.beat(frames) } }
        heartbeatSocket = heartbeats
        heartbeatEndpoint = try loop.bind(heartbeats, to: heartbeat)
        let opened = try loop.open(.router) { [weak self] frames in self?.assumeIsolated { $0.receive(frames) } }
        control = opened
        return try loop.bind(opened, to: controlEndpoint)
    }

    private var heartbeatSocket: SocketID?
    var heartbeatAddress: String { heartbeatEndpoint }

    func answerHeartbeats(_ newAnswer: (known: Bool, leaseValid: Bool)?) { answer = newAnswer }

    /// To the slot that spoke last.
    func say(_ body: Body) throws {
        guard let control else { return }
        _ = try loop.send([peer, try Splitreel_Farm_Envelope(body).frame()], on: control)
    }

    func welcome() throws {
        var welcome = Splitreel_Farm_Welcome()
        welcome.heartbeatEndpoint = heartbeatEndpoint
        welcome.heartbeatMilliseconds = 50
        welcome.leaseMilliseconds = 1000
        try say(.welcome(welcome))
    }

    private func receive(_ frames: [[UInt8]]) {
        guard frames.count == 2, let body = try? Splitreel_Farm_Envelope.parse(frames[1])?.body else { return }
        peer = frames[0]
        continuation.yield(body)
    }

    private func beat(_ frames: [[UInt8]]) {
        guard frames.count == 2, let envelope = try? Splitreel_Farm_Envelope.parse(frames[1]), let heartbeatSocket,
            case .heartbeat(let heartbeat)? = envelope.body
        else { return }
        lastHeartbeat = heartbeat
        guard let answer else { return }
        var reply = Splitreel_Farm_HeartbeatReply()
        reply.slot = heartbeat.slot
        (reply.known, reply.leaseValid) = answer
        guard let frame = try? Splitreel_Farm_Envelope(.heartbeatReply(reply)).frame() else { return }
        _ = try? loop.send([frames[0], frame], on: heartbeatSocket)
    }

    /// The next message that is no progress; the suite's time limit bounds the wait.
    nonisolated func next() async -> Body? {
        for await body in received {
            if case .progress = body { continue }
            return body
        }
        return nil
    }

    nonisolated func end() async {
        await onThread { [loop] in loop.shutDown() }
    }
}
