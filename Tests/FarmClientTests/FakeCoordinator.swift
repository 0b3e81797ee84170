import FarmProtocol
import Scheduling
import Threads
import Transport

/// Answers a client by script, on its own loop.
actor FakeCoordinator {
    typealias Body = Splitreel_Farm_Envelope.OneOf_Body

    nonisolated let loop: EventLoop
    private let script: @Sendable (Splitreel_Farm_Envelope, Int) -> [Splitreel_Farm_Envelope]
    private var socket: SocketID?
    private var peer: [UInt8] = []
    private(set) var received: [Splitreel_Farm_Envelope] = []

    /// `script` gets each message and how many came before it.
    init(_ script: @escaping @Sendable (Splitreel_Farm_Envelope, Int) -> [Splitreel_Farm_Envelope]) throws {
        loop = try EventLoop(name: "fake")
        self.script = script
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    func start(_ endpoint: String = "tcp://127.0.0.1:*") throws -> String {
        let opened = try loop.open(.router) { [weak self] frames in self?.assumeIsolated { $0.receive(frames) } }
        socket = opened
        return try loop.bind(opened, to: endpoint)
    }

    /// To the peer that spoke last.
    func say(_ body: Body, request: UInt64) throws {
        guard let socket else { return }
        _ = try loop.send([peer, try Splitreel_Farm_Envelope(body, request: request).frame()], on: socket)
    }

    private func receive(_ frames: [[UInt8]]) {
        guard let socket, frames.count == 2, let envelope = try? Splitreel_Farm_Envelope.parse(frames[1]) else {
            return
        }
        peer = frames[0]
        let answers = script(envelope, received.count)
        received.append(envelope)
        for answer in answers {
            guard let frame = try? answer.frame() else { continue }
            _ = try? loop.send([peer, frame], on: socket)
        }
    }

    nonisolated func end() async {
        await onThread { [loop] in loop.shutDown() }
    }
}

func report(_ job: String, _ state: JobState, done: UInt64 = 0) -> Splitreel_Farm_JobReport {
    var report = Splitreel_Farm_JobReport()
    report.job = job
    report.state = Splitreel_Farm_JobState(state)
    report.frames = 10
    report.framesDone = done
    return report
}
