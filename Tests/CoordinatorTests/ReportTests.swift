import Coordinator
import Diagnostics
import Dispatch
import FarmProtocol
import Foundation
import Planning
import Scheduling
import Testing

@Suite("What clients are told", .timeLimit(.minutes(5)))
struct ReportTests {
    private func ask(
        _ client: FakePeer, _ job: String, from first: Int? = nil, request: UInt64
    ) async throws -> Splitreel_Farm_JobReport {
        var query = Splitreel_Farm_JobQuery()
        query.job = job
        if let first { (query.withChunks, query.firstChunk) = (true, UInt32(first)) }
        try await client.send(.jobQuery(query), request: request)
        return try await client.next { if case .jobReport(let report) = $0 { report } else { nil } }
    }

    @Test func aLongJobIsCountedWholeAndListedInPages() async throws {
        let fixture = try await Fixture(mediaWork: FakeMediaWork(chunks: 5001))
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        try await slot.register("w/1", worker: "w") { $0.holding.task < 5001 ? .nothing : .deliver }
        let job = try await client.submit(fixture.request)
        _ = try await slot.next { body in
            if case .lease(let lease) = body, lease.holding.task < 5001 { lease } else { nil }
        }
        let brief = try await ask(client, job, request: 10)
        #expect(brief.counts.total == 5001)
        #expect(brief.counts.pending == 5000 && brief.counts.leased + brief.counts.running == 1)
        #expect(brief.chunks.map(\.index) == [0])
        #expect(brief.taskCount == 5002)
        var all: [Splitreel_Farm_ChunkReport] = []
        while all.count < 5002 {
            let page = try await ask(client, job, from: all.count, request: UInt64(100 + all.count))
            try #require(!page.chunks.isEmpty)
            #expect(try Splitreel_Farm_Envelope(.jobReport(page), request: 1).frame().count < 1 << 20)
            all += page.chunks
        }
        #expect(all.map { Int($0.index) } == Array(0..<5002))
        #expect(all.last?.kind == .audio && all.last?.state == .done)
        #expect(try await ask(client, job, from: 9999, request: 9).chunks.isEmpty)
        await fixture.end(slot, client)
    }

    @Test func aListOfJobsOfMoreThanAMessageComesInPages() async throws {
        let fixture = try await Fixture()
        let client = try await FakePeer(fixture.endpoint)
        // 400 jobs with names of 4 KB are more than 1 MiB.
        var expected: [String] = []
        for number in 0..<400 {
            var message = Splitreel_Farm_Submit()
            (message.composition, message.name) = ("invalid", String(repeating: "n", count: 4000))
            let request = OutputRequest(path: "\(fixture.folder)/out/film-\(number).mkv")
            message.requestJson = String(decoding: try JSONEncoder().encode(request), as: UTF8.self)
            message.madeFor = "/elsewhere/sheet.png"
            message.owner = "ana@ws7" + String(repeating: "x", count: 5000)
            try await client.send(.submit(message), request: 1)
        }
        while expected.count < 400 {
            expected.append(try await client.next { if case .submitted(let answer) = $0 { answer.job } else { nil } })
        }
        await fixture.coordinator.waitUntilIdle()
        for count in [0, 7] as [UInt32] {
            let pages = try await client.jobs(inPagesOf: count)
            #expect(Set(pages.joined().map(\.job)) == Set(expected) && pages.joined().count == 400)
            #expect(pages.count > 1 && pages.allSatisfy { count == 0 || $0.count <= count })
            #expect(pages.joined().allSatisfy { $0.state == .failed && $0.madeFor == "/elsewhere/sheet.png" })
            #expect(pages.joined().allSatisfy { $0.owner.hasPrefix("ana@ws7") && $0.owner.utf8.count == 512 })
        }
        await fixture.end(client)
    }

    @Test func anEndedJobKeepsItsChunksOverARestart() async throws {
        let first = try await Fixture()
        let (slot, client) = try await (FakePeer(first.endpoint), FakePeer(first.endpoint))
        try await slot.register("w/1", worker: "w")
        let job = try await client.submit(first.request)
        _ = try await client.watch(job)
        await first.end(slot, client, keepFolder: true)
        let second = try await Fixture(folder: first.folder)
        let other = try await FakePeer(second.endpoint)
        let report = try await ask(other, job, from: 0, request: 3)
        #expect(report.state == .completed)
        #expect(report.counts.total == 3 && report.counts.done == 3)
        #expect(report.chunks.map(\.state) == [.done, .done, .done, .done])
        await second.end(other)
    }

    /// The list, the job alone, before a restart and after it: each says how far it was, also within its chunks.
    @Test func allTablesAgreeOnACancelledJobAfterARestart() async throws {
        let first = try await Fixture(mediaWork: FakeMediaWork(hasSound: false))
        let (slot, client) = try await (FakePeer(first.endpoint), FakePeer(first.endpoint))
        try await slot.register("w/1", worker: "w") { $0.holding.task == 0 ? .deliver : .nothing }
        let job = try await client.submit(first.request)
        let lease = try await slot.next { body in
            if case .lease(let lease) = body, lease.holding.task == 1 { lease } else { nil }
        }
        var progress = Splitreel_Farm_Progress()
        progress.holding = lease.holding
        progress.unitsDone = 20
        progress.unitsTotal = 25
        try await slot.send(.progress(progress))
        // 25 frames of the first chunk and 20 of the second are done.
        while try await ask(client, job, request: 4).framesDone < 45 { await Task.yield() }
        var cancel = Splitreel_Farm_CancelJob()
        cancel.job = job
        try await client.send(.cancelJob(cancel), request: 5)
        let before = try await client.watch(job)
        #expect(before.framesDone == 45 && before.counts.total == 3 && before.counts.done == 1)
        await first.end(slot, client, keepFolder: true)

        let second = try await Fixture(folder: first.folder)
        let other = try await FakePeer(second.endpoint)
        let listed = try await other.jobs().flatMap { $0 }.first { $0.job == job }
        for report in [try #require(listed), try await ask(other, job, request: 6)] {
            #expect(report.state == .cancelled && report.frames == 75 && report.framesDone == 45)
            #expect(report.progress == before.progress)
            #expect(report.counts.total == 3 && report.counts.done == 1)
        }
        await second.end(other)
    }

    /// People wait for the first frames: they are told at once, and not when the interval of reports has passed.
    @Test func theFirstFramesAreToldAtOnce() async throws {
        let fixture = try await Fixture(mediaWork: FakeMediaWork(hasSound: false)) {
            $0.reportInterval = .seconds(3600)
        }
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        try await slot.register("w/1", worker: "w") { _ in .nothing }
        let job = try await client.submit(fixture.request)
        let lease = try await slot.next { if case .lease(let lease) = $0 { lease } else { nil } }
        var query = Splitreel_Farm_JobQuery()
        (query.job, query.watch) = (job, true)
        try await client.send(.jobQuery(query), request: 9)
        let before = try await client.next { if case .jobReport(let report) = $0 { report } else { nil } }
        #expect(before.framesDone == 0)
        var progress = Splitreel_Farm_Progress()
        progress.holding = lease.holding
        (progress.unitsDone, progress.unitsTotal) = (1, 25)
        try await slot.send(.progress(progress))
        let first = try await client.next { body in
            if case .jobReport(let report) = body, report.framesDone > 0 { report } else { nil }
        }
        #expect(first.framesDone == 1)
        await fixture.end(slot, client)
    }

    @Test func aCancelSaysWhatBecameOfTheJob() async throws {
        let fixture = try await Fixture()
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        try await slot.register("w/1", worker: "w")
        let job = try await client.submit(fixture.request)
        _ = try await client.watch(job)
        var cancel = Splitreel_Farm_CancelJob()
        cancel.job = job
        try await client.send(.cancelJob(cancel), request: 5)
        let report = try await client.next { body in
            if case .jobReport(let report) = body, report.ended > 0 { report } else { nil }
        }
        #expect(report.state == .completed && report.ending == .unspecified)
        await fixture.end(slot, client)
    }

    @Test(arguments: [false, true]) func aCancelDoesNotWaitForPlanning(stopsAtOnce: Bool) async throws {
        let (planning, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let mediaWork = FakeMediaWork(atPlanning: {
            planning.signal()
            goOn.wait()
        })
        let fixture = try await Fixture(mediaWork: mediaWork)
        let client = try await FakePeer(fixture.endpoint)
        let job = try await client.submit(fixture.request)
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                planning.wait()
                continuation.resume()
            }
        }
        var cancel = Splitreel_Farm_CancelJob()
        cancel.job = job
        try await client.send(.cancelJob(cancel), request: 5)
        let answer = try await client.next { if case .jobReport(let report) = $0 { report } else { nil } }
        #expect(answer.state == .cancelled || answer.ending == .cancelled)
        #expect(try await client.watch(job).state == .cancelled)
        goOn.signal()
        if stopsAtOnce { await fixture.coordinator.stop() }
        // When its thread is done there is nothing left that could still make anything.
        while fixture.coordinator.isPlanning { await Task.yield() }
        while !fixture.outputNames.isEmpty { await Task.yield() }
        await fixture.end(client)
    }

    @Test func aParentsWordIsQuickerThanSilence() async throws {
        let fixture = try await Fixture(mediaWork: FakeMediaWork(chunks: 1, hasSound: false)) {
            $0.dead = .seconds(600)
        }
        let (dying, good, parent, client) = try await (
            FakePeer(fixture.endpoint), FakePeer(fixture.endpoint), FakePeer(fixture.endpoint),
            FakePeer(fixture.endpoint)
        )
        try await dying.register("w/1-x", worker: "w") { _ in .nothing }
        let job = try await client.submit(fixture.request)
        _ = try await dying.next { if case .lease(let lease) = $0 { lease } else { nil } }
        await dying.end()
        try await good.register("w/2-x", worker: "w")
        _ = try await good.next { if case .welcome(let welcome) = $0 { welcome } else { nil } }
        var ended = Splitreel_Farm_SlotEnded()
        for (slot, reason) in [("nobody/1", "?"), ("w/1-x", "its process was ended by signal 9")] {
            (ended.slot, ended.reason) = (slot, reason)
            try await parent.send(.slotEnded(ended))
        }
        let report = try await client.watch(job)
        #expect(report.state == .completed)
        #expect(report.chunks.first?.attempt == 2)
        await fixture.end(good, parent, client)
    }

    @Test(arguments: [(1, 0.075), (1000, 15), (0, 60)])
    func theSoundWeighsFewPercentOfThePicture(thousandths: Int, cost: Double) throws {
        // A minute of 1500 frames: each costs a thousandth, a whole frame of 720p, or nothing.
        var film = try FakeMediaWork(chunks: 60).plan(
            composition: "{}", requests: [OutputRequest(path: "/film.mkv")], access: MediaAccess(roots: []))
        for index in film.plan.chunks.indices { film.plan.chunks[index].cost = Double(25 * thousandths) / 1000 }
        let sound = try #require(film.plan.taskSpecs(keys: film.contents.keys).last)
        #expect(sound.kind == .audio)
        #expect(abs(sound.cost - cost) < 1e-9)
    }
}
