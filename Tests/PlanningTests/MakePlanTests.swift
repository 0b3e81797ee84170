import Diagnostics
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
import Validation

/// A project over one synthetic source, 60 s long with a key frame every second.
struct PlanFixture {
    var project: Project
    var timeline: Timeline
    var assets: [String: AssetFacts]

    /// - Parameter instructions: start and duration of each, as the file writes them; nil lets them be automatic.
    init(frameDuration: String, duration: String, instructions: [(String, String)]?, sound: Bool = true) throws {
        var listed = ""
        for (start, length) in instructions ?? [] {
            listed += listed.isEmpty ? "" : ","
            listed += "{\"range\":[\"\(start)\",\"\(length)\"],\"layers\":[{\"track\":1}]}"
        }
        let sounds = """
            ,{"id":2,"type":"audio","segments":[
            {"asset":"a","source":["0s","\(duration)"],"target":["0s","\(duration)"]}]}
            """
        let text = """
            {"format":"splitreel/1","assets":{"a":{"url":"a.mp4"}},"composition":{"tracks":[
            {"id":1,"type":"video","segments":[
            {"asset":"a","source":["0s","\(duration)"],"target":["0s","\(duration)"]}]}
            \(sound ? sounds : "")]},
            "video":{"renderSize":[320,180],"frameDuration":"\(frameDuration)"
            \(instructions == nil ? "" : ",\"instructions\":[\(listed)]")}}
            """
        let video = VideoFacts(
            codedSize: PixelSize(width: 1280, height: 720), pixelFormat: "yuv420p",
            nominalFrameRate: MediaTime(value: 30, timescale: 1),
            keyFrames: (0..<60).map { MediaTime(value: Int64($0), timescale: 1) })
        let length = MediaTime(value: 60, timescale: 1)
        assets = [
            "a": AssetFacts(
                kind: .media, path: "/media/a.mp4", byteCount: 12_345, edgeHash: String(repeating: "ab", count: 32),
                container: "mov", duration: length,
                tracks: [
                    TrackFacts(id: 1, type: .video, codec: "h264", duration: length, count: 1800, video: video),
                    TrackFacts(
                        id: 2, type: .audio, codec: "aac", duration: length,
                        audio: AudioFacts(sampleRate: 48_000, channels: 2, layout: "stereo")),
                ])
        ]
        project = try Project(parsing: Data(text.utf8))
        timeline = try Timeline(project: project, assets: assets)
    }

    func plan(_ change: (inout OutputRequest) -> Void = { _ in }) throws -> RenderPlan {
        var request = OutputRequest(path: "/out/film.mkv")
        change(&request)
        let output = try resolve(request, timeline: timeline)
        return try makePlan(project: project, timeline: timeline, assets: assets, request: request, output: output)
    }
}

@Suite struct MakePlanTests {
    static let rates: [(value: Int64, timescale: Int32)] = [
        (1001, 24000), (1, 24), (1, 25), (1001, 30000), (1, 30), (1, 50), (1001, 60000), (1, 60),
    ]

    /// Boundaries are ceil(s / d), counts ceil(D / d) and round(D × rate), by integer arithmetic.
    @Test(arguments: rates) func boundariesAtEveryRate(rate: (value: Int64, timescale: Int32)) throws {
        let fixture = try PlanFixture(
            frameDuration: "\(rate.value)/\(rate.timescale)", duration: "20s",
            instructions: [("0s", "5s"), ("5s", "2.345s"), ("7.345s", "12.655s")])
        let plan = try fixture.plan { $0.rendering.chunkSeconds = "100" }
        func firstFrame(milliseconds: Int64) -> Int {
            let (whole, rest) = (milliseconds * Int64(rate.timescale)).quotientAndRemainder(
                dividingBy: 1000 * rate.value)
            return Int(rest > 0 ? whole + 1 : whole)
        }
        #expect(plan.frameCount == firstFrame(milliseconds: 20_000))
        #expect(plan.sampleCount == 960_000 && plan.sampleRate == 48_000)
        #expect(plan.chunks.map(\.firstFrame) == [0, firstFrame(milliseconds: 5000), firstFrame(milliseconds: 7345)])
        #expect(plan.chunks.map(\.index) == [0, 1, 2])
        #expect(plan.chunks.map(\.frameCount).reduce(0, +) == plan.frameCount)
        #expect(plan.chunks.allSatisfy { $0.kind == .source && $0.cost > 0 })
    }

    /// A frame has 1152 samples and the encoder's delay 1105, so that 47 more are one frame and 48 two; below 32 kHz a
    /// frame is shorter than the delay.
    @Test(arguments: [
        (48_000, 47, false), (48_000, 48, true), (44_100, 47, false), (44_100, 48, true), (24_000, 1, true),
    ])
    func theShortestMP3(rate: Int, count: Int, isTaken: Bool) throws {
        let fixture = try PlanFixture(frameDuration: "1/30", duration: "20s", instructions: nil)
        func plan() throws -> RenderPlan {
            try fixture.plan {
                ($0.path, $0.sound.sampleRate) = ("/out/film.mp3", rate)
                ($0.timing.rangeStart, $0.timing.rangeDuration) = ("0s", "\(count)/\(rate)")
            }
        }
        guard isTaken else {
            let error = try #require(throws: SplitreelError.self) { _ = try plan() }
            #expect(error.code == .settingsImpossible && error.reason.contains("at least 48 samples"), "\(error)")
            return
        }
        #expect(try plan().sampleCount == count)
    }

    @Test func everyChunkCostsSomethingHoweverSmall() throws {
        let text = """
            {"format":"splitreel/1","assets":{"a":{"kind":"color","color":[0.2,0.5,0.7,1]}},"composition":{"tracks":[
            {"id":1,"type":"video","segments":[{"asset":"a","target":["0s","4s"]}]}]},
            "video":{"renderSize":[16,16],"frameDuration":"1/25"}}
            """
        var fixture = try PlanFixture(frameDuration: "1/25", duration: "1s", instructions: nil)
        fixture.project = try Project(parsing: Data(text.utf8))
        fixture.assets = ["a": AssetFacts(kind: .color, path: "")]
        fixture.timeline = try Timeline(project: fixture.project, assets: fixture.assets)
        let plan = try fixture.plan { $0.rendering.chunkSeconds = "0.04" }
        #expect(plan.chunks.count == 100)
        #expect(plan.chunks.allSatisfy { $0.cost > 0 })
    }

    @Test func rangeIsCutAndShiftsBoundaries() throws {
        let fixture = try PlanFixture(
            frameDuration: "1001/30000", duration: "20s", instructions: [("0s", "5s"), ("5s", "15s")])
        let plan = try fixture.plan {
            ($0.timing.rangeStart, $0.timing.rangeDuration, $0.rendering.chunkSeconds) = ("1.5s", "100s", "20")
        }
        #expect(plan.range.start == MediaTime(value: 3, timescale: 2))
        // 18.5 s: ceil(18.5 × 30000 / 1001) frames, 18.5 × 48000 samples.
        #expect(plan.frameCount == (37 * 15_000 + 1000) / 1001)
        #expect(plan.sampleCount == 888_000)
        try #require(plan.chunks.count > 1)
        // 3.5 s after the range's start.
        #expect(plan.chunks[1].firstFrame == (105_000 + 1000) / 1001)
        #expect(plan.compositionTime(ofFrame: 2) == Rational(3, 2) + Rational(2002, 30000))
        let early = try fixture.plan { ($0.timing.rangeStart, $0.timing.rangeDuration) = ("-2/1", "3s") }
        #expect(early.range == TimeRange(start: .zero, duration: MediaTime(value: 1, timescale: 1)))
        for (start, duration) in [("20s", "1s"), ("1s", "0s"), ("-3/1", "2s"), ("x", "1s"), ("1s", "invalid")] {
            #expect {
                try fixture.plan { ($0.timing.rangeStart, $0.timing.rangeDuration) = (start, duration) }
            } throws: {
                ($0 as? SplitreelError)?.code == .usage
            }
        }
    }

    /// 20 s at 25 Hz, at most 7 s: parts of 166 and 167 frames, cuts at 166 and 333; whole seconds are key frames.
    @Test func cutsGoToKeyFrames() throws {
        let fixture = try PlanFixture(frameDuration: "1/25", duration: "20s", instructions: [("0s", "20s")])
        let plan = try fixture.plan { $0.rendering.chunkSeconds = "7" }
        try #require(plan.chunks.map(\.firstFrame) == [0, 175, 325])
        #expect(plan.chunks[1].why.contains("+9") && plan.chunks[2].why.contains("-8"))
    }

    @Test func sameInputSameBytes() throws {
        let fixture = try PlanFixture(frameDuration: "1/25", duration: "20s", instructions: nil)
        let again = try PlanFixture(frameDuration: "1/25", duration: "20s", instructions: nil)
        let bytes = try fixture.plan().canonicalBytes()
        #expect(try again.plan().canonicalBytes() == bytes)
        #expect(try RenderPlan.decode(bytes) == fixture.plan())
        #expect(try RenderPlan.decode(bytes).canonicalBytes() == bytes)
        #expect(RenderPlan.hash(ofBytes: bytes) == (try fixture.plan().hash()))
        #expect(RenderPlan.hash(ofBytes: Data("abc".utf8)).hasPrefix("ba7816bf8f01cfea414140de5dae2223"))
        #expect(!String(decoding: bytes, as: UTF8.self).contains("\\/"))
        #expect(try fixture.plan().composition.contains("\"url\":\"/media/a.mp4\""))
    }

    /// A range with a picture, and shorter than half a sample.
    @Test func pictureWithoutASample() throws {
        let fixture = try PlanFixture(frameDuration: "1/25", duration: "20s", instructions: nil)
        let plan = try fixture.plan { ($0.timing.rangeStart, $0.timing.rangeDuration) = ("0s", "1/2147483647") }
        #expect(plan.frameCount == 1 && plan.sampleCount == 0 && plan.sampleRate == 0)
        #expect(plan.output.audio == nil && plan.output.video != nil)
    }

    @Test func soundOnly() throws {
        let fixture = try PlanFixture(frameDuration: "1/25", duration: "20s", instructions: nil)
        var request = OutputRequest(path: "/f.mkv")
        request.sound.sampleRate = 44_100
        var output = try resolve(request, timeline: fixture.timeline)
        output.video = nil
        let plan = try makePlan(
            project: fixture.project, timeline: fixture.timeline, assets: fixture.assets, request: request,
            output: output)
        #expect(plan.frameCount == 0 && plan.chunks.isEmpty && plan.sampleCount == 882_000)
    }
}

@Suite struct PlanReportTests {
    @Test func document() throws {
        let fixture = try PlanFixture(
            frameDuration: "1001/30000", duration: "20s", instructions: [("0s", "5s"), ("5s", "15s")])
        let plan = try fixture.plan { $0.rendering.chunkSeconds = "20" }
        let parsed = try JSONSerialization.jsonObject(with: try planJSON(plan))
        let root = try #require(parsed as? [String: Any])
        let promised: Set = ["frameRate", "frameCount", "sampleRate", "sampleCount", "planHash", "chunks"]
        #expect(Set(root.keys) == promised.union(["colour", "output", "frameDuration", "range", "slotBytes"]))
        #expect(root["frameRate"] as? String == "30000/1001")
        #expect(root["frameCount"] as? Int == 600)
        #expect(root["planHash"] as? String == (try plan.hash()))
        let chunks = try #require(root["chunks"] as? [[String: Any]])
        try #require(chunks.count == 2)
        for chunk in chunks {
            #expect(
                Set(chunk.keys) == [
                    "index", "kind", "firstFrame", "frameCount", "start", "duration", "key", "cost", "why",
                ])
            #expect((chunk["key"] as? String)?.count == 64)
        }
        #expect(chunks[0]["start"] as? String == "0/30000")
        #expect(chunks[1]["start"] as? String == "\(150 * 1001)/30000")
        #expect((chunks[1]["why"] as? String)?.hasPrefix("instruction boundary; not copied: a: its size") == true)
        let table = planTable(plan)
        #expect(table.contains("instruction boundary") && !table.hasSuffix("\n"))
    }

    /// A chunk whose content only moves in time keeps its key; another source time gives another key.
    @Test func keysCountFromTheChunk() throws {
        func keys(_ lead: Int) throws -> [ContentKey] {
            let text = """
                {"format":"splitreel/1","assets":{"a":{"url":"a.mp4"}},"composition":{"tracks":[
                {"id":1,"type":"video","segments":[
                {"asset":"a","source":["0s","\(lead)s"],"target":["0s","\(lead)s"]},
                {"asset":"a","source":["30s","6s"],"target":["\(lead)s","6s"]}]}]},
                "video":{"renderSize":[320,180],"frameDuration":"1/25"}}
                """
            var fixture = try PlanFixture(frameDuration: "1/25", duration: "20s", instructions: nil)
            fixture.project = try Project(parsing: Data(text.utf8))
            fixture.timeline = try Timeline(project: fixture.project, assets: fixture.assets)
            return try contentKeys(
                of: try fixture.plan { $0.rendering.chunkSeconds = "10" }, canvases: [CommonPlanning(fixture.timeline)])
        }
        let (four, five) = (try keys(4), try keys(5))
        try #require(four.count == 2 && five.count == 2)
        #expect(four[1] == five[1])
        #expect(four[0] != five[0] && four[0] != four[1])
    }

    /// A proxy's pixels depend on the size, the shape and the turn of what it stands in for, and on its own tags.
    @Test func keysKnowWhatAProxyStandsInFor() throws {
        func key(_ change: (inout AssetFacts) -> Void) throws -> ContentKey {
            var fixture = try PlanFixture(frameDuration: "1/25", duration: "4s", instructions: [("0s", "4s")])
            let original = try #require(fixture.assets["a"])
            var proxy = original
            (proxy.path, proxy.tracks) = ("/media/small.mp4", [original.tracks[0]])
            fixture.assets["a"]?.proxy = [proxy]
            if var facts = fixture.assets["a"] {
                change(&facts)
                fixture.assets["a"] = facts
            }
            fixture.timeline = try Timeline(project: fixture.project, assets: fixture.assets)
            let keys = try contentKeys(
                of: try fixture.plan { $0.rendering.chunkSeconds = "10" }, canvases: [CommonPlanning(fixture.timeline)])
            return try #require(keys.first)
        }
        let keys = try [
            { _ in }, { $0.proxy = nil }, { $0.tracks[0].video?.codedSize.width = 1440 },
            { $0.tracks[0].video?.pixelAspectNumerator = 4 },
            { $0.tracks[0].video?.preferredTransform = .scale(-1, 1) }, { $0.tracks[0].video?.pixelFormat = "gbrp" },
            { $0.proxy?[0].tracks[0].video?.overrides = ColourOverrides(matrix: .bt601) },
            { $0.proxy?[0].deinterlacing = Deinterlacing() },
        ].map { (change: (inout AssetFacts) -> Void) in try key(change) }
        #expect(Set(keys).count == keys.count)
    }

    /// An encoder of uneven frames is set up by how long they are on average in the whole film.
    @Test func keysKnowTheClock() throws {
        let fixture = try PlanFixture(frameDuration: "1/25", duration: "4s", instructions: [("0s", "4s")])
        func key(_ offsets: [Int64]) throws -> ContentKey {
            var plan = try fixture.plan { $0.rendering.chunkSeconds = "none" }
            plan.frameTimes = FrameTimes(start: .zero, tick: Rational(1, 1000), offsets: offsets)
            plan.chunks[0].frameCount = 3
            return try #require(
                try contentKeys(of: plan, canvases: [CommonPlanning(fixture.timeline)]).first)
        }
        let keys = try [[0, 40, 90, 130], [0, 40, 95, 130], [0, 40, 90, 130, 170, 210]].map { try key($0) }
        #expect(Set(keys).count == keys.count)
        #expect(try key([0, 40, 90, 150]) == keys[0])
    }

    /// Whatever makes other pixels of a fitted layer makes another key.
    @Test func keysKnowGroupsAndTheirMattes() throws {
        func key(_ layer: String, colour: String = "{}") throws -> ContentKey {
            let text = """
                {"format":"splitreel/1","assets":{"a":{"url":"a.mp4"}},"composition":{"tracks":[
                {"id":1,"type":"video","segments":[{"asset":"a","source":["0s","4s"],"target":["0s","4s"]}]}]},
                "video":{"renderSize":[320,240],"frameDuration":"1/25","color":\(colour),"instructions":[
                {"range":["0s","4s"],"layers":[{"track":1\(layer)}]}]}}
                """
            var fixture = try PlanFixture(frameDuration: "1/25", duration: "20s", instructions: nil)
            fixture.project = try Project(parsing: Data(text.utf8))
            fixture.timeline = try Timeline(project: fixture.project, assets: fixture.assets)
            let keys = try contentKeys(
                of: try fixture.plan { $0.rendering.chunkSeconds = "10" }, canvases: [CommonPlanning(fixture.timeline)])
            return try #require(keys.first)
        }
        let keys = try [
            "", ",\"fit\":\"contain\"", ",\"fit\":\"cover\"", ",\"fit\":\"contain\",\"matte\":[1,0,0,1]",
            ",\"fit\":\"contain\",\"matte\":[1,0,0,0.5]",
        ].map { try key($0) }
        #expect(Set(keys).count == keys.count)
        #expect(try key(",\"fit\":\"contain\",\"matte\":[0,0,0,1]") == keys[1], "the background is the matte")
        let spaces = try ["blendSpace", "scaleSpace"].map { try key("", colour: "{\"\($0)\":\"linear\"}") }
        #expect(Set(spaces + keys).count == keys.count + 2)
        #expect(try key("", colour: "{\"blendSpace\":\"encoded\",\"scaleSpace\":\"encoded\"}") == keys[0])
    }
}
