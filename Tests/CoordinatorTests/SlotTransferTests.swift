import Coordinator
import Diagnostics
import FarmKeys
import FarmProtocol
import Foundation
import Hashing
import KeyFiles
import Logging
import Outputs
import Planning
import Scheduling
import Testing
import Threads
import Worker

/// A real slot and a real coordinator that share no folder.
@Suite("A slot that sees nothing of the coordinator's", .timeLimit(.minutes(5)))
struct SlotTransferTests {
    private static func record(_ key: ContentKey, of content: String) -> SegmentRecord {
        SegmentRecord(
            media: .video, count: 25, packetCount: 25, extradataHash: String(repeating: "0", count: 64),
            fileHash: sha256(Data(content.utf8)), byteCount: 1, key: key, notices: NoticeList())
    }

    @Test func itMakesTheFilm() async throws {
        let fixture = try await Fixture(mediaWork: FakeMediaWork(chunks: 3, hasSound: false))
        try await makeFilm(fixture, client: try await FakePeer(fixture.endpoint))
    }

    /// All of its sockets speak under the token's key.
    @Test func itMakesTheFilmOfAFarmWithKeys() async throws {
        let farm = try await KeyedFarm(
            ["w": .worker, "ana": .submit], mediaWork: FakeMediaWork(chunks: 3, hasSound: false))
        let token = TokenSource.file(try farm.token("w", .worker))
        try await makeFilm(farm.fixture, client: try await farm.peer("ana"), token: token)
    }

    private func makeFilm(_ fixture: Fixture, client: FakePeer, token: TokenSource? = nil) async throws {
        let own = try Fixture.folder()
        defer { try? FileManager.default.removeItem(atPath: own) }
        // The coordinator's folder lies outside of its roots.
        var configuration = SlotConfiguration(
            endpoint: fixture.endpoint, workerName: "w", slotName: "w/1-a", roots: [own], watchStandardInput: false)
        configuration.dataFolder = own + "/data"
        configuration.tokenSource = token
        let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let slot = try WorkerSlot(configuration, logger: quiet, exitNow: { _ in }) {
            _, _, _, key, path, progress, _ in
            // chunk-000002-1.nut
            let number = path.split(separator: "/").last?.split(separator: "-").dropFirst().first
            guard path.hasPrefix(own), let chunk = number.flatMap({ Int($0) }) else { throw FakePeer.NothingCame() }
            progress(25, 25)
            let content = FakeMediaWork.content(chunk)
            try content.write(toFile: path, atomically: true, encoding: .utf8)
            let record = Self.record(key, of: content)
            try JSONEncoder().encode(record).write(to: URL(fileURLWithPath: path + ".json"))
            return [record]
        }
        async let status = onThread { slot.run() }
        #expect(try await client.watch(try await client.submit(fixture.request)).state == .completed)
        let film = (0..<3).map { FakeMediaWork.content($0) }.joined()
        #expect(try String(contentsOfFile: fixture.output, encoding: .utf8) == film)
        slot.terminate()
        _ = await status
        // Nothing is left in its outbox.
        let outbox = own + "/data/slots/1-a/outbox"
        #expect(try FileManager.default.contentsOfDirectory(atPath: outbox).isEmpty)
        await fixture.end(client)
    }
}
