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
}
