import Coordinator
import Diagnostics
import FarmProtocol
import Foundation
import Planning
import Scheduling
import Testing

@Suite("Slots that come and go", .timeLimit(.minutes(5)))
struct RegistrationTests {
    /// Equal lists have one place in memory; a list that is forgotten is learnt anew.
    @Test func equalListsAreHeldOnce() {
        func place(_ list: [String]) -> UInt { list.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
        func list(_ number: Int) -> [String] { (0..<300).map { "encoder \($0) of \(number)" } }
        var lists = SharedLists()
        let first = lists.shared(list(0))
        #expect(place(list(0)) != place(first) && place(lists.shared(list(0))) == place(first))
        #expect(lists.shared(list(1)) == list(1))
        for number in 0..<300 { #expect(lists.shared(["\(number)"]) == ["\(number)"]) }
        #expect(lists.shared(list(0)) == first)
        #expect(lists.shared(Set(list(2))) == Set(list(2)))
    }

    /// Its old connection's end and its new registration fall into one turn of the coordinator; welcomed in any order,
    /// it must be reachable, and not only when its own patience is over.
    @Test func aSlotThatComesAgainWhileItIsGivenUpIsWelcomed() async throws {
        let fixture = try await Fixture(mediaWork: FakeMediaWork(chunks: 1, hasSound: false)) {
            $0.dead = .seconds(600)
        }
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        for round in 0..<50 {
            try await slot.register("w/1", worker: "w")
            _ = try await slot.next { if case .welcome(let welcome) = $0 { welcome } else { nil } }
            try await slot.reconnect()
            // The parent's word on the old process and the new registration, one right after the other.
            fixture.coordinator.slotProcessEnded(slot: "w/1", reason: "round \(round)")
        }
        try await slot.register("w/1", worker: "w")
        _ = try await slot.next { if case .welcome(let welcome) = $0 { welcome } else { nil } }
        #expect(try await client.watch(try await client.submit(fixture.request)).state == .completed)
        await fixture.end(slot, client)
    }

    @Test func registrationAndLossInOneMessageBurst() async throws {
        let fixture = try await Fixture { $0.dead = .seconds(600) }
        let peer = try await FakePeer(fixture.endpoint)
        var ended = Splitreel_Farm_SlotEnded()
        (ended.slot, ended.reason) = ("w/1", "its process ended")
        for _ in 0..<200 {
            try await peer.register("w/1", worker: "w")
            _ = try await peer.next { if case .welcome(let welcome) = $0 { welcome } else { nil } }
            // In one burst, so that both are events of one turn: lost first, then registered again.
            try await peer.send(.slotEnded(ended))
            try await peer.register("w/1", worker: "w")
            _ = try await peer.next { if case .welcome(let welcome) = $0 { welcome } else { nil } }
        }
        await fixture.end(peer)
    }

    @Test func aJobSaysWhichWorkersCannotHelpIt() async throws {
        let fixture = try await Fixture(mediaWork: FakeMediaWork(chunks: 1, hasSound: false)) {
            $0.otherWorkerWait = .seconds(600)
        }
        let (poor, good, client) = try await (
            FakePeer(fixture.endpoint), FakePeer(fixture.endpoint), FakePeer(fixture.endpoint)
        )
        await poor.missAssets(
            SplitreelError(.mediaNotFound, operation: "open", subject: "/clip.mov", reason: "no such file"))
        try await poor.register("poor/1", worker: "poor")
        let job = try await client.submit(fixture.request)
        var (query, remarks) = (Splitreel_Farm_JobQuery(), [String]())
        query.job = job
        while !remarks.contains(where: { $0.contains("/clip.mov") }) {
            try await client.send(.jobQuery(query), request: 8)
            remarks = try await client.next { if case .jobReport(let report) = $0 { report.remarks } else { nil } }
        }
        #expect(remarks.first?.hasPrefix("worker poor gets none of it") == true)
        try await client.send(.workersQuery(Splitreel_Farm_WorkersQuery()), request: 9)
        let workers = try await client.next { if case .workersReport(let report) = $0 { report.workers } else { nil } }
        #expect(workers.first?.remarks.first?.contains(job) == true)
        try await client.send(.jobsQuery(Splitreel_Farm_JobsQuery()), request: 10)
        let listed = try await client.next { if case .jobsReport(let report) = $0 { report.jobs } else { nil } }
        #expect(listed.first?.remarks == remarks)
        try await good.register("good/1", worker: "good")
        let report = try await client.watch(job)
        #expect(report.state == .completed && report.remarks.isEmpty && report.chunks.first?.attempt == 1)
        #expect(await poor.leases.isEmpty)
        await fixture.end(poor, good, client)
    }

    @Test func workersAreToldWithTheirProcesses() async throws {
        let fixture = try await Fixture()
        let (peer, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        var register = Splitreel_Farm_Register()
        (register.slot, register.worker) = ("w/1", "w")
        register.rendererVersion = UInt32(RenderPlan.currentRendererVersion)
        register.host = String(repeating: "h", count: 5000)
        register.release = "0.3"
        register.workerPid = 4711
        let before = Date().timeIntervalSince1970
        try await peer.send(.register(register))
        _ = try await peer.next { if case .welcome(let welcome) = $0 { welcome } else { nil } }
        try await client.send(.workersQuery(Splitreel_Farm_WorkersQuery()), request: 9)
        let workers = try await client.next { if case .workersReport(let report) = $0 { report.workers } else { nil } }
        let process = try #require(workers.first?.processes.first)
        // A machine's name has 255 bytes at most.
        #expect(process.host.hasPrefix("hhhh") && process.host.utf8.count <= 255)
        #expect(process.pid == 4711 && process.release == "0.3")
        #expect(process.since > before - 1 && process.since < Date().timeIntervalSince1970 + 1)
        await fixture.end(peer, client)
    }

    @Test func chunksOfOnePlanAreAsManyAsTheFarmTakes() {
        #expect(Limits().tasksOfJob == ChunkLimits.mostChunks + 1)
    }
}
