import Drawings
import Foundation
import Hashing
import Outputs
import Planning
import Preparation
import SplitreelProject
import SplitreelTimeline
import TestTools
import Testing
import Validation

/// A font among the assets is its content, in the plan and in the keys of the chunks that show it.
@Suite("Fonts in chunk keys") struct FontKeyTests {
    private let fixture: PreparationFixture

    init() throws { fixture = try PreparationFixture("font-keys") }

    /// A text from 0.2 s on.
    private static func project(_ font: String, name: String = "own") -> String {
        """
        {"format": "splitreel/1", "assets": {"a": {"kind": "color", "color": [0, 0, 0, 1]},
            "\(name)": {"kind": "font", "url": "\(font)"}},
         "composition": {"tracks": [
            {"id": 1, "type": "video", "segments": [{"asset": "a", "target": ["0s", "0.6s"]}]}]},
         "video": {"renderSize": [64, 48], "frameDuration": "1/25", "animation": {"videoLayers": ["film"],
            "root": {"bounds": [0, 0, 64, 48], "sublayers": [{"id": "film", "bounds": [0, 0, 64, 48]},
                {"bounds": [0, 0, 64, 48], "position": [32, 24], "beginTime": "0.2s",
                 "contents": {"text": {"string": "Own", "font": "\(name)", "size": 24}}}]}}}}
        """
    }

    /// The sum by which a plan knows the font's content, and the keys of the plan's three chunks.
    private func keys(_ font: String) throws -> (sum: String, keys: [ContentKey]) {
        let request = fixture.request("out.mkv") {
            $0.picture.codec = "ffv1"
            $0.rendering.chunkSeconds = "0.2"
        }
        let plan = try preparePlan(project: PreparationFixture.project(Self.project(font)), request: request).plan
        let face = try #require(plan.fonts?.faces.first { $0.asset == "own" })
        #expect(face.path == font)
        let timeline = try Timeline(
            project: try Project(parsing: Data(plan.composition.utf8)), assets: plan.assets,
            size: plan.output.video?.size, frameDuration: plan.frameDuration)
        return (face.sum, try contentKeys(of: plan, canvases: [CommonPlanning(timeline)]))
    }

    /// Four bytes behind the last table, which no reader of fonts looks at: the same letters of another file.
    @Test func otherBytesAreOtherKeys() throws {
        let original = try Data(contentsOf: URL(fileURLWithPath: "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"))
        let path = try fixture.folder.write(original, to: "own.ttf")
        let first = try keys(path)
        #expect(first.keys.count == 3)
        func told(_ path: String) throws -> String {
            String(try Tool("/usr/bin/sha256sum", [path], in: fixture.folder).finish().text.prefix(64))
        }
        #expect(try first.sum == told(path))
        _ = try fixture.folder.write(original + Data([0, 0, 0, 0]), to: "own.ttf")
        let second = try keys(path)
        #expect(try second.sum == told(path) && second.sum != first.sum)
        // Where the text is not yet seen, the font makes no difference.
        #expect(second.keys[0] == first.keys[0])
        #expect(second.keys[1] != first.keys[1] && second.keys[2] != first.keys[2])
        // The first bytes again, in another place: the first keys again.
        let elsewhere = try fixture.folder.folder("elsewhere") + "/other.ttf"
        try original.write(to: URL(fileURLWithPath: elsewhere))
        let third = try keys(elsewhere)
        #expect(third.sum == first.sum && third.keys == first.keys)
    }
}
