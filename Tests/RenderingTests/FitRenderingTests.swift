import Foundation
import Planning
import Rendering
import TestTools
import Testing

/// Sources of another shape than the canvas, of 64×48: the left half of each has a luma of 200, the right half of 100.
@Suite("Fitted sources") struct FitRenderingTests {
    private let fixture: RenderFixture

    init() throws { fixture = try RenderFixture("fit") }

    private func film(_ name: String, _ size: String, _ more: [String] = [], frames: Int = 12) throws -> String {
        let path = fixture.folder.file(name)
        try fixture.witness.ffmpeg(
            [
                "-f", "lavfi", "-i", "color=s=\(size):r=25", "-frames:v", "\(frames)", "-vf",
                "format=yuv420p,geq=lum='if(lt(X,W/2),200,100)':cb=128:cr=128" + (more.first ?? ""), "-c:v", "libx264",
                "-qp", "0", "-g", "5", path,
            ])
        return path
    }

    private func project(_ path: String, _ layer: String) -> String {
        Text.project(
            ["a": path], [Text.track(1, "video", Text.clip("a", "0s", "0.4s", at: "0s"))], size: (64, 48),
            frame: "1/25", [Text.instruction("0s", "0.4s", "{\"track\":1,\(layer)}")])
    }

    /// Luma at columns and rows of the first frame.
    private func samples(_ path: String, _ layer: String, _ places: [(Int, Int)]) throws -> [Int] {
        let plan = try fixture.plan(project(path, layer)) { $0.rendering.chunkSeconds = "none" }
        let frame = try #require(try fixture.witness.luma(try fixture.render(plan, .chunk(0)).path).first)
        return places.map { Int(frame[$0.1 * 64 + $0.0]) }
    }

    private static let contain = "\"fit\":\"contain\""
    private static let grey = ",\"matte\":[0.2,0.2,0.2,1]"

    /// 64×16 is not scaled: bars above line 16 and below line 32. 16 + 219 · 0.2 is 59.8.
    @Test func wide() throws {
        let path = try film("wide.mp4", "64x16")
        let places = [(5, 15), (5, 16), (60, 16), (5, 31), (5, 32)]
        #expect(try samples(path, Self.contain, places) == [16, 200, 100, 200, 16])
        #expect(try samples(path, Self.contain + Self.grey, places) == [60, 200, 100, 200, 60])
        // By three: 192×48, of which columns 64 to 128 are seen; the step lies in the middle.
        #expect(try samples(path, "\"fit\":\"cover\"", [(0, 0), (29, 47), (34, 0), (63, 47)]) == [200, 200, 100, 100])
    }

    /// 32×96 by a half: 16×48 in columns 24 to 40.
    @Test func tall() throws {
        let path = try film("tall.mp4", "32x96")
        #expect(try samples(path, Self.contain, [(23, 9), (24, 9), (39, 9), (40, 9)]) == [16, 200, 100, 16])
        // By two: 64×192, all columns.
        #expect(try samples(path, "\"fit\":\"cover\"", [(0, 0), (29, 47), (34, 0), (63, 47)]) == [200, 200, 100, 100])
    }

    /// 96×32 that is to be turned is as tall; ffmpeg says which half is then on top.
    @Test func turned() throws {
        let stored = try film("stored.mp4", "96x32")
        let path = fixture.folder.file("turned.mp4")
        try fixture.witness.ffmpeg(["-i", stored, "-c", "copy", "-metadata:s:v:0", "rotate=90", path])
        let upright = try fixture.witness.ffmpeg([
            "-i", path, "-frames:v", "1", "-vf", "extractplanes=y", "-f", "rawvideo", "-pix_fmt", "gray", "-",
        ]).standardOutput
        let top = Int(upright[upright.startIndex])
        #expect(upright.count == 96 * 32 && [100, 200].contains(top))
        let found = try samples(path, Self.contain, [(23, 9), (24, 9), (39, 9), (39, 40), (40, 9)])
        #expect(found == [16, top, top, 300 - top, 16])
    }

    /// 32×48 with pixels twice as wide as high fills the canvas.
    @Test func widePixels() throws {
        let path = try film("pixels.mp4", "32x48", [",setsar=2"])
        #expect(try samples(path, Self.contain, [(0, 0), (29, 47), (34, 0), (63, 47)]) == [200, 200, 100, 100])
    }

    /// The fitted picture moves and fades with its bars: by 32 columns, over a background of 16 + 219 · 0.6 = 147.4.
    @Test func barsMoveWithThePicture() throws {
        let path = try film("wide.mp4", "64x16")
        let layer = """
            \(Self.contain),"transform":[{"at":"0s","value":[1,0,0,1,32,0]}],"opacity":[{"at":"0s","value":0.5}]
            """
        let text = project(path, layer + Self.grey).replacing(
            "\"layers\":", with: "\"background\":[0.6,0.6,0.6,1],\"layers\":")
        let plan = try fixture.plan(text) { $0.rendering.chunkSeconds = "none" }
        let frame = try #require(try fixture.witness.luma(try fixture.render(plan, .chunk(0)).path).first)
        // Beside it the background; its bar (60 + 147) / 2, its picture (200 + 147) / 2.
        #expect(frame[8 * 64 + 31] == 147)
        #expect((103...104).contains(frame[8 * 64 + 32]) && (173...174).contains(frame[20 * 64 + 40]))
    }

    /// A dissolve of fitted sources, in one chunk and in chunks of any length.
    @Test func anyChunkingGivesTheSameFilm() throws {
        let (wide, tall) = (try film("wide.mp4", "64x16"), try film("tall.mp4", "32x96"))
        let text = Text.project(
            ["a": wide, "b": tall],
            [
                Text.track(1, "video", Text.clip("a", "0s", "0.4s", at: "0s")),
                Text.track(2, "video", Text.clip("b", "0s", "0.4s", at: "0s")),
            ], size: (64, 48), frame: "1/25",
            [
                Text.instruction(
                    "0s", "0.4s",
                    "{\"track\":1,\(Self.contain)\(Self.grey)" + Text.ramp("opacity", "0s", "0.4s", "1", "0") + "}",
                    "{\"track\":2,\(Self.contain)}")
            ])
        func frames(_ chunks: String) throws -> [[UInt8]] {
            let plan = try fixture.plan(text) { $0.rendering.chunkSeconds = chunks }
            return try plan.chunks.indices.reversed().map { index in
                try fixture.witness.luma(
                    try fixture.render(plan, .chunk(index), to: "\(chunks.count)-\(index).nut").path)
            }.reversed().flatMap { $0 }
        }
        let whole = try frames("none")
        #expect(whole.count == 10 && Set(whole).count == 10)
        #expect(try frames("1/25") == whole)
        #expect(try frames("3/25") == whole)
        // Half way: the bar of the one over the picture of the other, (60 + 200) / 2.
        #expect((129...130).contains(whole[5][4 * 64 + 26]))
    }
}
