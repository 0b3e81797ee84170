import Diagnostics
import Foundation
import MediaFacts
import MediaTime
import Planning
import SplitreelProject
import SplitreelTimeline
import Testing
import Validation

/// Where a long sound is cut into parts that are mixed side by side.
@Suite struct SoundCutTests {
    private static func fixture(
        hours: Int = 3, tracks: Int, codec: String = "aac", more: String = "", segment: String = "",
        picture: Bool = false
    ) throws -> PlanFixture {
        let seconds = hours * 3600
        let sounds = (2..<2 + tracks).map { id in
            """
            {"id":\(id),"type":"audio","segments":[
            {"asset":"a","source":["0s","\(seconds)s"],"target":["0s","\(seconds)s"]\(segment)}]}
            """
        }
        let film = """
            {"id":1,"type":"video","segments":[
            {"asset":"a","source":["0s","\(seconds)s"],"target":["0s","\(seconds)s"]}]},
            """
        let text = """
            {"format":"splitreel/1","assets":{"a":{"url":"a.mp4"}},"composition":{"tracks":[
            \(picture ? film : "")\(sounds.joined(separator: ","))]},
            "video":{"renderSize":[1920,1080],"frameDuration":"1/25"}\(more)}
            """
        var fixture = try PlanFixture(frameDuration: "1/25", duration: "10s", instructions: nil)
        let length = MediaTime(value: Int64(seconds), timescale: 1)
        fixture.assets["a"]?.duration = length
        for index in 0..<2 { fixture.assets["a"]?.tracks[index].duration = length }
        fixture.assets["a"]?.tracks[1].codec = codec
        fixture.project = try Project(parsing: Data(text.utf8))
        fixture.timeline = try Timeline(project: fixture.project, assets: fixture.assets)
        return fixture
    }

    private static func cuts(_ fixture: PlanFixture, _ parts: String? = nil) throws -> [Int]? {
        let plan = try fixture.plan { $0.rendering.soundPartSeconds = parts }
        try plan.check()
        return plan.soundCuts
    }

    @Test func aLongMixOfManySoundsIsCutEvenly() throws {
        let cuts = try #require(try Self.cuts(Self.fixture(tracks: 50)))
        // 540,000 s of sources; 34 of them cost as much as a frame, and a part as much as 350 frames.
        #expect(cuts.count == 44)
        let lengths = zip([0] + cuts, cuts + [10_800]).map { $1 - $0 }
        #expect(lengths.dropLast().allSatisfy { $0 == 240 } && lengths.allSatisfy { (1...240).contains($0) })
    }

    @Test func whatIsSoonMixedIsNotCut() throws {
        #expect(try Self.cuts(Self.fixture(tracks: 2)) == nil)
        // Beside three hours of picture ten sounds are nothing that anybody waits for.
        #expect(try Self.cuts(Self.fixture(tracks: 10, picture: true)) == nil)
        #expect(try Self.cuts(Self.fixture(tracks: 10)) != nil)
        #expect(try Self.cuts(Self.fixture(tracks: 50), "none") == nil)
    }

    @Test(arguments: [
        ("opus", "", ""), ("aac", #","audio":{"inputs":[{"track":2,"taps":[{"id":"compressor"}]}]}"#, ""),
        ("aac", #","audio":{"taps":[{"id":"limiter"}]}"#, ""),
        ("aac", #","audio":{"inputs":[{"track":3,"loudness":{"target":-23}}]}"#, ""),
        ("aac", "", #","reverse":true"#),
    ]) func whatRemembersAllStaysWhole(codec: String, more: String, segment: String) throws {
        let fixture = try Self.fixture(hours: 1, tracks: 2, codec: codec, more: more, segment: segment)
        #expect(try Self.cuts(fixture, "60") == nil)
    }

    @Test func bounded() throws {
        let taps = #","audio":{"loudness":{"target":-16},"taps":[{"id":"gain"},{"id":"delay","params":{"time":0.1}}]}"#
        #expect(try Self.cuts(Self.fixture(hours: 1, tracks: 2, more: taps), "900")?.count == 3)
        let two = try Self.fixture(hours: 1, tracks: 2)
        #expect(try Self.cuts(two, "1800s") == [1800])
        #expect(try Self.cuts(two, "3600") == nil)
        for text in ["0", "-3", "1.5", "soon", "86401"] {
            let error = try #require(throws: SplitreelError.self) { try Self.cuts(two, text) }
            #expect(error.code == .usage && error.subject == "\(.soundPartSeconds)", "\(text)")
        }
        let error = try #require(throws: SplitreelError.self) { try Self.cuts(two, "10") }
        #expect(error.code == .settingsImpossible)
    }

    /// Stretched sound belongs whole to one part: cuts go to the nearest second beside it.
    @Test func cutsAvoidWhatIsStretched() throws {
        var fixture = try Self.fixture(hours: 1, tracks: 1)
        let text = """
            {"format":"splitreel/1","assets":{"a":{"url":"a.mp4"}},"composition":{"tracks":[
            {"id":2,"type":"audio","segments":[
            {"asset":"a","source":["0s","95s"],"target":["0s","95s"]},
            {"asset":"a","source":["95s","20s"],"target":["95s","10s"]},
            {"asset":"a","source":["115s","85s"],"target":["105s","85s"]},
            {"asset":"a","source":["200s","50s"],"target":["190s","100s"]},
            {"asset":"a","source":["250s","70s"],"target":["290s","70s"]}]}]},
            "video":{"renderSize":[320,180],"frameDuration":"1/25"}}
            """
        fixture.project = try Project(parsing: Data(text.utf8))
        fixture.timeline = try Timeline(project: fixture.project, assets: fixture.assets)
        // 200 lies in 190…290 and nothing within 25 s is free but 190; 100 goes to 95, 300 stays.
        #expect(try Self.cuts(fixture, "100") == [95, 190, 300])
    }
}
