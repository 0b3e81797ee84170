import Diagnostics
import Foundation
import JSONText
import MediaFacts
import MediaTime
import Pictures
import SplitreelProject
import SplitreelTimeline
import Testing
import Validation

@Suite("A layer's fit")
struct FitTests {
    private static let clip = #"{"asset": "a", "source": ["0s", "4s"], "target": ["0s", "4s"]}"#
    private static let turned = Affine(a: 0, b: 1, c: -1, d: 0, tx: 720, ty: 0)

    private func timeline(
        _ layer: String, _ facts: AssetFacts = filmFacts(), instruction: String = "", track: String = "",
        video: String = #""renderSize": [1280, 720]"#, size: PixelSize? = nil
    ) throws -> Timeline {
        let made = try project(
            tracks: #"{"id": 1, "type": "video"\#(track), "segments": [\#(Self.clip)]}"#,
            """
            "video": {\(video), "instructions": [
              {"range": ["0s", "4s"]\(instruction), "layers": [{"track": 1, \(layer)}]}]}
            """)
        return try Timeline(project: made, assets: ["a": facts], size: size)
    }

    private func layer(_ timeline: Timeline, at time: Rational = .zero) throws -> (LayerRecipe, group: PictureGroup) {
        let layer = try #require(timeline.recipe(at: time).layers.first)
        guard case .group(let group) = layer.picture else { throw Missing() }
        return (layer, group)
    }

    private struct Missing: Error {}

    private func isNear(_ map: Affine, _ numbers: [Double]) -> Bool {
        zip([map.a, map.b, map.c, map.d, map.tx, map.ty], numbers).allSatisfy { abs($0 - $1) < 1e-9 }
    }

    struct Case {
        var name: String
        var fit = "contain"
        var size = PixelSize(width: 1280, height: 720)
        var rotation = 0
        var transform = Affine.identity
        var aspect = (1, 1)
        var map: [Double]
    }

    /// In a canvas of 1280×720; the maps are worked out by hand.
    static let cases: [Case] = [
        // 1920×800 by 2/3 is 1280 × 533 1/3, from line 93 1/3 on.
        Case(
            name: "wide", size: PixelSize(width: 1920, height: 800), map: [2.0 / 3, 0, 0, 2.0 / 3, 0, 280.0 / 3]),
        // By 0.9 it is 1728×720: 224 columns on each side are cut off.
        Case(
            name: "wide over", fit: "cover", size: PixelSize(width: 1920, height: 800), map: [0.9, 0, 0, 0.9, -224, 0]),
        // 720×1280 by 9/16 is 405×720.
        Case(
            name: "tall", size: PixelSize(width: 720, height: 1280), map: [0.5625, 0, 0, 0.5625, 437.5, 0]),
        Case(
            name: "tall over", fit: "cover", size: PixelSize(width: 720, height: 1280),
            map: [16.0 / 9, 0, 0, 16.0 / 9, 0, (720 - 1280 * 16.0 / 9) / 2]),
        // Turned upright it is as the tall one: x' = 720 − y before it is scaled and centred.
        Case(
            name: "turned", rotation: 90, transform: turned, map: [0, 0.5625, -0.5625, 0, 720 * 0.5625 + 437.5, 0]),
        // 720×576 with pixels of 64 : 45 is 1024×576.
        Case(
            name: "pixel aspect", size: PixelSize(width: 720, height: 576), aspect: (64, 45),
            map: [1.25, 0, 0, 1.25, 0, 0]),
        Case(name: "the same", map: [1, 0, 0, 1, 0, 0]), Case(name: "the same", fit: "cover", map: [1, 0, 0, 1, 0, 0]),
        // What a pixel more would fill is not softened; but what is to cover leaves no pixel free.
        Case(name: "odd", size: PixelSize(width: 1279, height: 719), map: [1, 0, 0, 1, 0, 0]),
        Case(
            name: "odd over", fit: "cover", size: PixelSize(width: 1279, height: 719),
            map: [720.0 / 719, 0, 0, 720.0 / 719, (1280 - 1279 * 720.0 / 719) / 2, 0]),
    ]

    @Test(arguments: cases) func geometry(_ one: Case) throws {
        let facts = filmFacts(size: one.size, rotation: one.rotation, transform: one.transform, aspect: one.aspect)
        let (layer, group) = try layer(timeline(#""fit": "\#(one.fit)""#, facts))
        #expect(layer.transform == .identity && layer.crop == nil && layer.opacity == 1)
        #expect(group.size == PixelSize(width: 1280, height: 720) && group.layers.count == 1 && group.clip == nil)
        let map = try #require(group.layers.first).transform
        #expect(isNear(map, one.map), "\(one.name): \(map)")
    }

    /// A transform of the track replaces the file's, wherever its own picture would lie.
    @Test func theTracksTransformCounts() throws {
        let track = #", "preferredTransform": [0, 1, -1, 0, 33, 44]"#
        let (_, group) = try layer(timeline(#""fit": "contain""#, track: track))
        #expect(isNear(try #require(group.layers.first).transform, [0, 0.5625, -0.5625, 0, 842.5, 0]))
    }

    @Test func matte() throws {
        let red = Colour(red: 1, green: 0, blue: 0)
        let background = #", "background": [1, 0, 0, 1]"#
        #expect(try layer(timeline(#""fit": "contain""#)).group.matte == .black)
        #expect(try layer(timeline(#""fit": "contain""#, instruction: background)).group.matte == red)
        let own = try layer(timeline(#""fit": "cover", "matte": [0, 0, 1, 0.5]"#, instruction: background)).group
        #expect(own.matte == Colour(red: 0, green: 0, blue: 1, alpha: 0.5))
    }

    /// Transform, crop and opacity are about the fitted picture, in canvas pixels, whatever the output's size.
    @Test func theOtherKeysMoveTheFittedPicture() throws {
        let keys = """
            "fit": "contain", "transform": [{"at": "0s", "value": [1, 0, 0, 1, 100, 0]}],
            "crop": [{"at": "0s", "value": [64, 0, 640, 360]}], "opacity": [{"range": ["0s", "4s"], "from": 1, "to": 0}]
            """
        let scaled = #""renderSize": [1280, 720], "renderScale": 0.5"#
        let (half, group) = try layer(timeline(keys, video: scaled), at: Rational(1))
        #expect(group.size == PixelSize(width: 640, height: 360) && half.opacity == 0.75)
        #expect(isNear(half.transform, [1, 0, 0, 1, 50, 0]) && half.crop == Rect(x: 32, y: 0, width: 320, height: 180))
        #expect(isNear(try #require(group.layers.first).transform, [0.5, 0, 0, 0.5, 0, 0]))
        // The canvas is 720×405 of a square output, from line 156 on.
        let square = PixelSize(width: 720, height: 720)
        let (whole, inner) = try layer(timeline(#""fit": "contain""#, size: square))
        #expect(inner.size == PixelSize(width: 720, height: 405) && whole.transform == .translation(0, 156))
        let (moved, _) = try layer(timeline(keys, size: square))
        #expect(isNear(moved.transform, [1, 0, 0, 1, 56.25, 156]))
    }

    /// 160×90 by 0.33 is 53×30: a fitted picture reaches all of its edges.
    @Test func aRoundedFilmIsFilled() throws {
        let facts = filmFacts(size: PixelSize(width: 160, height: 90))
        for fit in ["contain", "cover"] {
            let small = #""renderSize": [160, 90], "renderScale": 0.33"#
            let (layer, group) = try layer(timeline("\"fit\": \"\(fit)\"", facts, video: small))
            #expect(layer.transform == .identity && group.size == PixelSize(width: 53, height: 30))
            let map = try #require(group.layers.first).transform
            #expect(isNear(map, [53.0 / 160, 0, 0, 30.0 / 90, 0, 0]), "\(map)")
        }
    }

    /// A source that shows nothing has no bars; a generator's alpha is its own, not its matte's.
    @Test func whatIsInTheGroup() throws {
        let late = try timeline(#""fit": "contain""#, filmFacts(start: "1/1"))
        #expect(late.recipe(at: Rational(1, 2)).layers.isEmpty && late.recipe(at: Rational(2)).layers.count == 1)
        let made = try project(
            assets: #""c": {"kind": "color", "color": [1, 0, 0, 0.5], "size": [64, 64]}"#,
            tracks: #"{"id": 1, "type": "video", "segments": [{"asset": "c", "target": ["0s", "4s"]}]}"#,
            """
            "video": {"renderSize": [64, 32],
              "instructions": [{"range": ["0s", "4s"], "layers": [{"track": 1, "fit": "contain"}]}]}
            """)
        let timeline = try Timeline(project: made, assets: [:])
        let (layer, group) = try layer(timeline)
        #expect(layer.opacity == 1 && group.layers.map(\.opacity) == [0.5])
        #expect(isNear(try #require(group.layers.first).transform, [0.5, 0, 0, 0.5, 16, 0]))
        #expect(timeline.isConstant(from: .zero, to: Rational(4)))
    }

    // MARK: the file

    private func problems(_ layer: String, _ facts: [String: AssetFacts]? = nil) -> [Problem] {
        let text = projectText(
            tracks: #"{"id": 1, "type": "video", "segments": [\#(Self.clip)]}"#,
            """
            "video": {"renderSize": [1280, 720],
              "instructions": [{"range": ["0s", "4s"], "layers": [{"track": 1, \(layer)}]}]}
            """)
        return Project.check(text, assets: facts).problems
    }

    @Test func whatIsWrongIsNamed() {
        let place = "video.instructions[0].layers[0]"
        let unknown = problems(#""fit": "fill""#)
        #expect(unknown.map(\.code) == [.valueNotAllowed] && unknown.first?.path == place + ".fit")
        #expect(unknown.first?.hint == "one of: contain, cover, stretch, none")
        #expect(problems(#""fit": 1"#).map(\.code) == [.valueWrong])
        #expect(problems(#""fit": "cover", "matte": [0, 0, 2, 1]"#).map(\.path) == [place + ".matte"])
        let idle = problems(#""matte": [0, 0, 0, 1]"#)
        #expect(idle.map(\.code) == [.matteNotUsed] && idle.first?.severity == .warning)
        #expect(problems(#""fit": "cover", "matte": [0, 0, 0, 1]"#) == [])
        #expect(problems(#""fit": "none", "matte": [0, 0, 0, 1]"#).map(\.code) == [.matteNotUsed])
    }

    /// What is turned upright needs no transform; a crop is in the canvas's pixels.
    @Test func remarksKnowOfTheFit() {
        let facts = ["a": filmFacts(rotation: 90, transform: Self.turned)]
        #expect(problems(#""fit": "none""#, facts).map(\.code) == [.rotatedUntransformed])
        let identity = #""transform": [{"at": "0s", "value": [1, 0, 0, 1, 0, 0]}]"#
        #expect(problems(identity, facts).map(\.code) == [.rotatedUntransformed])
        #expect(problems(#""fit": "contain""#, facts) == [])
        let crop = #""crop": [{"at": "0s", "value": [900, 0, 100, 100]}]"#
        let small = ["a": filmFacts(size: PixelSize(width: 640, height: 360))]
        #expect(problems(#""fit": "none", "# + crop, small).map(\.code) == [.cropOutsidePicture])
        #expect(problems(crop + #", "fit": "contain""#, small) == [])
        let outside = problems(#""fit": "contain", "crop": [{"at": "0s", "value": [1300, 0, 9, 9]}]"#, small)
        #expect(outside.map(\.code) == [.cropOutsidePicture])
        #expect(outside.first?.hint.contains("canvas") == true)
    }

    @Test func keysAreKeptInCanonicalForm() throws {
        var made = try project(
            tracks: #"{"id": 1, "type": "video", "segments": [\#(Self.clip)]}"#,
            """
            "video": {"frameDuration": "1/25", "instructions": [{"range": ["0s", "2s"], "layers": []},
              {"range": ["2.001s", "1.999s"], "layers": [{"track": 1, "matte": [0, 0.5, 1, 1], "fit": "cover"}]}]}
            """)
        #expect(made.snapInstructions() == 1)
        let text = String(decoding: made.canonicalBytes(), as: UTF8.self)
        #expect(text.contains(#"[{"fit":"cover","matte":[0,0.5,1,1],"track":1}]"#))
    }
}
