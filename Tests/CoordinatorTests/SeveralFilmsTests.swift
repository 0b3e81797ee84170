import Coordinator
import Diagnostics
import Dispatch
import FarmProtocol
import Foundation
import Outputs
import Planning
import Scheduling
import Synchronization
import Testing

@Suite("Several films of one job", .timeLimit(.minutes(5)))
struct SeveralFilmsTests {
    private let film = "segment sound\nsegment 0\nsegment 1\nsegment 2\n"

    private func requests(_ fixture: Fixture, _ names: String...) -> [OutputRequest] {
        names.map { OutputRequest(path: fixture.folder + "/out/" + $0) }
    }

    private func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

    @Test func allAppearAndNothingElse() async throws {
        let fixture = try await Fixture()
        try FileManager.default.createDirectory(
            atPath: fixture.folder + "/out/below", withIntermediateDirectories: false)
        let requests = requests(fixture, "film.mkv", "other.mkv", "below/third.mkv")
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        let job = try await client.submit(requests)
        try await slot.register("w/1", worker: "w")
        let report = try await client.watch(job)
        #expect(report.state == .completed && report.output == requests[0].path)
        #expect(report.outputs == requests.map(\.path))
        for request in requests { #expect(text(request.path) == film, "\(request.path)") }
        let tasks = await slot.leases.map(\.holding.task)
        #expect(tasks.sorted() == [0, 1, 2, 3])
        #expect(fixture.outputNames == ["below", "film.mkv", "other.mkv"])
        let below = try FileManager.default.contentsOfDirectory(atPath: fixture.folder + "/out/below")
        #expect(below == ["third.mkv"])
        // As the list of jobs and the store tell it.
        #expect(try await client.jobs().flatMap { $0 }.map(\.outputs) == [requests.map(\.path)])
        await fixture.end(slot, client)
    }

    /// The coordinator goes when one chunk is in the films; the next one makes the same films, and renders nothing
    /// again.
    @Test func aRestartGoesOn() async throws {
        let first = try await Fixture(change: Fixture.waitLong)
        try FileManager.default.createDirectory(
            atPath: first.folder + "/out/below", withIntermediateDirectories: false)
        let requests = requests(first, "film.mkv", "below/other.mkv")
        let (slot, client) = try await (FakePeer(first.endpoint), FakePeer(first.endpoint))
        try await slot.register("w/1", worker: "w") { $0.holding.task == 2 ? .nothing : .deliver }
        let job = try await client.submit(requests)
        let lease = try await slot.next { body in
            if case .lease(let lease) = body, lease.holding.task == 2 { lease } else { nil }
        }
        let done = await Set(slot.leases.map(\.holding.task)).subtracting([2])
        await first.end(slot, client, keepFolder: true)

        let second = try await Fixture(folder: first.folder, change: Fixture.waitLong)
        let (again, watcher) = try await (FakePeer(second.endpoint), FakePeer(second.endpoint))
        try await again.comeBack("w/1", worker: "w", with: lease)
        try await again.deliver(lease)
        let report = try await watcher.watch(job)
        #expect(report.state == .completed && report.outputs == requests.map(\.path), "\(report.problem)")
        #expect(await Set(again.leases.map(\.holding.task)).isDisjoint(with: done))
        for request in requests { #expect(text(request.path) == film, "\(request.path)") }
        #expect(second.outputNames == ["below", "film.mkv"])
        await second.end(again, watcher)
    }

    /// Workers can write the list of films: whatever it says, nothing is removed that was not made for the job.
    @Test(arguments: ["mine/film.2.mkv", "below/.other.mkv.splitreel-abcdefgh/../../mine/film.2.mkv", "none"])
    func anEditedListOfFilmsRemovesNothing(film listed: String) async throws {
        let first = try await Fixture(change: Fixture.waitLong)
        let out = first.folder + "/out"
        for name in ["below", "mine"] {
            try FileManager.default.createDirectory(atPath: out + "/" + name, withIntermediateDirectories: false)
        }
        let mine = out + "/mine/letter.txt"
        try "mine".write(toFile: mine, atomically: true, encoding: .utf8)
        let requests = requests(first, "film.mkv", "below/other.mkv")
        let (slot, client) = try await (FakePeer(first.endpoint), FakePeer(first.endpoint))
        try await slot.register("w/1", worker: "w") { _ in .nothing }
        let job = try await client.submit(requests)
        _ = try await slot.next { if case .lease(let lease) = $0 { lease } else { nil } }
        await first.end(slot, client, keepFolder: true)

        let work = try #require(first.outputNames.first { $0.hasPrefix(".film.mkv.splitreel-") && $0.utf8.count == 28 })
        let films = ["\(out)/\(work)/film.mkv", out + "/" + listed]
        try JSONEncoder().encode(films).write(to: URL(fileURLWithPath: "\(out)/\(work)/films.json"))
        let second = try await Fixture(folder: first.folder, change: Fixture.waitLong)
        let (again, watcher) = try await (FakePeer(second.endpoint), FakePeer(second.endpoint))
        try await again.register("w/1", worker: "w")
        let report = try await watcher.watch(job)
        #expect(report.state == .completed, "\(report.problem)")
        for request in requests { #expect(text(request.path) == self.film, "\(request.path)") }
        #expect(text(mine) == "mine")
        #expect(second.outputNames == ["below", "film.mkv", "mine"])
        await second.end(again, watcher)
    }

    /// A cancel that comes when one film stands in its place and the next is about to.
    @Test func aCancelWhilePublishingChangesNothing() async throws {
        let (arrived, way) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let fixture = try await Fixture(atOutput: { path in
            guard path.hasSuffix("/other.mkv") else { return }
            arrived.signal()
            way.wait()
        })
        let requests = requests(fixture, "film.mkv", "other.mkv")
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        let job = try await client.submit(requests)
        try await slot.register("w/1", worker: "w")
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                arrived.wait()
                continuation.resume()
            }
        }
        #expect(text(requests[0].path) == film && text(requests[1].path) == nil)
        var cancel = Splitreel_Farm_CancelJob()
        cancel.job = job
        try await client.send(.cancelJob(cancel), request: 5)
        _ = try await client.next { if case .jobReport(let report) = $0, report.job == job { report } else { nil } }
        way.signal()
        let report = try await client.watch(job)
        #expect(report.state == .completed, "\(report.problem)")
        for request in requests { #expect(text(request.path) == film, "\(request.path)") }
        #expect(fixture.outputNames == ["film.mkv", "other.mkv"])
        await fixture.end(slot, client)
    }

    /// Whoever finds a document finds what it speaks of.
    @Test func documentsAppearAfterTheirFilms() async throws {
        let folder = try Fixture.folder()
        let stood = Mutex([String: [String]]())
        let fixture = try await Fixture(
            folder: folder,
            atOutput: { path in
                let names = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/out"))?.sorted() ?? []
                stood.withLock {
                    $0[URL(fileURLWithPath: path).lastPathComponent] = names.filter { !$0.hasPrefix(".") }
                }
            })
        var requests = requests(fixture, "lead.mkv", "list.mkv", "film.mkv", "sound.mkv")
        for (index, kind) in [StreamDocument.Kind.master, .playlist].enumerated() {
            let document = StreamDocument(kind: kind, members: [], interval: "6s")
            requests[index].streamPart = StreamPart(of: requests[0].path, .document(document))
        }
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        try await slot.register("w/1", worker: "w")
        let report = try await client.watch(try await client.submit(requests))
        #expect(report.state == .completed && report.outputs == requests.map(\.path), "\(report.problem)")
        #expect(
            stood.withLock { $0 } == [
                "film.mkv": [], "sound.mkv": ["film.mkv"], "list.mkv": ["film.mkv", "sound.mkv"],
                "lead.mkv": ["film.mkv", "list.mkv", "sound.mkv"],
            ])
        await fixture.end(slot, client)
    }

    /// Told before any work; the first one's place stays empty too.
    @Test func oneThatExistsIsRefused() async throws {
        let fixture = try await Fixture()
        let requests = requests(fixture, "film.mkv", "other.mkv")
        try "mine".write(toFile: requests[1].path, atomically: true, encoding: .utf8)
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        try await slot.register("w/1", worker: "w")
        let report = try await client.watch(try await client.submit(requests))
        #expect(
            report.problem.error.code == .outputExists && report.problem.error.subject.description == requests[1].path)
        #expect(await slot.leases.isEmpty && fixture.outputNames == ["other.mkv"])
        #expect(text(requests[1].path) == "mine")
        await #expect(throws: SplitreelError.self) { try await client.submit([requests[0], requests[0]]) }
        await fixture.end(slot, client)
    }

    /// One that appears while the films are made: neither is published.
    @Test func nothingIsPublishedWhereOneCannotBe() async throws {
        let folder = try Fixture.folder()
        let other = folder + "/out/other.mkv"
        let fixture = try await Fixture(
            folder: folder,
            mediaWork: FakeMediaWork(atFinish: { try? "mine".write(toFile: other, atomically: true, encoding: .utf8) }),
            change: { $0.keptFor = .zero })
        let requests = requests(fixture, "film.mkv", "other.mkv")
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        let job = try await client.submit(requests)
        try await slot.register("w/1", worker: "w")
        let report = try await client.watch(job)
        #expect(report.state == .failed && report.problem.error.code == .outputExists)
        #expect(fixture.outputNames == ["other.mkv"] && text(other) == "mine")
        await fixture.end(slot, client)
    }

    /// Two names of one place are told before anything is claimed.
    @Test func twoNamesOfOneFileAreRefused() async throws {
        let fixture = try await Fixture()
        try FileManager.default.createSymbolicLink(
            atPath: fixture.folder + "/link", withDestinationPath: fixture.folder + "/out")
        let client = try await FakePeer(fixture.endpoint)
        for name in ["/link/film.mkv", "/out/../link/./film.mkv"] {
            let other = OutputRequest(path: fixture.folder + name)
            await #expect {
                try await client.submit([fixture.request, other])
            } throws: {
                let error = $0 as? SplitreelError
                return error?.code == .outputInvalid && error?.subject.description == other.path
            }
        }
        #expect(fixture.outputNames.isEmpty)
        _ = try await client.submit(fixture.request)
        await fixture.end(client)
    }

    /// A second one that is another job's keeps the first one free.
    @Test func outputsAreClaimedTogether() async throws {
        let fixture = try await Fixture()
        let client = try await FakePeer(fixture.endpoint)
        let job = try await client.submit(requests(fixture, "film.mkv"))
        await #expect {
            try await client.submit(requests(fixture, "other.mkv", "film.mkv"))
        } throws: {
            let error = $0 as? SplitreelError
            return error?.code == .outputInUse && error?.reason.contains(job) == true
        }
        _ = try await client.submit(requests(fixture, "other.mkv"))
        await fixture.end(client)
    }
}
