import Diagnostics
import Foundation
import Glibc
import Hashing
import MediaFacts
import MediaTime
import Outputs
import Pictures
import Planning
import Rendering
import SourceBlocks
import SplitreelFiles
import TestTools
import Testing
import Threads
import Worker

/// A media half whose job has a file that this machine does not see.
@Suite("The sources of a media half", .timeLimit(.minutes(2)))
struct HalfSourcesTests {
    private static let path = "/far/a.mov"
    private static let length = 2_500_000

    private let folder: TestFolder
    private let bytes: [UInt8]
    private let map: BlockMap

    init() throws {
        folder = try TestFolder("half-sources")
        var dice = SeededNumbers(seed: 7)
        let words = (0..<Self.length / 8).map { _ -> UInt64 in dice.next() }
        bytes = words.withUnsafeBytes { Array($0) }
        map = try BlockMap(of: LocalFile(path: folder.write(Data(bytes), to: "a.bin")))
    }

    /// The coordinator's end.
    private struct Hands: SourceHands {
        let bytes: [UInt8]
        let whole: BlockMap

        func map(ofFile path: String, stop: WorkStop) throws -> [UInt8] { whole.written }
        func object(_ sum: String, stop: WorkStop) throws -> [UInt8]? { nil }
        func fetch(_ range: Range<Int>, ofFile path: String, stop: WorkStop) throws -> [UInt8] { Array(bytes[range]) }
    }

    private var facts: AssetFacts {
        AssetFacts(
            kind: .media, path: Self.path, byteCount: Int64(bytes.count), edgeHash: map.edgeHash, contentSum: "1",
            mark: "1 2 3")
    }

    private func plan() -> RenderPlan {
        RenderPlan(
            rendererVersion: RenderPlan.currentRendererVersion, composition: "{}", assets: ["a": facts],
            output: OutputSettings(
                container: .mkv,
                video: VideoSettings(
                    codec: .ffv1, size: PixelSize(width: 16, height: 16), format: .yuv420p, colour: .bt709, crf: nil,
                    bitRate: nil, preset: "", keyFrameInterval: 1),
                audio: AudioSettings(codec: .flac, bitRate: nil, sampleRate: 48000, channels: 2)),
            range: TimeRange(start: .zero, duration: MediaTime(value: 10, timescale: 25)),
            frameDuration: MediaTime(value: 1, timescale: 25), frameCount: 10, sampleRate: 48000, sampleCount: 19200,
            chunks: [Chunk(index: 0, kind: .source, firstFrame: 0, frameCount: 10, cost: 10, why: "test")])
    }

    private static func pair() throws -> (ours: Int32, theirs: Int32) {
        var ends: [Int32] = [-1, -1]
        let failed = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        try #require(failed == 0)
        return (ends[0], ends[1])
    }

    /// It asks over its second line and gets the file's bytes; what it needed is told by it, and what came by the
    /// other half.
    @Test func blocksComeOverTheSecondLine() throws {
        let hands = LineHands()
        let store = SourceStore(hands: Hands(bytes: bytes, whole: map), cache: nil, count: hands.count)
        var configuration = SlotConfiguration(
            endpoint: "tcp://far:7733", workerName: "w", slotName: "w/1", watchStandardInput: false)
        configuration.dataFolder = folder.path
        configuration.sourceHands = hands
        configuration.sourceStore = store
        configuration.opener = FarSources(
            sight: SourceSight(maps: .same, opensPaths: false), roots: try Roots([]), side: store,
            folder: folder.file("slots/1/sources"))
        let plan = self.plan()
        let key = ContentKey(of: [1])
        let record = SegmentRecord(
            media: .video, count: 10, packetCount: 10, extradataHash: "",
            fileHash: String(repeating: "ab", count: 32), byteCount: 1, key: key)
        let ownFacts = facts
        let ownBytes = bytes
        let half = MediaHalf(
            configuration,
            start: { takesBlocks in
                #expect(takesBlocks)
                let line = try Self.pair()
                let blocks = try Self.pair()
                startThread("media") {
                    serveMediaHalf(on: line.theirs, blocks: blocks.theirs) { opener in
                        { _, _, _, _, _, _, _ in
                            let source = try #require(try opener?.source(of: ownFacts, for: .pictures))
                            #expect(try source.read(at: 0, count: ownBytes.count) == ownBytes)
                            return [record]
                        }
                    }
                }
                return HalfProcess(line: line.ours, blocks: blocks.ours)
            }, onCrash: { status in Issue.record("it ended with \(status)") })
        let made = try half.render(
            plan: plan, planHash: try plan.hash(), task: .chunk(0), key: key, segmentPath: folder.file("s.nut"),
            progress: { _, _ in }, cancellation: Cancellation())
        #expect(made == [record])
        #expect(hands.count[.block].needed == bytes.count && hands.count[.block].fetched == bytes.count)
        half.end()
    }
}
