import Coordinator
import Diagnostics
import FarmProtocol
import Foundation
import Planning
import Scheduling
import Testing

@Suite("Stored jobs that cannot be read", .timeLimit(.minutes(5)))
struct UnreadableJobTests {
    /// The coordinator starts, other jobs go on, and the one of another release is listed and can be cancelled.
    @Test func oneStopsNothingAndCanBeCancelled() async throws {
        let mediaWork = FakeMediaWork(chunks: 1, hasSound: false)
        let first = try await Fixture(mediaWork: mediaWork)
        let early = try await FakePeer(first.endpoint)
        let lost = try await early.submit(OutputRequest(path: first.folder + "/out/lost.mkv"))
        let good = try await early.submit(OutputRequest(path: first.folder + "/out/good.mkv"))
        await first.end(early, keepFolder: true)

        let second = try await Fixture(
            folder: first.folder, mediaWork: mediaWork, store: FaultyStore(unreadable: "lost.mkv"))
        let (slot, client) = try await (FakePeer(second.endpoint), FakePeer(second.endpoint))
        try await slot.register("w/1", worker: "w")
        #expect(try await client.watch(good).state == .completed)
        let listed = try await client.jobs().flatMap { $0 }.first { $0.job == lost }
        #expect(listed?.problem.error.code == .storeFailed && listed?.isTerminal == false)
        var cancel = Splitreel_Farm_CancelJob()
        cancel.job = lost
        try await client.send(.cancelJob(cancel), request: 5)
        let answer = try await client.next {
            if case .jobReport(let report) = $0, report.job == lost { report } else { nil }
        }
        #expect(answer.state == .cancelled)
        while second.outputNames != ["good.mkv"] { await Task.yield() }
        #expect(try await client.jobs().flatMap { $0 }.first { $0.job == lost }?.state == .cancelled)
        await second.end(slot, client)
    }

    enum Damage: CaseIterable { case noTasks, fewerTasks, otherUnits, otherKind }

    /// Tasks that are not those of the plan cannot be gone on with: the job is planned anew, and its film is whole.
    @Test(arguments: Damage.allCases)
    func oneWithOtherTasksThanItsPlanIsPlannedAnew(damage: Damage) async throws {
        let first = try await Fixture()
        let (idle, early) = try await (FakePeer(first.endpoint), FakePeer(first.endpoint))
        try await idle.register("w/1", worker: "w") { _ in .nothing }
        let id = try await early.submit(first.request)
        _ = try await idle.next { if case .lease(let lease) = $0 { lease } else { nil } }
        await first.end(idle, early, keepFolder: true)

        let store = FaultyStore(spoil: { job in
            switch damage {
            case .noTasks:
                job.plan?.tasks = []
                job.tasks = []
            case .fewerTasks:
                job.plan?.tasks.removeLast()
                job.tasks.removeLast()
            case .otherUnits: job.plan?.tasks[1].firstUnit += 1
            case .otherKind: job.plan?.tasks[0].kind = .mix
            }
        })
        let second = try await Fixture(folder: first.folder, store: store)
        let (slot, client) = try await (FakePeer(second.endpoint), FakePeer(second.endpoint))
        try await slot.register("w/2", worker: "w")
        #expect(try await client.watch(id).state == .completed)
        let film = try String(contentsOfFile: second.output, encoding: .utf8)
        #expect(film == "segment sound\nsegment 0\nsegment 1\nsegment 2\n")
        await second.end(slot, client)
    }
}
