import DataPlane
import Diagnostics
import FarmProtocol
import Foundation
import Glibc
import Scheduling
import Testing
import Threads
import Transfer
import Transport

/// The coordinator's end of the data socket, which answers as it is told.
private actor FalseDesk {
    typealias Body = Splitreel_Farm_DataEnvelope.OneOf_Body

    nonisolated let loop: EventLoop
    private var socket: SocketID?
    private let answer: @Sendable (Body) -> (body: Body, bytes: [UInt8]?)?

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(answer: @escaping @Sendable (Body) -> (body: Body, bytes: [UInt8]?)?) throws {
        loop = try EventLoop(name: "false-desk", limits: .data)
        self.answer = answer
    }

    func start() throws -> String {
        let opened = try loop.open(.router) { [weak self] frames in self?.assumeIsolated { $0.receive(frames) } }
        socket = opened
        return try loop.bind(opened, to: "ipc://*")
    }

    private func receive(_ frames: [[UInt8]]) {
        guard let socket, let peer = frames.first, case .message(let body, _) = ReceivedData(Array(frames.dropFirst())),
            let said = answer(body), let parts = try? Splitreel_Farm_DataEnvelope(said.body).frames(said.bytes)
        else { return }
        _ = try? loop.send([peer] + parts, on: socket)
    }

    nonisolated func end() async {
        await onThread { [loop] in loop.shutDown() }
    }
}

@Suite("A worker whose coordinator lies, or whose disk loses bytes", .timeLimit(.minutes(2)))
struct HostileCoordinatorTests {
    /// A plan, an index or a map of 2⁶² bytes: the first piece ends it, wherever its bytes would go.
    @Test(arguments: [false, true]) func aThingWithoutEndIsGivenUp(goesToFile: Bool) async throws {
        let desk = try FalseDesk { body in
            guard case .fetch(let fetch) = body else { return nil }
            let bytes = [UInt8](repeating: 7, count: 1000)
            return (.piece(Splitreel_Farm_Piece(stream: fetch.stream, offset: 0, end: 1 << 62)), bytes)
        }
        let folder = try Fixture.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let line = try DataLine(slot: "w/1")
        line.start()
        line.link(to: try await desk.start())
        let sum = [UInt8](repeating: 1, count: 32)
        let result = await onThread { () -> Result<[UInt8], any Error> in
            Result {
                guard goesToFile else { return try line.fetchObject(sum, of: "j", most: 1 << 20, stop: WorkStop()) }
                try line.fetchObject(sum, of: "j", into: folder + "/plan")
                return []
            }
        }
        let error = #expect(throws: SplitreelError.self) { try result.get() }
        #expect(error?.code == .malformedMessage)
        await onThread { line.stop() }
        #expect(!FileManager.default.fileExists(atPath: folder + "/plan"))
        await desk.end()
    }

    /// A segment that has become shorter in the outbox is given up at once, so that it is rendered again.
    @Test func aSegmentThatCannotBeReadIsGivenUp() async throws {
        let base = try Fixture.folder()
        defer { try? FileManager.default.removeItem(atPath: base) }
        let folder = try OutboxFolder(path: base + "/outbox")
        let holding = Holding(job: "j", task: 0, epoch: 1, lease: LeaseID(high: 1, low: 2))
        let place = try folder.place("a.nut", of: holding)
        try Data(repeating: 7, count: 1000).write(to: URL(fileURLWithPath: place))
        try Data("{}".utf8).write(to: URL(fileURLWithPath: place + ".json"))
        let item = try folder.keep(holding, files: ["a.nut"])
        // It is open when it is offered, and shorter when it is wanted.
        let desk = try FalseDesk { body in
            guard case .offer(let offer) = body, truncate(place, 500) == 0 else { return nil }
            var want = Splitreel_Farm_Want()
            want.stream = offer.stream
            want.demand = Demand(offset: 0, limit: 1000, round: 0).wire
            return (.want(want), nil)
        }
        let (reports, continuation) = AsyncStream<DataLine.Report>.makeStream()
        let line = try DataLine(slot: "w/1", outbox: folder) { continuation.yield($0) }
        line.start()
        line.link(to: try await desk.start())
        line.send(item)
        var code: ErrorCode?
        for await report in reports {
            guard case .gaveUp(holding, let error) = report else { continue }
            code = error.code
            break
        }
        #expect(code == .segmentInvalid)
        await onThread { line.stop() }
        await desk.end()
    }
}
