import Coordinator
import Diagnostics
import Dispatch
import FarmProtocol
import Foundation
import Planning
import Scheduling
import Synchronization
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
        return try await client.next { if case .jobReport(let report) = $0, report.job == job { report } else { nil } }
    }

    @Test func plannersThatHangAreReplaced() async throws {
        let gate = Gate()
        var mediaWork = FakeMediaWork(chunks: 1, hasSound: false)
        mediaWork.atPlanningOf = { if $0 == "hang" { gate.pass() } }
        let fixture = try await Fixture(mediaWork: mediaWork)
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        try await slot.register("w/1", worker: "w")
        // As many hang as there are planners, and one more; a cancel is answered at once and frees its place.
        for number in 0..<9 {
            let output = OutputRequest(path: fixture.folder + "/out/\(number).mkv")
            let job = try await client.submit(output, composition: "hang")
            await gate.arrival()
            let answer = try await cancel(job, client)
            #expect(answer.ending == .cancelled || answer.state == .cancelled)
        }
        #expect(try await client.watch(try await client.submit(fixture.request)).state == .completed)
        gate.open(times: 9)
        while fixture.coordinator.isPlanning { await Task.yield() }
        #expect(fixture.outputNames == ["film.mkv"])
        await fixture.end(slot, client)
    }

    @Test func aMountThatHangsAtTheStartKeepsNobodyElseWaiting() async throws {
        let folder = try Fixture.folder()
        try FileManager.default.createDirectory(atPath: folder + "/slow", withIntermediateDirectories: true)
        let first = try await Fixture(folder: folder, mediaWork: FakeMediaWork(chunks: 1, hasSound: false))
        let early = try await FakePeer(first.endpoint)
        let slow = try await early.submit(OutputRequest(path: folder + "/slow/film.mkv"))
        let quick = try await early.submit(first.request)
        await first.end(early, keepFolder: true)

        let gate = Gate()
        let second = try await Fixture(
            folder: folder, mediaWork: FakeMediaWork(chunks: 1, hasSound: false),
            change: { $0.intake = .milliseconds(200) },
            atOutput: { if $0.hasPrefix(folder + "/slow/") { gate.pass() } })
        let (slot, client) = try await (FakePeer(second.endpoint), FakePeer(second.endpoint))
        try await slot.register("w/1", worker: "w")
        #expect(try await client.watch(quick).state == .completed)
        // The other one is known, and what is asked of it is done when its disk answers.
        #expect(try await client.jobs().flatMap { $0 }.map(\.job).sorted() == [slow, quick].sorted())
        #expect(try await cancel(slow, client).state == .waiting)
        gate.open(times: 1)
        #expect(try await client.watch(slow).state == .cancelled)
        await second.end(slot, client)
    }

    @Test func largeCompositionsArePlannedOneAtATime() async throws {
        let gate = Gate()
        let begun = Atomic(0)
        var mediaWork = FakeMediaWork(chunks: 1, hasSound: false)
        mediaWork.atPlanningOf = {
            guard $0.utf8.count > 100 else { return }
            begun.add(1, ordering: .relaxed)
            gate.pass()
        }
        let folder = try Fixture.folder()
        var configuration = Fixture.configuration(folder, mediaWork: mediaWork)
        configuration.uploads.plannedAtOnce = 100
        let coordinator = try Coordinator(configuration: configuration)
        let endpoint = try await coordinator.start()
        let (slot, client) = try await (FakePeer(endpoint), FakePeer(endpoint))
        try await slot.register("w/1", worker: "w")
        var large: [String] = []
        for number in 0..<3 {
            let output = OutputRequest(path: "\(folder)/out/\(number).mkv")
            large.append(try await client.submit(output, composition: String(repeating: " ", count: 101)))
        }
        await gate.arrival()
        // A small one does not wait for them, and they wait for each other.
        let small = try await client.submit(OutputRequest(path: folder + "/out/small.mkv"))
        #expect(try await client.watch(small).state == .completed)
        #expect(begun.load(ordering: .relaxed) == 1)
        gate.open(times: 3)
        for job in large { #expect(try await client.watch(job).state == .completed) }
        await slot.end()
        await client.end()
        await coordinator.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    @Test func publishingWithoutAPlanHangsBesideTheLoop() async throws {
        let gate = Gate()
        let mediaWork = FakeMediaWork(chunks: 1, hasSound: false)
        let first = try await Fixture(mediaWork: mediaWork, atOutput: { _ in gate.pass() })
        let (slot, early) = try await (FakePeer(first.endpoint), FakePeer(first.endpoint))
        try await slot.register("w/1", worker: "w")
        let job = try await early.submit(first.request)
        await gate.arrival()
        await first.end(slot, early, keepFolder: true)
        gate.open(times: 1)
        // What it was made in is lost, and the film with it.
        for name in first.outputNames { try FileManager.default.removeItem(atPath: first.folder + "/out/" + name) }

        // Once to take it up, once to publish it.
        gate.open(times: 1)
        let second = try await Fixture(
            folder: first.folder, mediaWork: mediaWork, change: { $0.resourcePatience = .zero },
            atOutput: { _ in gate.pass() })
        let client = try await FakePeer(second.endpoint)
        await gate.arrival()
        await gate.arrival()
        #expect(try await client.jobs().flatMap { $0 }.map(\.state) == [.stitching])
        gate.open(times: 1)
        let report = try await client.watch(job)
        #expect(report.state == .failed && report.problem.error.code == .outputNotWritable)
        await second.end(client)
    }

    /// A film that was complete is put in its place: none of its tasks is taken any more.
    @Test func aFinishedFilmNeedsNoKeys() async throws {
        let gate = Gate()
        let mediaWork = FakeMediaWork(chunks: 1, hasSound: false)
        let first = try await Fixture(mediaWork: mediaWork, atOutput: { _ in gate.pass() })
        let (slot, early) = try await (FakePeer(first.endpoint), FakePeer(first.endpoint))
        try await slot.register("w/1", worker: "w")
        let job = try await early.submit(first.request)
        await gate.arrival()
        await first.end(slot, early, keepFolder: true)
        gate.open(times: 1)

        let second = try await Fixture(
            folder: first.folder, mediaWork: mediaWork, store: FaultyStore(lacksKeys: true))
        let client = try await FakePeer(second.endpoint)
        #expect(try await client.watch(job).state == .completed)
        #expect(second.outputNames == ["film.mkv"])
        await second.end(client)
    }

    @Test func aVerifierThatHangsIsGivenUpAndTheChunkIsRenderedAgain() async throws {
        let gate = Gate()
        var mediaWork = FakeMediaWork(chunks: 1, hasSound: false)
        mediaWork.atVerifying = { if $0.contains("-1.nut") { gate.pass() } }
        let fixture = try await Fixture(mediaWork: mediaWork) {
            $0.verifying = .milliseconds(300)
            $0.resourceDelay = .milliseconds(100)
            $0.tick = .milliseconds(20)
        }
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        try await slot.register("w/1", worker: "w")
        let report = try await client.watch(try await client.submit(fixture.request))
        #expect(report.state == .completed && report.chunks.first?.attempt == 2)
        #expect(report.chunks.first?.lastProblem.error.code == .tookTooLong)
        gate.open(times: 1)
        await fixture.end(slot, client)
    }

    @Test func aJobWhoseFilmHangsIsCancelledAllTheSame() async throws {
        let gate = Gate()
        let mediaWork = FakeMediaWork(chunks: 1, hasSound: false, atFinish: { gate.pass() })
        let fixture = try await Fixture(mediaWork: mediaWork) {
            $0.cleaning = .milliseconds(200)
            $0.tick = .milliseconds(20)
        }
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        try await slot.register("w/1", worker: "w")
        let job = try await client.submit(fixture.request)
        await gate.arrival()
        #expect(try await cancel(job, client).ending == .cancelled)
        #expect(try await client.watch(job).state == .cancelled)
        // When the thread comes back nothing is published, and what it made goes.
        gate.open(times: 1)
        while !fixture.outputNames.isEmpty { await Task.yield() }
        await fixture.end(slot, client)
    }
}
