import Coordinator
import Diagnostics
import FarmProtocol
import Foundation
import Hashing
import MediaFacts
import Outputs
import Planning
import Scheduling
import Testing

/// A coordinator with a slot that got a lease and does nothing, and the slot's end of the data socket.
struct LeasedFarm {
    let fixture: Fixture
    let slot: FakePeer
    let client: FakePeer
    let data: DataPeer
    let dataEndpoint: String
    let job: String
    let lease: Splitreel_Farm_Lease
    let holding: Holding

    init(assets: [String: AssetFacts] = [:]) async throws {
        fixture = try await Fixture(
            mediaWork: FakeMediaWork(chunks: 1, hasSound: false, assets: assets), change: Fixture.waitLong)
        slot = try await FakePeer(fixture.endpoint)
        client = try await FakePeer(fixture.endpoint)
        try await slot.register("w/1", worker: "w") { _ in .nothing }
        let welcome = try await slot.next { if case .welcome(let welcome) = $0 { welcome } else { nil } }
        dataEndpoint = welcome.dataEndpoint
        data = try await DataPeer(dataEndpoint)
        job = try await client.submit(fixture.request)
        lease = try await slot.next { if case .lease(let lease) = $0 { lease } else { nil } }
        holding = try #require(Holding(lease.holding))
    }

    func end() async {
        await data.end()
        await fixture.end(slot, client)
    }

    var folderNames: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: lease.folder)) ?? []).sorted()
    }
}

@Suite("Bytes over the data socket", .timeLimit(.minutes(5)))
struct DataServiceTests {
    private static func refusal(_ body: () async throws -> Void) async -> ErrorCode? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? SplitreelError)?.code
        }
    }

    /// A worker that sees no file of the coordinator's renders a film all the same.
    @Test func aSegmentThatIsSentMakesTheFilm() async throws {
        let farm = try await LeasedFarm()
        let sum = try #require(bytes(ofSHA256: farm.lease.planHash))
        let plan = try await farm.data.fetch(.object(Data(sum)), job: farm.job, slot: "w/1")
        #expect(Data(plan) == (try Data(contentsOf: URL(fileURLWithPath: farm.lease.planPath))))
        let rest = try await farm.data.fetch(.object(Data(sum)), job: farm.job, slot: "w/1", from: 100)
        #expect(rest == Array(plan.dropFirst(100)))

        let content = Array(FakeMediaWork.content(0).utf8)
        let record = SegmentRecord(
            media: .video, count: 25, packetCount: 25, extradataHash: String(repeating: "0", count: 64),
            fileHash: String(repeating: "a5", count: 32), byteCount: 1,
            key: try #require(ContentKey(farm.lease.contentKey)), notices: NoticeList())
        let sidecar = Array(try JSONEncoder().encode(record))
        _ = try await farm.data.upload(content, of: farm.holding, slot: "w/1")
        _ = try await farm.data.upload(sidecar, isRecord: true, of: farm.holding, slot: "w/1")
        let path = farm.lease.folder + "/" + farm.lease.segment
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(content))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".json")) == Data(sidecar))
        #expect(!farm.folderNames.contains { $0.hasPrefix(".arriving-") })

        var finished = Splitreel_Farm_Finished()
        finished.holding = farm.lease.holding
        finished.segment = farm.lease.segment
        finished.segmentHash = Data([UInt8](repeating: 0xA5, count: 32))
        try await farm.slot.send(.finished(finished))
        #expect(try await farm.client.watch(farm.job).state == .completed)
        #expect(try String(contentsOfFile: farm.fixture.output, encoding: .utf8) == FakeMediaWork.content(0))
        await farm.end()
    }

    @Test func anUploadGoesOnWhereItStood() async throws {
        let farm = try await LeasedFarm()
        let content = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        #expect(try await farm.data.upload(content, of: farm.holding, slot: "w/1", pieces: 1) == 0)
        #expect(farm.folderNames.contains { $0.hasPrefix(".arriving-") })
        let second = try await DataPeer(farm.dataEndpoint)
        #expect(try await second.upload(content, of: farm.holding, slot: "w/1") == 262_144)
        let path = farm.lease.folder + "/" + farm.lease.segment
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(content))
        // Offered once more, it is stored already.
        #expect(try await second.upload(content, of: farm.holding, slot: "w/1") == 0)
        await second.end()
        await farm.end()
    }

    @Test func nobodyGetsWhatIsNotHis() async throws {
        let farm = try await LeasedFarm()
        let (data, job) = (farm.data, farm.job)
        let sum = Data(try #require(bytes(ofSHA256: farm.lease.planHash)))
        // Files outside of the plan, jobs and objects that are not there.
        let passwords = await Self.refusal { _ = try await data.fetch(.source("/etc/passwd"), job: job, slot: "w/1") }
        #expect(passwords == .refused)
        let none = await Self.refusal { _ = try await data.fetch(.object(sum), job: "none", slot: "w/1") }
        #expect(none == .refused)
        let zero = await Self.refusal {
            _ = try await data.fetch(.object(Data(repeating: 0, count: 32)), job: job, slot: "w/1")
        }
        #expect(zero == .refused)
        var file = Splitreel_Farm_SegmentFile()
        file.epoch = 1
        let undone = await Self.refusal { _ = try await data.fetch(.segment(file), job: job, slot: "w/1") }
        #expect(undone == .refused)
        // A slot that has not registered may still do so.
        let stranger = await Self.refusal { _ = try await data.fetch(.object(sum), job: job, slot: "w/2") }
        #expect(stranger == .transportFailed)
        // Another lease is nobody's.
        var other = farm.holding
        other.lease = LeaseID(high: 1, low: 1)
        let forged = await Self.refusal { _ = try await data.upload([1], of: other, slot: "w/1") }
        #expect(forged == .cancelled)
        #expect(!farm.folderNames.contains { $0.hasPrefix("chunk-") || $0.hasPrefix(".arriving-") })
        await farm.end()
    }

    /// What arrives for a job that is cancelled goes with the job's folder.
    @Test func aCancelledJobLeavesNothing() async throws {
        let farm = try await LeasedFarm()
        let content = [UInt8](repeating: 1, count: 600_000)
        _ = try await farm.data.upload(content, of: farm.holding, slot: "w/1", pieces: 1)
        var cancel = Splitreel_Farm_CancelJob()
        cancel.job = farm.job
        try await farm.client.send(.cancelJob(cancel), request: 5)
        #expect(try await farm.client.watch(farm.job).state == .cancelled)
        #expect(farm.fixture.outputNamesUnlocked.isEmpty)
        await farm.end()
    }

    @Test func itsEndpointIsBesideTheOthers() async throws {
        let farm = try await LeasedFarm()
        #expect(farm.dataEndpoint == farm.fixture.endpoint + ".da")
        await farm.end()
    }
}
