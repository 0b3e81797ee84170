import Coordinator
import Diagnostics
import FarmKeys
import FarmProtocol
import Foundation
import KeyFiles
import Planning
import Testing
import Transport

@Suite("A farm with keys", .timeLimit(.minutes(3))) struct KeyTests {
    private func welcome(_ peer: FakePeer) async throws {
        _ = try await peer.next { if case .welcome(let welcome) = $0 { welcome } else { nil } }
    }

    private func jobs(_ peer: FakePeer) async throws -> [String] {
        try await peer.jobs().flatMap { $0.map(\.job) }
    }

    private func workers(_ peer: FakePeer) async throws -> [Splitreel_Farm_WorkerReport] {
        try await peer.send(.workersQuery(Splitreel_Farm_WorkersQuery()), request: 9)
        return try await peer.next { if case .workersReport(let report) = $0 { report.workers } else { nil } }
    }

    @Test func aWorkerAndAPersonMakeAFilm() async throws {
        let farm = try await KeyedFarm(
            ["w": .worker, "ana": .submit], mediaWork: FakeMediaWork(chunks: 3, hasSound: false))
        let slot = try await farm.peer("w")
        try await slot.register("node/1", worker: "node")
        try await welcome(slot)
        let person = try await farm.peer("ana")
        let job = try await person.submit(farm.fixture.request)
        let report = try await person.watch(job)
        #expect(report.state == .completed)
        // A worker's name is told under that of its key.
        #expect(report.chunks.allSatisfy { $0.worker == "w:node/1" })
        #expect(try await workers(person).map(\.name) == ["w:node"])
        await farm.fixture.end(slot, person)
    }

    /// Audits need keys that may render: those of workers and of admins, without those that were revoked.
    @Test func keysThatMayRenderAreCounted() async throws {
        let farm = try await KeyedFarm(["w": .worker, "x": .worker, "all": .admin, "ana": .submit, "eye": .observe])
        let gate = try #require(try KeyGate(dataFolder: farm.fixture.folder + "/data"))
        #expect(gate.rendererCount == 3)
        try farm.revoke("w")
        let later = try #require(try KeyGate(dataFolder: farm.fixture.folder + "/data"))
        #expect(later.rendererCount == 2)
        await farm.fixture.end()
    }

    /// A key lets in at once: its first use may come right behind `keys add`.
    @Test func aKeyThatIsAddedIsLetIn() async throws {
        let farm = try await KeyedFarm([:])
        for number in 0..<5 {
            let link = try farm.lateGuest("late\(number)", .observe)
            let peer = try await FakePeer(farm.fixture.endpoint, security: link)
            try await peer.send(.workersQuery(.init()), request: 1)
            var isIn = false
            for _ in 0..<20 where !isIn { isIn = await peer.isAnswered() }
            #expect(isIn, "\(number)")
            await peer.end()
        }
        await farm.fixture.end()
    }

    @Test func eachRoleIsHeldToItsMessages() async throws {
        let farm = try await KeyedFarm(["w": .worker, "eye": .observe, "ana": .submit])
        let slot = try await farm.peer("w")
        try await slot.register("n/1", worker: "n")
        let observer = try await farm.peer("eye")
        let person = try await farm.peer("ana")
        try await slot.send(.jobsQuery(.init()), request: 5)
        let refusal = try await slot.problem().error
        #expect(refusal.code == .roleRefused)
        #expect(refusal.hint.description.hasPrefix("use a token of role submit, observe or admin; "), "\(refusal)")
        try await observer.send(.pruneJobs(.init()), request: 5)
        #expect(try await observer.problem().error.code == .roleRefused)
        try await person.register("n/2", worker: "n")
        #expect(try await person.problem().error.code == .roleRefused)
        // Of its own jobs alone, which it has to name.
        try await person.send(.pruneJobs(.init()), request: 6)
        #expect(try await person.problem().error.code == .roleRefused)
        await farm.fixture.end(slot, observer, person)
    }

    @Test func aPersonSeesJobsOfItsOwnKeyAlone() async throws {
        let farm = try await KeyedFarm(["ana": .submit, "ben": .submit, "chief": .admin])
        let ana = try await farm.peer("ana")
        let ben = try await farm.peer("ben")
        let chief = try await farm.peer("chief")
        let job = try await ana.submit(farm.fixture.request)
        let other = try await ben.submit(OutputRequest(path: farm.fixture.folder + "/out/other.mkv"))
        #expect(try await jobs(ana) == [job])
        #expect(try await jobs(ben) == [other])
        let seen = Set(try await jobs(chief))
        #expect(seen == [job, other])
        var query = Splitreel_Farm_JobQuery()
        query.job = job
        try await ben.send(.jobQuery(query), request: 7)
        #expect(try await ben.problem().error.code == .noSuchJob)
        var cancel = Splitreel_Farm_CancelJob()
        cancel.job = job
        try await ben.send(.cancelJob(cancel), request: 8)
        #expect(try await ben.problem().error.code == .noSuchJob)
        // Its owner ends it, and then it is found in the store, by its owner alone.
        try await ana.send(.cancelJob(cancel), request: 8)
        #expect(try await ana.watch(job).state == .cancelled)
        var events = Splitreel_Farm_EventsQuery()
        events.job = job
        try await ben.send(.eventsQuery(events), request: 9)
        #expect(try await ben.problem().error.code == .noSuchJob)
        try await ana.send(.eventsQuery(events), request: 9)
        _ = try await ana.next { if case .eventsReport(let report) = $0 { report } else { nil } }
        await farm.fixture.end(ana, ben, chief)
    }

    @Test func aPersonIsNotToldOfTheChunksOfOthers() async throws {
        let farm = try await KeyedFarm(
            ["w": .worker, "ana": .submit, "ben": .submit], mediaWork: FakeMediaWork(chunks: 1, hasSound: false))
        let slot = try await farm.peer("w")
        let ana = try await farm.peer("ana")
        let ben = try await farm.peer("ben")
        try await slot.register("n/1", worker: "n") { _ in .nothing }
        let job = try await ana.submit(farm.fixture.request)
        while await slot.leases.isEmpty { await Task.yield() }
        while try await workers(ana).first?.current != ["\(job)/0"] { await Task.yield() }
        let told = try await workers(ben)
        #expect(told.map(\.name) == ["w:n"] && told.allSatisfy { $0.current.isEmpty && $0.state == .rendering })
        await farm.fixture.end(slot, ana, ben)
    }

    /// Registration, heartbeat and a slot's end name slots; a name is meant under the sender's key.
    @Test func noMessageTouchesTheSlotOfAnotherKey() async throws {
        let farm = try await KeyedFarm(["a": .worker, "b": .worker, "eye": .observe])
        let first = try await farm.peer("a")
        let second = try await farm.peer("b")
        try await first.register("n/1", worker: "n")
        try await second.register("n/1", worker: "n")
        try await welcome(first)
        try await welcome(second)
        let eye = try await farm.peer("eye")
        #expect(try await workers(eye).map(\.name) == ["a:n", "b:n"])
        var ended = Splitreel_Farm_SlotEnded()
        ended.slot = "n/1"
        ended.reason = "a lie"
        try await second.send(.slotEnded(ended))
        ended.slot = "a:n/1"
        try await second.send(.slotEnded(ended))
        while try await workers(eye).map(\.name) != ["a:n"] { await Task.yield() }
        await farm.fixture.end(first, second, eye)
    }

    @Test func aRevokedKeyIsOutAndItsChunkGoesBack() async throws {
        let farm = try await KeyedFarm(
            ["slow": .worker, "quick": .worker, "ana": .admin], mediaWork: FakeMediaWork(chunks: 1, hasSound: false))
        let slow = try await farm.peer("slow")
        try await slow.register("n/1", worker: "n") { _ in .nothing }
        let ana = try await farm.peer("ana")
        let job = try await ana.submit(farm.fixture.request)
        while await slow.leases.isEmpty { await Task.yield() }
        let quick = try await farm.peer("quick")
        try await quick.register("m/1", worker: "m")
        let revoked = ContinuousClock.now
        try farm.revoke("slow")
        while try await workers(ana).map(\.name) != ["quick:m"] { await Task.yield() }
        #expect(ContinuousClock.now - revoked < .seconds(5))
        #expect(try await ana.watch(job).state == .completed)
        #expect(await quick.leases.count == 1)
        await farm.fixture.end(slow, ana, quick)
    }

    @Test func keysMakeUpForInsecure() async throws {
        let folder = try Fixture.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let error = #expect(throws: SplitreelError.self) {
            try Coordinator(
                configuration: Fixture.configuration(folder, endpoint: "tcp://0.0.0.0:7733", roots: [folder]))
        }
        #expect(error?.code == .keysNeeded && error?.code.exit == .usage)
        #expect(error?.hint.contains("splitreel keys init") == true && error?.hint.contains("keys add") == true)
        let hasKeys = try KeyGate(dataFolder: folder + "/data") != nil
        #expect(!hasKeys)
    }

    /// A second coordinator that is started by mistake leaves the keys of the first one as they are.
    @Test func newKeysWaitUntilNoCoordinatorRuns() async throws {
        let farm = try await KeyedFarm(["eye": .observe])
        let pair = try KeyPair.make()
        let another = try KeyPair.make()
        try farm.keys.prepareNext(pair) { list in list.renewed { _ in another.publicKey } }
        let before = try farm.keys.readList()
        let data = farm.fixture.folder + "/data"
        let error = #expect(throws: SplitreelError.self) { try KeyGate(dataFolder: data) }
        #expect(error?.code == .storeFailed)
        #expect(try farm.keys.readList() == before && farm.keys.doesNextWait)
        let eye = try await farm.peer("eye")
        #expect(try await jobs(eye).isEmpty)
        await farm.fixture.coordinator.stop()
        let hasKeys = try KeyGate(dataFolder: data) != nil
        #expect(hasKeys && !farm.keys.doesNextWait)
        #expect(try farm.keys.readPair().publicKey == pair.publicKey)
        #expect(try farm.keys.readList().keys.map(\.key) == [another.publicKey])
        await farm.fixture.end(eye)
    }
}
