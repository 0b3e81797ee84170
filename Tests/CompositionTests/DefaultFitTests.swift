import Authoring
import Diagnostics
import JSONText
import MediaFacts
import MediaTime
import Pictures
import SplitreelProject
import SplitreelTimeline
import Testing
import Validation

/// Layers that have neither `fit` nor `transform`, and the film's own `fit`. The canvas is 1280×720.
@Suite("Layers fit by themselves") struct DefaultFitTests {
    private static let upright = Affine(a: 0, b: 1, c: -1, d: 0, tx: 360, ty: 0)
    /// 640×360 standing upright, a logo, and a film of the canvas's size.
    private static let facts = [
        "turned": filmFacts(size: PixelSize(width: 640, height: 360), rotation: 90, transform: upright),
        "logo": stillFacts(PixelSize(width: 320, height: 360)), "whole": filmFacts(),
        "odd": filmFacts(size: PixelSize(width: 1279, height: 719)),
    ]
    private static let assets = """
        "turned": {"url": "t.mp4"}, "logo": {"url": "l.png"}, "whole": {"url": "w.mp4"}, "odd": {"url": "o.mp4"},
        "card": {"kind": "color", "color": [1, 0, 0, 1], "size": [64, 32]},
        "board": {"kind": "checker", "size": [64, 32]}
        """

    /// A film of one track, with a layer of those keys, or without instructions.
    private func film(_ asset: String, layer: String?, video: String = "", track: String = "") throws -> Project {
        let source = ["logo", "card", "board"].contains(asset) ? "" : #""source": ["0s", "4s"], "#
        let instructions =
            layer.map { #", "instructions": [{"range": ["0s", "4s"], "layers": [{"track": 1\#($0)}]}]"# } ?? ""
        return try project(
            assets: Self.assets,
            tracks: """
                {"id": 1, "type": "video"\(track), "segments": [{"asset": "\(asset)", \(source)"target": ["0s", "4s"]}]}
                """, #""video": {"renderSize": [1280, 720]\#(video)\#(instructions)}"#)
    }

    private func shown(
        _ asset: String, layer: String? = "", video: String = "", track: String = ""
    ) throws -> LayerRecipe {
        let made = try film(asset, layer: layer, video: video, track: track)
        return try #require(try Timeline(project: made, assets: Self.facts).recipe(at: .zero).layers.first)
    }

    /// Upright, as large as it can be whole, centred. Nothing lies around it: no group, no matte.
    @Test(arguments: ["", nil] as [String?]) func filmsAndStillsAreContained(layer: String?) throws {
        // 360×640 by 1.125 is 405×720: x' = 360 − y before that, from column 437.5 on.
        let turned = try shown("turned", layer: layer)
        #expect(turned.source?.asset == "turned")
        #expect(turned.transform == Affine(a: 0, b: 1.125, c: -1.125, d: 0, tx: 360 * 1.125 + 437.5, ty: 0))
        // 320×360 twice as large is 640×720.
        let logo = try shown("logo", layer: layer)
        #expect(logo.source?.asset == "logo" && logo.transform == Affine(a: 2, b: 0, c: 0, d: 2, tx: 320, ty: 0))
        #expect(try shown("whole", layer: layer).transform == .identity)
        #expect(try shown("odd", layer: layer).transform == .identity)
        // An empty list is no transform.
        #expect(try shown("logo", layer: #", "transform": []"#).transform == logo.transform)
    }

    /// Where it is whole it is what it was, to the bit.
    @Test func aWholeSourceIsAsItIs() throws {
        for layer in ["", nil] as [String?] {
            let plain = try shown("whole", layer: layer)
            #expect(try plain == shown("whole", layer: layer, video: #", "fit": "none""#))
            let numbers = [plain.transform.tx, plain.transform.ty, plain.transform.b, plain.transform.c]
            #expect(numbers.allSatisfy { $0.sign == .plus && $0 == 0 })
        }
    }

    @Test func generatorsAreAsTheyAre() throws {
        for asset in ["card", "board"] {
            #expect(try shown(asset).transform == .identity)
            #expect(try shown(asset, layer: nil).transform == .identity)
        }
        let track = #", "preferredTransform": [1, 0, 0, 1, 5, 6]"#
        #expect(try shown("card", layer: nil, track: track).transform == .translation(5, 6))
        #expect(try shown("card", track: track).transform == .identity)
    }

    /// A nested composition is as it is; what it shows fits into its own canvas.
    @Test func nestedCompositionsAreAsTheyAre() throws {
        let inner = """
            {"format": "splitreel/1", "assets": {"a": {"url": "/a.png"}}, "composition": {"tracks": [
             {"id": 1, "type": "video", "segments": [{"asset": "a", "target": ["0s", "4s"]}]}]},
             "video": {"renderSize": [640, 360], "frameDuration": "1/10", "instructions": [
              {"range": ["0s", "4s"], "layers": [{"track": 1}]}]}}
            """
        let made = try project(
            assets: #""n": {"kind": "composition", "project": \#(inner)}"#,
            tracks: """
                {"id": 1, "type": "video", "segments": [{"asset": "n", "source": ["0s", "4s"], "target": ["0s", "4s"]}]}
                """,
            """
            "video": {"renderSize": [1280, 720], "frameDuration": "1/10",
              "instructions": [{"range": ["0s", "4s"], "layers": [{"track": 1}]}]}
            """)
        var facts = ["n/a": stillFacts(PixelSize(width: 320, height: 360))]
        made.addNestedFacts(to: &facts)
        let layer = try #require(try Timeline(project: made, assets: facts).recipe(at: .zero).layers.first)
        guard case .group(let group) = layer.picture else { throw Missing() }
        #expect(layer.transform == .identity && group.size == PixelSize(width: 640, height: 360))
        #expect(group.layers.map(\.transform) == [.translation(160, 0)])
        // It is said once, of the film within.
        let found = made.validate(assets: facts)
        #expect(found.map(\.code) == [.layersAreFitted])
        #expect(found.first?.path == "assets.n.project.video.instructions[0].layers[0]")
    }

    private struct Missing: Error {}

    /// Crop, corners and effects are about the source's own pixels.
    @Test func otherKeysAreAboutTheSource() throws {
        let layer = try shown(
            "logo", layer: #", "crop": [{"at": "0s", "value": [10, 20, 30, 40]}], "cornerRadius": 5"#)
        #expect(layer.crop == Rect(x: 10, y: 20, width: 30, height: 40) && layer.outline?.cornerRadius == 5)
        #expect(layer.transform == Affine(a: 2, b: 0, c: 0, d: 2, tx: 320, ty: 0))
        let blurred = try shown("logo", layer: #", "effects": [{"id": "blur"}]"#)
        guard case .effect(let effect) = blurred.picture else { throw Missing() }
        #expect(effect.size == PixelSize(width: 320, height: 360) && blurred.transform == layer.transform)
        // The canvas's scale comes after it.
        let half = try shown("logo", video: #", "renderScale": 0.5"#)
        #expect(half.transform == Affine(a: 1, b: 0, c: 0, d: 1, tx: 160, ty: 0))
    }

    /// A transform, `none` of the layer and `none` of the film: the source as it is.
    @Test func noneIsTheIdentity() throws {
        let moved = #", "transform": [{"at": "2s", "value": [1, 0, 0, 1, 9, 9]}]"#
        for asset in ["turned", "logo"] {
            #expect(try shown(asset, layer: #", "fit": "none""#).transform == .identity)
            #expect(try shown(asset, video: #", "fit": "none""#).transform == .identity)
            #expect(try shown(asset, layer: moved).transform == .identity)
        }
        // Without instructions it stands upright, at the top left.
        #expect(try shown("turned", layer: nil, video: #", "fit": "none""#).transform == Self.upright)
        // A transform is about the source, as without `fit`.
        let scaled = #", "transform": [{"at": "0s", "value": {"scale": 2, "anchor": [10, 0]}}]"#
        #expect(
            try shown("logo", layer: scaled).transform == shown("logo", layer: scaled + #", "fit": "none""#).transform)
    }

    /// The film's `fit` is that of the layers that have none and no transform.
    @Test(arguments: ["contain", "cover", "stretch"]) func theFilmsFit(fit: String) throws {
        let video = #", "fit": "\#(fit)""#
        for asset in ["turned", "logo", "card"] {
            let own = try shown(asset, layer: #", "fit": "\#(fit)""#)
            #expect(try shown(asset, video: video) == own)
            #expect(try shown(asset, layer: nil, video: video) == own)
        }
        let moved = #", "transform": [{"at": "0s", "value": [1, 0, 0, 1, 9, 9]}]"#
        #expect(try shown("logo", layer: moved, video: video) == shown("logo", layer: moved))
        #expect(try shown("logo", layer: #", "fit": "none""#, video: video).transform == .identity)
        let matte = #", "matte": [0, 1, 0, 1]"#
        let green = try shown("logo", layer: matte, video: video)
        guard case .group(let group) = green.picture else { throw Missing() }
        #expect(group.matte == Colour(red: 0, green: 1, blue: 0))
    }

    /// The builder's instructions show what the file shows without them.
    @Test(arguments: ["", #", "fit": "none""#, #", "fit": "cover""#]) func builtIsAutomatic(video: String) throws {
        let turned = #", "preferredTransform": [0, 1, -1, 0, 32, 0]"#
        for (asset, track) in [("turned", ""), ("logo", ""), ("card", ""), ("card", turned), ("logo", turned)] {
            let silent = try film(asset, layer: nil, video: video, track: track)
            var written = silent
            written.video?.instructions = InstructionBuilder().instructions(for: silent, facts: Self.facts)
            let recipes = try [silent, written].map {
                try Timeline(project: $0, assets: Self.facts).recipe(at: Rational(1))
            }
            #expect(written.video?.instructions?.count == 1 && recipes[0] == recipes[1], "\(asset) \(track)")
        }
    }

    // MARK: What is said of it

    private func codes(_ asset: String, layer: String?, video: String = "") throws -> [Int] {
        try film(asset, layer: layer, video: video).validate(assets: Self.facts).map(\.code.number)
    }

    @Test func aFilmThatWasAnotherOneIsToldOnce() throws {
        let fitted = [ErrorCode.layersAreFitted.number]
        #expect(try codes("logo", layer: "") == fitted && codes("logo", layer: nil) == fitted)
        #expect(try codes("whole", layer: "").isEmpty && codes("odd", layer: nil).isEmpty)
        #expect(try codes("card", layer: "").isEmpty)
        // Without instructions it stood upright before; alone it is another size now.
        #expect(try codes("turned", layer: nil) == fitted)
        #expect(try codes("logo", layer: #", "fit": "contain""#).isEmpty)
        #expect(try codes("logo", layer: "", video: #", "fit": "contain""#).isEmpty)
        #expect(try film("logo", layer: "").validate(assets: nil).isEmpty)
    }

    /// What leaves the canvas or does not cover it is told, unless somebody means it.
    @Test func picturesThatDoNotCoverTheCanvas() throws {
        let (told, none) = ([ErrorCode.pictureOffCanvas.number], #", "fit": "none""#)
        #expect(try codes("logo", layer: none) == told)
        #expect(try codes("whole", layer: none).isEmpty && codes("odd", layer: none).isEmpty)
        func scaled(_ factor: Double) -> String { #", "transform": [{"at": "0s", "value": {"scale": \#(factor)}}]"# }
        #expect(try codes("logo", layer: scaled(2)) == told)
        #expect(try codes("whole", layer: scaled(1.5)).isEmpty && codes("whole", layer: scaled(0.5)) == told)
        #expect(try codes("logo", layer: none + #", "crop": [0, 0, 9, 9]"#).isEmpty)
        let moving = #", "transform": [{"range": ["0s", "4s"], "from": {"scale": 2}, "to": {"scale": 3}}]"#
        #expect(try codes("logo", layer: moving).isEmpty)
        var made = try film("logo", layer: scaled(2))
        made.video?.instructions?[0].background = .black
        #expect(made.validate(assets: Self.facts).isEmpty)
    }
}
