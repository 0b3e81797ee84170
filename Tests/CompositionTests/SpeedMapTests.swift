import Foundation
import MediaFacts
import MediaTime
import SplitreelTimeline
import Testing
import Validation

/// Which source time is shown when, by fractions worked out by hand.
@Suite struct SpeedMapTests {
    private func timeline(_ segment: String, _ video: String = #""frameDuration": "0.1s""#) throws -> Timeline {
        let project = try project(
            assets: #""film": {"url": "film.mp4"}"#,
            tracks: "{\"id\": 1, \"type\": \"video\", \"segments\": [\(segment)]}",
            "\"video\": {\"renderSize\": [64, 64], \(video)}")
        var facts = filmFacts(seconds: "10s")
        facts.tracks[0].video?.frameTimes = FrameTimes(
            start: .zero, tick: Rational(1, 10), offsets: (0..<100).map { Int64($0) })
        return try Timeline(project: project, assets: ["film": facts])
    }

    /// The source time that is asked for at a composition time.
    private func shown(_ timeline: Timeline, at time: Rational) throws -> Rational {
        let layer = try #require(timeline.recipe(at: time).layers.first)
        guard case .source(let frame) = layer.picture else { return Rational(-1) }
        return frame.time
    }

    @Test func backwardsComesFromTheEnd() throws {
        let film = try timeline(#"{"asset": "film", "source": ["2s", "3s"], "target": ["0s", "6s"], "reverse": true}"#)
        // 5 s, less half of the elapsed time, less a thousandth.
        for tenth in 0..<60 {
            let expected = Rational(5) - Rational(tenth, 20) - Rational(1, 1000)
            #expect(try shown(film, at: Rational(tenth, 10)) == expected)
        }
    }

    /// From 1/2 to 2 over 3 s from second 1 on: x = e/2, then 1/2 + e'/2 + e'²/4, then 17/4 + 2e''.
    @Test(arguments: [
        (0, Rational(0)), (10, Rational(1, 2)), (20, Rational(5, 4)), (25, Rational(29, 16)),
        (40, Rational(17, 4)), (47, Rational(113, 20)),
    ])
    func rampsAreParabolas(tenth: Int, expected: Rational) throws {
        let keys = #""speed": [{"range": ["1s", "3s"], "from": 0.5, "to": 2}]"#
        let film = try timeline(
            "{\"asset\": \"film\", \"source\": [\"1s\", \"8s\"], \"target\": [\"0s\", \"5s\"], \(keys)}")
        #expect(try shown(film, at: Rational(tenth, 10)) == Rational(1) + expected)
        let back = try timeline(
            """
            {"asset": "film", "source": ["1s", "8s"], "target": ["0s", "5s"], \(keys), "reverse": true}
            """)
        #expect(try shown(back, at: Rational(tenth, 10)) == Rational(9) - expected - Rational(1, 1000))
    }

    /// A third of a second at 1/3: neither is a whole number of the parts that things are rounded to.
    @Test func roundingIsAsDocumented() throws {
        let film = try timeline(
            """
            {"asset": "film", "source": ["0s", "1s"], "target": ["0s", "2s"],
            "speed": [{"at": "0s", "value": 0.3333333}]}
            """)
        // 235,200,000 parts by 0.333333, to the nearest part.
        #expect(try shown(film, at: Rational(1, 3)) == Rational(78_399_922, 705_600_000))
        #expect(try shown(film, at: Rational(1, 7)) == Rational(33_599_966, 705_600_000))
    }

    /// Frames of a tenth each at a speed of 1/2 + t/2: the n-th begins where t/2 + t²/4 = n/10, in the next part.
    @Test func aTimingTrackHasTheInverse() throws {
        let segment = """
            {"asset": "film", "source": ["0s", "2s"], "target": ["0s", "2s"],
            "speed": [{"range": ["0s", "2s"], "from": 0.5, "to": 1.5}]}
            """
        let film = try timeline(segment, #""frameTimingTrack": 1, "frameDuration": "0.1s""#)
        var facts = filmFacts(seconds: "10s")
        facts.tracks[0].video?.frameTimes = FrameTimes(
            start: .zero, tick: Rational(1, 10), offsets: (0..<100).map { Int64($0) })
        let times = try #require(try film.frameTimes(from: .zero, to: Rational(2), assets: ["film": facts]))
        #expect(times.offsets.count == 20)
        for (number, offset) in times.offsets.enumerated() {
            let exact = -1 + (1 + 4 * Double(number) / 10).squareRoot()
            let time = (times.tick * Rational(Int(offset))).double
            #expect(abs(time - exact) < 1e-6, "\(number)")
            let wanted = try shown(film, at: times.tick * Rational(Int(offset)))
            #expect(wanted >= Rational(number, 10) && wanted < Rational(number, 10) + Rational(1, 1_000_000))
        }
    }
}
