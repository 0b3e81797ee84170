import Composition
import Diagnostics
import Foundation
import Testing

/// What the taps of a whole project may ask for.
@Suite("Taps of a project") struct TapLimitTests {
    private func project(_ tracks: Range<Int>, taps: (Int) -> [String], _ rest: String = "") throws -> Project {
        let listed = tracks.map {
            #"{"id":\#($0),"type":"audio","segments":[{"asset":"a","source":["0s","1s"],"target":["0s","1s"]}]}"#
        }
        let inputs = tracks.map { #"{"track":\#($0),"taps":[\#(taps($0).joined(separator: ","))]\#(rest)}"# }
        return try CompositionTests.project(
            assets: #""a": {"url": "a.wav"}, "room": {"url": "room.wav"}"#,
            tracks: listed.joined(separator: ","),
            #""audio":{"inputs":[\#(inputs.joined(separator: ","))]}"#)
    }

    private func duck(_ track: Int) -> String { #"{"id":"duck","params":{"track":\#(track)}}"# }

    /// What a silenced track has is not made.
    @Test(arguments: ["", #","mute":true"#]) func tracksThatAreNotHeardHaveNoTaps(rest: String) throws {
        let project = try project(
            1..<2, taps: { _ in [#"{"id":"gain"}"#] },
            #","loudness":{"target":-20},"pan":[{"at":"0s","value":1}],"balance":[{"at":"0s","value":1}]\#(rest)"#)
        let track = try #require(try Timeline(project: project, assets: ["a": soundFacts(seconds: "2/1")]).audio.first)
        let isHeard = rest.isEmpty
        #expect(track.taps.isEmpty != isHeard && (track.loudness == nil) != isHeard)
        #expect(track.pans.spans.isEmpty != isHeard && track.balances.spans.isEmpty != isHeard)
    }

    /// Sixty-four taps of each of 400 tracks, each led by the next track: a search for each tap would take minutes.
    @Test func manyLeadersAreLookedAtOnce() throws {
        let chain = try project(1..<401, taps: { track in Array(repeating: duck(track + 1), count: 64) })
        let problems = chain.validate(assets: ["a": soundFacts(seconds: "2/1")])
        #expect(Set(problems.map(\.code)) == [ErrorCode.audioTrackUnknown.number] && problems.count == 64)
        let circle = try project(1..<301, taps: { track in Array(repeating: duck(track % 300 + 1), count: 2) })
        let found = circle.validate(assets: nil).filter { $0.message.contains("whose sound leads") }
        #expect(found.count == 600 && found.allSatisfy { $0.code == ErrorCode.valueNotAllowed.number })
    }

    /// What leads into a circle stands in none itself.
    @Test func onlyTracksOfACircleAreToldOf() throws {
        let led = [1: [2, 4], 2: [3], 3: [2], 4: []]
        let project = try project(1..<5, taps: { track in (led[track] ?? []).map(duck) })
        #expect(
            project.validate(assets: nil).map(\.path) == [
                "audio.inputs[1].taps[0].params", "audio.inputs[2].taps[0].params",
            ])
    }

    /// Twelve impulses of 5 s are 60 s; 120 delays of 5 s are 600 s. What is mute remembers nothing.
    @Test func tapsRememberSoMuchInAll() throws {
        let facts = ["a": soundFacts(seconds: "2/1"), "room": soundFacts(seconds: "5/1")]
        func places(_ count: Int, _ taps: [String], _ rest: String = "") throws -> [String] {
            try project(1..<count + 1, taps: { _ in taps }, rest).validate(assets: facts).map(\.path)
        }
        let reverb = [#"{"id":"reverb","params":{"impulse":"room"}}"#]
        #expect(try places(12, reverb) == [])
        #expect(try places(14, reverb) == ["audio.inputs[12].taps[0].params.impulse"])
        #expect(try places(14, reverb, #","mute":true"#) == [])
        let delays = Array(repeating: #"{"id":"delay","params":{"time":5}}"#, count: 60)
        #expect(try places(2, delays) == [])
        #expect(try places(3, delays) == ["audio.inputs[2].taps[0].params.time"])
    }
}
