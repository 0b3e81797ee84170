import Authoring
import Diagnostics
import JSONText
import MediaTime
import Pictures
import SplitreelProject
import SplitreelTimeline
import Testing
import Validation

/// The key `transition` of segments, in compositions without instructions.
@Suite struct SegmentTransitionTests {
    private static let facts = ["a": filmFacts(), "b": filmFacts()]

    private func made(_ tracks: String..., rest: String = "") throws -> Project {
        try project(
            assets: #""a": {"url": "a.mp4"}, "b": {"url": "b.mp4"}, "red": {"kind": "color", "color": [1, 0, 0, 1]}"#,
            tracks: tracks.joined(separator: ", "), rest)
    }

    private func track(_ id: Int, _ segments: String...) -> String {
        #"{"id": \#(id), "type": "video", "segments": [\#(segments.joined(separator: ", "))]}"#
    }

    private func clip(
        _ asset: String, from start: String, at target: String, for length: String, source: String? = nil,
        _ transition: String = "", more: String = ""
    ) -> String {
        let key = transition.isEmpty ? "" : #", "transition": {"id": "wipe.left", \#(transition)}"#
        let source = #""source": ["\#(start)", "\#(source ?? length)"], "#
        return #"{"asset": "\#(asset)", \#(asset == "red" ? "" : source)"target": ["\#(target)", "\#(length)"]"#
            + "\(key)\(more)}"
    }

    /// The progress of a frame's transition from 0 to 1, and its two source times in seconds, -1 for none.
    private func shown(_ project: Project, at text: String) throws -> (progress: Double, from: Rational, to: Rational)?
    {
        let timeline = try Timeline(project: project, assets: Self.facts)
        let recipe = timeline.recipe(at: Rational(time(text)))
        for layer in recipe.layers {
            guard case .effect(let effect) = layer.picture else { continue }
            let times = effect.inputs.map { $0.needs.first?.time ?? Rational(-1) }
            return (effect.call.progress, times[0], times[1])
        }
        return nil
    }

    /// a plays 2…5 s of its file, b 3…6 s: about the cut at 3 s both go on for half a second.
    @Test func aCutIsInTheMiddle() throws {
        let made = try made(
            track(
                1, clip("a", from: "2s", at: "0s", for: "3s"),
                clip("b", from: "3s", at: "3s", for: "3s", #""duration": "1s""#)))
        #expect(made.validate(assets: Self.facts).isEmpty)
        #expect(try shown(made, at: "2.4s") == nil)
        let first = try #require(try shown(made, at: "2.5s"))
        #expect(first == (0, Rational(9, 2), Rational(5, 2)))
        let late = try #require(try shown(made, at: "3.25s"))
        #expect(late == (0.75, Rational(21, 4), Rational(13, 4)))
        #expect(try shown(made, at: "3.5s") == nil)
        let timeline = try Timeline(project: made, assets: Self.facts)
        #expect(timeline.boundaries.map(\.time) == [Rational(5, 2), Rational(3), Rational(7, 2)])
        #expect(!timeline.isConstant(from: Rational(5, 2), to: Rational(3)))
    }

    /// At one and a half times the speed a handle takes as much more of the file.
    @Test func handlesPlayAtTheirRates() throws {
        let made = try made(
            track(
                1, clip("a", from: "0s", at: "0s", for: "3s"),
                clip("b", from: "2s", at: "3s", for: "2s", source: "3s", #""duration": "1s", "easing": "hold""#)))
        #expect(made.validate(assets: Self.facts).isEmpty)
        let found = try #require(try shown(made, at: "2.75s"))
        #expect(found == (0, Rational(11, 4), Rational(13, 8)))
    }

    /// What instructions show of transitions is what a composition without them shows, at every frame.
    @Test func instructionsShowTheSame() throws {
        let made = try made(
            track(
                1, clip("a", from: "2s", at: "0s", for: "3s"),
                clip("b", from: "3s", at: "3s", for: "2s", source: "3s", #""duration": "1s""#),
                clip("a", from: "1s", at: "5s", for: "4s", #""duration": "0.5s", "easing": "ease-in""#),
                #"{"target": ["9s", "1s"]}"#, clip("red", from: "", at: "10s", for: "1s")),
            track(
                2, #"{"target": ["0s", "8s"]}"#,
                clip("b", from: "3s", at: "8s", for: "2s", #""duration": "1s""#, more: #", "reverse": true"#)))
        #expect(made.validate(assets: Self.facts).isEmpty)
        let built = try InstructionBuilder().film(for: made, facts: Self.facts)
        #expect(built.validate(assets: Self.facts).isEmpty)
        #expect(built.composition.tracks.map(\.id) == [1, 3, 2])
        #expect(built.video?.instructions?.compactMap(\.effect?.id) == Array(repeating: "wipe.left", count: 3))
        let timelines = try [made, built].map { try Timeline(project: $0, assets: Self.facts) }
        for frame in 0..<330 {
            let text = "\(frame)/30"
            let (one, other) = (try shown(made, at: text), try shown(built, at: text))
            #expect((one == nil) == (other == nil), "frame \(frame)")
            if let one, let other { #expect(one == other, "frame \(frame)") }
            let needs = timelines.map { $0.recipe(at: Rational(frame, 30)).needs.map(\.time).sorted() }
            #expect(needs[0] == needs[1], "frame \(frame)")
        }
    }

    /// Instructions join two pictures that are there alone.
    @Test func instructionsCannotShowAll() throws {
        let fade = clip("b", from: "3s", at: "3s", for: "3s", #""duration": "1s""#)
        let below = track(2, clip("a", from: "0s", at: "0s", for: "6s"))
        let keyed = clip("a", from: "2s", at: "0s", for: "3s", more: #", "speed": [{"at": "0s", "value": 1}]"#)
        for film in [
            try made(track(1, clip("a", from: "2s", at: "0s", for: "3s"), fade), below),
            try made(track(1, #"{"target": ["0s", "3s"]}"#, fade)), try made(track(1, keyed, fade)),
        ] {
            let failure = #expect(throws: SplitreelError.self) {
                try InstructionBuilder().film(for: film, facts: Self.facts)
            }
            #expect(failure?.code == .valueNotAllowed && failure?.subject.hasSuffix("segments[1].transition") == true)
        }
    }

    /// Two places of one file are read apart.
    @Test func aFileJoinsItself() throws {
        let made = try made(
            track(
                1, clip("a", from: "0s", at: "0s", for: "3s"),
                clip("a", from: "5s", at: "3s", for: "3s", #""duration": "1s""#)))
        let timeline = try Timeline(project: made, assets: Self.facts)
        #expect(Set(timeline.recipe(at: Rational(3)).needs.map(\.track)).count == 2)
    }

    @Test func tracksThatOverlapAreJoined() throws {
        for order in [[1, 2], [2, 1]] {
            let tracks = [
                1: track(1, clip("a", from: "0s", at: "0s", for: "4s")),
                2: track(
                    2, #"{"target": ["0s", "3s"]}"#, clip("b", from: "0s", at: "3s", for: "4s", #""duration": "1s""#)),
            ]
            let made = try made(order.compactMap { tracks[$0] }.joined(separator: ", "))
            #expect(made.validate(assets: Self.facts).isEmpty)
            let found = try #require(try shown(made, at: "3.5s"))
            #expect(found == (0.5, Rational(7, 2), Rational(1, 2)))
            // What leaves is not drawn besides.
            let timeline = try Timeline(project: made, assets: Self.facts)
            #expect(timeline.recipe(at: Rational(7, 2)).layers.count == 1)
        }
    }

    /// A title over a film comes in over it.
    @Test func elseItComesFromNothing() throws {
        let made = try made(
            track(
                1, #"{"target": ["0s", "3s"]}"#, clip("b", from: "0s", at: "3s", for: "2s", #""duration": "1s""#)),
            track(2, clip("a", from: "0s", at: "0s", for: "8s")))
        #expect(made.validate(assets: Self.facts).isEmpty)
        let found = try #require(try shown(made, at: "3.5s"))
        #expect(found == (0.5, Rational(-1), Rational(1, 2)))
        let layers = try Timeline(project: made, assets: Self.facts).recipe(at: Rational(7, 2)).layers
        #expect(layers.count == 2)
        #expect(layers[0].source?.asset == "a")
    }

    // MARK: - What is refused

    private func expect(
        _ tracks: String..., rest: String = "", says code: ErrorCode, at path: String, words: String = " "
    ) throws {
        let problems = try made(tracks.joined(separator: ", "), rest: rest).validate(assets: Self.facts)
        #expect(problems.map { "\($0.code) \($0.path)" } == ["\(code.number) \(path)"])
        #expect(problems.first?.message.contains(words) == true, "\(problems.map(\.message))")
    }

    private static let place = "composition.tracks[0].segments[1].transition"

    @Test func shortHandlesSayWhatIsMissing() throws {
        let whole = clip("a", from: "0s", at: "0s", for: "10s")
        try expect(
            track(1, whole, clip("b", from: "3s", at: "10s", for: "3s", #""duration": "1s""#)),
            says: .sourceOutsideAsset, at: Self.place, words: "1/2 s of `a` after 10/1")
        try expect(
            track(
                1, clip("a", from: "0s", at: "0s", for: "3s"),
                clip("b", from: "0.2s", at: "3s", for: "3s", #""duration": "1s""#)),
            says: .sourceOutsideAsset, at: Self.place, words: "1/2 s of `b` before 1/5: there are 1/5 s")
        // One frame is held.
        let short = track(1, whole, clip("b", from: "3s", at: "10s", for: "3s", #""duration": "1/15""#))
        #expect(try made(short).validate(assets: Self.facts).isEmpty)
        let still = track(1, whole, clip("red", from: "", at: "10s", for: "3s", #""duration": "1/15""#))
        #expect(try made(still).validate(assets: Self.facts).isEmpty)
    }

    /// What is clamped holds its frames.
    @Test func clampedSourcesHold() throws {
        let clamp = #", "clampToSource": true"#
        let made = try made(
            track(
                1, clip("a", from: "0s", at: "0s", for: "10s", more: clamp),
                clip("b", from: "0s", at: "10s", for: "3s", #""duration": "2s""#, more: clamp)))
        #expect(made.validate(assets: Self.facts).isEmpty)
        let early = try #require(try shown(made, at: "9.5s"))
        #expect(early == (0.25, Rational(19, 2), .zero))
        let late = try #require(try shown(made, at: "10.5s"))
        #expect(late.to == Rational(1, 2))
        #expect(late.from < Rational(10) && late.from > Rational(999, 100))
    }

    @Test func placesWithoutRoomAreRefused() throws {
        let first = clip("a", from: "0s", at: "0s", for: "3s")
        try expect(
            track(1, first, clip("b", from: "4s", at: "3s", for: "1s", #""duration": "3s""#)),
            says: .valueNotAllowed, at: Self.place + ".duration", words: "ends at 9/2")
        try expect(
            track(
                1, first, clip("b", from: "3s", at: "3s", for: "1s", #""duration": "1s""#),
                clip("a", from: "6s", at: "4s", for: "3s", #""duration": "1.5s""#)),
            says: .valueNotAllowed, at: "composition.tracks[0].segments[2].transition.duration", words: "until 7/2")
        try expect(
            track(
                1, #"{"target": ["0s", "3s"]}"#, clip("b", from: "0s", at: "3s", for: "2s", #""duration": "1s""#)),
            track(2, clip("a", from: "0s", at: "0s", for: "3.5s")), says: .valueNotAllowed,
            at: Self.place + ".duration", words: "track 2 has nothing more from 3.5s on")
        try expect(
            track(1, first, clip("b", from: "3s", at: "3s", for: "1s", #""duration": "0s""#)),
            says: .valueNotAllowed, at: Self.place + ".duration")
        try expect(
            track(
                1, first, #"{"target": ["3s", "1s"], "transition": {"id": "dissolve", "duration": "1s"}}"#,
                clip("a", from: "0s", at: "4s", for: "3s")),
            says: .valueNotAllowed, at: Self.place)
    }

    /// Sound crosses about a cut, whatever is drawn.
    @Test func soundHasACrossfade() throws {
        let instructions = #""video": {"instructions": [{"range": ["0s", "4s"], "layers": [{"track": 1}]}]}"#
        func sound(_ keys: String, from start: String = "3s", first: String = "", more: String = "") throws -> String {
            let cut = [
                clip("a", from: "0s", at: "0s", for: "3s", more: first),
                clip("b", from: start, at: "3s", for: "1s", "§", more: more),
            ]
            return track(1, clip("a", from: "0s", at: "0s", for: "4s")) + ", "
                + track(2, cut[0], cut[1].replacing(#"{"id": "wipe.left", §}"#, with: "{\(keys)}"))
                .replacing("video", with: "audio")
        }
        let cross = #""id": "crossfade", "duration": "1s""#
        let place = "composition.tracks[1].segments[1].transition"
        #expect(try made(try sound(cross), rest: instructions).validate(assets: Self.facts).isEmpty)
        let linear = cross + #", "params": {"curve": "linear"}"#
        let made = try made(try sound(linear))
        #expect(made.validate(assets: Self.facts).isEmpty && made.usedEffects.isEmpty)
        try expect(try sound(#""id": "dissolve", "duration": "1s""#), says: .valueNotAllowed, at: place + ".id")
        try expect(try sound(cross + #", "easing": "linear""#), says: .valueNotAllowed, at: place + ".easing")
        let wrong = cross + #", "params": {"curve": "round", "softness": 1}"#
        let problems = try self.made(try sound(wrong)).validate(assets: Self.facts)
        #expect(problems.map(\.path).sorted() == ["curve", "softness"].map { place + ".params." + $0 })
        try expect(try sound(cross, from: "0.2s"), says: .sourceOutsideAsset, at: place, words: "before 1/5")
        let fade = #", "fadeIn": {"duration": "0.1s"}"#
        try expect(try sound(cross, more: fade), says: .valueNotAllowed, at: place, words: "fade of its own")
        let alone = track(1, clip("a", from: "0s", at: "0s", for: "3s", "§"))
            .replacing(#"{"id": "wipe.left", §}"#, with: "{\(cross)}").replacing("video", with: "audio")
        try expect(
            alone, says: .valueNotAllowed, at: "composition.tracks[0].segments[0].transition", words: "no sound right")
    }

    @Test func itIsRefusedWhereNobodySeesIt() throws {
        let tracks = track(
            1, clip("a", from: "0s", at: "0s", for: "3s"),
            clip("b", from: "3s", at: "3s", for: "1s", #""duration": "1s""#))
        try expect(
            tracks, rest: #""video": {"instructions": [{"range": ["0s", "4s"], "layers": [{"track": 1}]}]}"#,
            says: .valueNotAllowed, at: Self.place, words: "instructions")
        try expect(
            tracks.replacing(#""id": "wipe.left""#, with: #""id": "wipe.lift""#), says: .effectUnknown,
            at: Self.place + ".id")
        try expect(
            tracks.replacing(#""id": "wipe.left""#, with: #""id": "wipe.left", "params": {"softness": 2}"#),
            says: .parameterWrong, at: Self.place + ".params.softness")
    }
}
