import Diagnostics
import MediaFacts
import MediaTime
import Pictures
import SplitreelTimeline
import Testing
import Validation

/// A still of 6000×4000: by which whole number it is reduced before frames are made of it.
@Suite("Reduction of stills") struct StillReductionTests {
    private static func facts(_ width: Int = 6000, _ height: Int = 4000) -> AssetFacts {
        stillFacts(PixelSize(width: width, height: height))
    }

    private func reduction(
        _ layer: String, video: String = #""renderSize": [640, 360]"#, instruction: String = "",
        _ facts: AssetFacts = facts(), size: PixelSize? = nil
    ) throws -> Int {
        let made = try project(
            assets: #""a": {"url": "a.png"}"#,
            tracks: #"{"id": 1, "type": "video", "segments": [{"asset": "a", "target": ["0s", "4s"]}]}"#,
            """
            "video": {\(video), "frameDuration": "1/25", "instructions": [
              {"range": ["0s", "4s"]\(instruction), "layers": [{"track": 1\(layer)}]}]}
            """)
        return try Timeline(project: made, assets: ["a": facts], size: size).stillReductions["a"] ?? 1
    }

    private static func ramp(_ from: String, _ to: String, _ easing: String = #""linear""#) -> String {
        #", "transform": [{"range": ["0s", "4s"], "from": \#(from), "to": \#(to), "easing": \#(easing)}]"#
    }

    private static func scale(_ factor: Double) -> String { #"{"scale": \#(factor)}"# }

    struct Case {
        var layer: String
        var expected: Int
    }

    /// The largest scale s of all that is shown: the largest whole number not above 1 / (2 s).
    static let cases: [Case] = [
        Case(layer: #", "fit": "none""#, expected: 1),
        // Contained, as by `fit`, but effects see all of it.
        Case(layer: "", expected: 5), Case(layer: #", "effects": [{"id": "blur"}]"#, expected: 1),
        Case(layer: ramp(scale(0.1), scale(0.125)), expected: 4),
        Case(layer: ramp(scale(0.125), scale(0.1)), expected: 4),
        Case(layer: ramp(scale(0.1), scale(0.1251)), expected: 3),
        Case(layer: ramp(scale(0.1), scale(0.26)), expected: 1),
        Case(layer: ramp(scale(0.001), scale(0.002)), expected: 64),
        // The way back from 0.1 goes as far as to 0.1 + 0.1 · 1.5.
        Case(layer: ramp(scale(0.1), scale(0.2), "[0.3, 0, 0.6, 2.5]"), expected: 1),
        Case(layer: ramp(scale(0.1), scale(0.11), "[0.3, 0, 0.6, 2.5]"), expected: 4),
        // Turned, mirrored and by two factors: the larger one.
        Case(layer: ramp("[0, 0.1, -0.1, 0, 0, 0]", "[0, 0.1, -0.05, 0, 0, 0]"), expected: 5),
        Case(layer: ramp(#"{"scale": [-0.1, 0.05], "rotate": 0}"#, #"{"scale": 0.05, "rotate": 700}"#), expected: 5),
        // tan 45° doubles what may become of a length.
        Case(layer: ramp(#"{"scale": 0.05}"#, #"{"scale": 0.05, "skew": [45, 0]}"#), expected: 5),
        // 360 / 4000 or 640 / 6000, of which the one is contained, the other covers.
        Case(layer: #", "fit": "contain""#, expected: 5), Case(layer: #", "fit": "cover""#, expected: 4),
        // A fitted picture is enlarged, not the still.
        Case(layer: #", "fit": "contain""# + ramp(scale(1), scale(3)), expected: 5),
        // Effects work on the still's own pixels, or on the fitted picture.
        Case(layer: ramp(scale(0.1), scale(0.1)) + #", "effects": [{"id": "blur"}]"#, expected: 1),
        Case(layer: #", "fit": "contain", "effects": [{"id": "blur"}]"#, expected: 5),
        // Before the first key nothing is scaled.
        Case(layer: #", "transform": [{"at": "1s", "value": {"scale": 0.1}}]"#, expected: 1),
        Case(layer: #", "transform": [{"at": "0s", "value": {"scale": 0.1}}]"#, expected: 5),
    ]

    @Test(arguments: cases.indices) func factor(_ index: Int) throws {
        let one = Self.cases[index]
        #expect(try reduction(one.layer) == one.expected, "\(one.layer)")
    }

    /// Twice the output needs half the factor; a small still has none, nor one among light or for an effect.
    @Test func whatElseCounts() throws {
        let layer = Self.ramp(Self.scale(0.1), Self.scale(0.125))
        #expect(try reduction(layer, size: PixelSize(width: 1280, height: 720)) == 2)
        #expect(try reduction(layer, video: #""renderSize": [640, 360], "renderScale": 0.5"#) == 8)
        #expect(try reduction(layer, Self.facts(2048, 1024)) == 1)
        #expect(try reduction(layer, Self.facts(2048, 1025)) == 4)
        let light = #""renderSize": [640, 360], "color": {"scaleSpace": "linear"}"#
        #expect(try reduction(layer, video: light) == 1)
        let matte = #", "effects": [{"id": "mask", "params": {"image": "a"}}]"#
        #expect(try reduction(layer, instruction: matte) == 1)
    }

    /// The largest of two uses counts, wherever they are.
    @Test func allUsesCount() throws {
        let made = try project(
            assets: #""a": {"url": "a.png"}"#,
            tracks: """
                {"id": 1, "type": "video", "segments": [{"asset": "a", "target": ["0s", "4s"]}]},
                {"id": 2, "type": "video", "segments": [{"asset": "a", "target": ["0s", "4s"]}]}
                """,
            """
            "video": {"renderSize": [640, 360], "frameDuration": "1/25", "instructions": [
              {"range": ["0s", "2s"], "layers": [{"track": 1, "transform": [{"at": "0s", "value": {"scale": 0.05}}]}]},
              {"range": ["2s", "2s"], "layers": [{"track": 2, "transform": [{"at": "2s", "value": {"scale": 0.1}}]}]}]}
            """)
        #expect(try Timeline(project: made, assets: ["a": Self.facts()]).stillReductions == ["a": 5])
    }
}
