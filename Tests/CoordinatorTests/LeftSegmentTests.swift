import Coordinator
import DataPlane
import Diagnostics
import FarmProtocol
import Foundation
import Hashing
import Logging
import Outputs
import Planning
import Scheduling
import Testing
import Threads
import Transfer
import Worker

/// Segments that a worker's process finished before it died.
@Suite("Segments of processes that have ended", .timeLimit(.minutes(3)))
struct LeftSegmentTests {
    private static let word = OutboxWord(hash: String(repeating: "ab", count: 32), seconds: 2)

    private func leave(_ holding: Holding, in outbox: OutboxFolder, word: OutboxWord? = LeftSegmentTests.word) throws {
        let place = try outbox.place("a.nut", of: holding)
        try Data("abc".utf8).write(to: URL(fileURLWithPath: place))
        try Data("{}".utf8).write(to: URL(fileURLWithPath: place + ".json"))
        _ = try outbox.keep(holding, files: ["a.nut"], word: word)
    }

    @Test func oneIsTakenOverWhole() throws {
        let base = try Fixture.folder()
        defer { try? FileManager.default.removeItem(atPath: base) }
        let dead = try OutboxFolder(path: base + "/dead")
        let own = try OutboxFolder(path: base + "/own")
        let holding = Holding(job: "j", task: 1, epoch: 2, lease: LeaseID(high: 1, low: 2))
        let past = Date(timeIntervalSinceNow: -60)
        #expect(own.takeOver(from: dead.path, since: past) == nil)
        #expect(own.takeOver(from: base + "/nowhere", since: past) == nil)
        try leave(holding, in: dead)
        #expect(OutboxFolder.hasLeft(dead.path, since: past))
        // Of one that is too old nothing is wanted any more.
        #expect(own.takeOver(from: dead.path, since: Date(timeIntervalSinceNow: 60)) == nil)
        let left = try #require(own.takeOver(from: dead.path, since: past))
        #expect(left.holding == holding && left.segment == "a.nut" && left.word == Self.word)
        #expect(own.restore().map(\.holding) == [holding])
        #expect(dead.restore().isEmpty && !OutboxFolder.hasLeft(dead.path, since: past))
    }

    @Test func oneOfWhichNothingCanBeToldIsNot() throws {
        let base = try Fixture.folder()
        defer { try? FileManager.default.removeItem(atPath: base) }
        let dead = try OutboxFolder(path: base + "/dead")
        let own = try OutboxFolder(path: base + "/own")
        try leave(Holding(job: "j", task: 1, epoch: 2, lease: LeaseID(high: 1, low: 2)), in: dead, word: nil)
        #expect(own.takeOver(from: dead.path, since: .distantPast) == nil)
    }

    /// The slot's process and its worker end at once, so nobody says so; the next slot renders nothing.
    @Test func theNextSlotSendsIt() async throws {
        let fixture = try await Fixture(
            mediaWork: FakeMediaWork(chunks: 1, hasSound: false), change: Fixture.waitLong)
        let own = try Fixture.folder()
        defer { try? FileManager.default.removeItem(atPath: own) }
        let client = try await FakePeer(fixture.endpoint)
        let dead = try await FakePeer(fixture.endpoint)
        try await dead.register("w/1-dead", worker: "w") { _ in .nothing }
        let job = try await client.submit(fixture.request)
        let lease = try await dead.next { if case .lease(let lease) = $0 { lease } else { nil } }
        var sending = Splitreel_Farm_Sending()
        sending.holding = lease.holding
        try await dead.send(.sending(sending))
        try leave(lease, below: own + "/data/slots/1-dead/outbox")
        await dead.end()

        var configuration = SlotConfiguration(
            endpoint: fixture.endpoint, workerName: "w", slotName: "w/2-next", roots: [own], watchStandardInput: false)
        configuration.dataFolder = own + "/data"
        let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let slot = try WorkerSlot(configuration, logger: quiet, exitNow: { _ in }) { _, _, _, _, _, _, _ in
            throw FakePeer.NothingCame()
        }
        async let status = onThread { slot.run() }
        #expect(try await client.watch(job).state == .completed)
        #expect(try String(contentsOfFile: fixture.output, encoding: .utf8) == FakeMediaWork.content(0))
        slot.terminate()
        _ = await status
        #expect(try FileManager.default.contentsOfDirectory(atPath: own + "/data/slots") == ["2-next"])
        await fixture.end(client)
    }

    private func leave(_ lease: Splitreel_Farm_Lease, below folder: String) throws {
        let outbox = try OutboxFolder(path: folder)
        guard let holding = Holding(lease.holding), let key = ContentKey(lease.contentKey) else {
            throw FakePeer.NothingCame()
        }
        let record = SegmentRecord(
            media: .video, count: 25, packetCount: 25, extradataHash: String(repeating: "0", count: 64),
            fileHash: String(repeating: "a5", count: 32), byteCount: 1, key: key, notices: NoticeList())
        let place = try outbox.place(lease.segment, of: holding)
        try FakeMediaWork.content(0).write(toFile: place, atomically: true, encoding: .utf8)
        try JSONEncoder().encode(record).write(to: URL(fileURLWithPath: place + ".json"))
        let word = OutboxWord(hash: SegmentSet.hash(of: [record]), seconds: 1)
        _ = try outbox.keep(holding, files: [lease.segment], word: word)
    }
}
