import Foundation
import MediaFacts
import Pictures
import SplitreelProject
import SplitreelTimeline
import Testing
import Validation

/// The metadata in which a film in HDR tells of its light, by those of its sources.
@Suite("HDR metadata of a film")
struct FilmLightTests {
    private static let pq = ColourTriple(primaries: .bt2020, transfer: .pq, matrix: .bt2020)
    private static let hlg = ColourTriple(primaries: .bt2020, transfer: .hlg, matrix: .bt2020)

    private static func display(_ most: Int, _ least: Int, _ primaries: ColourPrimaries = .p3D65) -> MasteringDisplay {
        var display = MasteringDisplay.reference(primaries)
        (display.most, display.least) = (most * 10_000, least)
        return display
    }

    private func light(
        _ sources: [(colour: ColourTriple?, metadata: HDRMetadata?)], policy: String? = nil, color: String = ""
    ) throws -> FilmLight {
        var facts: [String: AssetFacts] = [:]
        var (assets, tracks): ([String], [String]) = ([], [])
        for (index, source) in sources.enumerated() {
            var own = filmFacts(colour: source.colour)
            own.tracks[0].video?.hdrMetadata = source.metadata
            facts["a\(index)"] = own
            assets.append(#""a\#(index)": {"url": "a\#(index).mp4"}"#)
            let clip = #"{"asset": "a\#(index)", "source": ["0s", "2s"], "target": ["0s", "2s"]}"#
            tracks.append(#"{"id": \#(index + 1), "type": "video", "segments": [\#(clip)]}"#)
        }
        let words = [color, policy.map { #""hdrMetadata": "\#($0)""# } ?? ""].filter { !$0.isEmpty }
        let text = projectText(
            assets: assets.joined(separator: ", "), tracks: tracks.joined(separator: ", "),
            #""video": {"color": {\#(words.joined(separator: ", "))}}"#)
        return try Timeline(project: Project(parsing: text), assets: facts).filmLight
    }

    private static let wide = HDRMetadata(mastering: display(1000, 50), light: ContentLight(most: 900, average: 200))
    private static let bright = HDRMetadata(
        mastering: display(4000, 1), light: ContentLight(most: 3500, average: 150))

    @Test func whatSourcesAgreeOnIsTheFilms() throws {
        #expect(try light([(Self.pq, Self.wide)]).metadata == Self.wide)
        #expect(try light([(Self.pq, Self.wide), (Self.pq, Self.wide)], policy: "propagate").metadata == Self.wide)
        #expect(try light([(Self.pq, nil)]).metadata == nil)
        #expect(try light([(Self.pq, Self.wide)], policy: "none").metadata == nil)
    }

    @Test func whatTheyDifferInIsJoined() throws {
        let both = try light([(Self.pq, Self.wide), (Self.pq, Self.bright)]).metadata
        #expect(both?.mastering == Self.display(4000, 1) && both?.light == ContentLight(most: 3500, average: 200))
        let other = HDRMetadata(mastering: Self.display(1000, 50, .bt709), light: nil)
        let mixed = try light([(Self.pq, Self.wide), (Self.pq, other)]).metadata
        // Of other primaries: the film's own. One does not say how bright it is: nobody knows.
        #expect(mixed?.mastering == Self.display(1000, 50, .bt2020) && mixed?.light == nil)
        #expect(try light([(Self.pq, Self.wide), (Self.pq, nil)]).metadata == nil)
    }

    @Test func onlyFilmsInHDROfTheSourcesTransferHaveIt() throws {
        #expect(try light([(Self.pq, Self.wide), (.bt709, nil)]).metadata == nil)
        let names = #""primaries": "ITU_R_2020", "matrix": "ITU_R_2020", "transfer": "#
        let asPQ = names + #""SMPTE_ST_2084_PQ""#
        // SDR among them has no say; HLG was mastered otherwise.
        #expect(try light([(Self.pq, Self.wide), (.bt709, nil)], color: asPQ).metadata == Self.wide)
        #expect(try light([(Self.pq, Self.wide), (Self.hlg, nil)], color: asPQ).metadata == nil)
        #expect(try light([(Self.pq, Self.wide)], color: names + #""ITU_R_2100_HLG""#).metadata == nil)
    }

    @Test func generatedMetadataHasTheFilmsOwnDisplay() throws {
        let made = try light([(Self.pq, Self.wide)], policy: "generate")
        #expect(made.isMeasured && made.metadata?.light == nil)
        let display = try #require(made.metadata?.mastering)
        // BT.2020: 0.708 0.292, 0.170 0.797, 0.131 0.046; D65: 0.3127 0.3290.
        #expect(display.red == .init(x: 35_400, y: 14_600) && display.green == .init(x: 8500, y: 39_850))
        #expect(display.blue == .init(x: 6550, y: 2300) && display.white == .init(x: 15_635, y: 16_450))
        #expect(display.most == 10_000_000 && display.least == 1 && display.isPossible)
        #expect(try !light([(.bt709, nil)], policy: "generate").isMeasured)
    }
}
