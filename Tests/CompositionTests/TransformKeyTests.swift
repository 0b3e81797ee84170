import Diagnostics
import Foundation
import JSONText
import MediaFacts
import MediaTime
import Pictures
import SplitreelProject
import SplitreelTimeline
import TestTools
import Testing
import Validation

/// Transforms in parts and eased ramps, against arithmetic with Foundation's functions.
@Suite("Keys that people write") struct TransformKeyTests {
    private func timeline(_ keys: String, facts: AssetFacts = filmFacts()) throws -> Timeline {
        let clip = #"{"asset": "a", "source": ["0s", "10s"], "target": ["0s", "10s"]}"#
        let made = try project(
            tracks: #"{"id": 1, "type": "video", "segments": [\#(clip)]}"#,
            """
            "video": {"renderSize": [1280, 720], "instructions": [
              {"range": ["0s", "10s"], "layers": [{"track": 1, \(keys)}]}]}
            """)
        return try Timeline(project: made, assets: ["a": facts])
    }

    private func map(_ value: String, facts: AssetFacts = filmFacts()) throws -> Affine {
        let timeline = try timeline(#""transform": [{"at": "0s", "value": \#(value)}]"#, facts: facts)
        return try #require(timeline.recipe(at: .zero).layers.first).transform
    }

    private func numbers(_ map: Affine) -> [Double] { [map.a, map.b, map.c, map.d, map.tx, map.ty] }

    private func isNear(_ map: Affine, _ expected: [Double], _ tolerance: Double = 1e-9) -> Bool {
        zip(numbers(map), expected).allSatisfy { abs($0 - $1) <= tolerance }
    }

    @Test func partsOfAllKinds() throws {
        #expect(try map(#"{"translate": [30, 40]}"#) == .translation(30, 40))
        #expect(try map(#"{"scale": 0.5}"#) == .scale(0.5, 0.5))
        #expect(try map(#"{"scale": [2, 3], "translate": [1, 2]}"#) == Affine(a: 2, b: 0, c: 0, d: 3, tx: 1, ty: 2))
        // A quarter clockwise: what points right points down; exact.
        #expect(try map(#"{"rotate": 90}"#) == Affine(a: 0, b: 1, c: -1, d: 0, tx: 0, ty: 0))
        #expect(try map(#"{"rotate": -450}"#) == Affine(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: 0))
        #expect(try map(#"{"rotate": 180, "anchor": "center"}"#) == Affine(a: -1, b: 0, c: 0, d: -1, tx: 1280, ty: 720))
        #expect(isNear(try map(#"{"scale": 2, "anchor": [100, 50]}"#), [2, 0, 0, 2, -100, -50]))
        #expect(isNear(try map(#"{"skew": [45, 0]}"#), [1, 0, 1, 1, 0, 0], 1e-12))
    }

    /// The picture's own display size tells where its centre is: pixels of 16:11, and a fitted picture.
    @Test func centreIsThePictures() throws {
        let wide = filmFacts(size: PixelSize(width: 704, height: 576), aspect: (16, 11))
        #expect(isNear(try map(#"{"scale": 0, "anchor": "center"}"#, facts: wide), [0, 0, 0, 0, 512, 288]))
        let fitted = try timeline(
            #""fit": "contain", "transform": [{"at": "0s", "value": {"rotate": 180, "anchor": "center"}}]"#,
            facts: wide)
        let layer = try #require(fitted.recipe(at: .zero).layers.first)
        #expect(isNear(layer.transform, [-1, 0, 0, -1, 1280, 720]))
    }

    @Test(arguments: [0.0, 1, 12.5, 29.99, 30, 45, 60, 89.5, 133, 200, 271.25, 359, 1000.125, -77, 1e6 + 0.5])
    func anyAngle(degrees: Double) throws {
        let map = try map(#"{"rotate": \#(degrees)}"#)
        let angle = degrees.remainder(dividingBy: 360) / 180 * .pi
        #expect(isNear(map, [cos(angle), sin(angle), -sin(angle), cos(angle), 0, 0], 4e-16))
        #expect(abs(map.determinant - 1) < 1e-15)
    }

    /// A ramp of parts turns at full size; one of six numbers passes through 0.7071.
    @Test func rampOfParts() throws {
        let parts = try timeline(
            #""transform": [{"range": ["0s", "2s"], "from": {"rotate": 0}, "to": {"rotate": 90, "translate": [8, 0]}}]"#
        )
        let half = try #require(parts.recipe(at: Rational(1)).layers.first).transform
        #expect(abs(half.determinant - 1) < 1e-15 && abs(half.a - 0.5.squareRoot()) < 1e-15 && half.tx == 4)
        let matrix = try timeline(
            #""transform": [{"range": ["0s", "2s"], "from": [1, 0, 0, 1, 0, 0], "to": [0, 1, -1, 0, 0, 0]}]"#)
        let shrunk = try #require(matrix.recipe(at: Rational(1)).layers.first).transform
        #expect(abs(shrunk.determinant - 0.5) < 1e-12)
    }

    struct Curve: Sendable {
        var text: String
        /// Its control points.
        var x1, y1, x2, y2: Double
    }

    static let curves: [Curve] = [
        Curve(text: #""ease-in""#, x1: 0.42, y1: 0, x2: 1, y2: 1),
        Curve(text: #""ease-out""#, x1: 0, y1: 0, x2: 0.58, y2: 1),
        Curve(text: #""ease-in-out""#, x1: 0.42, y1: 0, x2: 0.58, y2: 1),
        Curve(text: "[0.25, 0.1, 0.25, 1]", x1: 0.25, y1: 0.1, x2: 0.25, y2: 1),
        Curve(text: #""cubic-bezier(0.1, 0.9, 0.2, 0.8)""#, x1: 0.1, y1: 0.9, x2: 0.2, y2: 0.8),
        Curve(text: #""linear""#, x1: 0.25, y1: 0.25, x2: 0.75, y2: 0.75),
    ]

    /// Opacity over 4 s from 0 to 1: the curve itself, whose parameter the test finds by steps of its own.
    @Test(arguments: curves)
    func easings(expected: Curve) throws {
        let text = expected.text
        let (x1, y1, x2, y2) = (expected.x1, expected.y1, expected.x2, expected.y2)
        let timeline = try timeline(
            #""opacity": [{"range": ["0s", "4s"], "from": 0, "to": 1, "easing": \#(text)}]"#)
        func curve(_ p1: Double, _ p2: Double, _ t: Double) -> Double {
            3 * (1 - t) * (1 - t) * t * p1 + 3 * (1 - t) * t * t * p2 + t * t * t
        }
        for frame in 1..<120 {
            let time = Double(frame) / 120
            // Newton's way, from near the place.
            var t = time
            for _ in 0..<200 {
                let slope = (curve(x1, x2, t + 1e-7) - curve(x1, x2, t - 1e-7)) / 2e-7
                t = min(1, max(0, t - (curve(x1, x2, t) - time) / max(slope, 0.05)))
            }
            let opacity = timeline.recipe(at: Rational(frame, 30)).layers.first?.opacity ?? 0
            #expect(abs(opacity - curve(y1, y2, t)) < 1e-6, "\(text) at \(time)")
        }
        #expect(timeline.recipe(at: Rational(4)).layers.first?.opacity == 1)
    }

    @Test func holdAndOvershoot() throws {
        let hold = try timeline(#""opacity": [{"range": ["0s", "4s"], "from": 0.25, "to": 1, "easing": "hold"}]"#)
        #expect(hold.recipe(at: Rational(399, 100)).layers.first?.opacity == 0.25)
        #expect(hold.recipe(at: Rational(4)).layers.first?.opacity == 1)
        // The curve leaves 0…1: an opacity does not.
        let wild = try timeline(
            #""opacity": [{"range": ["0s", "4s"], "from": 0, "to": 1, "easing": [0.5, -2, 0.5, 3]}]"#)
        let opacities = (0...120).map { wild.recipe(at: Rational($0, 30)).layers.first?.opacity ?? 0 }
        #expect(opacities.allSatisfy { (0...1).contains($0) } && opacities.contains(1))
        #expect(wild.recipe(at: Rational(1, 2)).layers.isEmpty)
    }

    @Test func soundEases() throws {
        let clip = #"{"asset": "a", "source": ["0s", "4s"], "target": ["0s", "4s"]}"#
        let made = try project(
            tracks: #"{"id": 1, "type": "audio", "segments": [\#(clip)]}"#,
            """
            "audio": {"inputs": [{"track": 1, "volume": [
              {"range": ["0s", "2s"], "from": 0, "to": 1, "easing": "ease-in-out"}]}]}
            """)
        let recipe = try #require(try Timeline(project: made, assets: ["a": filmFacts()]).audio.first)
        #expect(abs(recipe.gain(at: Rational(1)) - 0.5) < 1e-12)
        #expect(recipe.gain(at: Rational(1, 2)) < 0.2 && recipe.gain(at: Rational(2)) == 1)
    }

    /// What is read is written back as it was meant.
    @Test func keysComeBack() throws {
        let text = """
            {"at":"0s","value":{"anchor":"center","rotate":12.5,"scale":[2,2],"translate":[1,2],"x-mine":true}}
            """
        var reader = ProjectReader()
        let key = try #require(Key<Transform>.read(try JSONValue(parsing: Data(text.utf8)), &reader))
        #expect(reader.problems.isEmpty)
        #expect(try JSONValue(parsing: Data(key.json.canonicalBytes())) == JSONValue(parsing: Data(text.utf8)))
        for easing in [#""ease-in""#, #""hold""#, "[0.1,0.2,0.3,0.4]"] {
            let json = try JSONValue(parsing: Data(easing.utf8))
            #expect(Easing.read(json, &reader)?.json == json)
        }
        let call = Easing.read(.string("cubic-bezier(0.42, 0, 1, 1)"), &reader)
        #expect(call == .easeIn && reader.problems.isEmpty)
        for wrong in ["cubic-bezier(0x1p-1, 0, 0.5, 1)", "cubic-bezier(0. 5, 0, 1, 1)", "cubic-bezier(0, 0, 1)"] {
            #expect(Easing.read(.string(wrong), &reader) == nil)
        }
    }

    @Test(arguments: [
        (#""transform": [{"at": "0s", "value": {"rotate": "90"}}]"#, ErrorCode.valueWrong),
        (#""transform": [{"at": "0s", "value": {"scale": [1, 2, 3]}}]"#, .valueWrong),
        (#""transform": [{"at": "0s", "value": {"anchor": "middle"}}]"#, .valueWrong),
        (#""transform": [{"at": "0s", "value": {"skew": [0, 90]}}]"#, .valueNotAllowed),
        (#""transform": [{"range": ["0s", "1s"], "from": {"scale": 1}, "to": [1, 0, 0, 1, 0, 0]}]"#, .keyInvalid),
        (#""opacity": [{"at": "0s", "value": 1, "easing": "ease-in"}]"#, .keyInvalid),
        (#""opacity": [{"range": ["0s", "1s"], "from": 0, "to": 1, "easing": "bouncy"}]"#, .valueNotAllowed),
        (#""opacity": [{"range": ["0s", "1s"], "from": 0, "to": 1, "easing": [2, 0, 0, 1]}]"#, .valueNotAllowed),
        (#""opacity": [{"range": ["0s", "1s"], "from": 0, "to": 1, "easing": [0, 0, 1]}]"#, .valueWrong),
    ])
    func refusals(keys: String, code: ErrorCode) throws {
        let error = #expect(throws: SplitreelError.self) { try timeline(keys) }
        #expect(error?.code == code, "\(keys): \(String(describing: error))")
    }

    /// Two holds that change places: nothing dips. A volume whose curve lifts it: what may clip is said.
    @Test func remarksKnowEasings() throws {
        let clip = #"{"asset": "a", "source": ["0s", "4s"], "target": ["0s", "4s"]}"#
        func remarks(_ rest: String) throws -> [Int] {
            try project(
                tracks: """
                    {"id": 1, "type": "video", "segments": [\(clip)]},
                    {"id": 2, "type": "video", "segments": [\(clip)]},
                    {"id": 3, "type": "audio", "segments": [\(clip)]}
                    """, rest
            ).validate(assets: nil).map(\.code.number)
        }
        func dissolve(_ easing: String) -> String {
            let key = #""range": ["1s", "1s"], "easing": "\#(easing)""#
            return """
                "video": {"renderSize": [64, 64], "instructions": [{"range": ["0s", "4s"], "layers": [
                  {"track": 1, "opacity": [{\(key), "from": 1, "to": 0}]},
                  {"track": 2, "opacity": [{\(key), "from": 0, "to": 1}]}]}]}
                """
        }
        #expect(try remarks(dissolve("ease-in")) == [ErrorCode.doubleFade.number])
        #expect(try remarks(dissolve("hold")).isEmpty)
        func volume(_ easing: String) -> String {
            """
            "audio": {"inputs": [{"track": 3, "volume": [
              {"range": ["0s", "2s"], "from": 0, "to": 1, "easing": \(easing)}]}]}
            """
        }
        #expect(try remarks(volume("[0.3, 0, 0.3, 60]")) == [ErrorCode.mixMayClip.number])
        #expect(try remarks(volume("[0.3, 0, 0.3, 1]")).isEmpty)
    }

    /// No number of a file makes a map of no numbers.
    @Test func hugeNumbers() throws {
        let huge = #"{"translate": [1e308, 1e308], "scale": 1e308, "rotate": 1e308, "anchor": [-1e308, 1e308]}"#
        #expect(numbers(try map(huge)).allSatisfy(\.isFinite))
        let turn = #""transform": [{"range": ["0s", "4s"], "from": {"rotate": 1e308}, "to": {"rotate": -1e308}}]"#
        #expect(
            numbers(try #require(try timeline(turn).recipe(at: Rational(1)).layers.first).transform)
                == [0, 0, 0, 0, 0, 0])
    }

    /// A curve that stands still in its middle, and one that is steep at both ends: x is met all the same.
    @Test(arguments: [(1.0, 0.0), (0, 1), (0, 0), (1, 1), (1e-9, 1)])
    func curvesOfAllSlopes(x1: Double, x2: Double) {
        // With y = x the share is the time.
        let easing = Easing.cubicBezier(x1: x1, y1: x1, x2: x2, y2: x2)
        for step in 0...1000 {
            let time = Double(step) / 1000
            #expect(abs(easing.share(at: time) - time) < 1e-12)
        }
    }
}
