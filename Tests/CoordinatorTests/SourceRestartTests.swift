import Diagnostics
import FarmProtocol
import Foundation
import Hashing
import Logging
import Outputs
import Planning
import Rendering
import Scheduling
import SplitreelFiles
import Testing
import Threads
import Worker

/// A real slot that sees nothing reads a source while its coordinator ends, and another one begins.
@Suite("A coordinator that restarts while a source is read", .timeLimit(.minutes(5)))
struct SourceRestartTests {
    /// The render's thread and the test, in step.
    private struct Steps: Sendable {
        /// Opened when the first block is read.
        let begun = Latch()
        /// Opened when the coordinator is gone.
        let isAway = Latch()
        let read = OneShot<[UInt8]>()
    }

    @Test func theRenderWaitsAndGoesOn() async throws {
        let own = try Fixture.folder()
        defer { try? FileManager.default.removeItem(atPath: own) }
        let folder = try Fixture.folder()
        let file = try FarFile(in: folder)
        let work = FakeMediaWork(chunks: 1, hasSound: false, assets: ["a": file.facts])
        let before = try await Fixture(folder: folder, mediaWork: work, change: Fixture.waitLong)
        let client = try await FakePeer(before.endpoint)
        let steps = Steps()
        let slot = try Self.slot(before.endpoint, own, steps)
        async let status = onThread { slot.run() }
        let job = try await client.submit(before.request)
        await onThread { steps.begun.wait() }

        await before.end(client, keepFolder: true)
        steps.isAway.open()
        let after = try await Fixture(folder: folder, mediaWork: work, change: Fixture.waitLong)
        let watcher = try await FakePeer(after.endpoint)
        let report = try await watcher.watch(job)
        #expect(report.state == .completed && report.chunks.map(\.attempt) == [1])
        #expect(steps.read.value == file.bytes)
        // A block and what is left, each once, of one slot that had nothing.
        let length = UInt64(file.bytes.count)
        #expect(report.bytesNeeded == length && report.bytesFetched == length)
        #expect(report.soundBytesNeeded == 0 && report.soundBytesFetched == 0)
        slot.terminate()
        _ = await status
        await after.end(watcher)
    }

    /// A slot that must look at nothing but a folder of its own.
    private static func slot(_ endpoint: String, _ own: String, _ steps: Steps) throws -> WorkerSlot {
        var configuration = SlotConfiguration(
            endpoint: endpoint, workerName: "w", slotName: "w/1-a", roots: [own], watchStandardInput: false)
        configuration.dataFolder = own + "/data"
        configuration.limits.reconnect = .milliseconds(500)
        try configuration.decideOpening()
        let opener = configuration.opener
        let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        return try WorkerSlot(configuration, logger: quiet, exitNow: { _ in }) { plan, _, _, key, path, progress, _ in
            guard let facts = plan.assets["a"], let source = try opener?.source(of: facts, for: .pictures) else {
                throw FakePeer.NothingCame()
            }
            let start = try source.read(at: 0, count: 1_048_576)
            steps.begun.open()
            steps.isAway.wait()
            let rest = try source.read(at: start.count, count: source.byteCount - start.count)
            steps.read.set(start + rest)
            progress(25, 25)
            let content = FakeMediaWork.content(0)
            try content.write(toFile: path, atomically: true, encoding: .utf8)
            let record = SegmentRecord(
                media: .video, count: 25, packetCount: 25, extradataHash: String(repeating: "0", count: 64),
                fileHash: sha256(Data(content.utf8)), byteCount: 1, key: key, notices: NoticeList())
            try JSONEncoder().encode(record).write(to: URL(fileURLWithPath: path + ".json"))
            return [record]
        }
    }
}
