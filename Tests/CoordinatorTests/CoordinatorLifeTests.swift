import Coordinator
import Diagnostics
import FarmProtocol
import Foundation
import Planning
import Scheduling
import Testing

@Suite("Coordinator over losses, cancels and restarts", .timeLimit(.minutes(5)))
struct CoordinatorLifeTests {
    private let film = "segment sound\nsegment 0\nsegment 1\nsegment 2\n"

    @Test func cancelTakesLeasesBackAndLeavesNothing() async throws {
        let fixture = try await Fixture()
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        try await slot.register("w/1", worker: "w") { _ in .nothing }
        let job = try await client.submit(fixture.request)
        _ = try await slot.next { if case .lease(let lease) = $0 { lease } else { nil } }
        #expect(fixture.outputNamesUnlocked.count == 1)
        var cancel = Splitreel_Farm_CancelJob()
        cancel.job = job
        try await client.send(.cancelJob(cancel), request: 5)
        let report = try await client.watch(job)
        #expect(report.state == .cancelled)
        #expect(fixture.outputNames.isEmpty)
        _ = try await slot.next { if case .cancelLease(let message) = $0 { message } else { nil } }
        await fixture.end(slot, client)
    }

    /// The slot has not let go yet, and the coordinator does not wait for it.
    @Test func aCancelLeavesNothingWhereTheCoordinatorStopsAtOnce() async throws {
        let first = try await Fixture(change: Fixture.waitLong)
        let (slot, client) = try await (FakePeer(first.endpoint), FakePeer(first.endpoint))
        try await slot.register("w/1", worker: "w") { _ in .nothing }
        let job = try await client.submit(first.request)
        _ = try await slot.next { if case .lease(let lease) = $0 { lease } else { nil } }
        await slot.end()
        var cancel = Splitreel_Farm_CancelJob()
        cancel.job = job
        try await client.send(.cancelJob(cancel), request: 5)
        _ = try await client.next { if case .jobReport(let report) = $0 { report } else { nil } }
        await first.end(client, keepFolder: true)
        #expect(first.outputNames.isEmpty)
        let second = try await Fixture(folder: first.folder)
        let other = try await FakePeer(second.endpoint)
        #expect(try await other.watch(job).state == .cancelled)
        #expect(second.outputNames.isEmpty)
        await second.end(other)
    }

    @Test func cancelEndsPlanning() async throws {
        let fixture = try await Fixture()
        let client = try await FakePeer(fixture.endpoint)
        let job = try await client.submit(fixture.request, composition: "endless")
        var cancel = Splitreel_Farm_CancelJob()
        cancel.job = job
        try await client.send(.cancelJob(cancel), request: 5)
        let report = try await client.watch(job)
        #expect(report.state == .cancelled)
        #expect(fixture.outputNames.isEmpty)
        await fixture.end(client)
    }

    @Test func aSilentSlotsChunkGoesToAnother() async throws {
        let fixture = try await Fixture {
            $0.dead = .seconds(2)
            $0.lease = .seconds(2)
            $0.tick = .milliseconds(50)
        }
        let (silent, good, client) = try await (
            FakePeer(fixture.endpoint), FakePeer(fixture.endpoint), FakePeer(fixture.endpoint)
        )
        try await silent.register("silent/1", worker: "silent") { _ in .nothing }
        let job = try await client.submit(fixture.request)
        let lease = try await silent.next { if case .lease(let lease) = $0 { lease } else { nil } }
        await silent.fallSilent()
        try await good.register("good/1", worker: "good")
        let report = try await client.watch(job)
        #expect(report.state == .completed)
        #expect(report.chunks.first { $0.index == lease.holding.task }?.attempt == 2)
        #expect(try String(contentsOfFile: fixture.output, encoding: .utf8) == film)
        await fixture.end(silent, good, client)
    }

    @Test func anEndedProcessIsLostAtOnce() async throws {
        let fixture = try await Fixture(mediaWork: FakeMediaWork(chunks: 1, hasSound: false))
        let (dying, good, client) = try await (
            FakePeer(fixture.endpoint), FakePeer(fixture.endpoint), FakePeer(fixture.endpoint)
        )
        try await dying.register("dying/1", worker: "w") { _ in .nothing }
        let job = try await client.submit(fixture.request)
        _ = try await dying.next { if case .lease(let lease) = $0 { lease } else { nil } }
        await dying.end()
        try await good.register("good/1", worker: "w")
        _ = try await good.next { if case .welcome(let welcome) = $0 { welcome } else { nil } }
        fixture.coordinator.slotProcessEnded(slot: "dying/1", reason: "signal 9")
        let report = try await client.watch(job)
        #expect(report.state == .completed)
        await fixture.end(good, client)
    }

    @Test func aRestartRendersNothingTwice() async throws {
        let first = try await Fixture()
        let (slot, client) = try await (FakePeer(first.endpoint), FakePeer(first.endpoint))
        try await slot.register("w/1", worker: "w") { $0.holding.task == 2 ? .nothing : .deliver }
        let job = try await client.submit(first.request)
        var done: Set<UInt32> = []
        var held: Splitreel_Farm_Lease?
        while held == nil {
            let lease = try await slot.next { if case .lease(let lease) = $0 { lease } else { nil } }
            if lease.holding.task == 2 { held = lease } else { done.insert(lease.holding.task) }
        }
        let lease = try #require(held)
        await first.end(slot, client, keepFolder: true)

        // The slot comes back with its lease, delivers, and gets only what nobody had done.
        let second = try await Fixture(folder: first.folder, change: Fixture.waitLong)
        let (again, watcher) = try await (FakePeer(second.endpoint), FakePeer(second.endpoint))
        try await again.comeBack("w/1", worker: "w", with: lease)
        try await again.deliver(lease)
        let report = try await watcher.watch(job)
        #expect(report.state == .completed)
        let tasks = await again.leases.map(\.holding.task)
        #expect(Set(tasks).isDisjoint(with: done.union([2])))
        #expect(report.chunks.allSatisfy { $0.attempt == 1 })
        #expect(try String(contentsOfFile: second.output, encoding: .utf8) == film)
        #expect(second.outputNames == ["film.mkv"])
        await second.end(again, watcher)
    }

    /// After an upgrade no worker would render the old plan: the job is planned again.
    @Test func aPlanOfAnotherVersionIsMadeAgain() async throws {
        let before = RenderPlan.currentRendererVersion - 1
        let first = try await Fixture(mediaWork: FakeMediaWork(rendererVersion: before))
        let (slot, client) = try await (FakePeer(first.endpoint), FakePeer(first.endpoint))
        try await slot.register("w/1", worker: "w") { _ in .nothing }
        let job = try await client.submit(first.request)
        let old = try await slot.next { if case .lease(let lease) = $0 { lease } else { nil } }
        await first.end(slot, client, keepFolder: true)

        let second = try await Fixture(folder: first.folder)
        let (fresh, watcher) = try await (FakePeer(second.endpoint), FakePeer(second.endpoint))
        try await fresh.register("w/2", worker: "w")
        #expect(try await watcher.watch(job).state == .completed)
        let hashes = await Set(fresh.leases.map(\.planHash))
        #expect(hashes.count == 1 && !hashes.contains(old.planHash))
        await second.end(fresh, watcher)
    }

    /// Its plan is read no more, and its work folder is removed all the same.
    @Test func aJobOfAnEarlierReleaseEndsAndLeavesNothing() async throws {
        let work = FakeMediaWork(rendererVersion: RenderPlan.currentRendererVersion - 1)
        let first = try await Fixture(mediaWork: work, store: FaultyStore(upTo: "made for"))
        let (slot, client) = try await (FakePeer(first.endpoint), FakePeer(first.endpoint))
        try await slot.register("w/1", worker: "w") { _ in .nothing }
        var message = Splitreel_Farm_Submit()
        message.composition = "{}"
        message.requestJson = #"{"path":"\#(first.output)","videoCodec":"ffv1","overwrite":false}"#
        try await client.send(.submit(message), request: 1)
        let job = try await client.next { if case .submitted(let answer) = $0 { answer.job } else { nil } }
        _ = try await slot.next { if case .lease(let lease) = $0 { lease } else { nil } }
        await first.end(slot, client, keepFolder: true)
        #expect(first.outputNames.contains { $0.hasPrefix(".film.mkv.splitreel-") && !$0.hasSuffix("-lock") })

        let second = try await Fixture(folder: first.folder)
        let watcher = try await FakePeer(second.endpoint)
        let report = try await watcher.watch(job)
        #expect(report.state == .failed && report.problem.error.code == .versionMismatch)
        #expect(second.outputNames.isEmpty)
        await second.end(watcher)
    }

    /// Segments of before say no content key: their job is planned and rendered again.
    @Test func aPlanWithoutKeysIsMadeAgain() async throws {
        let first = try await Fixture()
        let (slot, client) = try await (FakePeer(first.endpoint), FakePeer(first.endpoint))
        try await slot.register("w/1", worker: "w") { _ in .nothing }
        let job = try await client.submit(first.request)
        let old = try await slot.next { if case .lease(let lease) = $0 { lease } else { nil } }
        await first.end(slot, client, keepFolder: true)

        let second = try await Fixture(folder: first.folder, store: FaultyStore(lacksKeys: true))
        let (fresh, watcher) = try await (FakePeer(second.endpoint), FakePeer(second.endpoint))
        try await fresh.register("w/2", worker: "w")
        #expect(try await watcher.watch(job).state == .completed)
        let leases = await fresh.leases
        #expect(leases.count == 4 && leases.allSatisfy { $0.folder != old.folder && $0.contentKey.count == 64 })
        #expect(second.outputNames == ["film.mkv"])
        await second.end(fresh, watcher)
    }

    @Test func anEndedJobIsRememberedOverARestart() async throws {
        let first = try await Fixture()
        let client = try await FakePeer(first.endpoint)
        let job = try await client.submit(first.request, composition: "invalid")
        _ = try await client.watch(job)
        await first.end(client, keepFolder: true)
        let second = try await Fixture(folder: first.folder)
        let other = try await FakePeer(second.endpoint)
        let report = try await other.watch(job)
        #expect(report.state == .failed)
        #expect(report.problem.error.code == .compositionInvalid)
        await second.end(other)
    }

    @Test func oneCoordinatorPerStore() async throws {
        let fixture = try await Fixture()
        let second = try Coordinator(
            configuration: Fixture.configuration(fixture.folder, endpoint: "ipc://\(fixture.folder)/d"))
        await #expect(throws: SplitreelError.self) { try await second.start() }
        await second.stop()
        await fixture.end()
    }

    @Test func staleWorkFoldersOfTheSameOutputAreRemoved() async throws {
        let fixture = try await Fixture()
        for name in [".film.mkv.splitreel-abcdefgh", ".other.mkv.splitreel-abcdefgh"] {
            try FileManager.default.createDirectory(
                atPath: "\(fixture.folder)/out/\(name)/inner", withIntermediateDirectories: true)
        }
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        try await slot.register("w/1", worker: "w")
        #expect(try await client.watch(try await client.submit(fixture.request)).state == .completed)
        #expect(fixture.outputNames == [".other.mkv.splitreel-abcdefgh", "film.mkv"])
        await fixture.end(slot, client)
    }

    @Test func idleIsWaitedFor() async throws {
        let fixture = try await Fixture()
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        await fixture.coordinator.waitUntilIdle()
        _ = try await client.submit(fixture.request)
        try await slot.register("w/1", worker: "w")
        await fixture.coordinator.waitUntilIdle()
        #expect(fixture.outputNames == ["film.mkv"])
        await fixture.end(slot, client)
    }
}
