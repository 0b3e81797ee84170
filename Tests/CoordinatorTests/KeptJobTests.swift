import Diagnostics
import FarmProtocol
import Foundation
import Synchronization
import Testing

/// A farm's job that failed leaves its segments in its hidden folder, and nothing else, until it is retried or pruned.
@Suite("Jobs that failed and are kept", .timeLimit(.minutes(5)))
struct KeptJobTests {
    private let film = "segment 0\nsegment 1\nsegment 2\n"
    private let mediaWork = FakeMediaWork(hasSound: false)

    /// A slot whose second chunk fails the first time, and a job that fails over it.
    private func fail(_ fixture: Fixture) async throws -> (slot: FakePeer, report: Splitreel_Farm_JobReport) {
        let slot = try await FakePeer(fixture.endpoint)
        let isBroken = Atomic(true)
        try await slot.register("w/1", worker: "w") { lease in
            guard lease.holding.task == 1, isBroken.exchange(false, ordering: .relaxed) else { return .deliver }
            return .fail(.decodeFailed)
        }
        let client = try await FakePeer(fixture.endpoint)
        let report = try await client.watch(try await client.submit(fixture.request))
        await client.end()
        return (slot, report)
    }

    /// A client's question and its answer; throws the coordinator's own error.
    private func ask(
        _ body: Splitreel_Farm_Envelope.OneOf_Body, _ fixture: Fixture
    ) async throws -> Splitreel_Farm_Envelope.OneOf_Body {
        let client = try await FakePeer(fixture.endpoint)
        try await client.send(body, request: 7)
        let answer: Splitreel_Farm_Envelope.OneOf_Body = try await client.next {
            switch $0 {
            case .jobReport, .jobsPruned, .problem: $0
            default: nil
            }
        }
        await client.end()
        if case .problem(let problem) = answer { throw problem.error }
        return answer
    }

    private func retry(_ job: String, _ fixture: Fixture) async throws -> Splitreel_Farm_JobReport {
        var message = Splitreel_Farm_RetryJob()
        message.job = job
        guard case .jobReport(let report) = try await ask(.retryJob(message), fixture) else {
            throw FakePeer.NothingCame()
        }
        return report
    }

    private func prune(_ jobs: [String], _ fixture: Fixture) async throws -> Splitreel_Farm_JobsPruned {
        var message = Splitreel_Farm_PruneJobs()
        message.jobs = jobs
        guard case .jobsPruned(let pruned) = try await ask(.pruneJobs(message), fixture) else {
            throw FakePeer.NothingCame()
        }
        return pruned
    }

    private func end(of job: String, _ fixture: Fixture) async throws -> Splitreel_Farm_JobReport {
        let client = try await FakePeer(fixture.endpoint)
        let report = try await client.watch(job)
        await client.end()
        return report
    }

    @Test func aRetryRendersWhatIsMissingAndNothingElse() async throws {
        let fixture = try await Fixture(mediaWork: mediaWork)
        let (slot, failed) = try await fail(fixture)
        #expect(failed.state == .failed && failed.keptBytes > 0 && failed.keptUntil > failed.ended)
        let name = try #require(fixture.outputNames.first)
        #expect(fixture.outputNames.count == 1 && name.hasPrefix(".film.mkv.splitreel-"), "its claim is let go")
        let kept = try FileManager.default.contentsOfDirectory(atPath: fixture.folder + "/out/" + name).sorted()
        #expect(kept.contains("chunk-000000-1.nut") && !kept.contains("film.mkv"))

        let retried = try await retry(failed.job, fixture)
        #expect(!retried.isTerminal && retried.keptUntil == 0 && !retried.hasProblem)
        let report = try await end(of: failed.job, fixture)
        #expect(report.state == .completed && report.chunks.map(\.attempt) == [1, 2, 1])
        let leases = await slot.leases
        #expect(leases.map(\.holding.task).sorted() == [0, 1, 1, 2] && Set(leases.map(\.folder)).count == 1)
        #expect(try String(contentsOfFile: fixture.output, encoding: .utf8) == film)
        #expect(fixture.outputNames == ["film.mkv"])
        await #expect(throws: SplitreelError.self) { try await retry(failed.job, fixture) }
        await fixture.end(slot)
    }

    @Test func whatIsKeptSurvivesARestart() async throws {
        let first = try await Fixture(mediaWork: mediaWork)
        let (slot, failed) = try await fail(first)
        await first.end(slot, keepFolder: true)

        let second = try await Fixture(folder: first.folder, mediaWork: mediaWork)
        let again = try await FakePeer(second.endpoint)
        try await again.register("w/2", worker: "w")
        var report = try await end(of: failed.job, second)
        #expect(report.state == .failed && report.keptBytes == failed.keptBytes)
        // Its folder may still be looked for.
        var isRefused = true
        while isRefused {
            do {
                _ = try await retry(failed.job, second)
                isRefused = false
            } catch let error as SplitreelError where error.code == .refused {
                await Task.yield()
            }
        }
        report = try await end(of: failed.job, second)
        #expect(report.state == .completed)
        #expect(await again.leases.map(\.holding.task).sorted() == [1, 2], "the first chunk was done")
        #expect(try String(contentsOfFile: second.output, encoding: .utf8) == film)
        #expect(second.outputNames == ["film.mkv"])
        await second.end(again)
    }

    @Test func aJobWhoseFolderIsGoneIsPlannedAnew() async throws {
        let fixture = try await Fixture(mediaWork: mediaWork)
        let (slot, failed) = try await fail(fixture)
        for name in fixture.outputNames { try FileManager.default.removeItem(atPath: fixture.folder + "/out/" + name) }
        _ = try await retry(failed.job, fixture)
        let report = try await end(of: failed.job, fixture)
        #expect(report.state == .completed && report.chunks.map(\.attempt) == [1, 1, 1])
        #expect(fixture.outputNames == ["film.mkv"])
        await fixture.end(slot)
    }

    @Test func aJobThatCouldNotBePlannedIsPlannedByARetry() async throws {
        let isThere = Atomic(false)
        var mediaWork = FakeMediaWork(chunks: 1, hasSound: false)
        mediaWork.mayPlan = { isThere.load(ordering: .relaxed) }
        let fixture = try await Fixture(mediaWork: mediaWork)
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        try await slot.register("w/1", worker: "w")
        let failed = try await client.watch(try await client.submit(fixture.request, composition: "a film"))
        #expect(failed.state == .failed && failed.keptBytes == 0 && failed.keptUntil > 0)
        #expect(fixture.outputNames.isEmpty)
        isThere.store(true, ordering: .relaxed)
        _ = try await retry(failed.job, fixture)
        #expect(try await end(of: failed.job, fixture).state == .completed)
        await fixture.end(slot, client)
    }

    @Test func aPruneRemovesTheFolderAndTheChanceOfARetry() async throws {
        let fixture = try await Fixture(mediaWork: mediaWork)
        let (slot, failed) = try await fail(fixture)
        let pruned = try await prune([failed.job, "nobody", failed.job], fixture)
        #expect(pruned.jobs == [failed.job] && pruned.bytes == failed.keptBytes)
        while !fixture.outputNames.isEmpty { await Task.yield() }
        let error = await #expect(throws: SplitreelError.self) { try await retry(failed.job, fixture) }
        #expect(error?.code == .refused && error?.reason.contains("nothing is kept") == true)
        #expect(try await prune([], fixture).jobs.isEmpty)
        #expect(try await end(of: failed.job, fixture).keptUntil == 0)
        let unknown = await #expect(throws: SplitreelError.self) { try await retry("nobody", fixture) }
        #expect(unknown?.code == .noSuchJob)
        await fixture.end(slot)
    }

    @Test func aCancelRemovesWhatIsKept() async throws {
        let fixture = try await Fixture(mediaWork: mediaWork)
        let (slot, failed) = try await fail(fixture)
        var cancel = Splitreel_Farm_CancelJob()
        cancel.job = failed.job
        guard case .jobReport(let report) = try await ask(.cancelJob(cancel), fixture) else {
            throw FakePeer.NothingCame()
        }
        #expect(report.state == .failed && report.keptUntil == 0)
        while !fixture.outputNames.isEmpty { await Task.yield() }
        await fixture.end(slot)
    }

    /// Its output may be made by others meanwhile: their folders and films are not touched, nor is its own folder.
    @Test func anotherJobOfItsOutputLeavesItAlone() async throws {
        let gate = DispatchSemaphore(value: 0)
        var mediaWork = mediaWork
        mediaWork.atFinish = { gate.wait() }
        let fixture = try await Fixture(mediaWork: mediaWork)
        let (slot, failed) = try await fail(fixture)
        let client = try await FakePeer(fixture.endpoint)
        let names = fixture.outputNames
        let other = try await client.submit(fixture.request)
        // It writes the output, and is not complete before the gate opens.
        let early = await #expect(throws: SplitreelError.self) { try await retry(failed.job, fixture) }
        #expect(early?.code == .outputInUse)
        for _ in 0..<2 { gate.signal() }
        #expect(try await client.watch(other).state == .completed)
        #expect(fixture.outputNames == names + ["film.mkv"])
        // The film of the other one stays.
        let late = await #expect(throws: SplitreelError.self) { try await retry(failed.job, fixture) }
        #expect(late?.code == .outputExists)
        try FileManager.default.removeItem(atPath: fixture.output)
        _ = try await retry(failed.job, fixture)
        #expect(try await end(of: failed.job, fixture).state == .completed)
        #expect(await slot.leases.filter { $0.holding.job == failed.job }.map(\.holding.task).sorted() == [0, 1, 1, 2])
        await fixture.end(slot, client)
    }
}
