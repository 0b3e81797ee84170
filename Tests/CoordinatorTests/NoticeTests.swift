import Coordinator
import Diagnostics
import FarmProtocol
import Foundation
import Scheduling
import Testing

@Suite("Damage is said", .timeLimit(.minutes(5)))
struct NoticeTests {
    private static func damage(_ count: Int, at seconds: Double) -> NoticeList {
        var list = NoticeList()
        list.add(
            Notice(.sourceDamaged, subject: "/in/a.mp4, track 1", reason: "holes", firstSeconds: seconds, count: count))
        return list
    }

    /// From the records of all chunks into one report; a rejected attempt tells nothing; a restart keeps it.
    @Test func recordsTellTheJob() async throws {
        let first = try await Fixture()
        let (slot, client) = try await (FakePeer(first.endpoint), FakePeer(first.endpoint))
        try await slot.register("w/1", worker: "w") { lease in
            .deliverWith(Self.damage(Int(lease.holding.task) + 1, at: Double(10 - lease.holding.task)))
        }
        let job = try await client.submit(first.request)
        let report = try await client.watch(job)
        #expect(report.state == .completed)
        // 1 + 2 + 3 of the chunks and 4 of the sound, the earliest in the sound.
        #expect(report.notices.map(\.reason) == ["a warning", "holes"])
        #expect(report.notices.map(\.count) == [1, 10])
        #expect(report.notices.last?.firstSeconds == 7 && report.notices.first?.hasFirstSeconds == false)
        await first.end(slot, client, keepFolder: true)
        let second = try await Fixture(folder: first.folder)
        let other = try await FakePeer(second.endpoint)
        #expect(try await other.watch(job).notices == report.notices)
        await second.end(other)
    }

    @Test func aRecordOfNonsenseIsRefused() async throws {
        let fixture = try await Fixture(mediaWork: FakeMediaWork(chunks: 1, hasSound: false)) {
            $0.otherWorkerWait = .seconds(300)
        }
        let (bad, good, client) = try await (
            FakePeer(fixture.endpoint), FakePeer(fixture.endpoint), FakePeer(fixture.endpoint)
        )
        try await bad.register("bad/1", worker: "bad") { _ in .deliverWith(Self.damage(1, at: 1e300)) }
        _ = try await bad.next { if case .welcome(let welcome) = $0 { welcome } else { nil } }
        let job = try await client.submit(fixture.request)
        let accepted = try await bad.next { if case .acknowledged(let answer) = $0 { answer.accepted } else { nil } }
        #expect(!accepted)
        try await good.register("good/1", worker: "good") { _ in .deliverWith(Self.damage(2, at: 3)) }
        let report = try await client.watch(job)
        #expect(report.state == .completed)
        #expect(report.chunks.first?.lastProblem.code == UInt32(ErrorCode.segmentInvalid.number))
        #expect(report.notices.map(\.count) == [1, 2])
        await fixture.end(bad, good, client)
    }
}
