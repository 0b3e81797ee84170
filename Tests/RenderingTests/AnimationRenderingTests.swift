import Foundation
import Planning
import Rendering
import TestTools
import Testing

/// Trees of layers over a canvas of 64×48 of a luma of 60 (16 + 219 · 0.2), white being 235, as an encoder gets them.
@Suite("Rendered animation") struct AnimationRenderingTests {
    private let fixture: RenderFixture

    init() throws { fixture = try RenderFixture("animation") }

    private static let film = #"{"id": "film", "bounds": [0, 0, 64, 48], "position": [32, 24]}"#
    private static let white = #""backgroundColor": [1, 1, 1, 1]"#

    private func project(
        _ layers: String, film: String = film, mode: String = #""videoLayers": ["film"]"#, video: String = "",
        assets: String = ""
    ) -> String {
        """
        {"format": "splitreel/1", "assets": {"a": {"kind": "color", "color": [0.2, 0.2, 0.2, 1]}\(assets)},
         "composition": {"tracks": [
            {"id": 1, "type": "video", "segments": [{"asset": "a", "target": ["0s", "0.4s"]}]}]},
         "video": {"renderSize": [64, 48], "frameDuration": "1/25"\(video), "animation": {\(mode),
            "root": {"bounds": [0, 0, 64, 48], "sublayers": [\(film.isEmpty ? "" : film + ", ")\(layers)]}}}}
        """
    }

    /// Luma of every frame.
    private func frames(_ text: String, chunks: String = "none") throws -> [[UInt8]] {
        let plan = try fixture.plan(text) { $0.rendering.chunkSeconds = chunks }
        return try plan.chunks.indices.flatMap { index in
            try fixture.witness.luma(try fixture.render(plan, .chunk(index), to: "\(index).nut").path)
        }
    }

    /// The first frame is white in those columns and rows alone.
    private func expectWhite(
        _ layers: String, _ columns: Range<Int>, _ rows: Range<Int>, value: ClosedRange<Int> = 235...235,
        video: String = "", source: SourceLocation = #_sourceLocation
    ) throws {
        let frame = try #require(try frames(project(layers, video: video)).first)
        var wrong: [String] = []
        for (place, luma) in frame.enumerated() {
            let isInside = columns.contains(place % 64) && rows.contains(place / 64)
            if !(isInside ? value : 60...60).contains(Int(luma)) {
                wrong.append("\(place % 64),\(place / 64): \(luma)")
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count) pixels: \(wrong.prefix(4))", sourceLocation: source)
    }

    /// A quarter of the height is in the upper quarter there.
    @Test func aRootThatIsTurnedOver() throws {
        try expectWhite(
            #"""
            {"bounds": [0, 0, 64, 48], "position": [32, 24], "geometryFlipped": true, "sublayers": [
                {"bounds": [0, 0, 16, 8], "position": [32, 12], \#(Self.white)}]}
            """#, 24..<40, 8..<16)
    }

    @Test func placesAndTurns() throws {
        let box = #""bounds": [0, 0, 16, 8], "position": [32, 24], \#(Self.white)"#
        try expectWhite("{\(box)}", 24..<40, 20..<28)
        try expectWhite("{\(box), \"transform\": {\"rotate\": 90}}", 28..<36, 16..<32)
        try expectWhite("{\(box), \"anchorPoint\": [0, 0]}", 32..<48, 16..<24)
        try expectWhite("{\(box), \"transform\": [0, 1, -1, 0, 4, 2]}", 32..<40, 14..<30)
        // A turn of 60° about an axis leaves half of the length.
        try expectWhite("{\(box), \"transform\": {\"rotateY\": 60}}", 28..<36, 20..<28)
        // In a parent whose bounds begin elsewhere: (26, 30) in it is (6, 10) from its lower left corner.
        try expectWhite(
            #"""
            {"bounds": [20, 20, 24, 20], "position": [20, 20], "sublayers": [
                {"bounds": [5, 5, 4, 2], "position": [26, 30], \#(Self.white)}]}
            """#, 12..<16, 27..<29)
    }

    /// Half of 235 and 60: 147.5; two layers that lie over each other fade as one picture.
    @Test func opacity() throws {
        let half = #""opacity": 0.5"#
        try expectWhite(
            #"{"bounds": [0, 0, 16, 8], "position": [32, 24], \#(half), \#(Self.white)}"#, 24..<40, 20..<28,
            value: 147...148)
        let inner = #"{"bounds": [0, 0, 16, 8], "position": [8, 4], \#(Self.white)}"#
        try expectWhite(
            #"{"bounds": [0, 0, 16, 8], "position": [32, 24], \#(half), \#(Self.white), "sublayers": [\#(inner)]}"#,
            24..<40, 20..<28, value: 147...148)
    }

    @Test func whatSticksOutIsCutOff() throws {
        let large = #"{"bounds": [0, 0, 60, 60], "position": [20, 4], \#(Self.white)}"#
        try expectWhite(
            #"{"bounds": [0, 0, 16, 8], "position": [32, 24], "masksToBounds": true, "sublayers": [\#(large)]}"#,
            24..<40, 20..<28)
    }

    /// How much of the canvas is white.
    private func area(_ layer: String) throws -> Double {
        let frame = try #require(try frames(project(layer)).first)
        return frame.reduce(0) { $0 + (Double($1) - 60) / 175 }
    }

    /// A circle of radius 12: 452.4 pixels; with a border in the film's grey of 2: one of radius 10.
    @Test func roundCorners() throws {
        let round = #""bounds": [0, 0, 24, 24], "position": [32, 24], "cornerRadius": 12"#
        #expect(abs(try area("{\(round), \(Self.white)}") - 144 * Double.pi) < 2)
        let border = #""borderWidth": 2, "borderColor": [0.2, 0.2, 0.2, 1]"#
        #expect(abs(try area("{\(round), \(Self.white), \(border)}") - 100 * Double.pi) < 2)
        let large = #"{"bounds": [0, 0, 60, 60], "position": [12, 12], \#(Self.white)}"#
        #expect(abs(try area("{\(round), \"masksToBounds\": true, \"sublayers\": [\(large)]}") - 144 * Double.pi) < 2)
    }

    /// A white picture of 16×16 in the middle of a layer of 32×16 whose border of 2 is white too: the border is the
    /// layer's, not the picture's. The ring has 32·16 − 28·12 = 176 pixels, 64 of them over the picture.
    @Test(arguments: ["true", "false"]) func aBorderIsTheLayersOwn(_ cuts: String) throws {
        let layer = """
            {"bounds": [0, 0, 32, 16], "position": [32, 24], "contents": {"image": "w"}, "masksToBounds": \(cuts),
             "contentsGravity": "resizeAspect", "borderWidth": 2, "borderColor": [1, 1, 1, 1]}
            """
        let white = #", "w": {"kind": "color", "size": [16, 16], "color": [1, 1, 1, 1]}"#
        let frame = try #require(try frames(project(layer, assets: white)).first)
        #expect(frame.count { $0 == 235 } == 16 * 16 + 176 - 64 && frame.allSatisfy { $0 == 235 || $0 == 60 })
    }

    /// White of half an alpha within a border of 2 that is white itself, in a layer of half an opacity and in a whole
    /// one: the border is 235 and 147.5 (60 + 175 / 2), what is inside it 147.5 and 103.75 (60 + 175 / 4).
    @Test(
        arguments: [
            #""backgroundColor": [1, 1, 1, 0.5]"#,
            #""contents": {"color": [1, 1, 1, 0.5]}, "masksToBounds": true"#,
            #""contents": {"image": "h"}, "masksToBounds": true"#,
        ], [1.0, 0.5])
    func aBorderIsSeenWholeAboutWhatIsNot(_ shown: String, _ opacity: Double) throws {
        let layer = """
            {"bounds": [0, 0, 32, 16], "position": [32, 24], \(shown), "opacity": \(opacity),
             "borderWidth": 2, "borderColor": [1, 1, 1, 1]}
            """
        let half = #", "h": {"kind": "color", "size": [32, 16], "color": [1, 1, 1, 0.5]}"#
        let frame = try #require(try frames(project(layer, assets: half)).first)
        for (place, luma) in frame.enumerated() {
            let (x, y) = (place % 64, place / 64)
            let isInside = (18..<46).contains(x) && (18..<30).contains(y)
            let isSeen = (16..<48).contains(x) && (16..<32).contains(y)
            let expected = 60 + (isInside ? 87.5 : isSeen ? 175 : 0) * opacity
            #expect(abs(Double(luma) - expected) <= 0.75, "\(x), \(y)")
        }
    }

    /// A picture in 4:2:0 at an odd place of a tree that is a track: the samples are nearly those of the
    /// tree around the film, which are drawn at once.
    @Test func aTreeAsATrackKeepsItsChroma() throws {
        let source = fixture.folder.file("bars.mkv")
        try fixture.witness.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=32x24:r=25:d=0.4,format=yuv420p", "-colorspace", "bt709",
            "-color_primaries", "bt709", "-color_trc", "bt709", "-c:v", "ffv1", source,
        ])
        let layer = #"{"bounds": [0, 0, 31, 23], "position": [32, 24], "contents": {"film": "b"}}"#
        let assets = ", \"b\": {\"url\": \"\(source)\"}"
        func samples(_ text: String, _ name: String) throws -> Data {
            let plan = try fixture.plan(text) { $0.rendering.chunkSeconds = "none" }
            let path = try fixture.render(plan, .chunk(0), to: name).path
            return try fixture.witness.ffmpeg(["-i", path, "-f", "rawvideo", "-pix_fmt", "yuv420p", "-"]).standardOutput
        }
        let layers = #", "instructions": [{"range": ["0s", "0.4s"], "layers": [{"track": 9}, {"track": 1}]}]"#
        let around = try samples(project(layer, assets: assets), "around.nut")
        let track = try samples(
            project(
                layer, film: "", mode: #""mode": "additionalLayer", "trackID": 9"#, video: layers, assets: assets),
            "track.nut")
        #expect(around.count == track.count && around.count == 10 * 64 * 48 * 3 / 2)
        // Half covered edges are rounded once more.
        #expect(zip(around, track).allSatisfy { abs(Int($0) - Int($1)) <= 2 })
    }

    /// A mask that covers the left half of a layer, half of it.
    @Test func masks() throws {
        let mask = #"{"bounds": [0, 0, 8, 8], "position": [4, 4], "backgroundColor": [0, 0, 0, 0.5]}"#
        try expectWhite(
            #"{"bounds": [0, 0, 16, 8], "position": [32, 24], \#(Self.white), "mask": \#(mask)}"#, 24..<32, 20..<28,
            value: 147...148)
    }

    /// A sharp shadow, 20 pixels to the right and 10 below, of a layer in the film's own grey.
    @Test func shadow() throws {
        let cast = #""shadow": {"opacity": 1, "color": [1, 1, 1, 1], "offset": [20, -10], "radius": 0}"#
        try expectWhite(
            #"{"bounds": [0, 0, 8, 8], "position": [20, 30], "backgroundColor": [0.2, 0.2, 0.2, 1], \#(cast)}"#,
            36..<44, 24..<32)
    }

    /// A large layer beside the canvas is not seen, its shadow is; one that falls far away leaves its layer sharp.
    @Test func shadowsAtEdges() throws {
        let cast = #""shadow": {"opacity": 1, "color": [1, 1, 1, 1], "offset": [20, 0], "radius": 0}"#
        try expectWhite(
            #"{"bounds": [0, 0, 200, 200], "position": [-100, 24], \#(Self.white), \#(cast)}"#, 0..<20, 0..<48)
        let far = #""shadow": {"opacity": 1, "offset": [1000000, 0], "radius": 0}"#
        try expectWhite(#"{"bounds": [0, 0, 16, 8], "position": [32, 24], \#(Self.white), \#(far)}"#, 24..<40, 20..<28)
    }

    /// The composed frame is seen where its layer is, over black.
    @Test func filmInALayer() throws {
        let small = #"{"id": "film", "bounds": [0, 0, 32, 24], "position": [16, 12]}"#
        let frame = try #require(
            try frames(project(#"{"bounds": [0, 0, 8, 8], "position": [60, 44], \#(Self.white)}"#, film: small)).first)
        #expect(frame[0] == 16 && frame[23 * 64 + 5] == 16 && frame[24 * 64] == 60 && frame[47 * 64 + 31] == 60)
        #expect(frame[47 * 64 + 32] == 16 && frame[56] == 235 && frame[55] == 16)
    }

    @Test func instructionsSwitchItOff() throws {
        let video = #"""
            , "instructions": [{"range": ["0s", "0.2s"], "layers": [{"track": 1}]},
                {"range": ["0.2s", "0.2s"], "postProcessing": false, "layers": [{"track": 1}]}]
            """#
        let found = try frames(
            project(#"{"bounds": [0, 0, 16, 8], "position": [32, 24], \#(Self.white)}"#, video: video))
        #expect(found.map { $0[24 * 64 + 32] } == [235, 235, 235, 235, 235, 60, 60, 60, 60, 60])
    }

    /// As a track: half of it, moved by 8 columns, in the second instruction alone.
    @Test func treeAsATrack() throws {
        let video = #"""
            , "instructions": [{"range": ["0s", "0.2s"], "layers": [{"track": 1}]},
                {"range": ["0.2s", "0.2s"], "layers": [
                    {"track": 9, "opacity": [{"at": "0s", "value": 0.5}],
                     "transform": [{"at": "0s", "value": [1, 0, 0, 1, 8, 0]}]},
                    {"track": 1}]}]
            """#
        let found = try frames(
            project(
                #"{"bounds": [0, 0, 16, 8], "position": [32, 24], \#(Self.white)}"#, film: "",
                mode: #""mode": "additionalLayer", "trackID": 9"#, video: video))
        #expect(found[0].allSatisfy { $0 == 60 })
        let row = found[7][(24 * 64)..<(25 * 64)].map(Int.init)
        #expect(row[31] == 60 && row[48] == 60 && row[32..<48].allSatisfy { (147...148).contains($0) })
    }

    /// From 0.2 s on, twice as fast: frames 0, 2, 4 …
    @Test func filmPlaysByItsLayersTime() throws {
        let path = try fixture.film("numbers.mkv", 30)
        let (width, height) = RenderFixture.size
        let text = """
            {"format": "splitreel/1",
             "assets": {"a": {"kind": "color", "color": [0, 0, 0, 1]}, "n": {"url": "\(path)"}},
             "composition": {"tracks": [
                {"id": 1, "type": "video", "segments": [{"asset": "a", "target": ["0s", "0.4s"]}]}]},
             "video": {"renderSize": [\(width), \(height)], "frameDuration": "1/25",
                "animation": {"videoLayers": ["root"], "root": {"id": "root", "sublayers": [
                {"bounds": [0, 0, \(width), \(height)], "anchorPoint": [0, 0], "beginTime": "0.2s", "speed": 2,
                 "contents": {"film": "n"}}]}}}}
            """
        for chunks in ["none", "1/25"] {
            let found = try frames(text, chunks: chunks).suffix(5).map { NumberedMedia.number($0) }
            #expect(found == [0, 2, 4, 6, 8], "\(chunks)")
        }
    }

    /// A layer that moves, turns and masks another is the same in one chunk as in chunks of any length.
    @Test func anyChunkingGivesTheSameFilm() throws {
        let text = project(
            #"""
            {"bounds": [0, 0, 20, 20], "position": [32, 24], "opacity": 0.8, "masksToBounds": true, "cornerRadius": 5,
             \#(Self.white), "shadow": {"opacity": 0.5}, "sublayers": [
                {"bounds": [0, 0, 8, 8], "position": [10, 10], "backgroundColor": [1, 0, 0, 1]}],
             "animations": [
                {"keyPath": "transform.rotation", "from": 0, "to": 90, "duration": "0.4s"},
                {"keyPath": "position.x", "values": [10, 50, 30], "duration": "0.3s", "calculation": "cubic",
                 "autoreverse": true, "repeat": "inf", "timing": ["easeIn", "easeOut"]}]}
            """#)
        let whole = try frames(text)
        #expect(whole.count == 10 && Set(whole).count == 10)
        #expect(try frames(text, chunks: "1/25") == whole)
        #expect(try frames(text, chunks: "3/25") == whole)
    }
}
