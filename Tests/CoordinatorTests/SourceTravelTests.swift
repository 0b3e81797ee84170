import DataPlane
import Diagnostics
import FarmProtocol
import Foundation
import Hashing
import MediaFacts
import Planning
import SourceBlocks
import SplitreelFiles
import TestTools
import Testing
import Threads
import Transfer

/// A file that a plan reads, and that no worker sees.
struct FarFile {
    let path: String
    let bytes: [UInt8]
    let facts: AssetFacts

    /// A file of two blocks, the second one short. Its edges are all of it.
    init(in folder: String, kind: AssetFacts.Kind = .data) throws {
        path = folder + "/far.bin"
        bytes = (0..<Self.length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let mark = try LocalFile.settled(path: path).identity.mark
        facts = AssetFacts(
            kind: kind, path: path, byteCount: Int64(Self.length), edgeHash: sha256(bytes), contentSum: sha256(bytes),
            mark: mark)
    }

    private static let length = 1_500_000
}

/// Runs what blocks on a thread of its own.
private func apart<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await onThread { Result { try body() } }.get()
}

/// The sources of a plan over the data socket.
@Suite("Sources over the data socket", .timeLimit(.minutes(5)))
struct SourceTravelTests {
    @Test func theMapComesWithTheBytesThatItIsOf() async throws {
        let folder = try Fixture.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = try FarFile(in: folder)
        let path = file.path
        let bytes = file.bytes
        let farm = try await LeasedFarm(assets: ["a": file.facts])
        let line = try DataLine(slot: "w/1")
        line.start()
        line.link(to: farm.dataEndpoint)
        let job = farm.job
        let written = try await apart {
            try line.fetchWhole(.blockMap(path: path), of: job, most: 1 << 20, stop: WorkStop())
        }
        let map = try #require(BlockMap(written))
        #expect(map.byteCount == bytes.count && map.edgeHash == sha256(bytes))
        let first = Array(bytes[..<1_048_576])
        let second = Array(bytes[1_048_576...])
        #expect(map.holds(first, BlockUnit(.block, 0)) && map.holds(second, BlockUnit(.block, 1)))
        let name = try #require(file.facts.blockMapName)
        #expect(farm.folderNames.contains(name))
        let range = try await apart {
            try line.fetch(.source(path: path), of: job, at: 1_048_576, count: 1000, stop: WorkStop())
        }
        #expect(range == Array(second.prefix(1000)))
        // No file of the plan.
        let stranger = await #expect(throws: SplitreelError.self) {
            _ = try await apart {
                try line.fetchWhole(.blockMap(path: "/etc/passwd"), of: job, most: 1 << 20, stop: WorkStop())
            }
        }
        #expect(stranger?.code == .refused)
        await onThread { line.stop() }
        await farm.end()
    }

    /// Whoever has the plan sent asks for the maps of its films next: they are begun with it.
    @Test func thePlanBringsTheMapsOfItsFilms() async throws {
        let folder = try Fixture.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = try FarFile(in: folder, kind: .media)
        let farm = try await LeasedFarm(assets: ["a": file.facts])
        let name = try #require(file.facts.blockMapName)
        #expect(!farm.folderNames.contains(name))
        let line = try DataLine(slot: "w/1")
        line.start()
        line.link(to: farm.dataEndpoint)
        let job = farm.job
        let plan = try #require(bytes(ofSHA256: farm.lease.planHash))
        _ = try await apart { try line.fetchObject(plan, of: job, most: 1 << 20, stop: WorkStop()) }
        #expect(await onThread { eventually(seconds: 60) { farm.folderNames.contains(name) } })
        let map = try BlockMap(keptIn: farm.lease.folder + "/" + name)
        #expect(map.byteCount == file.bytes.count && map.edgeHash == sha256(file.bytes))
        await onThread { line.stop() }
        await farm.end()
    }

    /// Another file under the plan's path has no map: whoever renders is told that the source was changed.
    @Test func aFileThatWasWrittenToHasNoMap() async throws {
        let folder = try Fixture.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = try FarFile(in: folder)
        let path = file.path
        let farm = try await LeasedFarm(assets: ["a": file.facts])
        try Data(file.bytes).write(to: URL(fileURLWithPath: path))
        let line = try DataLine(slot: "w/1")
        line.start()
        line.link(to: farm.dataEndpoint)
        let job = farm.job
        let error = await #expect(throws: SplitreelError.self) {
            _ = try await apart { try line.fetchWhole(.blockMap(path: path), of: job, most: 1 << 20, stop: WorkStop()) }
        }
        #expect(error?.code == .mediaChanged && error?.subject.contains(path) == true)
        await onThread { line.stop() }
        await farm.end()
    }

    /// Whoever asked before there was a link gets the bytes when there is one, as after a link that broke.
    @Test func aLinkThatComesLaterBringsTheBytes() async throws {
        let folder = try Fixture.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = try FarFile(in: folder)
        let path = file.path
        let bytes = file.bytes
        let farm = try await LeasedFarm(assets: ["a": file.facts])
        let line = try DataLine(slot: "w/1")
        line.start()
        line.link(to: "ipc:///nowhere/at/all")
        let job = farm.job
        async let range = apart {
            try line.fetch(.source(path: path), of: job, at: 10, count: 1_000_000, stop: WorkStop())
        }
        line.link(to: farm.dataEndpoint)
        #expect(try await range == Array(bytes[10..<1_000_010]))
        await onThread { line.stop() }
        await farm.end()
    }

    /// Nobody is there: the stop of the render ends the waiting.
    @Test func aStopLetsGoOfBytesThatDoNotCome() async throws {
        let line = try DataLine(slot: "w/1")
        line.start()
        line.link(to: "ipc:///nowhere/at/all")
        let stop = WorkStop()
        let outcome = OneShot<ErrorCode?>()
        startThread("fetch") {
            do {
                _ = try line.fetch(.source(path: "/a"), of: "j", at: 0, count: 1, stop: stop)
                outcome.set(nil)
            } catch {
                outcome.set((error as? SplitreelError)?.code)
            }
        }
        stop.stop()
        #expect(await onThread { outcome.wait() } == .cancelled)
        await onThread { line.stop() }
    }
}
