import Coordinator
import Diagnostics
import FarmProtocol
import Foundation
import Hashing
import Planning
import Scheduling
import Testing

@Suite("Peers that mean harm", .timeLimit(.minutes(5)))
struct HostilePeerTests {
    private let film = "segment sound\nsegment 0\nsegment 1\nsegment 2\n"

    /// Whatever stands in the place of a record, be it one of another task's content, the segment is not valid and
    /// another worker renders the chunk.
    @Test(arguments: ["pipe", "link", "folder", "huge", "numbers", "text", "missing", "foreign"])
    func whatIsNotARecordIsTheWorkersFault(kind: String) async throws {
        let fixture = try await Fixture { $0.transientDelay = .milliseconds(10) }
        let (bad, good, client) = try await (
            FakePeer(fixture.endpoint), FakePeer(fixture.endpoint), FakePeer(fixture.endpoint)
        )
        try await bad.register("bad/1", worker: "bad") { _ in .record(kind) }
        let job = try await client.submit(fixture.request)
        _ = try await bad.next { if case .acknowledged(let answer) = $0, !answer.accepted { true } else { nil } }
        try await good.register("good/1", worker: "good")
        let report = try await client.watch(job)
        #expect(report.state == .completed)
        #expect(try String(contentsOfFile: fixture.output, encoding: .utf8) == film)
        await fixture.end(bad, good, client)
    }

    /// After the coordinator's restart the worker says again what it has said; the record is read again and refused.
    @Test func aHostileRecordIsRefusedAfterARestartToo() async throws {
        let first = try await Fixture(mediaWork: FakeMediaWork(chunks: 1, hasSound: false))
        let (slot, client) = try await (FakePeer(first.endpoint), FakePeer(first.endpoint))
        try await slot.register("w/1", worker: "w") { _ in .nothing }
        let job = try await client.submit(first.request)
        let lease = try await slot.next { if case .lease(let lease) = $0 { lease } else { nil } }
        await first.end(slot, client, keepFolder: true)

        let second = try await Fixture(
            folder: first.folder, mediaWork: FakeMediaWork(chunks: 1, hasSound: false), change: Fixture.waitLong)
        let (again, good, watcher) = try await (
            FakePeer(second.endpoint), FakePeer(second.endpoint), FakePeer(second.endpoint)
        )
        try await again.comeBack("w/1", worker: "w", with: lease) { _ in .nothing }
        try await again.deliver(lease, record: "numbers")
        _ = try await again.next { if case .acknowledged(let answer) = $0, !answer.accepted { true } else { nil } }
        try await good.register("good/1", worker: "good")
        #expect(try await watcher.watch(job).state == .completed)
        await second.end(again, good, watcher)
    }

    /// Two jobs whose sources take for ever to read do not keep a third from being planned.
    @Test func slowJobsDoNotKeepAnotherWaiting() async throws {
        let fixture = try await Fixture()
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        try await slot.register("w/1", worker: "w")
        for number in 0..<3 {
            _ = try await client.submit(
                OutputRequest(path: "\(fixture.folder)/out/slow-\(number).mkv"), composition: "endless")
        }
        let report = try await client.watch(try await client.submit(fixture.request))
        #expect(report.state == .completed)
        await fixture.end(slot, client)
    }

    // MARK: - Texts

    /// One character of 800 KB, a letter and its marks, passes every limit of characters. The report of a job that
    /// failed with it has it twice, and is answered all the same.
    @Test func aCharacterOfAMegabyteIsCut() async throws {
        let fixture = try await Fixture(mediaWork: FakeMediaWork(chunks: 1, hasSound: false))
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        try await slot.register("w/1", worker: "w") { _ in .nothing }
        let job = try await client.submit(fixture.request)
        let lease = try await slot.next { if case .lease(let lease) = $0 { lease } else { nil } }
        let long = "e" + String(repeating: "\u{301}", count: 400_000)
        #expect(long.count == 1)
        var failed = Splitreel_Farm_Failed()
        failed.holding = lease.holding
        failed.problem = Splitreel_Farm_Problem(
            SplitreelError(.decodeFailed, operation: "rendering", subject: "clip.mov", reason: "\(long)"))
        try await slot.send(.failed(failed))
        let report = try await client.watch(job)
        #expect(report.state == .failed && report.problem.error.code == .decodeFailed)
        #expect(report.problem.reason.utf8.count <= 4096 && !report.problem.reason.isEmpty)
        await fixture.end(slot, client)
    }

    /// No name of a slot or a job of half a megabyte is kept until something can be done with it.
    @Test func longNamesAreCountedAndDropped() async throws {
        let fixture = try await Fixture()
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        try await slot.register("w/1", worker: "w") { _ in .nothing }
        _ = try await slot.next { if case .welcome(let welcome) = $0 { welcome } else { nil } }
        let long = String(repeating: "n", count: 500_000)
        let holding = Splitreel_Farm_Holding(job: long, task: 0, epoch: 1, lease: [UInt8](repeating: 7, count: 16))
        var (ended, checked) = (Splitreel_Farm_SlotEnded(), Splitreel_Farm_AssetsChecked())
        var (started, released) = (Splitreel_Farm_Started(), Splitreel_Farm_Released())
        (ended.slot, checked.job) = (long, long)
        (started.holding, released.holding) = (holding, holding)
        let bodies: [FakePeer.Body] = [
            .slotEnded(ended), .assetsChecked(checked), .started(started), .released(released),
        ]
        for body in bodies { try await slot.send(body) }
        var (cancel, query) = (Splitreel_Farm_CancelJob(), Splitreel_Farm_JobQuery())
        (cancel.job, query.job) = (long, long)
        for body in [.cancelJob(cancel), .jobQuery(query)] as [FakePeer.Body] {
            try await slot.send(body, request: 5)
            #expect(try await slot.problem().error.code == .malformedMessage)
        }
        try await client.send(.countersQuery(Splitreel_Farm_CountersQuery()), request: 7)
        let counters = try await client.next { if case .countersReport(let report) = $0 { report } else { nil } }
        #expect(counters.malformedMessages == 6 && counters.droppedEvents == 0)
        await fixture.end(slot, client)
    }

    /// What one registration makes the coordinator hold is bounded in bytes, in texts, and together.
    @Test(arguments: [(1025, 1), (1, 257), (200, 200)])
    func aSlotThatListsTooMuchIsRefused(count: Int, bytes: Int) async throws {
        let fixture = try await Fixture()
        let peer = try await FakePeer(fixture.endpoint)
        var register = Splitreel_Farm_Register()
        (register.slot, register.worker) = ("w/1", "w")
        register.rendererVersion = UInt32(RenderPlan.currentRendererVersion)
        register.effects = (0..<count).map { String("\($0)".suffix(bytes)) + String(repeating: "e", count: bytes) }
        try await peer.send(.register(register))
        let problem = try await peer.problem()
        #expect(problem.error.code == .refused && problem.error.reason.contains("\(count)"))
        await fixture.end(peer)
    }

    // MARK: - Compositions in parts

    private func part(_ upload: UInt64, _ offset: Int, _ content: Data) -> FakePeer.Body {
        var part = Splitreel_Farm_SubmitPart()
        (part.upload, part.offset, part.content) = (upload, UInt64(offset), content)
        return .submitPart(part)
    }

    private func submission(_ request: OutputRequest, _ upload: UInt64, _ content: Data) throws -> FakePeer.Body {
        var message = Splitreel_Farm_Submit()
        message.requestJson = String(decoding: try JSONEncoder().encode(request), as: UTF8.self)
        message.upload = upload
        message.compositionBytes = UInt64(content.count)
        message.compositionHash = Data(bytes(ofSHA256: sha256(content)) ?? [])
        return .submit(message)
    }

    private func taken(_ peer: FakePeer) async throws -> UInt64 {
        try await peer.next { if case .partTaken(let taken) = $0 { taken.bytes } else { nil } }
    }

    @Test func aCompositionTravelsInParts() async throws {
        let fixture = try await Fixture()
        let (slot, client) = try await (FakePeer(fixture.endpoint), FakePeer(fixture.endpoint))
        try await slot.register("w/1", worker: "w")
        let content = Data(String(repeating: "é", count: 1_500_000).utf8)
        for offset in stride(from: 0, to: content.count, by: 700_001) {
            let end = min(content.count, offset + 700_001)
            try await client.send(part(7, offset, content[offset..<end]), request: 3)
            #expect(try await taken(client) == UInt64(end))
        }
        try await client.send(try submission(fixture.request, 7, content), request: 4)
        let job = try await client.next { if case .submitted(let answer) = $0 { answer.job } else { nil } }
        #expect(try await client.watch(job).state == .completed)
        // It is gone: another submission cannot speak of it.
        try await client.send(try submission(fixture.request, 7, content), request: 5)
        #expect(try await client.problem().error.code == .malformedMessage)
        await fixture.end(slot, client)
    }

    @Test func partsThatDoNotFitAreRefused() async throws {
        let fixture = try await Fixture()
        let client = try await FakePeer(fixture.endpoint)
        let content = Data(repeating: 0x20, count: 1000)
        let wrong: [FakePeer.Body] = [
            part(0, 0, content), part(1, 5, content), part(1, 0, Data()), part(1, Int.max, content),
            try submission(fixture.request, 9, content),
        ]
        for body in wrong {
            try await client.send(body, request: 6)
            #expect(try await client.problem().error.code == .malformedMessage)
        }
        // Begun well, then out of order: nothing of it is left.
        try await client.send(part(2, 0, content), request: 7)
        #expect(try await taken(client) == 1000)
        try await client.send(part(2, 500, content), request: 7)
        #expect(try await client.problem().error.code == .malformedMessage)
        // Other bytes than were promised, and bytes that are no text.
        for (upload, sent, promised) in [
            (3 as UInt64, content, Data(repeating: 0x21, count: 1000)), (4, Data([0xFF, 0xFE]), Data([0xFF, 0xFE])),
        ] {
            try await client.send(part(upload, 0, sent), request: 8)
            _ = try await taken(client)
            try await client.send(try submission(fixture.request, upload, promised), request: 8)
            #expect(try await client.problem().error.code == .malformedMessage)
        }
        await fixture.end(client)
    }

    @Test func memoryForPartsIsBoundedForEachAndForAll() async throws {
        let folder = try Fixture.folder()
        var configuration = Fixture.configuration(folder)
        (configuration.uploads.compositionBytes, configuration.uploads.waitingBytes) = (3000, 4000)
        let coordinator = try Coordinator(configuration: configuration)
        let endpoint = try await coordinator.start()
        let (first, second) = try await (FakePeer(endpoint), FakePeer(endpoint))
        let content = Data(repeating: 0x20, count: 1500)
        for offset in [0, 1500] {
            try await first.send(part(1, offset, content), request: 1)
            #expect(try await taken(first) == UInt64(offset + 1500))
        }
        // Another's second thousand and a half is too much for all together, and takes the first with it.
        try await second.send(part(1, 0, content), request: 1)
        #expect(try await second.problem().error.code == .refused)
        // One byte more than a composition may have; its room is free again.
        try await first.send(part(1, 3000, Data([0x20])), request: 1)
        #expect(try await first.problem().error.code == .refused)
        try await second.send(part(2, 0, content), request: 1)
        #expect(try await taken(second) == 1500)
        for peer in [first, second] { await peer.end() }
        await coordinator.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }
}
