import Diagnostics
import Drawings
import Foundation
import Planning
import Rendering
import SplitreelProject
import TestTools
import Testing

/// A render has the very fonts that were planned with, or none.
@Suite("Fonts of a render") struct PlannedFontTests {
    private static let fonts = "/usr/share/fonts/truetype/dejavu/"

    private func project(_ font: String) -> String {
        """
        {"format": "splitreel/1", "assets": {"a": {"kind": "color", "color": [0, 0, 0, 1]},
            "own": {"kind": "font", "url": "\(font)"}},
         "composition": {"tracks": [
            {"id": 1, "type": "video", "segments": [{"asset": "a", "target": ["0s", "0.2s"]}]}]},
         "video": {"renderSize": [64, 48], "frameDuration": "1/25", "animation": {"videoLayers": ["film"],
            "root": {"bounds": [0, 0, 64, 48], "sublayers": [{"id": "film", "bounds": [0, 0, 64, 48]},
                {"bounds": [0, 0, 64, 48], "position": [32, 24],
                 "contents": {"text": {"string": "Own", "font": "own", "size": 24}}}]}}}}
        """
    }

    @Test func anotherFileOfTheProjectIsRefused() throws {
        let fixture = try RenderFixture("fonts")
        let path = fixture.folder.file("own.ttf")
        try FileManager.default.copyItem(atPath: Self.fonts + "DejaVuSans.ttf", toPath: path)
        let plan = try fixture.plan(project(path))
        #expect(plan.fonts?.faces.contains { $0.asset == "own" && $0.path == path } == true)
        let picture = try fixture.witness.luma(fixture.render(plan, .chunk(0)).path)
        #expect(picture.first?.contains { $0 > 200 } == true)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.copyItem(atPath: Self.fonts + "DejaVuSerif.ttf", toPath: path)
        let error = try #require(throws: SplitreelError.self) { _ = try fixture.render(plan, .chunk(0)) }
        #expect(error.code == .mediaNotFound && error.subject.contains(path), "\(error)")
    }

    /// A machine's font may lie elsewhere; one of the same name that is another file does not count.
    @Test func aFontOfTheMachineIsThatContent() throws {
        let fixture = try RenderFixture("fonts")
        let text = project(Self.fonts + "DejaVuSans.ttf")
            .replacingOccurrences(of: #""font": "own""#, with: #""font": "DejaVu Serif""#)
        var plan = try fixture.plan(text)
        let place = try #require(plan.fonts?.faces.firstIndex { $0.path.hasSuffix("/DejaVuSerif.ttf") })
        plan.fonts?.faces[place].path = "/elsewhere/DejaVuSerif.ttf"
        _ = try fixture.render(plan, .chunk(0))
        plan.fonts?.faces[place].sum = String(repeating: "0", count: 64)
        let error = try #require(throws: SplitreelError.self) { _ = try fixture.render(plan, .chunk(0)) }
        #expect(error.code == .mediaNotFound && error.subject.contains("DejaVu Serif"), "\(error)")
    }
}
