import Diagnostics
import Foundation
import MediaFacts
import MediaReading
import Planning
import Rendering
import SourceBlocks
import SplitreelFiles
import Synchronization
import TestTools
import Testing
import Threads

/// Renders from sources that this machine does not see: their files lie under another name, which only the far end
/// knows.
@Suite("Sources from afar", .serialized) struct FarSourcesTests {
    private let fixture: RenderFixture
    private static let block = 1 << 20

    init() throws { fixture = try RenderFixture("far") }

    /// A far end with one file, which counts what it sends and throws dice.
    private final class Far: FarSide, BlockFetcher {
        private let file: LocalFile
        private let own: BlockMap
        private let dice: Mutex<SeededNumbers>
        /// One of so many fetches fails; 0 for none.
        private let odds: Int
        let ranges = Mutex<[Range<Int>]>([])
        /// The index that is sent; nil for none.
        let sentIndex = Mutex<[UInt8]?>(nil)
        /// The cache of what came; nil for none.
        let cache = Mutex<BlockCache?>(nil)
        /// Whether nothing comes until the work is stopped.
        let isSilent = Mutex(false)

        init(_ path: String, odds: Int = 0, seed: UInt64 = 1) throws {
            file = try LocalFile(path: path)
            own = try BlockMap(of: file)
            dice = Mutex(SeededNumbers(seed: seed))
            self.odds = odds
        }

        var byteCount: Int { ranges.withLock { $0.reduce(0) { $0 + $1.count } } }

        func map(of facts: AssetFacts, stop: WorkStop) throws -> BlockMap {
            try #require(BlockMap(own.written))
        }

        func index(of facts: AssetFacts, stop: WorkStop) throws -> [UInt8]? { sentIndex.withLock { $0 } }

        func supply(of facts: AssetFacts, map: BlockMap, count: TransferCount) throws -> any BlockSupply {
            CachedBlocks(name: facts.path, map: map, cache: cache.withLock { $0 }, fetcher: self, count: count)
        }

        func fetch(_ range: Range<Int>, stop: WorkStop) throws -> [UInt8] {
            ranges.withLock { $0.append(range) }
            let pause = Latch()
            while isSilent.withLock({ $0 }), !pause.isOpen(within: .milliseconds(10)) { try stop.check(file.name) }
            var bytes = try file.read(at: range.lowerBound, count: range.count)
            guard odds > 0 else { return bytes }
            let fault = dice.withLock { $0.next(in: 0..<odds) }
            if fault == 0 { throw notDelivered(file.name, "the dice said so") }
            if fault == 1 { bytes[bytes.count / 3] ^= 1 }
            return bytes
        }
    }

    /// The opener of a worker that sees no file, with a cache of its own or a given one.
    private func makeSources(_ far: Far, cache name: String) throws -> FarSources {
        let cache = try BlockCache(in: fixture.folder.folder(name), limit: 64 << 20)
        far.cache.withLock { $0 = cache }
        return FarSources(sight: SourceSight(maps: .same, opensPaths: false), roots: try Roots([]), side: far)
    }

    /// Moves the plan's file to where only the far end looks, its index beside the plan; the path there.
    private func takeAway(_ path: String, of plan: RenderPlan, to folder: String) throws -> String {
        let facts = try #require(plan.assets["a"])
        try writeIndex(of: path, to: folder + "/" + #require(facts.indexName))
        let hidden = path + ".hidden"
        try FileManager.default.moveItem(atPath: path, toPath: hidden)
        return hidden
    }

    private func project(_ path: String, seconds: String, size: (Int, Int)) -> String {
        Text.project(
            ["a": path], [Text.track(1, "video", Text.clip("a", "0s", seconds, at: "0s"))], size: size, frame: "1/25")
    }

    /// The blocks that hold the film's header, its index and the packets of frames, as ffprobe has them. Every frame of
    /// the film is a key frame.
    private func neededBlocks(_ path: String, frames: Range<Int>) throws -> Set<Int> {
        func number(_ packet: [String: Any], _ key: String) throws -> Int {
            try #require((packet[key] as? String).flatMap { Int($0) })
        }
        var packets: [Range<Int>] = []
        for packet in try fixture.witness.packets(path, stream: "v:0") {
            let place = try number(packet, "pos")
            packets.append(place..<place + (try number(packet, "size")))
        }
        let size = try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
        let end = try #require(packets.map(\.upperBound).max())
        var blocks: Set<Int> = [0]
        for range in Array(packets[frames]) + [end..<size] {
            let (first, last) = (range.lowerBound / Self.block, (range.upperBound - 1) / Self.block)
            blocks.formUnion(first...last)
        }
        return blocks
    }

    /// A film of some 24 MB, of which a worker renders one second in the middle.
    @Test func aChunkReadsLittleMoreThanItNeeds() throws {
        let path = try fixture.film(
            "long.mov", 150,
            coding: ["-vf", "pad=640:360,noise=alls=100:all_seed=1", "-c:v", "mjpeg", "-q:v", "2"])
        let plan = try fixture.plan(project(path, seconds: "6s", size: (640, 360))) {
            $0.rendering.chunkSeconds = "1s"
        }
        let local = try fixture.render(plan, .chunk(3), to: "local.nut").path
        let needed = try neededBlocks(path, frames: plan.chunks[3].frames)
        let folder = try fixture.folder.folder("plan")
        let far = try Far(try takeAway(path, of: plan, to: folder))
        let sources = try makeSources(far, cache: "cache")
        let made = try fixture.render(
            plan, .chunk(3), to: folder + "/3.nut", with: SegmentRenderer(opener: sources))
        #expect(try fixture.witness.frameHashes(made.path) == fixture.witness.frameHashes(local))
        #expect(plan.chunks[3].frames.count == 25 && needed.count >= 4)
        #expect(far.byteCount * 10 <= needed.count * Self.block * 13, "\(far.byteCount) bytes, \(needed.count) blocks")
        #expect(sources.count[.block].fetched == far.byteCount)
        #expect(sources.count[.block].needed * 13 >= far.byteCount * 10)
        #expect(Set(far.ranges.withLock { $0 }).count == far.ranges.withLock { $0.count }, "each block once")
        // A second job of the same worker: the blocks are there.
        let later = try Far(path + ".hidden")
        _ = try fixture.render(
            plan, .chunk(3), to: folder + "/again.nut",
            with: SegmentRenderer(opener: try makeSources(later, cache: "cache")))
        #expect(later.byteCount == 0)
    }

    /// The index is not beside the worker's plan: it is sent, and the film is not read through for one.
    @Test func anIndexThatIsSentSparesReadingTheFilm() throws {
        let path = try fixture.film(
            "sent.mov", 100, coding: ["-vf", "pad=640:360,noise=alls=100:all_seed=2", "-c:v", "mjpeg", "-q:v", "2"])
        let plan = try fixture.plan(project(path, seconds: "4s", size: RenderFixture.size)) {
            $0.rendering.chunkSeconds = "1s"
        }
        let local = try fixture.render(plan, .chunk(2), to: "local.nut").path
        let name = try #require(plan.assets["a"]?.indexName)
        let kept = try fixture.folder.folder("kept")
        let far = try Far(try takeAway(path, of: plan, to: kept))
        let index = [UInt8](try Data(contentsOf: URL(filePath: kept + "/" + name)))
        far.sentIndex.withLock { $0 = index }
        let folder = try fixture.folder.folder("worker")
        let made = try fixture.render(
            plan, .chunk(2), to: folder + "/2.nut", with: SegmentRenderer(opener: try makeSources(far, cache: "cache")))
        #expect(try fixture.witness.frameHashes(made.path) == fixture.witness.frameHashes(local))
        let size = try #require(FileManager.default.attributesOfItem(atPath: path + ".hidden")[.size] as? Int)
        #expect(FileManager.default.fileExists(atPath: folder + "/" + name))
        #expect(far.byteCount <= size / 2, "\(far.byteCount) of \(size) bytes")
    }

    /// The folder of a segment may go before the next chunk is rendered: what is made of sources lies elsewhere.
    @Test func indexesOutliveTheFoldersOfSegments() throws {
        let path = try fixture.film("outlive.mkv", 50)
        let plan = try fixture.plan(project(path, seconds: "2s", size: RenderFixture.size)) {
            $0.rendering.chunkSeconds = "1s"
        }
        let name = try #require(plan.assets["a"]?.indexName)
        let kept = try fixture.folder.folder("kept")
        let far = try Far(try takeAway(path, of: plan, to: kept))
        let index = [UInt8](try Data(contentsOf: URL(filePath: kept + "/" + name)))
        far.sentIndex.withLock { $0 = index }
        let base = try fixture.folder.folder("made")
        let left = try fixture.folder.folder("made/another-plan")
        let sources = FarSources(
            sight: SourceSight(maps: .same, opensPaths: false), roots: try Roots([]), side: far, folder: base)
        let renderer = SegmentRenderer(opener: sources)
        let first = try fixture.folder.folder("first")
        _ = try fixture.render(plan, .chunk(0), to: first + "/0.nut", with: renderer)
        try FileManager.default.removeItem(atPath: first)
        let made = try fixture.render(
            plan, .chunk(1), to: try fixture.folder.folder("second") + "/1.nut", with: renderer)
        #expect(try fixture.numbers(made.path) == Array(25..<50))
        let folders = try FileManager.default.contentsOfDirectory(atPath: base)
        #expect(folders.count == 1 && !FileManager.default.fileExists(atPath: left))
        #expect(FileManager.default.fileExists(atPath: "\(base)/\(folders.first ?? "")/\(name)"))
    }

    /// A damaged index is not taken up; the film is read through, and is the same.
    @Test func aDamagedIndexIsNotTakenUp() throws {
        let path = try fixture.film("damaged.mkv", 25)
        let plan = try fixture.plan(project(path, seconds: "1s", size: RenderFixture.size))
        let name = try #require(plan.assets["a"]?.indexName)
        let kept = try fixture.folder.folder("kept")
        let far = try Far(try takeAway(path, of: plan, to: kept))
        let index = [UInt8](try Data(contentsOf: URL(filePath: kept + "/" + name)))
        far.sentIndex.withLock { $0 = Array(index.dropLast()) + [index[0]] }
        let folder = try fixture.folder.folder("worker")
        let made = try fixture.render(
            plan, .chunk(0), to: folder + "/0.nut", with: SegmentRenderer(opener: try makeSources(far, cache: "cache")))
        #expect(try fixture.numbers(made.path) == Array(0..<25))
        #expect(!FileManager.default.fileExists(atPath: folder + "/" + name))
    }

    /// The half that renders has a descriptor; cache, index and the far end are the other half's.
    @Test func aSlotsMediaHalfRendersWithADescriptorAlone() throws {
        let path = try fixture.film("line.mp4", 50, coding: ["-c:v", "libx264", "-crf", "12", "-g", "20", "-bf", "2"])
        let plan = try fixture.plan(project(path, seconds: "2s", size: RenderFixture.size)) {
            $0.rendering.chunkSeconds = "1s"
        }
        let facts = try #require(plan.assets["a"])
        let kept = try fixture.folder.folder("kept")
        let far = try Far(try takeAway(path, of: plan, to: kept))
        let name = try #require(facts.indexName)
        let index = [UInt8](try Data(contentsOf: URL(filePath: kept + "/" + name)))
        let map = try far.map(of: facts, stop: WorkStop())
        let served = ServedSource(
            map: map, supply: try far.supply(of: facts, map: map, count: TransferCount()), index: { index })
        let own = try #require(plan.sourceNumbers[path])
        var ends: [Int32] = [-1, -1]
        let failed = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        try #require(failed == 0)
        let network = ends[1]
        let desk = try DedicatedThread(name: "desk", stackBytes: 1 << 20) {
            serveBlocks(on: network, pool: ThreadPool(name: "desk", size: 2), stop: WorkStop()) { number in
                number == own ? served : nil
            }
        }
        let folder = try fixture.folder.folder("worker")
        do {
            let side = LineSide(line: BlockLine(descriptor: ends[0]), plan: plan)
            let sources = FarSources(
                sight: SourceSight(maps: .same, opensPaths: false), roots: try Roots([]), side: side)
            let made = try fixture.render(
                plan, .chunk(1), to: folder + "/1.nut", with: SegmentRenderer(opener: sources))
            let numbers = try fixture.numbers(made.path)
            #expect(numbers == Array(plan.chunks[1].frames) && numbers.last == 49)
        }
        desk.join()
        #expect(FileManager.default.fileExists(atPath: folder + "/" + name))
    }

    /// Fetches fail and bring wrong bytes. An attempt ends with an error that can be tried again, or with the film.
    @Test func diceDoNotChangeAFilm() throws {
        let tone = SoundMedia.tone(440, count: 144_000, rate: 48_000)
        let wave = try fixture.wave("tone.wav", [tone])
        let path = fixture.folder.file("dice.mp4")
        try NumberedMedia.write(
            75, rate: "25", to: path,
            coding: [
                "-vf", "noise=alls=40:all_seed=1", "-c:v", "libx264", "-preset", "ultrafast", "-qp", "8", "-g", "15",
                "-bf", "2", "-c:a", "aac",
            ], sound: wave, with: fixture.witness)
        let text = Text.project(
            ["a": path],
            [
                Text.track(1, "video", Text.clip("a", "0s", "3s", at: "0s")),
                Text.track(2, "audio", Text.clip("a", "0s", "3s", at: "0s")),
            ], size: RenderFixture.size, frame: "1/25")
        let plan = try fixture.plan(text) { $0.rendering.chunkSeconds = "1s" }
        let tasks: [RenderTask] = [.chunk(1), .audio(parts: [])]
        let local = try tasks.enumerated().map { try fixture.render(plan, $1, to: "local\($0).nut").path }
        let folder = try fixture.folder.folder("plan")
        let hidden = try takeAway(path, of: plan, to: folder)
        for (number, task) in tasks.enumerated() {
            let far = try Far(hidden, odds: 4, seed: UInt64(number + 1))
            let renderer = SegmentRenderer(opener: try makeSources(far, cache: "cache\(number)"))
            var made: String?
            var failures = 0
            while made == nil, failures < 200 {
                do {
                    made = try fixture.render(plan, task, to: folder + "/\(number).nut", with: renderer).path
                } catch let error as SplitreelError {
                    failures += 1
                    #expect(error.code == .mediaNotDelivered || error.code == .mediaChanged, "\(error)")
                }
            }
            let film = try #require(made)
            switch task {
            case .chunk:
                #expect(try fixture.witness.frameHashes(film) == fixture.witness.frameHashes(local[number]))
            default: #expect(try fixture.witness.soundHash(film) == fixture.witness.soundHash(local[number]))
            }
        }
    }

    /// The far end says nothing; the render is cancelled.
    @Test func aCancelledRenderDoesNotWaitForBytes() throws {
        let path = try fixture.film("silent.mkv", 25)
        let plan = try fixture.plan(project(path, seconds: "1s", size: RenderFixture.size))
        let folder = try fixture.folder.folder("plan")
        let far = try Far(try takeAway(path, of: plan, to: folder))
        far.isSilent.withLock { $0 = true }
        let renderer = SegmentRenderer(opener: try makeSources(far, cache: "cache"))
        let cancellation = Cancellation()
        let waiter = try DedicatedThread(name: "canceller", stackBytes: 1 << 20) {
            _ = eventually(seconds: 20) { far.ranges.withLock { !$0.isEmpty } }
            cancellation.cancel()
        }
        let error = #expect(throws: SplitreelError.self) {
            try fixture.render(plan, .chunk(0), to: folder + "/0.nut", with: renderer, cancellation: cancellation)
        }
        waiter.join()
        #expect(error?.code == .cancelled)
        // The next attempt of the same process reads on.
        far.isSilent.withLock { $0 = false }
        let made = try fixture.render(plan, .chunk(0), to: folder + "/1.nut", with: renderer)
        #expect(try fixture.numbers(made.path) == Array(0..<25))
    }

    @Test func aFileThatIsSeenUnderAMappedPathIsRead() throws {
        let path = try fixture.film("mapped.mkv", 25)
        let plan = try fixture.plan(project(path, seconds: "1s", size: RenderFixture.size))
        let folder = try fixture.folder.folder("elsewhere")
        let far = try Far(path)
        try FileManager.default.moveItem(atPath: path, toPath: folder + "/mapped.mkv")
        let sources = FarSources(
            sight: SourceSight(maps: try PathMaps(["\(fixture.folder.path)=\(folder)"]), opensPaths: true),
            roots: try Roots([folder]), side: far)
        let made = try fixture.render(plan, .chunk(0), with: SegmentRenderer(opener: sources))
        #expect(try fixture.numbers(made.path) == Array(0..<25))
        #expect(far.byteCount == 0)
    }

    /// Nobody sends it, and no path leads to it.
    @Test func aFileThatIsNowhereIsToldWithAllPaths() throws {
        let path = try fixture.film("nowhere.mkv", 25)
        let plan = try fixture.plan(project(path, seconds: "1s", size: RenderFixture.size))
        let facts = try #require(plan.assets["a"])
        let maps = try PathMaps(["\(fixture.folder.path)=/nonexistent"])
        let sources = FarSources(sight: SourceSight(maps: maps, opensPaths: true), roots: try Roots([]))
        try sources.check(facts)
        try FileManager.default.removeItem(atPath: path)
        let bodies: [() throws -> Void] = [
            { try sources.check(facts) }, { _ = try sources.source(of: facts, for: .sound) },
        ]
        for body in bodies {
            let error = #expect(throws: SplitreelError.self) { try body() }
            #expect(error?.code == .mediaNotFound)
            #expect(error?.reason == "/nonexistent/nowhere.mkv is not there; \(path) is not there")
        }
        _ = try fixture.film("nowhere.mkv", 25, first: 9)
        let error = #expect(throws: SplitreelError.self) { try sources.check(facts) }
        #expect(error?.code == .mediaChanged)
    }

    /// Under the plan's path lies another file, and the coordinator has the planned one.
    @Test func anotherFileOfTheSameNameIsNotRead() throws {
        let path = try fixture.film("twice.mkv", 25)
        let plan = try fixture.plan(project(path, seconds: "1s", size: RenderFixture.size))
        let folder = try fixture.folder.folder("plan")
        let far = try Far(try takeAway(path, of: plan, to: folder))
        _ = try fixture.film("twice.mkv", 25, first: 300)
        let sources = FarSources(
            sight: SourceSight(maps: .same, opensPaths: true), roots: try Roots([]), side: far)
        let made = try fixture.render(plan, .chunk(0), to: folder + "/0.nut", with: SegmentRenderer(opener: sources))
        #expect(try fixture.numbers(made.path) == Array(0..<25))
        #expect(far.byteCount > 0)
    }

    @Test func aMapOfAnotherFileIsRefused() throws {
        let path = try fixture.film("own.mkv", 25)
        let other = try fixture.film("other.mkv", 25, first: 300)
        let plan = try fixture.plan(project(path, seconds: "1s", size: RenderFixture.size))
        let far = try Far(other)
        let renderer = SegmentRenderer(opener: try makeSources(far, cache: "cache"))
        let error = #expect(throws: SplitreelError.self) { try fixture.render(plan, .chunk(0), with: renderer) }
        #expect(error?.code == .mediaChanged && error?.subject.contains("own.mkv") == true)
        #expect(far.byteCount == 0)
    }
}
