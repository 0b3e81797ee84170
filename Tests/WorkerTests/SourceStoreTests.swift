import Diagnostics
import Foundation
import Hashing
import MediaFacts
import MediaTime
import Outputs
import Planning
import Rendering
import SourceBlocks
import SplitreelFiles
import Synchronization
import TestTools
import Testing
import Threads
import Worker

/// One worker's network half, and the lines of its slots.
@Suite("The sources of a job") struct SourceStoreTests {
    private static let path = "/far/a.mov"
    private static let length = 3_000_000

    private let folder: TestFolder
    private let bytes: [UInt8]
    private let map: BlockMap
    private let index: [UInt8] = Array("an index".utf8)

    init() throws {
        folder = try TestFolder("store")
        var dice = SeededNumbers(seed: 5)
        let words = (0..<Self.length / 8).map { _ -> UInt64 in dice.next() }
        bytes = words.withUnsafeBytes { Array($0) }
        map = try BlockMap(of: LocalFile(path: folder.write(Data(bytes), to: "a.bin")))
    }

    /// The coordinator's end.
    private final class Hands: SourceHands {
        private let bytes: [UInt8]
        private let own: BlockMap
        private let index: [UInt8]
        let asked = Mutex<[String]>([])

        init(_ bytes: [UInt8], _ map: BlockMap, index: [UInt8]) {
            self.bytes = bytes
            own = map
            self.index = index
        }

        func map(ofFile path: String, stop: WorkStop) throws -> [UInt8] {
            asked.withLock { $0.append("map \(path)") }
            return own.written
        }

        func object(_ sum: String, stop: WorkStop) throws -> [UInt8]? {
            asked.withLock { $0.append("object") }
            return sum == sha256(index) ? index : nil
        }

        func fetch(_ range: Range<Int>, ofFile path: String, stop: WorkStop) throws -> [UInt8] {
            asked.withLock { $0.append("\(range.lowerBound) of \(path)") }
            return Array(bytes[range])
        }
    }

    private func plan() -> RenderPlan {
        let facts = AssetFacts(
            kind: .media, path: Self.path, byteCount: Int64(bytes.count), edgeHash: map.edgeHash,
            contentSum: sha256(index), mark: "1 2 3")
        return RenderPlan(
            rendererVersion: RenderPlan.currentRendererVersion, composition: "{}", assets: ["a": facts],
            output: OutputSettings(container: .mkv, video: nil, audio: nil),
            range: TimeRange(start: .zero, duration: MediaTime(value: 1, timescale: 25)),
            frameDuration: MediaTime(value: 1, timescale: 25), frameCount: 0, sampleRate: 0, sampleCount: 0, chunks: [])
    }

    /// Two slots, each with a line of its own, want the same blocks: these come once.
    @Test func slotsShareWhatIsFetched() throws {
        let hands = Hands(bytes, map, index: index)
        let store = SourceStore(hands: hands, cache: try BlockCache(in: folder.path, limit: 16 << 20))
        let plan = plan()
        let facts = try #require(plan.assets["a"])
        #expect(plan.sourceNumbers == [Self.path: 0])
        let pool = ThreadPool(name: "desk", size: 4)
        for _ in 0..<2 {
            var ends: [Int32] = [-1, -1]
            let failed = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
            try #require(failed == 0)
            let network = ends[1]
            let desk = try DedicatedThread(name: "desk", stackBytes: 1 << 20) {
                store.serve(plan, on: network, pool: pool, stop: WorkStop())
            }
            do {
                let side = LineSide(line: BlockLine(descriptor: ends[0]), plan: plan)
                let stop = WorkStop()
                #expect(try side.map(of: facts, stop: stop) == map && side.index(of: facts, stop: stop) == index)
                let sources = FarSources(
                    sight: SourceSight(maps: .same, opensPaths: false), roots: try Roots([]), side: side)
                let source = try #require(try sources.source(of: facts, for: .pictures))
                #expect(try source.read(at: 0, count: bytes.count) == bytes)
            }
            desk.join()
        }
        let asked = hands.asked.withLock { $0 }
        #expect(asked.count { $0.hasPrefix("map") } == 1)
        let blocks = asked.filter { $0.hasSuffix("of " + Self.path) }.sorted()
        #expect(blocks == ["0", "1048576", "2097152"].map { "\($0) of \(Self.path)" })
        #expect(store.count[.block].fetched == bytes.count)
    }

    @Test func aMapThatIsNoneIsSaid() throws {
        let store = SourceStore(hands: Broken(), cache: nil)
        let facts = try #require(plan().assets["a"])
        let error = #expect(throws: SplitreelError.self) { try store.map(of: facts, stop: WorkStop()) }
        #expect(error?.code == .malformedMessage && error?.subject.contains(Self.path) == true)
    }

    /// Hands that bring nonsense.
    private struct Broken: SourceHands {
        func map(ofFile path: String, stop: WorkStop) throws -> [UInt8] { [1, 2, 3] }
        func object(_ sum: String, stop: WorkStop) throws -> [UInt8]? { nil }
        func fetch(_ range: Range<Int>, ofFile path: String, stop: WorkStop) throws -> [UInt8] { [] }
    }
}
