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

/// When the output's frames begin where a track's frames decide it; by table.
@Suite struct TrackTimingTests {
    /// The facts of sources with uneven frame times: 0, 0.1, 0.4, 0.5 and 0.9 s in a film of a second; `late` begins at
    /// 0.2 s.
    private static func facts() throws -> [String: AssetFacts] {
        let offsets: [Int64] = [0, 9_000, 36_000, 45_000, 81_000]
        var film = filmFacts(seconds: "1s")
        film.tracks[0].video?.frameTimes = FrameTimes(start: .zero, tick: Rational(1, 90_000), offsets: offsets)
        var late = filmFacts(seconds: "1.2s", start: "0.2s")
        late.tracks[0].video?.frameTimes = FrameTimes(
            start: Rational(1, 5), tick: Rational(1, 90_000), offsets: offsets)
        var held = filmFacts(seconds: "1.05s", start: "0.05s")
        held.tracks[0].video?.frameTimes = FrameTimes(
            start: Rational(1, 20), tick: Rational(1, 90_000), offsets: offsets)
        var loop = filmFacts(seconds: "0.4s")
        (loop.kind, loop.plays) = (.animatedImage, 0)
        loop.tracks[0].video?.frameTimes = FrameTimes(start: .zero, tick: Rational(1, 100), offsets: [0, 10, 30])
        var twice = loop
        twice.plays = 2
        return [
            "film": film, "late": late, "held": held, "loop": loop, "twice": twice,
            "still": stillFacts(PixelSize(width: 64, height: 64)),
        ]
    }

    private static func timeline(_ segments: String, enabled: Bool = true) throws -> Timeline {
        let project = try project(
            assets: ["film", "late", "held", "loop", "twice", "still"].map { "\"\($0)\": {\"url\": \"\($0).mp4\"}" }
                .joined(separator: ","),
            tracks: "{\"id\": 1, \"type\": \"video\", \"segments\": [\(segments)]}",
            #""video": {"renderSize": [64, 64], "frameDuration": "0.25s", "frameTimingTrack": 1}"#)
        return try Timeline(valid: project, assets: try facts())
    }

    struct Case: Sendable {
        var name: String
        var segments: String
        /// In seconds.
        var times: [Double]
        var from = 0.0
        var to: Double?
    }

    static let cases = [
        Case(
            name: "whole", segments: #"{"asset": "film", "source": ["0s", "1s"], "target": ["0s", "1s"]}"#,
            times: [0, 0.1, 0.4, 0.5, 0.9]),
        Case(
            name: "trimmed: it begins with what is held",
            segments: #"{"asset": "film", "source": ["0.2s", "0.5s"], "target": ["0s", "0.5s"]}"#,
            times: [0, 0.2, 0.3]),
        Case(
            name: "twice as fast, then half as fast",
            segments: #"""
                {"asset": "film", "source": ["0s", "1s"], "target": ["0s", "0.5s"]},
                {"asset": "film", "source": ["0s", "0.5s"], "target": ["0.5s", "1s"]}
                """#, times: [0, 0.05, 0.2, 0.25, 0.45, 0.5, 0.7, 1.3]),
        Case(
            name: "gaps and stills have the frame duration, from their own start",
            segments: #"""
                {"target": ["0s", "0.6s"]}, {"asset": "film", "source": ["0.4s", "0.2s"], "target": ["0.6s", "0.2s"]},
                {"asset": "still", "target": ["0.8s", "0.3s"]}
                """#, times: [0, 0.25, 0.5, 0.6, 0.7, 0.8, 1.05]),
        Case(
            name: "the last frame holds",
            segments: #"""
                {"asset": "film", "source": ["0.8s", "1.2s"], "target": ["0s", "1.2s"], "clampToSource": true}
                """#, times: [0, 0.1]),
        Case(
            name: "a track that begins later",
            segments: #"{"asset": "late", "source": ["0s", "1s"], "target": ["0s", "1s"]}"#,
            times: [0, 0.2, 0.3, 0.6, 0.7]),
        Case(
            name: "a little later: its first frame is there from the start",
            segments: #"{"asset": "held", "source": ["0s", "0.6s"], "target": ["0s", "0.6s"]}"#,
            times: [0, 0.15, 0.45, 0.55]),
        Case(
            name: "an animated image goes on", segments: #"{"asset": "loop", "target": ["0s", "1s"]}"#,
            times: [0, 0.1, 0.3, 0.4, 0.5, 0.7, 0.8, 0.9]),
        Case(
            name: "and stands after its last play", segments: #"{"asset": "twice", "target": ["0s", "2s"]}"#,
            times: [0, 0.1, 0.3, 0.4, 0.5, 0.7]),
        Case(
            name: "a range", segments: #"{"asset": "film", "source": ["0s", "1s"], "target": ["0s", "1s"]}"#,
            times: [0, 0.25, 0.35], from: 0.15, to: 0.9),
    ]

    @Test(arguments: cases) func times(_ one: Case) throws {
        let timeline = try Self.timeline(one.segments)
        func exact(_ seconds: Double) -> Rational { Rational(Int((seconds * 1000).rounded()), 1000) }
        let list = try timeline.frameTimes(
            from: exact(one.from), to: one.to.map(exact) ?? timeline.duration, assets: try Self.facts())
        let found = try #require(list)
        #expect((0..<found.count).map { found.time(ofFrame: $0) } == one.times.map(exact), "\(one.name)")
    }

    /// No clock of 31 bits holds these: each frame is at the next tick of a usual one, and shows its own picture.
    @Test func timesThatNoClockHolds() throws {
        let odd =
            #"{"asset": "film", "source": ["0s", "1s"], "target": ["0s", "1000003/999983"]},"#
            + #"{"asset": "film", "source": ["0s", "1s"], "target": ["1000003/999983", "999979/1000033"]}"#
        let timeline = try Self.timeline(odd)
        let made = try timeline.frameTimes(from: .zero, to: timeline.duration, assets: try Self.facts())
        let list = try #require(made)
        #expect(list.count == 10 && list.tick == Rational(1, 705_600_000))
        let sources = [0, 9_000, 36_000, 45_000, 81_000].map { Rational($0, 90_000) }
        let (first, second) = (Rational(1_000_003, 999_983), Rational(999_979, 1_000_033))
        for (index, exact) in (sources.map { $0 * first } + sources.map { first + $0 * second }).enumerated() {
            let late = list.time(ofFrame: index) - exact
            #expect(late >= .zero && late < list.tick, "frame \(index)")
            let shown = timeline.recipe(at: list.time(ofFrame: index)).layers[0].sourceTime
            #expect(shown >= sources[index % 5] && shown < sources[index % 5] + Rational(1, 1_000_000))
        }
    }

    /// No length is too much, and no animated image that plays too often.
    private static func nesting(_ inner: String, duration: String, segments: String) throws -> Project {
        try project(
            assets: """
                "n": {"kind": "composition", "project": {"format": "splitreel/1", "assets": {
                "c": {"kind": "color", "color": [1, 0, 0, 1]}}, "composition": {"tracks": [{"id": 1, "type": "video",
                "segments": [{"asset": "c", "target": ["0s", "\(duration)"]}]}]},
                "video": {"renderSize": [64, 64]\(inner)}}}
                """,
            tracks: "{\"id\": 1, \"type\": \"video\", \"segments\": [\(segments)]}",
            #""video": {"renderSize": [64, 64], "frameDuration": "1/30", "frameTimingTrack": 1}"#)
    }

    /// A nested film of nineteen hours that is shown two thousand times over for a second each: no segment holds more
    /// times than it shows, else they would take 67 GB.
    @Test func aLongNestedFilmInManyPieces() throws {
        let pieces = (0..<2000).map { #"{"asset": "n", "source": ["\#($0)s", "1s"], "target": ["\#($0)s", "1s"]}"# }
        let project = try Self.nesting(
            #", "frameDuration": "1/60""#, duration: "69900s", segments: pieces.joined(separator: ","))
        var facts: [String: AssetFacts] = [:]
        project.addNestedFacts(to: &facts)
        let timeline = try Timeline(valid: project, assets: facts)
        let times = try #require(try timeline.frameTimes(from: .zero, to: Rational(2000), assets: facts))
        #expect(times.count == 120_000)
        #expect(times.offsets.indices.allSatisfy { times.tick * Rational(Int(times.offsets[$0])) == Rational($0, 60) })
    }

    /// Facts are gathered before anything is checked.
    @Test(arguments: [#", "frameDuration": "0s""#, #", "frameDuration": "invalid""#, ""])
    func nestedNonsenseHasNoTimes(inner: String) throws {
        for duration in ["0s", "1s", "-1s", "+inf"] {
            let shown = #"{"asset": "n", "source": ["0s", "1s"], "target": ["0s", "1s"]}"#
            let project = try Self.nesting(inner + #", "frameTimingTrack": 1"#, duration: duration, segments: shown)
            var facts: [String: AssetFacts] = [:]
            project.addNestedFacts(to: &facts)
            let times = facts["n"]?.firstTrack(of: .video)?.video?.frameTimes
            #expect((times == nil) == !(inner.isEmpty && duration == "1s"), "\(inner) \(duration)")
        }
    }

    @Test func theLongestAndTheShortest() throws {
        let most = "1000000000000s"
        let timeline = try Self.timeline(
            "{\"asset\": \"film\", \"source\": [\"0s\", \"1s\"], \"target\": [\"0s\", \"\(most)\"]}")
        #expect(throws: SplitreelError.self) {
            try timeline.frameTimes(from: .zero, to: timeline.duration, assets: try Self.facts())
        }
        let loops = try Self.timeline("{\"asset\": \"loop\", \"target\": [\"0s\", \"\(most)\"]}")
        #expect(throws: SplitreelError.self) {
            try loops.frameTimes(from: .zero, to: loops.duration, assets: try Self.facts())
        }
        let part = try loops.frameTimes(
            from: Rational(999_999_999_999), to: loops.duration, assets: try Self.facts())
        #expect(part?.count == 8)
    }

    /// MP4 has 31 bits for a frame's length: a still picture of hours takes a coarser clock.
    @Test func aFrameOfHours() throws {
        let long =
            #"{"asset": "film", "source": ["0.9s", "90000s"], "target": ["0s", "90000s"], "clampToSource": true}"#
        let timeline = try Self.timeline(
            long + #", {"asset": "film", "source": ["0s", "1/1009"], "target": ["90000s", "1/1009"]}"#)
        let list = try #require(
            try timeline.frameTimes(from: .zero, to: timeline.duration, assets: try Self.facts()))
        #expect(list.count == 2 && list.time(ofFrame: 1) == Rational(90_000))
        #expect(list.offsets[1] < 1 << 31)
    }

    @Test func whatCannotBeIsRefused() throws {
        func problems(_ track: Int, _ tracks: String) throws -> [(ErrorCode, String)] {
            try project(tracks: tracks, "\"video\": {\"frameTimingTrack\": \(track)}").validate(assets: nil)
                .filter { $0.severity == .error }.map { ($0.code, $0.path) }
        }
        let film = #""segments": [{"asset": "a", "source": ["0s", "1s"], "target": ["0s", "1s"]}]"#
        let tracks = """
            {"id": 1, "type": "video", \(film)}, {"id": 2, "type": "audio", \(film)},
            {"id": 3, "type": "video", "enabled": false, \(film)}
            """
        #expect(try problems(1, tracks).isEmpty)
        for (track, code) in [(4, ErrorCode.layerTrackUnknown), (2, .layerTrackNotVideo), (3, .valueNotAllowed)] {
            let found = try problems(track, tracks)
            #expect(found.map(\.0) == [code] && found.map(\.1) == ["video.frameTimingTrack"], "track \(track)")
        }
    }
}
