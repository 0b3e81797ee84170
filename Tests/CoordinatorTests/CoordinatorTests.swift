import Coordinator
import Diagnostics
import FarmProtocol
import Foundation
import Planning
import Scheduling
import Testing

@Suite("Coordinator with fake slots", .timeLimit(.minutes(5)))
struct CoordinatorTests {
    private let film = "segment sound\nsegment 0\nsegment 1\nsegment 2\n"

    @Test func aFilmIsMadeInOrderAndNothingElseIsLeft() async throws {
        let fixture = try await Fixture()
        let (a, b, client) = try await (
            FakePeer(fixture.endpoint), FakePeer(fixture.endpoint), FakePeer(fixture.endpoint)
        )
        try await a.register("w/1", worker: "w")
        try await b.register("w/2", worker: "w")
        let job = try await client.submit(fixture.request)
        let report = try await client.watch(job)
        #expect(report.state == .completed)
        #expect(report.progress == 1)
        #expect(report.frames == 75 && report.framesDone == 75)
        #expect(report.chunks.map(\.state) == [.done, .done, .done, .done])
        #expect(report.chunks.map(\.kind) == [.source, .source, .source, .audio])
        #expect(report.chunks.allSatisfy { $0.attempt == 1 && $0.worker.hasPrefix("w/") })
        #expect(report.notices.map(\.reason) == ["a warning"])
        #expect(try String(contentsOfFile: fixture.output, encoding: .utf8) == film)
        #expect(fixture.outputNames == ["film.mkv"])
        let leases = await a.leases + b.leases
        #expect(leases.count == 4)
        await fixture.end(a, b, client)
    }

    @Test func aRejectedSegmentIsRenderedAgainElsewhere() async throws {
        let fixture = try await Fixture(mediaWork: FakeMediaWork(chunks: 1, hasSound: false)) {
            $0.otherWorkerWait = .seconds(300)
        }
        let (bad, good, client) = try await (
            FakePeer(fixture.endpoint), FakePeer(fixture.endpoint), FakePeer(fixture.endpoint)
        )
        try await bad.register("bad/1", worker: "bad") { _ in .garbage }
        _ = try await bad.next { if case .welcome(let welcome) = $0 { welcome } else { nil } }
        let job = try await client.submit(fixture.request)
        let accepted = try await bad.next { if case .acknowledged(let answer) = $0 { answer.accepted } else { nil } }
        #expect(!accepted)
        try await good.register("good/1", worker: "good")
        let report = try await client.watch(job)
        #expect(report.state == .completed)
        #expect(report.chunks.first?.attempt == 2)
        #expect(report.chunks.first?.lastProblem.code == UInt32(ErrorCode.segmentInvalid.number))
        #expect(try String(contentsOfFile: fixture.output, encoding: .utf8) == "segment 0\n")
        await fixture.end(bad, good, client)
    }

    /// Several segments are checked at a time, before there is one to hold them against: they are compared when their
    /// checks end. The check of this suite compares nothing itself.
    @Test func otherParameterSetsAreFoundWhenTheSegmentIsVerified() async throws {
        let fixture = try await Fixture(mediaWork: FakeMediaWork(chunks: 2, hasSound: false)) {
            $0.otherWorkerWait = .seconds(300)
        }
        let (bad, good, client) = try await (
            FakePeer(fixture.endpoint), FakePeer(fixture.endpoint), FakePeer(fixture.endpoint)
        )
        try await bad.register("bad/1", worker: "bad") { $0.holding.task == 1 ? .record("other sets") : .deliver }
        let job = try await client.submit(fixture.request)
        _ = try await bad.next { if case .acknowledged(let answer) = $0, !answer.accepted { true } else { nil } }
        try await good.register("good/1", worker: "good")
        let report = try await client.watch(job)
        #expect(report.state == .completed && report.chunks.map(\.attempt) == [1, 2])
        #expect(report.chunks[1].worker == "good/1")
        #expect(report.chunks[1].lastProblem.error.code == .segmentInvalid)
        await fixture.end(bad, good, client)
    }

    /// The first segment that passes need not be the one to go by: where the plan's own sets are known, a later one
    /// that has them is believed, and what passed before is made again.
    @Test func theFirstSegmentsOtherParameterSetsAreFoundByTheSecond() async throws {
        var mediaWork = FakeMediaWork(chunks: 2, hasSound: false)
        mediaWork.sets = { String(repeating: "0", count: 64) }
        let fixture = try await Fixture(mediaWork: mediaWork)
        let (bad, good, client) = try await (
            FakePeer(fixture.endpoint), FakePeer(fixture.endpoint), FakePeer(fixture.endpoint)
        )
        try await bad.register("bad/1", worker: "bad") { $0.holding.task == 0 ? .record("other sets") : .nothing }
        let job = try await client.submit(fixture.request)
        // Its first one has passed when it gets the second one, over which it ends.
        _ = try await bad.next { if case .lease(let lease) = $0, lease.holding.task == 1 { true } else { nil } }
        await bad.end()
        fixture.coordinator.slotProcessEnded(slot: "bad/1", reason: "signal 9")
        try await good.register("good/1", worker: "good")
        let report = try await client.watch(job)
        #expect(report.state == .completed && report.chunks.map(\.attempt) == [2, 2])
        #expect(report.chunks.map(\.worker) == ["good/1", "good/1"])
        #expect(report.chunks[0].lastProblem.error.code == .segmentInvalid)
        #expect(try String(contentsOfFile: fixture.output, encoding: .utf8) == "segment 0\nsegment 1\n")
        await fixture.end(good, client)
    }

    /// Sets that nobody's segments have are no reason against any of them.
    @Test func segmentsThatAgreeAreBelieved() async throws {
        var mediaWork = FakeMediaWork(hasSound: false)
        mediaWork.sets = { String(repeating: "f", count: 64) }
        let fixture = try await Fixture(mediaWork: mediaWork)
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        try await slot.register("w/1", worker: "w")
        let report = try await client.watch(try await client.submit(fixture.request))
        #expect(report.state == .completed && report.chunks.map(\.attempt) == [1, 1, 1])
        await fixture.end(slot, client)
    }

    @Test func aPermanentFailureNamesTheChunkAndLeavesNothing() async throws {
        let fixture = try await Fixture(mediaWork: FakeMediaWork(hasSound: false)) { $0.keptFor = .zero }
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        try await slot.register("w/1", worker: "w") { $0.holding.task == 1 ? .fail(.decodeFailed) : .deliver }
        let report = try await client.watch(try await client.submit(fixture.request))
        #expect(report.state == .failed)
        #expect(report.problem.code == UInt32(ErrorCode.decodeFailed.number))
        #expect(report.problem.subject == "clip.mov, in chunk 1 (frames 25..<50, 1.000 s to 2.000 s)")
        #expect(fixture.outputNames.isEmpty)
        await fixture.end(slot, client)
    }

    @Test func otherVersionsAreRefusedByType() async throws {
        let fixture = try await Fixture()
        let (renderer, major, good) = try await (
            FakePeer(fixture.endpoint), FakePeer(fixture.endpoint), FakePeer(fixture.endpoint)
        )
        try await renderer.register("old/1", worker: "old", version: RenderPlan.currentRendererVersion + 1)
        #expect(try await renderer.problem().error.code == .versionMismatch)
        try await major.send(.jobsQuery(Splitreel_Farm_JobsQuery()), request: 4, major: FarmVersion.major + 1)
        #expect(try await major.problem().error.code == .versionMismatch)
        try await good.register("w/1", worker: "w")
        _ = try await good.next { if case .welcome(let welcome) = $0 { welcome } else { nil } }
        try await good.send(.workersQuery(Splitreel_Farm_WorkersQuery()), request: 5)
        let report = try await good.next { if case .workersReport(let report) = $0 { report } else { nil } }
        #expect(report.workers.map(\.name) == ["w"])
        await fixture.end(renderer, major, good)
    }

    /// The film has three chunks, 0 to 2, and sound as its fourth task.
    @Test func soundInHandIsCalledSound() async throws {
        let fixture = try await Fixture()
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        try await slot.register("w/1", worker: "w") { $0.holding.task == 3 ? .nothing : .deliver }
        let job = try await client.submit(fixture.request)
        var isHeld = false
        while !isHeld {
            let lease = try await slot.next { if case .lease(let lease) = $0 { lease } else { nil } }
            isHeld = lease.holding.task == 3
        }
        try await client.send(.workersQuery(Splitreel_Farm_WorkersQuery()), request: 5)
        let report = try await client.next { if case .workersReport(let report) = $0 { report } else { nil } }
        #expect(report.workers.map(\.current) == [["\(job)/sound"]])
        await fixture.end(slot, client)
    }

    @Test func garbageIsIgnored() async throws {
        let fixture = try await Fixture()
        let peer = try await FakePeer(fixture.endpoint)
        for frame in [[], [0xFF], Array(repeating: 0x41, count: 5000)] as [[UInt8]] { try await peer.send(raw: frame) }
        var finished = Splitreel_Farm_Finished()
        finished.holding = Splitreel_Farm_Holding(job: "none", task: .max, epoch: .max, lease: [1, 2])
        try await peer.send(.finished(finished))
        var query = Splitreel_Farm_JobQuery()
        query.job = "none"
        try await peer.send(.jobQuery(query), request: 3)
        #expect(try await peer.next { if case .problem(let problem) = $0 { problem.code } else { nil } } == 40005)
        await fixture.end(peer)
    }

    @Test func beyondThisMachineNeedsInsecureAndRoots() throws {
        let folder = try Fixture.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for (insecure, roots) in [(false, [String]()), (false, [folder]), (true, [])] {
            let error = #expect(throws: SplitreelError.self) {
                try Coordinator(
                    configuration: Fixture.configuration(
                        folder, endpoint: "tcp://0.0.0.0:7733", roots: roots, insecure: insecure))
            }
            #expect(error?.code == (insecure ? .refused : .keysNeeded))
        }
    }

    @Test(arguments: [("/out/film.mkv", 20104), ("/missing/film.mkv", 20105), ("/out", 20105)])
    func outputsThatCannotBeAreRefusedBeforeAnyWork(path: String, code: UInt32) async throws {
        let fixture = try await Fixture()
        try "mine".write(toFile: fixture.output, atomically: true, encoding: .utf8)
        let client = try await FakePeer(fixture.endpoint)
        var request = OutputRequest(path: fixture.folder + path)
        if path == "/out" {
            try FileManager.default.createDirectory(
                atPath: fixture.folder + "/out/folder.mkv", withIntermediateDirectories: true)
            request = OutputRequest(path: fixture.folder + "/out/folder.mkv")
        }
        let before = fixture.outputNames
        let report = try await client.watch(try await client.submit(request))
        #expect(report.state == .failed)
        #expect(report.problem.code == code)
        #expect(try String(contentsOfFile: fixture.output, encoding: .utf8) == "mine")
        #expect(fixture.outputNames == before)
        await fixture.end(client)
    }

    @Test func aFileThatAppearsMeanwhileIsNotReplaced() async throws {
        let folder = try Fixture.folder()
        let path = folder + "/out/film.mkv"
        let mediaWork = FakeMediaWork(atFinish: { try? "theirs".write(toFile: path, atomically: true, encoding: .utf8) }
        )
        let fixture = try await Fixture(folder: folder, mediaWork: mediaWork) { $0.keptFor = .zero }
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        try await slot.register("w/1", worker: "w")
        let report = try await client.watch(try await client.submit(fixture.request))
        #expect(report.problem.error.code == .outputExists)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "theirs")
        #expect(fixture.outputNames == ["film.mkv"])
        await fixture.end(slot, client)
    }

    @Test func overwriteReplaces() async throws {
        let fixture = try await Fixture()
        try "old".write(toFile: fixture.output, atomically: true, encoding: .utf8)
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        try await slot.register("w/1", worker: "w")
        var request = fixture.request
        request.overwrite = true
        #expect(try await client.watch(try await client.submit(request)).state == .completed)
        #expect(try String(contentsOfFile: fixture.output, encoding: .utf8) == film)
        await fixture.end(slot, client)
    }

    @Test func planningErrorsBecomeTheJobsProblem() async throws {
        let fixture = try await Fixture()
        let client = try await FakePeer(fixture.endpoint)
        let report = try await client.watch(try await client.submit(fixture.request, composition: "invalid"))
        #expect(report.state == .failed)
        #expect(report.problem.error.code == .compositionInvalid)
        #expect(report.problem.reason == "it is not valid")
        #expect(fixture.outputNames.isEmpty)
        try await client.send(.jobsQuery(Splitreel_Farm_JobsQuery()), request: 9)
        let jobs = try await client.next { if case .jobsReport(let report) = $0 { report.jobs } else { nil } }
        #expect(jobs.map(\.state) == [.failed])
        await fixture.end(client)
    }

    @Test func unusableRequestsAreAnsweredAtOnce() async throws {
        let fixture = try await Fixture()
        let client = try await FakePeer(fixture.endpoint)
        for (text, code) in [("nonsense", ErrorCode.malformedMessage), ("relative.mkv", .usage)] {
            var message = Splitreel_Farm_Submit()
            message.requestJson =
                text == "nonsense"
                ? text : String(decoding: try JSONEncoder().encode(OutputRequest(path: text)), as: UTF8.self)
            try await client.send(.submit(message), request: 7)
            #expect(try await client.problem().error.code == code)
        }
        await fixture.end(client)
    }

    @Test func rootsBoundMediaAndFilms() async throws {
        let folder = try Fixture.folder()
        let fixture = try await Fixture(folder: folder, roots: [folder + "/out"])
        let client = try await FakePeer(fixture.endpoint)
        let media = try await client.watch(try await client.submit(fixture.request, composition: "/etc/passwd"))
        #expect(media.problem.error.code == .refused)
        let outside = OutputRequest(path: folder + "/film.mkv")
        let refused = await #expect(throws: SplitreelError.self) { try await client.submit(outside) }
        #expect(refused?.code == .refused)
        // A link that leads out of the root does not help.
        try FileManager.default.createSymbolicLink(atPath: folder + "/out/link", withDestinationPath: "/etc")
        let linked = folder + "/out/link/passwd"
        let through = try await client.watch(try await client.submit(fixture.request, composition: linked))
        #expect(through.problem.error.code == .refused)
        await fixture.end(client)
    }

    /// Not even the names in a folder outside: neither of the folder itself, nor of a pattern in it, nor by a link.
    @Test(
        arguments: [
            "secret", "secret/", "secret/a%d.png", "root/link", "root/link/a%d.png", "root/../secret/b%d.png",
        ])
    func rootsBoundSequences(url: String) throws {
        let folder = try Fixture.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in ["secret", "root"] {
            try FileManager.default.createDirectory(atPath: folder + "/" + name, withIntermediateDirectories: true)
        }
        for name in ["a1.png", "a3.png"] {
            try Data("x".utf8).write(to: URL(fileURLWithPath: "\(folder)/secret/\(name)"))
        }
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/root/link", withDestinationPath: folder + "/secret")
        let composition = """
            {"format":"splitreel/1","assets":{"s":{"kind":"imageSequence","url":"\(folder)/\(url)"}},
            "composition":{"tracks":[{"id":1,"type":"video","segments":[{"asset":"s","target":["0s","1s"]}]}]}}
            """
        let error = try #require(throws: SplitreelError.self) {
            _ = try IsolatedMediaWork().plan(
                composition: composition, requests: [OutputRequest(path: folder + "/root/film.mkv")],
                access: try MediaAccess(roots: [folder + "/root"]))
        }
        #expect(error.code == .refused, "\(error)")
        #expect(["a1.png", "a2.png", "a3.png"].allSatisfy { !"\(error)".contains($0) }, "\(error)")
    }
}
