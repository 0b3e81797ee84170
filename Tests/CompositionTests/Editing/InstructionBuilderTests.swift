import Authoring
import Diagnostics
import JSONText
import MediaTime
import Pictures
import SplitreelProject
import SplitreelTimeline
import Testing
import Validation

/// Instructions made of tracks, against what a person would write for them.
@Suite("The instruction builder") struct InstructionBuilderTests {
    private static let upright = Affine(a: 0, b: 1, c: -1, d: 0, tx: 720, ty: 0)
    private static let facts = [
        "a": filmFacts(),
        "b": filmFacts(size: PixelSize(width: 1280, height: 720), rotation: 90, transform: upright),
    ]

    /// A/B tracks: a plays 0…4 s, b 3…7 s, a again 6…9 s.
    private func pair(_ video: String = "") throws -> Project {
        try project(
            tracks: """
                {"id": 1, "type": "video", "segments": [
                  {"asset": "a", "source": ["0s", "4s"], "target": ["0s", "4s"]}, {"target": ["4s", "2s"]},
                  {"asset": "a", "source": ["5s", "3s"], "target": ["6s", "3s"]}]},
                {"id": 2, "type": "video", "segments": [{"target": ["0s", "3s"]},
                  {"asset": "b", "source": ["0s", "4s"], "target": ["3s", "4s"]}]}
                """, #""video": {"renderSize": [1280, 720]\#(video)}"#)
    }

    private func outline(_ instructions: [Instruction]) -> [String] {
        instructions.map { instruction in
            let layers = (instruction.layers ?? []).map { layer in
                let fade = layer.opacity.map { _ in " fades" } ?? ""
                return "\(layer.track)\(layer.fit.map { " \($0.rawValue)" } ?? "")\(fade)"
            }
            let range = [instruction.range.start, instruction.range.end].map { Rational($0).floor() }
            return "\(range[0])-\(range[1]): \(layers.joined(separator: ", "))"
        }
    }

    @Test func overlapsAreTransitions() throws {
        var prototype = Instruction()
        prototype.background = Colour(red: 1, green: 0, blue: 0)
        let builder = InstructionBuilder(fit: .contain, prototype: prototype)
        let made = builder.instructions(for: try pair(), facts: Self.facts)
        let expected = [
            "0-3: 1", "3-4: 1 fades, 2 contain", "4-6: 2 contain", "6-7: 2 contain fades, 1", "7-9: 1",
        ]
        #expect(outline(made) == expected)
        #expect(made.allSatisfy { $0.background == prototype.background })
        let fade = try #require(made[1].layers?[0].opacity?.first)
        #expect(fade.range == made[1].range && fade.from == 1 && fade.to == 0)
        #expect(made[2].layers?[0].opacity == nil)
        // What was made is a valid film.
        var film = try pair()
        film.video?.instructions = made
        #expect(film.validate(assets: Self.facts).isEmpty)
    }

    /// Without transitions: the picture that a file without instructions has, at every frame.
    @Test func stackedIsTheAutomaticPicture() throws {
        let silent = try pair()
        var written = silent
        let builder = InstructionBuilder(dissolvesOverlaps: false)
        written.video?.instructions = builder.instructions(for: silent, facts: Self.facts)
        #expect(written.video?.instructions?[1].layers?.map(\.track) == [1, 2])
        #expect(written.video?.instructions?[1].layers?[1].transform == nil)
        let timelines = try [silent, written].map { try Timeline(project: $0, assets: Self.facts) }
        for frame in 0..<270 {
            let time = Rational(frame, 30)
            #expect(timelines[0].recipe(at: time) == timelines[1].recipe(at: time))
        }
    }

    /// A clip within another one: nobody leaves, nothing fades. One that ends with the film comes in over the other.
    @Test func otherOverlapsStack() throws {
        let film = try project(
            tracks: """
                {"id": 1, "type": "video", "segments": [{"target": ["0s", "1s"]},
                  {"asset": "a", "source": ["0s", "1s"], "target": ["1s", "1s"]}]},
                {"id": 2, "type": "video", "segments": [
                  {"asset": "a", "source": ["0s", "6s"], "target": ["0s", "6s"]}]},
                {"id": 3, "type": "video", "segments": [{"target": ["0s", "4s"]},
                  {"asset": "a", "source": ["0s", "2s"], "target": ["4s", "2s"]}]},
                {"id": 4, "type": "video", "enabled": false, "segments": [
                  {"asset": "a", "source": ["0s", "6s"], "target": ["0s", "6s"]}]}
                """)
        let made = InstructionBuilder(fit: .cover).instructions(for: film, facts: Self.facts)
        #expect(outline(made) == ["0-1: 2", "1-2: 1, 2", "2-4: 2", "4-6: 2 fades, 3"])
    }

    /// The last clip is as long as its dissolve: both end together, and the one that came later is the one that comes.
    @Test func aClipAsLongAsItsDissolveComesIn() throws {
        let film = try project(
            tracks: """
                {"id": 1, "type": "video", "segments": [
                  {"asset": "a", "source": ["0s", "4s"], "target": ["0s", "4s"]}]},
                {"id": 2, "type": "video", "segments": [{"target": ["0s", "3s"]},
                  {"asset": "a", "source": ["0s", "1s"], "target": ["3s", "1s"]}]}
                """)
        #expect(
            outline(InstructionBuilder().instructions(for: film, facts: Self.facts)) == ["0-3: 1", "3-4: 1 fades, 2"])
    }

    /// A nested composition is a clip as others are.
    @Test func nestedCompositionsAreDrawn() throws {
        let inner = """
            {"format": "splitreel/1", "assets": {"a": {"url": "/a.mp4"}}, "composition": {"tracks": [
             {"id": 1, "type": "video", "segments": [{"asset": "a", "source": ["0s", "4s"], "target": ["0s", "4s"]}]}]},
             "video": {"renderSize": [640, 360]}}
            """
        let film = try project(
            assets: #""a": {"url": "/a.mp4"}, "n": {"kind": "composition", "project": \#(inner)}"#,
            tracks: """
                {"id": 1, "type": "video", "segments": [
                  {"asset": "a", "source": ["0s", "3s"], "target": ["0s", "3s"]}]},
                {"id": 2, "type": "video", "segments": [{"target": ["0s", "2s"]},
                  {"asset": "n", "source": ["0s", "4s"], "target": ["2s", "4s"]}]}
                """, #""video": {"renderSize": [1280, 720]}"#)
        var facts = ["a": filmFacts(), "n/a": filmFacts()]
        film.addNestedFacts(to: &facts)
        let made = InstructionBuilder(fit: .contain).instructions(for: film, facts: facts)
        #expect(outline(made) == ["0-2: 1", "2-3: 1 fades, 2 contain", "3-6: 2 contain"])
    }

    @Test func nothingToShowHasNoInstructions() throws {
        let silent = try project(
            tracks: """
                {"id": 1, "type": "audio", "segments": [
                  {"asset": "a", "source": ["0s", "1s"], "target": ["0s", "1s"]}]}
                """)
        #expect(InstructionBuilder().instructions(for: silent, facts: Self.facts).isEmpty)
    }

    /// 640×480 in 1280×720: both sides of their own.
    @Test func stretchedIsTheCanvas() throws {
        let facts = ["a": filmFacts(size: PixelSize(width: 640, height: 480))]
        let film = try project(
            tracks: """
                {"id": 1, "type": "video", "segments": [
                  {"asset": "a", "source": ["0s", "1s"], "target": ["0s", "1s"]}]}
                """, #""video": {"renderSize": [1280, 720]}"#)
        var written = film
        written.video?.instructions = InstructionBuilder(fit: .stretch).instructions(for: film, facts: facts)
        let layer = try #require(try Timeline(project: written, assets: facts).recipe(at: .zero).layers.first)
        guard case .group(let group) = layer.picture else { throw Missing() }
        #expect(group.layers.first?.transform == .scale(2, 1.5))
    }

    /// A pass-through shows its track as `contain` would, and no layer.
    @Test func passThroughShowsOneTrack() throws {
        var film = try pair()
        var instruction = Instruction()
        instruction.range = TimeRange(start: .zero, duration: time("9s"))
        instruction.passthroughTrack = 2
        film.video?.instructions = [instruction]
        #expect(film.validate(assets: Self.facts).isEmpty)
        var fitted = instruction
        fitted.passthroughTrack = nil
        fitted.layers = [Layer()]
        fitted.layers?[0].track = 2
        fitted.layers?[0].fit = .contain
        var other = film
        other.video?.instructions = [fitted]
        let timelines = try [film, other].map { try Timeline(project: $0, assets: Self.facts) }
        for second in 0..<9 {
            #expect(timelines[0].recipe(at: Rational(second)) == timelines[1].recipe(at: Rational(second)))
        }
        film.video?.instructions?[0].layers = [Layer()]
        film.video?.instructions?[0].layers?[0].track = 1
        let warnings = film.validate(assets: Self.facts)
        #expect(warnings.map(\.severity) == [.warning] && warnings.first?.path == "video.instructions[0].layers")
        // Nothing of it is seen where its track plays nothing.
        film.video?.instructions?[0].layers = nil
        film.video?.instructions?[0].range = TimeRange(start: .zero, duration: time("2s"))
        #expect(film.validate(assets: Self.facts).contains { $0.code == .instructionWithoutLayers })
        film.video?.instructions?[0].passthroughTrack = 7
        #expect(film.validate(assets: Self.facts).contains { $0.severity == .error })
    }

    private struct Missing: Error {}
}
