import Foundation
import Hashing
import MediaFacts
import MediaTime
import Outputs
import Pictures
import Planning
import SplitreelProject
import SplitreelTimeline
import Testing

/// The keys of all tasks of a plan.
@Suite("Content keys") struct ContentKeyTests {
    private static func fixture() throws -> PlanFixture {
        try PlanFixture(frameDuration: "1/25", duration: "20s", instructions: nil)
    }

    private static func keys(
        _ fixture: PlanFixture, asked: (inout OutputRequest) -> Void = { _ in },
        changed change: (inout RenderPlan) -> Void = { _ in }
    ) throws -> (plan: RenderPlan, keys: [ContentKey]) {
        var plan = try fixture.plan {
            ($0.rendering.chunkSeconds, $0.rendering.soundPartSeconds) = ("4s", "5")
            asked(&$0)
        }
        change(&plan)
        return (plan, try contentKeys(of: plan, canvases: plan.outputs.map { _ in CommonPlanning(fixture.timeline) }))
    }

    @Test func everyTaskHasItsOwn() throws {
        let (plan, keys) = try Self.keys(try Self.fixture())
        #expect(plan.chunks.count == 5 && plan.soundPartCount == 4)
        #expect(keys.count == 5 + 1 + 4 && Set(keys).count == keys.count)
        #expect(plan.part(ofTask: keys.count - 1) == .soundPart(3) && plan.part(ofTask: keys.count) == nil)
        let (two, passes) = try Self.keys(try Self.fixture()) {
            ($0.picture.codec, $0.picture.bitRate, $0.picture.passes, $0.rendering.soundPartSeconds) = (
                "h264", 500_000, 2, "none"
            )
        }
        #expect(two.output.video?.isTwoPass == true)
        #expect(passes.count == 5 + 1 + 5 && Set(passes).count == passes.count)
        #expect(two.part(ofTask: passes.count - 1) == .analysis(4) && two.part(ofTask: passes.count) == nil)
    }

    /// Versions decide everything; settings of a stream decide that stream alone.
    @Test func whatDecidesWhichTasks() throws {
        let fixture = try Self.fixture()
        let (plan, keys) = try Self.keys(fixture)
        let (pictures, sounds) = (Set(0..<5), Set(5..<10))
        let changes: [(change: (inout RenderPlan) -> Void, decides: Set<Int>)] = [
            ({ $0.rendererVersion += 1 }, pictures.union(sounds)),
            ({ $0.versions = ["libavcodec 60.1.100"] }, pictures.union(sounds)),
            ({ $0.versions = [] }, pictures.union(sounds)), ({ $0.output.video?.crf = 40 }, pictures),
            ({ $0.output.video?.threads += 2 }, pictures), ({ $0.output.video?.preset += "r" }, pictures),
            ({ $0.output.video?.size.width += 2 }, pictures), ({ $0.output.video?.measuresLight = true }, pictures),
            ({ $0.output.audio?.channels = 1 }, sounds), ({ $0.output.audioTracks = [2] }, sounds),
            ({ $0.sampleCount -= 1 }, sounds), ({ $0.assets["a"]?.edgeHash = "" }, pictures.union(sounds)),
            ({ $0.assets["a"]?.byteCount = 1 }, pictures.union(sounds)), ({ $0.assets["a"]?.path = "/b" }, []),
            ({ $0.chunks[2].keyFrames = [3] }, [2]), ({ $0.chunks[4].encoderThreads = nil }, [4]),
            ({ $0.chunks[0].encoderThreads = 2 }, [0]),
            ({ $0.chunks[3].rate = RateLimit(rate: 1000, buffer: 1000) }, [3]), ({ $0.chunks[1].why = "so" }, []),
            ({ $0.chunks[1].leadCost = 9 }, []),
            ({ $0.chunks[1].cost = 1 }, []), ({ $0.output.posterFrame = 120 }, [1]),
            ({ $0.output.tags = nil }, []), ({ $0.output.chapters = nil }, []), ({ $0.soundCuts?[1] += 1 }, [5, 7, 8]),
            ({ $0.output.container = .mov }, []), ({ $0.effects = ["wipe 1"] }, []),
        ]
        for (number, (change, decides)) in changes.enumerated() {
            let (_, other) = try Self.keys(fixture, changed: change)
            let differing = Set(keys.indices.filter { keys[$0] != other[$0] })
            #expect(differing == decides, "change \(number)")
        }
        #expect(plan.chunks[1].frames.contains(120))
    }

    /// Beside copies without B-frames there are none. Other copies change nothing of what is encoded, nor do any
    /// where frames stand alone.
    @Test(arguments: [("h264", 2, true), ("h264", 0, false), ("hevc", 0, false), ("prores", 0, true)])
    func chunksBesideCopies(codec: String, depth: Int, areTheSame: Bool) throws {
        let fixture = try Self.fixture()
        func keys(_ depth: Int?) throws -> [ContentKey] {
            Array(
                try Self.keys(fixture, asked: { $0.picture.codec = codec }) {
                    $0.output.video?.copiedReorderDepth = depth
                }.keys.prefix(5))
        }
        let (alone, beside) = (try keys(nil), try keys(depth))
        #expect(areTheSame ? alone == beside : Set(alone).isDisjoint(with: beside))
    }

    /// Where parts meet may show in the samples of some rates, and so the whole sound has its cuts in its key.
    @Test func theWholeSoundKnowsItsCuts() throws {
        let fixture = try Self.fixture()
        let whole = try Self.keys(fixture) { $0.rendering.soundPartSeconds = "none" }
        let cut = try Self.keys(fixture)
        #expect(whole.keys.count == 6 && whole.keys[5] != cut.keys[5])
    }

    /// What bits a chunk has follows from all chunks of its film.
    @Test func aSecondPassIsOfItsFilm() throws {
        func keys(_ seconds: String) throws -> [ContentKey] {
            let fixture = try PlanFixture(frameDuration: "1/25", duration: seconds, instructions: nil, sound: false)
            return try Self.keys(fixture) {
                ($0.picture.codec, $0.picture.bitRate, $0.picture.passes, $0.rendering.soundPartSeconds) = (
                    "h264", 500_000, 2, nil
                )
            }.keys
        }
        let (short, long) = (try keys("16s"), try keys("20s"))
        try #require(short.count == 8 && long.count == 10)
        #expect(Array(short[4...]) == Array(long[5..<9]), "analyses of the same frames are the same")
        #expect(Set(short[..<4]).isDisjoint(with: long[..<5]))
    }

    /// A task that makes a file for each output has a key of all of them.
    @Test func severalOutputs() throws {
        let fixture = try Self.fixture()
        let plans = try [20.0, 30].map { crf in
            try fixture.plan { ($0.picture.crf, $0.rendering.chunkSeconds) = (crf, "4s") }
        }
        let canvas = CommonPlanning(fixture.timeline)
        let alone = try plans.map { try contentKeys(of: $0, canvases: [canvas]) }
        let joined = try contentKeys(of: RenderPlan.joining(plans), canvases: [canvas, canvas])
        #expect(joined.count == alone[0].count && Set(joined).count == joined.count)
        for keys in alone { #expect(Set(keys).isDisjoint(with: joined)) }
        let apart = try contentKeys(
            of: RenderPlan.joining(plans), canvases: [canvas, CommonPlanning(fixture.timeline)])
        #expect(apart == joined, "recipes that are made twice are the same")
        try #require(plans[0].part(ofTask: joined.count - 1) == .audio)
        let turned = try contentKeys(of: RenderPlan.joining(plans.reversed()), canvases: [canvas, canvas])
        #expect(Set(turned.dropLast()).isDisjoint(with: joined), "which file is whose counts")
        #expect(turned.last == joined.last, "two sounds of the same settings are the same either way")
    }

    @Test func aKeyIsASHA256() throws {
        let text = String(repeating: "0a", count: 32)
        let key = try #require(ContentKey(text))
        #expect(try JSONDecoder().decode([ContentKey].self, from: JSONEncoder().encode([key])) == [key])
        #expect(String(decoding: try JSONEncoder().encode([key]), as: UTF8.self) == "[\"\(text)\"]")
        for wrong in ["", "0a", text.uppercased(), text + "0"] {
            #expect(ContentKey(wrong) == nil)
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode([ContentKey].self, from: Data("[\"\(wrong)\"]".utf8))
            }
        }
    }
}
