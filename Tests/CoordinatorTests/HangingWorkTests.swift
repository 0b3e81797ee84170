import Coordinator
import Diagnostics
import Dispatch
import FarmProtocol
import Foundation
import Planning
import Scheduling
import Testing

@Suite("Threads that hang", .timeLimit(.minutes(5)))
struct HangingWorkTests {
    /// Blocks whoever comes until it is opened.
    private final class Gate: Sendable {
        private let (arrived, way) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))

        func pass() {
            arrived.signal()
            way.wait()
        }
        func open(times: Int) { for _ in 0..<times { way.signal() } }
        func arrival() async {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    self.arrived.wait()
                    continuation.resume()
                }
            }
        }
    }

    private func cancel(_ job: String, _ client: FakePeer) async throws -> Splitreel_Farm_JobReport {
        var cancel = Splitreel_Farm_CancelJob()
        cancel.job = job
        try await client.send(.cancelJob(cancel), request: 5)
        return try await client.next { if case .jobReport(let report) = $0 { report } else { nil } }
    }

    @Test func plannersThatHangAreReplaced() async throws {
        let gate = Gate()
        var works = FakeWorks(chunks: 1, hasSound: false)
        works.atPlanningOf = { if $0 == "hang" { gate.pass() } }
        let fixture = try await Fixture(works: works)
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        try await slot.register("w/1", worker: "w")
        // As many hang as there are planners, and one more; a cancel is answered at once and frees its place.
        for number in 0..<9 {
            let output = OutputRequest(path: fixture.folder + "/out/\(number).mkv")
            let job = try await client.submit(output, composition: "hang")
            await gate.arrival()
            let answer = try await cancel(job, client)
            #expect(answer.ending == "cancelled" || answer.state == "cancelled")
        }
        #expect(try await client.watch(try await client.submit(fixture.request)).state == "completed")
        gate.open(times: 9)
        while fixture.coordinator.isPlanning { await Task.yield() }
        #expect(fixture.outputNames == ["film.mkv"])
        await fixture.end(slot, client)
    }

    @Test func aVerifierThatHangsIsGivenUpAndTheChunkIsRenderedAgain() async throws {
        let gate = Gate()
        var works = FakeWorks(chunks: 1, hasSound: false)
        works.atVerifying = { if $0.contains("-1.nut") { gate.pass() } }
        let fixture = try await Fixture(works: works) {
            $0.verifying = .milliseconds(300)
            $0.transientDelay = .milliseconds(100)
            $0.tick = .milliseconds(20)
        }
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        try await slot.register("w/1", worker: "w")
        let report = try await client.watch(try await client.submit(fixture.request))
        #expect(report.state == "completed" && report.chunks.first?.attempt == 2)
        #expect(report.chunks.first?.lastProblem.error.code == .tookTooLong)
        gate.open(times: 1)
        await fixture.end(slot, client)
    }

    @Test func aJobWhoseFilmHangsIsCancelledAllTheSame() async throws {
        let gate = Gate()
        let works = FakeWorks(chunks: 1, hasSound: false, atFinish: { gate.pass() })
        let fixture = try await Fixture(works: works) {
            $0.cleaning = .milliseconds(200)
            $0.tick = .milliseconds(20)
        }
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        try await slot.register("w/1", worker: "w")
        let job = try await client.submit(fixture.request)
        await gate.arrival()
        #expect(try await cancel(job, client).ending == "cancelled")
        #expect(try await client.watch(job).state == "cancelled")
        // When the thread comes back nothing is published, and what it made goes.
        gate.open(times: 1)
        while !fixture.outputNames.isEmpty { await Task.yield() }
        await fixture.end(slot, client)
    }
}
