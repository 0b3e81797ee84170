import Diagnostics
import Glibc
import Synchronization
import Testing
import Transport

/// An actor that lives on a loop, as the coordinator does.
private actor Echo {
    private let loop: EventLoop
    private var socket: SocketID?
    private(set) var received = 0
    private(set) var strayThreads = 0

    init(loop: EventLoop) { self.loop = loop }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    func start(_ endpoint: String) throws -> String {
        let opened = try loop.open(.router) { [self] frames in assumeIsolated { $0.answer(frames) } }
        socket = opened
        return try loop.bind(opened, to: endpoint)
    }

    func note() {
        if !loop.isOnLoop { strayThreads += 1 }
    }

    private func answer(_ frames: [[UInt8]]) {
        received += 1
        note()
        guard let socket else { return }
        _ = try? loop.send(frames, on: socket)
    }
}

@Suite("Event loop", .timeLimit(.minutes(5)))
struct EventLoopTests {
    @Test(
        "wildcard bind answers a real endpoint; a message goes there and back",
        arguments: ["tcp://127.0.0.1:*", "ipc://*"])
    func roundTrip(_ wildcard: String) async throws {
        let loop = try EventLoop(name: "server")
        let client = try EventLoop(name: "client")
        defer { finish([loop, client]) }
        let endpoint = try await Echo(loop: loop).start(wildcard)
        #expect(!endpoint.contains("*"))
        let answer = Inbox()
        client.post {
            guard let socket = try? client.open(.dealer, receive: { answer.put($0) }) else { return }
            try? client.connect(socket, to: endpoint)
            _ = try? client.send([[1, 2, 3]], on: socket)
        }
        #expect(await answer.first() == [[1, 2, 3]])
    }

    @Test("a message of data has its bytes in a frame of their own")
    func bytesBehindAMessage() async throws {
        let loop = try EventLoop(name: "server", limits: .data)
        let client = try EventLoop(name: "client", limits: .data)
        defer { finish([loop, client]) }
        let endpoint = try await Echo(loop: loop).start("tcp://127.0.0.1:*")
        let answer = Inbox()
        let bytes = [UInt8](repeating: 7, count: 262_144)
        client.post {
            guard let socket = try? client.open(.dealer, receive: { answer.put($0) }) else { return }
            try? client.connect(socket, to: endpoint)
            _ = try? client.send([[1, 2, 3], bytes], on: socket)
        }
        #expect(await answer.first() == [[1, 2, 3], bytes])
    }

    @Test("a thousand peers, each new, each answered")
    func thousandReconnects() async throws {
        let loop = try EventLoop(name: "server")
        let client = try EventLoop(name: "client")
        defer { finish([loop, client]) }
        let echo = Echo(loop: loop)
        let endpoint = try await echo.start("tcp://127.0.0.1:*")
        for index in 0..<1000 {
            let answer = Inbox()
            let payload: [UInt8] = [UInt8(index & 255), UInt8(index >> 8)]
            let opened = try await run(on: client) {
                let socket = try client.open(.dealer) { answer.put($0) }
                try client.connect(socket, to: endpoint)
                _ = try client.send([payload], on: socket)
                return socket
            }
            #expect(await answer.first() == [payload])
            try await run(on: client) { client.close(opened) }
        }
        #expect(await echo.received == 1000)
        #expect(await echo.strayThreads == 0)
    }

    @Test("an identity that nobody has is unroutable; a peer that never comes fills its queue")
    func sendResults() async throws {
        var limits = TransportLimits()
        limits.highWaterMark = 4
        limits.linger = .zero
        let loop = try EventLoop(name: "results", limits: limits)
        defer { finish([loop]) }
        let stray = try await run(on: loop) {
            let router = try loop.open(.router) { _ in }
            _ = try loop.bind(router, to: "tcp://127.0.0.1:*")
            return try loop.send([[9, 9, 9], [1]], on: router)
        }
        #expect(stray == .unroutable)
        let results = try await run(on: loop) {
            let dealer = try loop.open(.dealer) { _ in }
            try loop.connect(dealer, to: "tcp://127.0.0.1:9")
            return try (0..<10).map { _ in try loop.send([[1]], on: dealer) }
        }
        #expect(results.prefix(4).allSatisfy { $0 == .sent })
        #expect(results.last == .full)
    }

    @Test("what the system refuses is told with the call, the endpoint and a reason")
    func failures() async throws {
        let loop = try EventLoop(name: "failures")
        defer { finish([loop]) }
        for wildcard in ["tcp://127.0.0.1:*", "ipc://*"] {
            let error = try await run(on: loop) { () -> SplitreelError? in
                let first = try loop.open(.router) { _ in }
                let endpoint = try loop.bind(first, to: wildcard)
                let second = try loop.open(.router) { _ in }
                do {
                    _ = try loop.bind(second, to: endpoint)
                    return nil
                } catch let error as SplitreelError {
                    return error.subject.description == endpoint ? error : nil
                }
            }
            #expect(error?.code == .transportFailed)
            #expect(error?.operation == "zmq_bind")
            #expect(error?.reason == "the address is already in use")
        }
        for endpoint in ["ipc:///nonexistent/folder/socket", "tcp://192.0.2.1:5555"] {
            let error = try await run(on: loop) { () -> SplitreelError? in
                do {
                    _ = try loop.bind(try loop.open(.router) { _ in }, to: endpoint)
                    return nil
                } catch let error as SplitreelError { return error }
            }
            #expect(error?.code == .transportFailed && error?.subject.description == endpoint, "\(endpoint)")
        }
    }

    @Test("shutting down with open sockets and unsent messages does not hang, twice neither")
    func shutDown() async throws {
        let loop = try EventLoop(name: "ending")
        try await run(on: loop) {
            for _ in 0..<50 {
                let dealer = try loop.open(.dealer) { _ in }
                try loop.connect(dealer, to: "tcp://127.0.0.1:9")
                _ = try loop.send([[1]], on: dealer)
            }
            _ = try loop.bind(try loop.open(.router) { _ in }, to: "ipc://*")
        }
        let started = ContinuousClock.now
        await ended([loop])
        await ended([loop])
        #expect(ContinuousClock.now - started < .seconds(60))
    }

    @Test("an actor outlives its loop: its jobs still run, and its sends throw")
    func afterlife() async throws {
        let loop = try EventLoop(name: "gone")
        let echo = Echo(loop: loop)
        _ = try await echo.start("ipc://*")
        await ended([loop])
        await echo.note()
        #expect(await echo.strayThreads == 1)
        await #expect { try await echo.start("ipc://*") } throws: { error in
            (error as? SplitreelError)?.code == .transportFailed
        }
        #expect(!loop.post {})
    }

    @Test("a socket that is opened on another thread is a programmer's fault: the process ends")
    func misuse() async {
        await #expect(processExitsWith: .failure) {
            let loop = try EventLoop(name: "misused")
            _ = try loop.open(.dealer) { _ in }
            exit(0)
        }
        await #expect(processExitsWith: .failure) {
            let loop = try EventLoop(name: "misused")
            try loop.onLoop { loop.shutDown() }
            exit(0)
        }
    }

    @Test("timers fire in the order of their deadlines, repeat, and stop when cancelled")
    func timers() async throws {
        let loop = try EventLoop(name: "timers")
        defer { finish([loop]) }
        let marks = Inbox()
        loop.post {
            let beat = Counter()
            loop.after(.milliseconds(30)) { marks.put([[30]]) }
            loop.after(.milliseconds(10)) { marks.put([[10]]) }
            let dropped = loop.after(.milliseconds(20)) { marks.put([[20]]) }
            loop.cancel(dropped)
            beat.timer = loop.every(.milliseconds(40)) {
                beat.count += 1
                marks.put([[UInt8(40 + beat.count)]])
                if beat.count == 3, let timer = beat.timer { loop.cancel(timer) }
            }
            loop.after(.seconds(2)) { marks.put([[99]]) }
        }
        #expect(await marks.take(6) == [[[10]], [[30]], [[41]], [[42]], [[43]], [[99]]])
    }

    @Test("a watched descriptor is told of bytes and of its end")
    func descriptors() async throws {
        let loop = try EventLoop(name: "pipes")
        defer { finish([loop]) }
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        let seen = Inbox()
        try await run(on: loop) {
            let watch = Watch()
            watch.id = try loop.watch(reading) {
                var byte: UInt8 = 0
                if read(reading, &byte, 1) == 1 { return seen.put([[byte]]) }
                seen.put([])
                if let id = watch.id { loop.unwatch(id) }
            }
        }
        var byte: UInt8 = 7
        #expect(write(writing, &byte, 1) == 1)
        #expect(await seen.first() == [[7]])
        close(writing)
        #expect(await seen.first() == [])
        close(reading)
    }

    @Test("a message of too many frames is dropped and counted, the next one arrives")
    func tooManyFrames() async throws {
        var limits = TransportLimits()
        limits.maximumFrames = 1
        let loop = try EventLoop(name: "strict", limits: limits)
        let client = try EventLoop(name: "client")
        defer { finish([loop, client]) }
        let seen = Inbox()
        // Every message that reaches a router has two frames: the identity that it adds, and the payload.
        let endpoint = try await run(on: loop) {
            try loop.bind(try loop.open(.router) { seen.put($0) }, to: "ipc://*")
        }
        try await run(on: client) {
            let dealer = try client.open(.dealer) { _ in }
            try client.connect(dealer, to: endpoint)
            _ = try client.send([[1]], on: dealer)
            _ = try client.send([[2]], on: dealer)
        }
        let deadline = ContinuousClock.now + .seconds(60)
        var dropped = 0
        while dropped < 2, ContinuousClock.now < deadline {
            dropped = try await run(on: loop) { try loop.droppedMessages() }
        }
        #expect(dropped == 2)
    }
}

/// Loop-confined.
private final class Counter {
    var count = 0
    var timer: TimerID?
}

private final class Watch {
    var id: DescriptorID?
}
