import Diagnostics
import Foundation
import Hashing
import MediaFacts
import Outputs
import Pictures
import Planning
import Preparation
import Rendering
import SplitreelProject
import SplitreelTimeline
import TestTools
import Testing
import Validation

/// LUT files on their way from a project to pixels.
@Suite("LUTs as assets") struct LookUpAssetTests {
    /// Turns each component over; `note` makes another file of the same picture.
    private static func cube(_ note: String = "", top: Double = 1) -> String {
        "# \(note)\nLUT_1D_SIZE 2\n\(top) \(top) \(top)\n0 0 0\n"
    }

    private static func project(_ path: String, kind: String = "lut", inside: Bool = false) -> String {
        let look = """
            {"format":"splitreel/1","assets":{"look":{"kind":"\(kind)","url":"\(path)"},
            "a":{"kind":"color","color":[0.25,0.5,0.75,1],"size":[64,36]}},
            "composition":{"tracks":[\(Text.track(1, "video", #"{"asset":"a","target":["0s","1s"]}"#))]},
            "video":{"renderSize":[64,36],"frameDuration":"1/25","instructions":[{"range":["0s","1s"],
            "layers":[{"track":1,"effects":[{"id":"lut","params":{"lut":"look"}}]}]}]}}
            """
        guard inside else { return look }
        return """
            {"format":"splitreel/1","assets":{"n":{"kind":"composition","project":\(look)}},
            "composition":{"tracks":[\(Text.track(1, "video", Text.clip("n", "0s", "1s", at: "0s")))]},
            "video":{"renderSize":[64,36],"frameDuration":"1/25"}}
            """
    }

    /// The colour, turned over; in a nested composition too.
    @Test(arguments: [false, true]) func lookIsSeen(inside: Bool) throws {
        let fixture = try RenderFixture("look")
        let path = try fixture.folder.write(Self.cube(), to: "look.cube")
        let plan = try fixture.plan(Self.project(path, inside: inside))
        let (segment, _) = try fixture.render(plan, .chunk(0))
        let luma = try #require(try fixture.witness.luma(segment).first?.first)
        // 0.2126 · 0.75 + 0.7152 · 0.5 + 0.0722 · 0.25 of 219 codes above 16.
        #expect(abs(Double(luma) - (16 + 219 * 0.5351)) <= 1)
    }

    @Test func planKnowsTheContent() throws {
        let fixture = try RenderFixture("look")
        let path = try fixture.folder.write(Self.cube("one"), to: "look.cube")
        func keys() throws -> (sum: String?, keys: [ContentKey]) {
            let plan = try fixture.plan(Self.project(path))
            let timeline = try Timeline(
                project: try Project(parsing: Data(plan.composition.utf8)), assets: plan.assets,
                size: plan.output.video?.size, frameDuration: plan.frameDuration)
            return (plan.assets["look"]?.contentSum, try contentKeys(of: plan, canvases: [CommonPlanning(timeline)]))
        }
        let (sum, first) = try keys()
        let told = try Tool("/usr/bin/sha256sum", [path], in: fixture.folder).finish().text
        #expect(sum.map { told.hasPrefix($0) } == true)
        _ = try fixture.folder.write(Self.cube("two"), to: "look.cube")
        let other = try keys()
        #expect(other.sum != sum && other.keys != first)
    }

    @Test func anotherFileIsNotRendered() throws {
        let fixture = try RenderFixture("look")
        let path = try fixture.folder.write(Self.cube("one"), to: "look.cube")
        let plan = try fixture.plan(Self.project(path))
        _ = try fixture.folder.write(Self.cube("two"), to: "look.cube")
        let error = try #require(throws: SplitreelError.self) { _ = try fixture.render(plan, .chunk(0)) }
        #expect(error.code == .mediaChanged && error.subject.description == path)
        try FileManager.default.removeItem(atPath: path)
        let gone = try #require(throws: SplitreelError.self) { _ = try fixture.render(plan, .chunk(0)) }
        #expect(gone.code == .mediaNotFound)
    }

    @Test func wrongOnesAreRefusedWhenPlanned() throws {
        let fixture = try RenderFixture("look")
        let path = try fixture.folder.write("LUT_1D_SIZE 2\n0 0 0\nnan 0 0\n", to: "look.cube")
        func refusal(_ text: String) throws -> SplitreelError {
            try #require(throws: SplitreelError.self) { _ = try fixture.plan(text) }
        }
        let hostile = try refusal(Self.project(path))
        #expect(hostile.code == .mediaUnsupported && hostile.reason.contains("line 3"))
        #expect(try refusal(Self.project(fixture.folder.file("none.cube"))).code == .mediaNotFound)
        #expect(try refusal(Self.project(fixture.folder.path)).code == .mediaCannotOpen)
        let film = try fixture.film("a.mkv", 5)
        #expect(try refusal(Self.project(film, kind: "media")).reason.contains("not of kind lut"))
        let played = Self.project(path).replacingOccurrences(of: #"{"asset":"a""#, with: #"{"asset":"look""#)
        #expect(try refusal(played).reason.contains("no track plays"))
        let large = fixture.folder.file("large.cube")
        #expect(FileManager.default.createFile(atPath: large, contents: nil))
        #expect(truncate(large, 65 << 20) == 0)
        #expect(try refusal(Self.project(large)).code == .mediaOverLimits)
    }
}
