import DataPlane
import Diagnostics
import FarmKeys
import FarmProtocol
import Foundation
import Hashing
import Outputs
import Planning
import Scheduling
import Testing
import Threads
import Transfer

/// A farm with keys whose worker `w` has a slot `n/1`, which got a lease and does nothing.
private struct KeyedLease {
    let farm: KeyedFarm
    let slot: FakePeer
    let client: FakePeer
    let dataEndpoint: String
    let job: String
    let lease: Splitreel_Farm_Lease
    let holding: Holding
    let plan: [UInt8]
    let sum: Data

    init() async throws {
        farm = try await KeyedFarm(
            ["w": .worker, "other": .worker, "ana": .submit, "eye": .observe, "chief": .admin],
            mediaWork: FakeMediaWork(chunks: 1, hasSound: false), change: Fixture.waitLong)
        slot = try await farm.peer("w")
        client = try await farm.peer("ana")
        try await slot.register("n/1", worker: "n") { _ in .nothing }
        let welcome = try await slot.next { if case .welcome(let welcome) = $0 { welcome } else { nil } }
        dataEndpoint = welcome.dataEndpoint
        job = try await client.submit(farm.fixture.request)
        lease = try await slot.next { if case .lease(let lease) = $0 { lease } else { nil } }
        holding = try #require(Holding(lease.holding))
        plan = Array(try Data(contentsOf: URL(fileURLWithPath: lease.planPath)))
        sum = Data(try #require(bytes(ofSHA256: lease.planHash)))
    }

    /// The data socket's other end with the key of a guest.
    func data(_ name: String) async throws -> DataPeer {
        try await DataPeer(dataEndpoint, security: try farm.link(name))
    }

    /// The error with which a fetch of the plan for a slot of that name is refused; nil where it comes.
    func refusal(_ peer: DataPeer, slot: String = "n/1") async -> ErrorCode? {
        await code { _ = try await peer.fetch(.object(sum), job: job, slot: slot) }
    }

    func code(_ body: () async throws -> Void) async -> ErrorCode? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? SplitreelError)?.code
        }
    }

    var folderNames: [String] { (try? FileManager.default.contentsOfDirectory(atPath: lease.folder)) ?? [] }

    func end(_ peers: DataPeer...) async {
        for peer in peers { await peer.end() }
        await farm.fixture.end(slot, client)
    }
}

@Suite("Bytes of a farm with keys", .timeLimit(.minutes(3))) struct KeyedDataTests {
    @Test func aWorkerReadsAndSendsUnderItsKey() async throws {
        let farm = try await KeyedLease()
        let data = try await farm.data("w")
        #expect(try await data.fetch(.object(farm.sum), job: farm.job, slot: "n/1") == farm.plan)
        let content = FakeMediaWork.content(0)
        let record = SegmentRecord(
            media: .video, count: 25, packetCount: 25, extradataHash: String(repeating: "0", count: 64),
            fileHash: String(repeating: "a5", count: 32), byteCount: 1,
            key: try #require(ContentKey(farm.lease.contentKey)), notices: NoticeList())
        let sidecar = Array(try JSONEncoder().encode(record))
        _ = try await data.upload(Array(content.utf8), of: farm.holding, slot: "n/1")
        _ = try await data.upload(sidecar, isRecord: true, of: farm.holding, slot: "n/1")
        var finished = Splitreel_Farm_Finished()
        finished.holding = farm.lease.holding
        finished.segment = farm.lease.segment
        finished.segmentHash = Data([UInt8](repeating: 0xA5, count: 32))
        try await farm.slot.send(.finished(finished))
        #expect(try await farm.client.watch(farm.job).state == .completed)
        #expect(try String(contentsOfFile: farm.farm.fixture.output, encoding: .utf8) == content)
        await farm.end(data)
    }

    @Test func whoHasNoKeyOfTheFarmGetsNothing() async throws {
        let farm = try await KeyedLease()
        let stranger = try await DataPeer(farm.dataEndpoint, security: try farm.farm.stranger())
        let keyless = try await DataPeer(farm.dataEndpoint)
        for peer in [stranger, keyless] {
            _ = try await peer.ask(.object(farm.sum), job: farm.job, slot: "n/1")
            let isAnswered = await peer.isAnswered()
            #expect(!isAnswered)
        }
        await farm.end(stranger, keyless)
    }

    /// A person has no slot, and a name of somebody's slot is no right to its bytes.
    @Test(arguments: ["ana", "eye"]) func otherRolesReadAndSendNothing(name: String) async throws {
        let farm = try await KeyedLease()
        let data = try await farm.data(name)
        let job = farm.job
        #expect(await farm.refusal(data) == .roleRefused)
        let source = await farm.code { _ = try await data.fetch(.source("/a.mov"), job: job, slot: "n/1") }
        #expect(source == .roleRefused)
        let sent = await farm.code { _ = try await data.upload([1], of: farm.holding, slot: "n/1") }
        #expect(sent == .roleRefused)
        await farm.end(data)
    }

    /// A slot's name is meant under the sender's key, also where the sender knows the lease.
    @Test(arguments: ["other", "chief"]) func slotsOfOtherKeysAreOutOfReach(name: String) async throws {
        let farm = try await KeyedLease()
        let data = try await farm.data(name)
        for slot in ["n/1", "w:n/1", "\(name):n/1"] {
            #expect(await farm.refusal(data, slot: slot) == .transportFailed)
        }
        let sent = await farm.code { _ = try await data.upload([1], of: farm.holding, slot: "n/1") }
        #expect(sent == .cancelled)
        #expect(!farm.folderNames.contains { $0.hasPrefix(".arriving-") })
        // Nor may it go on with what the owner began.
        let owner = try await farm.data("w")
        let content = [UInt8](repeating: 1, count: 600_000)
        _ = try await owner.upload(content, of: farm.holding, slot: "n/1", pieces: 1)
        let taken = await farm.code { _ = try await data.upload(content, of: farm.holding, slot: "n/1") }
        #expect(taken == .cancelled)
        await farm.end(data, owner)
    }

    @Test func aRevokedKeyIsOutInTheMiddleOfAStream() async throws {
        let farm = try await KeyedLease()
        let data = try await farm.data("w")
        let stream = try await data.ask(.object(farm.sum), job: farm.job, slot: "n/1", limit: 10)
        #expect(try await data.piece(of: stream) == Array(farm.plan.prefix(10)))
        let chief = try await farm.farm.peer("chief")
        let revoked = ContinuousClock.now
        try farm.farm.revoke("w")
        var workers = 1
        while workers > 0, ContinuousClock.now - revoked < .seconds(30) {
            try await chief.send(.workersQuery(.init()), request: 9)
            workers = try await chief.next {
                if case .workersReport(let report) = $0 { report.workers.count } else { nil }
            }
        }
        #expect(workers == 0 && ContinuousClock.now - revoked < .seconds(5))
        // Neither the open stream goes on, nor does another one begin.
        var credit = Splitreel_Farm_Credit()
        credit.stream = stream
        credit.demand.offset = 10
        credit.demand.limit = 1 << 40
        try await data.send(.credit(credit))
        _ = try await data.ask(.object(farm.sum), job: farm.job, slot: "n/1")
        let isAnswered = await data.isAnswered()
        #expect(!isAnswered)
        await chief.end()
        await farm.end(data)
    }

    @Test func aLineSpeaksUnderItsKey() async throws {
        let farm = try await KeyedLease()
        let sum = Array(farm.sum)
        let guests: [(name: String, error: ErrorCode?)] = [("w", nil), ("ana", .roleRefused)]
        for (name, expected) in guests {
            let line = try DataLine(slot: "n/1", security: try farm.farm.link(name))
            line.start()
            line.link(to: farm.dataEndpoint)
            let job = farm.job
            let result = await onThread { Result { try line.fetch(.object(sum: sum), of: job, at: 5, count: 20) } }
            switch result {
            case .success(let bytes): #expect(expected == nil && bytes == Array(farm.plan[5..<25]))
            case .failure(let error): #expect((error as? SplitreelError)?.code == expected && expected != nil)
            }
            await onThread { line.stop() }
        }
        await farm.end()
    }
}
