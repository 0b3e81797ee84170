import Coordinator
import Diagnostics
import FarmProtocol
import Foundation
import Planning
import Testing

@Suite("One output, one job", .timeLimit(.minutes(5)))
struct OutputInUseTests {
    private func refusal(_ client: FakePeer, _ request: OutputRequest) async -> SplitreelError? {
        await #expect(throws: SplitreelError.self) { try await client.submit(request) }
    }

    @Test func theSecondSubmissionIsRefusedWhateverTheNameOfItsFolder() async throws {
        let fixture = try await Fixture()
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        let first = try await client.submit(fixture.request)
        try FileManager.default.createSymbolicLink(
            atPath: fixture.folder + "/link", withDestinationPath: fixture.folder + "/out")
        for path in ["/out/film.mkv", "/link/film.mkv", "/out/../out/./film.mkv"] {
            let error = await refusal(client, OutputRequest(path: fixture.folder + path))
            #expect(error?.code == .outputInUse, "\(path)")
        }
        let named = await refusal(client, fixture.request)
        #expect(named?.reason.contains(first) == true)
        try await slot.register("w/1", worker: "w")
        #expect(try await client.watch(first).state == .completed)
        #expect(fixture.outputNames == ["film.mkv"])
        await fixture.end(slot, client)
    }

    @Test func anotherProcessesOutputIsRefusedAndFreeWhenItIsDone() async throws {
        let (one, two) = (try await Fixture(), try await Fixture())
        let (slot, mine, theirs) = try await (
            FakePeer(one.endpoint), FakePeer(one.endpoint), FakePeer(two.endpoint)
        )
        let job = try await mine.submit(one.request)
        var request = one.request
        request.overwrite = true
        #expect(await refusal(theirs, request)?.code == .outputInUse)
        try await slot.register("w/1", worker: "w")
        #expect(try await mine.watch(job).state == .completed)
        // The lock goes with the job, and with it the last reason to refuse.
        _ = try await theirs.submit(request)
        await two.end(theirs)
        await one.end(slot, mine)
    }

    @Test func aCancelledJobLetsGoOfItsOutput() async throws {
        let fixture = try await Fixture()
        let client = try await FakePeer(fixture.endpoint)
        let job = try await client.submit(fixture.request)
        var cancel = Splitreel_Farm_CancelJob()
        cancel.job = job
        try await client.send(.cancelJob(cancel), request: 5)
        #expect(try await client.watch(job).state == .cancelled)
        #expect(fixture.outputNames.isEmpty)
        _ = try await client.submit(fixture.request)
        await fixture.end(client)
    }

    @Test func aJobKeepsItsOutputOverARestart() async throws {
        let first = try await Fixture()
        let client = try await FakePeer(first.endpoint)
        let job = try await client.submit(first.request)
        await first.end(client, keepFolder: true)
        let second = try await Fixture(folder: first.folder)
        let (slot, other) = try await (FakePeer(second.endpoint), FakePeer(second.endpoint))
        #expect(await refusal(other, second.request)?.code == .outputInUse)
        try await slot.register("w/1", worker: "w")
        #expect(try await other.watch(job).state == .completed)
        #expect(second.outputNames == ["film.mkv"])
        await second.end(slot, other)
    }

    @Test func locksThatNobodyHoldsAreRemovedAndHeldOnesStay() async throws {
        let fixture = try await Fixture()
        let client = try await FakePeer(fixture.endpoint)
        _ = try await client.submit(fixture.request)
        let stale = fixture.folder + "/out/.old.mp4.splitreel-lock"
        try Data().write(to: URL(fileURLWithPath: stale))
        #expect(removeUnheldLocks(in: fixture.folder + "/out") == [stale])
        #expect(fixture.outputNames.contains(".film.mkv.splitreel-lock"))
        await fixture.end(client)
    }
}
