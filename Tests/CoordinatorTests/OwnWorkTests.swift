import Diagnostics
import FarmProtocol
import Foundation
import Scheduling
import Synchronization
import Testing

/// A coordinator that could not write, or that finds a segment damaged, keeps what was rendered.
@Suite("Own work that is done again", .timeLimit(.minutes(5)))
struct OwnWorkTests {
    private let film = "segment sound\nsegment 0\nsegment 1\nsegment 2\n"

    private func hurry(_ limits: inout Limits) {
        (limits.resourceDelay, limits.tick) = (.milliseconds(300), .milliseconds(20))
        limits.reportInterval = .milliseconds(10)
    }

    @Test func aDiskThatFillsThreeTimesCostsNoChunk() async throws {
        let fullness = Atomic(3)
        var mediaWork = FakeMediaWork()
        mediaWork.atAppending = { path in
            guard path.contains("chunk-000002"), fullness.load(ordering: .relaxed) > 0 else { return }
            fullness.subtract(1, ordering: .relaxed)
            throw SplitreelError(.diskFull, operation: "writing", subject: "/out/film.mkv", reason: "no space left")
        }
        let fixture = try await Fixture(mediaWork: mediaWork, change: hurry)
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        try await slot.register("w/1", worker: "w")
        let job = try await client.submit(fixture.request)
        var query = Splitreel_Farm_JobQuery()
        (query.job, query.watch) = (job, true)
        try await client.send(.jobQuery(query), request: 8)
        let delayed = try await client.next {
            if case .jobReport(let report) = $0, report.hasDelayProblem { report } else { nil }
        }
        #expect(delayed.delayedWork == "stitching" && delayed.delayProblem.error.code == .diskFull)
        #expect(delayed.delayedSince >= delayed.submitted && delayed.state == .running)
        // The list of jobs says so too.
        let listed = try await client.jobs().flatMap { $0 }.first { $0.job == job }
        #expect(listed?.hasDelayProblem == true || fullness.load(ordering: .relaxed) == 0)
        let report = try await client.watch(job)
        #expect(report.state == .completed && !report.hasDelayProblem)
        #expect(report.chunks.allSatisfy { $0.attempt == 1 }, "nothing was rendered twice")
        #expect(try String(contentsOfFile: fixture.output, encoding: .utf8) == film)
        #expect(fullness.load(ordering: .relaxed) == 0)
        await fixture.end(slot, client)
    }

    @Test func aSegmentThatIsDamagedWhileItIsStitchedIsRenderedAgain() async throws {
        var mediaWork = FakeMediaWork()
        mediaWork.atAppending = { path in
            guard path.hasSuffix("chunk-000001-1.nut") else { return }
            throw SplitreelError(.segmentInvalid, operation: "stitching", subject: path, reason: "its bytes are others")
        }
        let fixture = try await Fixture(mediaWork: mediaWork, change: hurry)
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        try await slot.register("w/1", worker: "w")
        let report = try await client.watch(try await client.submit(fixture.request))
        #expect(report.state == .completed)
        #expect(report.chunks.map(\.attempt).sorted() == [1, 1, 1, 2])
        #expect(try String(contentsOfFile: fixture.output, encoding: .utf8) == film)
        await fixture.end(slot, client)
    }

    /// The record beside a segment is read again when the film is begun anew: another one by then is a damaged segment.
    @Test func aRecordThatHasChangedByThenIsNotBelieved() async throws {
        let isFirst = Atomic(true)
        var mediaWork = FakeMediaWork(chunks: 2, hasSound: false)
        mediaWork.atAppending = { path in
            guard path.hasSuffix("chunk-000001-1.nut"), isFirst.exchange(false, ordering: .relaxed) else { return }
            let first = path.replacing("chunk-000001-1.nut", with: "chunk-000000-1.nut.json")
            let text = try String(contentsOfFile: first, encoding: .utf8)
            try text.replacing("a5a5", with: "b6b6").write(toFile: first, atomically: true, encoding: .utf8)
            throw SplitreelError(.diskFull, operation: "writing", subject: path, reason: "no space left")
        }
        let fixture = try await Fixture(mediaWork: mediaWork, change: hurry)
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        try await slot.register("w/1", worker: "w")
        let report = try await client.watch(try await client.submit(fixture.request))
        #expect(report.state == .completed)
        #expect(report.chunks.map(\.attempt) == [2, 1])
        await fixture.end(slot, client)
    }
}
