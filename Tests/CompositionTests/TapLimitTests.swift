import Diagnostics
import Foundation
import JSONText
import MediaFacts
import SplitreelProject
import SplitreelTimeline
import Testing
import Validation

/// The limits on the taps of a whole project.
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
        #expect(Set(problems.map(\.code)) == [.audioTrackUnknown] && problems.count == 64)
        let circle = try project(1..<301, taps: { track in Array(repeating: duck(track % 300 + 1), count: 2) })
        let found = circle.validate(assets: nil).filter { $0.message.contains("whose sound leads") }
        #expect(found.count == 600 && found.allSatisfy { $0.code == .valueNotAllowed })
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

    /// Each of the tracks that lead together may lead, and `track` is not said beside them.
    @Test func tracksThatLeadTogetherAreChecked() throws {
        func found(_ params: String, onTrack3: String = "") throws -> [Problem] {
            let tap = #"{"id":"duck","params":{\#(params)}}"#
            let taps = [1: [tap], 3: onTrack3.isEmpty ? [] : [onTrack3]]
            return try project(1..<4, taps: { taps[$0] ?? [] }).validate(assets: nil)
        }
        #expect(try found(#""tracks":[2,3]"#).isEmpty)
        #expect(try found(#""tracks":[2,9]"#).map(\.path) == ["audio.inputs[0].taps[0].params.tracks[1]"])
        #expect(try found(#""tracks":[2,1]"#).map(\.path) == ["audio.inputs[0].taps[0].params"])
        let circle = try found(#""tracks":[2,3]"#, onTrack3: duck(1))
        #expect(circle.map(\.path) == ["audio.inputs[0].taps[0].params", "audio.inputs[2].taps[0].params"])
        let both = try found(#""track":2,"tracks":[2,3]"#)
        #expect(both.map(\.path) == ["audio.inputs[0].taps[0].params.track"])
        #expect(both.first?.message == "`tracks` says it already")
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
        #expect(try places(14, reverb, #","mute":true"#) == ["audio.inputs[0].mute"])
        let delays = Array(repeating: #"{"id":"delay","params":{"time":5}}"#, count: 60)
        #expect(try places(2, delays) == [])
        let ahead = #"{"id":"duck","params":{"track":9,"lookahead":0.5}}"#
        #expect(try places(2, delays + [ahead]).contains("audio.inputs[1].taps[59].params.time"))
        #expect(try places(3, delays) == ["audio.inputs[2].taps[0].params.time"])
    }

    /// Each of them has taps of 20 s: three tracks of them are 60 s, a fourth is too much. What follows on a track
    /// is not held beside what was there before.
    @Test func tapsOfNestedCompositionsCountTogether() throws {
        let reverb = #"{"id":"reverb","params":{"impulse":"room"}}"#
        let inner = #"""
            {"format":"splitreel/1","assets":{"a":{"url":"a.wav"},"room":{"url":"room.wav"}},"composition":{"tracks":[
            {"id":1,"type":"audio","segments":[{"asset":"a","source":["0s","1s"],"target":["0s","1s"]}]}]},
            "audio":{"taps":[\#([reverb, reverb, reverb, reverb].joined(separator: ","))]}}
            """#
        func found(_ tracks: Int, _ pieces: Int) throws -> [Problem] {
            let listed = (1...tracks).map { track in
                let segments = (0..<pieces).map {
                    #"{"asset":"\#($0 % 2 == 0 ? "n" : "m")","source":["0s","1s"],"target":["\#($0)s","1s"]}"#
                }
                return #"{"id":\#(track),"type":"audio","segments":[\#(segments.joined(separator: ","))]}"#
            }
            let project = try CompositionTests.project(
                assets: ["n", "m"].map { #""\#($0)":{"kind":"composition","project":\#(inner)}"# }.joined(
                    separator: ","),
                tracks: listed.joined(separator: ","), "")
            var facts: [String: AssetFacts] = [:]
            for name in ["n", "m"] {
                facts[name + "/a"] = soundFacts(seconds: "2/1")
                facts[name + "/room"] = soundFacts(seconds: "5/1")
            }
            project.addNestedFacts(to: &facts)
            return project.validate(assets: facts)
        }
        #expect(try found(3, 1).isEmpty && found(3, 6).isEmpty)
        let problems = try found(5, 3)
        #expect(problems.map(\.path) == ["composition.tracks[3]"])
        #expect(problems.first?.message == "all impulses together last 80 s, longer than the limit of 60 s")
    }
}
