import Diagnostics
import Foundation
import JSONText
import MediaFacts
import SplitreelProject
import Testing
import Validation

/// Times and ranges that people write as other programs have them.
@Suite("Times that were meant")
struct TimesMeantTests {
    /// A film of a file of 10 s, whose segments have these sources and targets.
    private func problems(
        _ segments: [(source: String, target: String)], instructions: String = "", frameDuration: String = "1/25"
    ) -> [Problem] {
        let parts = segments.map { #"{"asset": "a", "source": \#($0.source), "target": \#($0.target)}"# }
        let text = #"""
            {"format": "splitreel/1", "assets": {"a": {"url": "a.mp4"}},
             "composition": {"tracks": [{"id": 1, "type": "video", "segments": [\#(parts.joined(separator: ", "))]}]},
             "video": {"frameDuration": "\#(frameDuration)"\#(instructions)}}
            """#
        return Project.check(Data(text.utf8), assets: ["a": filmFacts()]).problems
    }

    private static let target = "composition.tracks[0].segments[0].target"

    @Test(arguments: [
        ("\"5s\"", #"write ["0s", "5s"]"#), ("5", #"write ["0s", "5s"]"#), ("[\"5s\"]", #"write ["0s", "5s"]"#),
        ("{\"start\": \"0s\", \"duration\": \"5s\"}", #"write ["0s", "5s"]"#), ("true", #"such as ["0s", "2.5s"]"#),
    ])
    func aDurationWhereARangeIsMeant(written: String, hint: String) {
        let found = problems([("[\"0s\", \"5s\"]", written)])
        #expect(found.map(\.path) == [Self.target] && found.first?.hint.contains(hint) == true, "\(found)")
    }

    /// Frames by the arithmetic of 25 a second.
    @Test(arguments: [
        ("30f", "30/25"), ("30 frames", "30/25"), ("00:00:01:00", "25/25"), ("01:00:00;05", "90005/25"),
        ("00:01:00:24", "1524/25"),
    ])
    func framesAreSaidToBeFractions(written: String, hint: String) {
        let found = problems([("[\"0s\", \"\(written)\"]", "[\"0s\", \"1s\"]")])
        #expect(found.first?.path == "composition.tracks[0].segments[0].source[1]", "\(found)")
        #expect(found.first?.hint.contains("\"\(hint)\"") == true, "\(found)")
    }

    @Test(arguments: [
        ("30/1", "1/30"), ("25s", "1/25"), ("30000/1001", "1001/30000"), ("60/1", "1/60"), ("12/1", "1/12"),
    ])
    func aRateIsNoFrameDuration(written: String, meant: String) {
        let found = problems([("[\"0s\", \"1s\"]", "[\"0s\", \"1s\"]")], frameDuration: written)
        #expect(found.map(\.path) == ["video.frameDuration"] && found.first?.severity == .error, "\(found)")
        #expect(found.first?.hint.contains("did you mean \"\(meant)\"?") == true, "\(found)")
    }

    /// By the rates' names: 30000/1001 is 29.97, 24000/1001 is 23.976.
    @Test(arguments: [
        ("30", "1/30"), ("30 fps", "1/30"), ("29.97", "1001/30000"), ("23.976fps", "1001/24000"),
        ("59.94", "1001/60000"),
    ])
    func aRateInTheFramesPlace(written: String, meant: String) {
        let found = problems([("[\"0s\", \"1s\"]", "[\"0s\", \"1s\"]")], frameDuration: written)
        #expect(found.first?.hint == "write \"\(meant)\"", "\(found)")
    }

    @Test(arguments: ["1/1", "2s", "5/1"]) func slowFilmsAreFilms(written: String) {
        #expect(problems([("[\"0s\", \"6s\"]", "[\"0s\", \"6s\"]")], frameDuration: written).isEmpty)
    }

    // MARK: Ends in place of durations

    @Test func theEndInADurationsPlaceIsTheFirstThingSaid() {
        // Source and target both.
        let both = problems([("[\"1s\", \"2s\"]", "[\"1s\", \"2s\"]")]).first
        #expect(both?.hint.hasPrefix("ranges are [start, duration]") == true, "\(String(describing: both))")
        #expect(both?.hint.contains(#""source": ["1s", "1s"], "target": ["0s", "1s"]"#) == true)
        // Both of the second segment: it leaves the file, for that reason.
        let second = problems([("[\"0s\", \"6s\"]", "[\"0s\", \"6s\"]"), ("[\"6s\", \"8s\"]", "[\"6s\", \"8s\"]")])
        #expect(second.first?.hint.contains(#""source": ["6s", "2s"]"#) == true, "\(second)")
        // The source alone.
        let source = problems([("[\"6s\", \"8s\"]", "[\"0s\", \"2s\"]")])
        #expect(source.map(\.code.number) == [50109, 50015], "\(source)")
        #expect(source.allSatisfy { $0.hint.contains(#"ranges are [start, duration]: "source": ["6s", "2s"]"#) })
    }

    @Test func targetsByTheirEnds() {
        let found = problems([
            ("[\"0s\", \"2s\"]", "[\"0s\", \"2s\"]"), ("[\"2s\", \"3s\"]", "[\"2s\", \"5s\"]"),
            ("[\"5s\", \"1s\"]", "[\"5s\", \"6s\"]"),
        ]).first { $0.code.number == 50010 }
        #expect(found?.hint.contains(#"lasts ["2s", "3s"]"#) == true, "\(String(describing: found))")
    }

    @Test func instructionsByTheirEnds() {
        let ranges = [("0s", "2s"), ("2s", "4s")].map { #"{"range": ["\#($0)", "\#($1)"], "layers": [{"track": 1}]}"# }
        let list = #", "instructions": [\#(ranges.joined(separator: ", "))]"#
        let found = problems([("[\"0s\", \"4s\"]", "[\"0s\", \"4s\"]")], instructions: list)
        let isTold = found.map(\.code.number) == [50102]
        #expect(isTold && found.first?.hint.contains(#"lasts ["2s", "2s"]"#) == true, "\(found)")
    }

    // MARK: Sources and targets

    @Test func aSourceBeginsAtZero() {
        let found = problems([("[\"-1s\", \"1s\"]", "[\"0s\", \"1s\"]")])
        let isTold = found.map(\.code.number) == [50015]
        #expect(isTold && found.first?.hint.contains("begins at \"0s\"") == true, "\(found)")
    }

    @Test func theSourcesTimesAreNotTheTargets() {
        let found = problems([("[\"5s\", \"2s\"]", "[\"5s\", \"2s\"]")])
        #expect(found.first?.hint.hasPrefix("`target` is the place in the film, not in the file") == true, "\(found)")
        #expect(found.first?.hint.contains(#""target": ["0s", "2s"]"#) == true, "\(found)")
        // A gap may be meant as well.
        #expect(found.first?.hint.contains(#"{ "target": ["0s", "5s"] }"#) == true, "\(found)")
    }

    @Test func sourceAndTargetTheWrongWayRound() {
        let found = problems([
            ("[\"0s\", \"2s\"]", "[\"0s\", \"2s\"]"), ("[\"2s\", \"1s\"]", "[\"7s\", \"1s\"]"),
        ])
        #expect(found.first?.hint.contains(#""source": ["7s", "1s"], "target": ["2s", "1s"]"#) == true, "\(found)")
    }
}
