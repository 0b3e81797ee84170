import Drawings
import Foundation
import MediaFacts
import MediaTime
import Pictures
import SplitreelProject
import SplitreelTimeline
import Testing
import Validation

/// A tree over a film of one colour, on a canvas of 200×100: what a layer is like at a time is read off the recipe.
struct AnimatedTree {
    let timeline: Timeline

    /// `layers` stand over the film, in the root.
    init(_ layers: String..., video: String = "", assets: String = "", facts: [String: AssetFacts] = [:]) throws {
        let text = """
            {"format": "splitreel/1", "assets": {"a": {"kind": "color", "color": [0, 0, 1, 1]}\(assets)},
             "composition": {"tracks": [
                {"id": 1, "type": "video", "segments": [{"asset": "a", "target": ["0s", "20s"]}]}]},
             "video": {"renderSize": [200, 100], "frameDuration": "1/10"\(video), "animation": {"videoLayers": ["film"],
                "root": {"bounds": [0, 0, 200, 100], "sublayers": [
                    {"id": "film", "bounds": [0, 0, 200, 100], "position": [100, 50]},
                    \(layers.joined(separator: ", "))]}}}}
            """
        let project = try Project(parsing: Data(text.utf8))
        timeline = try Timeline(project: project, assets: facts)
    }

    /// A red layer of 20×10 in the middle with that animation.
    init(animation: String, layer: String = "") throws {
        try self.init(
            """
            {"bounds": [0, 0, 20, 10], "position": [100, 50], "backgroundColor": [1, 0, 0, 1]\(layer),
             "animations": [\(animation)]}
            """)
    }

    /// The layers that are drawn over the film, bottom-most first.
    func layers(at seconds: Rational) -> [LayerRecipe] { Array(timeline.recipe(at: seconds).layers.dropFirst()) }

    func opacity(at seconds: Rational) -> Double { layers(at: seconds).first?.opacity ?? 0 }

    /// The place of the first layer's corner at the top left, in pixels of the canvas.
    func place(at seconds: Rational) -> (x: Double, y: Double)? {
        layers(at: seconds).first.map { $0.transform.apply(0, 0) }
    }
}

func near(_ a: Double, _ b: Double, _ off: Double = 1e-9) -> Bool { abs(a - b) <= off }

@Suite("Animated layers") struct AnimationTests {
    /// A ramp of opacity from 0 to 1 in 2 s from 4 s on.
    private static func ramp(_ more: String) -> String {
        #"{"keyPath": "opacity", "from": 0, "to": 1, "begin": "4s", "duration": "2s"\#(more)}"#
    }

    /// The y of a cubic Bézier curve where its x is `x`, found by halves on the curve's formula.
    private static func bezier(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ x: Double) -> Double {
        func value(_ a: Double, _ b: Double, _ t: Double) -> Double {
            3 * (1 - t) * (1 - t) * t * a + 3 * (1 - t) * t * t * b + t * t * t
        }
        var (low, high) = (0.0, 1.0)
        for _ in 0..<80 {
            let middle = (low + high) / 2
            if value(x1, x2, middle) < x { low = middle } else { high = middle }
        }
        return value(y1, y2, low)
    }

    @Test(arguments: [
        ("\"linear\"", [0.0, 0, 1, 1]), ("\"easeIn\"", [0.42, 0, 1, 1]), ("\"ease-in\"", [0.42, 0, 1, 1]),
        ("\"easeOut\"", [0, 0, 0.58, 1]), ("\"easeInOut\"", [0.42, 0, 0.58, 1]),
        ("\"ease-in-out\"", [0.42, 0, 0.58, 1]), ("\"default\"", [0.25, 0.1, 0.25, 1]),
        ("[0.1, 0.7, 0.9, 0.3]", [0.1, 0.7, 0.9, 0.3]), ("[\"easeIn\"]", [0.42, 0, 1, 1]),
    ])
    func timing(_ word: String, _ curve: [Double]) throws {
        let tree = try AnimatedTree(animation: Self.ramp(", \"timing\": \(word)"))
        for tenth in 1..<20 {
            let share = Double(tenth) / 20
            let expected = Self.bezier(curve[0], curve[1], curve[2], curve[3], share)
            #expect(near(tree.opacity(at: Rational(4) + Rational(tenth, 10)), expected, 1e-12), "\(word) at \(share)")
        }
    }

    /// Before 4 s, at a quarter of the way, and after 6 s; without the animation it is 1.
    @Test(arguments: [
        ("removed", 1.0, 1.0), ("forwards", 1, 1), ("backwards", 0, 1), ("both", 0, 1),
    ])
    func fill(_ mode: String, _ before: Double, _ after: Double) throws {
        let tree = try AnimatedTree(animation: Self.ramp(", \"fill\": \"\(mode)\""))
        #expect(tree.opacity(at: Rational(3)) == before)
        #expect(tree.opacity(at: Rational(9, 2)) == 0.25)
        #expect(tree.opacity(at: Rational(6)) == after && tree.opacity(at: Rational(19)) == after)
        // To 0.5, so that what holds after the end is no other than without it.
        let half = try AnimatedTree(
            animation:
                #"{"keyPath": "opacity", "from": 0, "to": 0.5, "begin": "4s", "duration": "2s", "fill": "\#(mode)"}"#)
        #expect(half.opacity(at: Rational(6)) == (mode == "forwards" || mode == "both" ? 0.5 : 1))
    }

    @Test func repeatsAndTurnsBack() throws {
        let twice = try AnimatedTree(animation: Self.ramp(#", "repeat": 2.25, "fill": "forwards""#))
        for (time, opacity) in [(Rational(5), 0.5), (Rational(6), 0), (Rational(15, 2), 0.75), (Rational(8), 0)] {
            #expect(twice.opacity(at: time) == opacity, "\(time)")
        }
        // It ends at a quarter of the third play.
        #expect(twice.opacity(at: Rational(17, 2)) == 0.25 && twice.opacity(at: Rational(15)) == 0.25)
        let back = try AnimatedTree(animation: Self.ramp(#", "repeat": 2, "autoreverse": true, "fill": "forwards""#))
        for (time, opacity) in [
            (Rational(5), 0.5), (Rational(6), 1), (Rational(13, 2), 0.75), (Rational(8), 0), (Rational(9), 0.5),
            (Rational(11), 0.5), (Rational(12), 0), (Rational(18), 0),
        ] { #expect(back.opacity(at: time) == opacity, "back at \(time)") }
        let ever = try AnimatedTree(animation: Self.ramp(#", "repeat": "inf""#))
        #expect(ever.opacity(at: Rational(37, 2)) == 0.25 && ever.opacity(at: Rational(39, 2)) == 0.75)
    }

    /// Its own time: twice as fast, from half a second on.
    @Test func speedAndOffset() throws {
        let tree = try AnimatedTree(animation: Self.ramp(#", "speed": 2, "timeOffset": "0.5s", "fill": "forwards""#))
        #expect(tree.opacity(at: Rational(4)) == 0.25 && tree.opacity(at: Rational(9, 2)) == 0.75)
        #expect(tree.opacity(at: Rational(19, 4)) == 1)
    }

    private static func keyframes(_ more: String, _ values: String = "[0, 1, 0.25]") -> String {
        #"{"keyPath": "opacity", "values": \#(values), "duration": "10s"\#(more)}"#
    }

    @Test func keyframesOfEachCalculation() throws {
        let even = try AnimatedTree(animation: Self.keyframes(""))
        #expect(even.opacity(at: Rational(5, 2)) == 0.5 && even.opacity(at: Rational(5)) == 1)
        #expect(even.opacity(at: Rational(15, 2)) == 0.625)
        let timed = try AnimatedTree(
            animation: Self.keyframes(#", "keyTimes": [0, 0.2, 1], "timing": ["linear", "easeIn"]"#))
        #expect(near(timed.opacity(at: Rational(1)), 0.5))
        #expect(near(timed.opacity(at: Rational(6)), 1 - 0.75 * Self.bezier(0.42, 0, 1, 1, 0.5)))
        // Steps: even thirds, or from each time to the next.
        let steps = try AnimatedTree(animation: Self.keyframes(#", "calculation": "discrete""#, "[0.125, 1, 0.25]"))
        #expect(steps.opacity(at: Rational(33, 10)) == 0.125 && steps.opacity(at: Rational(34, 10)) == 1)
        #expect(steps.opacity(at: Rational(7)) == 0.25)
        let ends = try AnimatedTree(
            animation: Self.keyframes(
                #", "calculation": "discrete", "keyTimes": [0, 0.1, 0.4, 1]"#, "[0.125, 1, 0.25]"))
        #expect(ends.opacity(at: Rational(1)) == 1 && ends.opacity(at: Rational(39, 10)) == 1)
        #expect(ends.opacity(at: Rational(4)) == 0.25)
        // Ways of 1 and 0.75: the second value after 4/7 of the time.
        let paced = try AnimatedTree(animation: Self.keyframes(#", "calculation": "paced", "keyTimes": [0, 0.1, 1]"#))
        #expect(near(paced.opacity(at: Rational(20, 7)), 0.5) && near(paced.opacity(at: Rational(40, 7)), 1))
    }

    /// Catmull and Rom: half-way between the two in the middle (−1, 9, 9, −1) / 16 of their neighbours.
    @Test func cubicCurve() throws {
        let values = "[[0, 50], [40, 50], [120, 50], [160, 50]]"
        let tree = try AnimatedTree(
            animation: #"{"keyPath": "position", "values": \#(values), "duration": "9s", "calculation": "cubic"}"#)
        let middle = 80.0  // (-0 + 9 · 40 + 9 · 120 - 160) / 16
        #expect(near(try #require(tree.place(at: Rational(9, 2))).x + 10, middle, 1e-6))
        for (second, x) in [(0, 0.0), (3, 40), (6, 120)] {
            #expect(near(try #require(tree.place(at: Rational(second))).x + 10, x, 1e-6))
        }
        // At an end: slopes of 40 and (120 − 0) / 2 for each way: (0 + 40) / 2 + (40 − 60) / 8.
        #expect(near(try #require(tree.place(at: Rational(3, 2))).x + 10, 17.5, 1e-6))
    }

    @Test func additiveAndCumulative() throws {
        let added = try AnimatedTree(
            animation: """
                {"keyPath": "position.x", "from": 0, "to": 40, "duration": "4s"},
                {"keyPath": "position.x", "from": 0, "to": 8, "duration": "4s", "additive": true},
                {"keyPath": "position", "by": [0, 12], "duration": "4s", "additive": true}
                """)
        // Of (20 + 4, 50 + 6), upwards; the corner is (10, 5) away.
        let place = try #require(added.place(at: Rational(2)))
        #expect(near(place.x, 14) && near(place.y, 100 - 56 - 5))
        let grown = try AnimatedTree(
            animation:
                #"{"keyPath": "position.x", "from": 0, "to": 30, "duration": "2s", "repeat": 3, "cumulative": true}"#)
        #expect(near(try #require(grown.place(at: Rational(1))).x, 15 - 10))
        #expect(near(try #require(grown.place(at: Rational(5))).x, 75 - 10))
    }

    /// A curve far beyond its ends, and repetitions that add up: no place is further away than a file may say.
    @Test(arguments: [
        #""timing": [0, 100, 1, 100]"#, #""cumulative": true, "repeat": "inf", "speed": 1000"#, #""additive": true"#,
    ])
    func farPlacesAreHeld(_ keys: String) throws {
        let tree = try AnimatedTree(
            animation: """
                {"keyPath": "position.x", "from": 9e6, "to": 1e7, "duration": "4s", \(keys)},
                {"keyPath": "position.x", "by": 1e7, "duration": "4s", "additive": true}
                """)
        #expect(near(try #require(tree.place(at: Rational(2))).x, 1e7 - 10, 1e-3))
    }

    /// 2000 animations of 50 values: what is drawn as large as it gets is found without a look at all of them.
    @Test(.timeLimit(.minutes(1))) func manyAnimationsOfOneLayer() throws {
        let values = (0..<50).map { String(1 + Double($0) / 49) }.joined(separator: ", ")
        let one =
            #"{"keyPath": "transform.scale", "values": [\#(values)], "duration": "4s", "fill": "forwards"}"#
        let tree = try AnimatedTree(
            """
            {"bounds": [0, 0, 20, 10], "position": [100, 50], "contents": {"shape": {"path": "M0 0 L20 0 L9 9"}},
             "animations": [\(Array(repeating: one, count: 2000).joined(separator: ", "))]}
            """)
        guard case .drawing(let picture)? = tree.layers(at: .zero).first?.picture else {
            Issue.record("no shape")
            return
        }
        #expect(near(picture.scaleX, 2) && near(picture.scaleY, 2))
    }

    /// From what it is without the animation, to there, or by so much.
    @Test(arguments: [
        (#""from": 20"#, 60.0), (#""to": 40"#, 70), (#""by": 10"#, 105), (#""from": 20, "by": 10"#, 25),
        (#""to": 40, "by": 10"#, 35), (#""from": 20, "to": 40"#, 30),
    ])
    func ends(_ keys: String, _ half: Double) throws {
        let tree = try AnimatedTree(animation: #"{"keyPath": "position.x", \#(keys), "duration": "4s"}"#)
        #expect(near(try #require(tree.place(at: Rational(2))).x, half - 10), "\(keys)")
    }

    /// A group from 2 s on, twice as fast: its own 0…6 s are 2…5 s.
    @Test func groupsHaveATimeOfTheirOwn() throws {
        let tree = try AnimatedTree(
            animation: """
                {"type": "group", "begin": "2s", "duration": "6s", "speed": 2, "animations": [
                    {"keyPath": "opacity", "from": 0, "to": 1},
                    {"keyPath": "position.x", "from": 0, "to": 60, "begin": "2s", "duration": "2s",
                     "fill": "forwards"}]}
                """)
        #expect(tree.opacity(at: Rational(1)) == 1 && tree.opacity(at: Rational(5)) == 1)
        #expect(tree.opacity(at: Rational(7, 2)) == 0.5)
        #expect(near(try #require(tree.place(at: Rational(5, 2))).x, 90))
        #expect(near(try #require(tree.place(at: Rational(7, 2))).x, 30 - 10))
        #expect(near(try #require(tree.place(at: Rational(9, 2))).x, 60 - 10))
    }

    /// From 5 s on at half the speed, for 4 s of its own; the sublayer's clock is its parent's.
    @Test func layersHaveATimeOfTheirOwn() throws {
        let tree = try AnimatedTree(
            """
            {"bounds": [0, 0, 20, 10], "position": [100, 50], "beginTime": "5s", "speed": 0.5, "duration": "4s",
             "sublayers": [{"bounds": [0, 0, 20, 10], "position": [10, 5], "backgroundColor": [1, 0, 0, 1],
                "animations": [{"keyPath": "opacity", "from": 0, "to": 1, "duration": "4s"}]}]}
            """)
        #expect(tree.layers(at: Rational(49, 10)).isEmpty && tree.layers(at: Rational(13)).isEmpty)
        #expect(tree.opacity(at: Rational(7)) == 0.25 && tree.opacity(at: Rational(11)) == 0.75)
    }
}
