import MediaFacts
import Outputs
import Pictures
import Planning
import SplitreelProject
import Testing

/// Sources that `plan` says are not copied, and why.
@Suite struct CopyReasonTests {
    private typealias Film = CopyPlanTests.Film

    private func film(_ change: (inout Film) -> Void = { _ in }) -> Film {
        var film = Film(parts: [("a", 0, 240)])
        change(&film)
        return film
    }

    private func check(
        _ says: String, _ change: (inout Film) -> Void = { _ in }, asking: (inout OutputRequest) -> Void = { _ in }
    ) throws {
        let plan = try film(change).plan(asking)
        #expect(plan.copiedFrameCount == 0, "\(says)")
        #expect(plan.chunks.allSatisfy { $0.why.contains("not copied: a: \(says)") }, "\(plan.chunks.map(\.why))")
    }

    @Test func whatTheSourceIs() throws {
        try check("it is hevc, the film h264") { $0.codec = "hevc" }
        try check("its size is 320×180, the film's 640×360") { $0.size = "[640,360]" }
        try check("its samples have full range, those of every h264 film limited range") { $0.isFullRange = true }
        try check("its primaries are SMPTE_C, the film's ITU_R_709_2") {
            $0.colour = ColourTriple(primaries: .smpteC, transfer: .bt709, matrix: .bt601)
            $0.filmColour = #"{"primaries":"ITU_R_709_2"}"#
        }
        try check("its profile is hq, the film's standard") {
            $0.isIntra = true
        } asking: {
            $0.picture.encoderPreset = "standard"
        }
    }

    @Test(arguments: [
        (#"{"track":1,"opacity":0.5}"#, "it is not opaque"),
        (#"{"track":1,"transform":[1,0,0,1,1,0]}"#, "it is scaled, moved or turned"),
        (#"{"track":1,"crop":[0,0,160,180]}"#, "a part of it is cut off"),
    ]) func whatIsDoneToIt(layer: String, says: String) throws { try check(says) { $0.layer = layer } }

    @Test func whatIsShownOfIt() throws {
        try check("its group of pictures there has 12 frames, and not all of them are shown") {
            $0.parts = [("a", 1, 22)]
        }
        try check("its frames are not shown one by one, each once") { $0.frameDuration = "1/48" }
        try check("its file shows frame 1 before frame 2, its pictures say it the other way round") {
            ($0.unfit, $0.parts) = (Set(0..<20), [("a", 0, 12)])
        }
    }

    @Test func whatWasAskedFor() throws {
        try check("a quality was asked for", asking: { $0.picture.crf = 18 })
        try check("copies are not wanted", asking: { $0.rendering.passthrough = .never })
    }

    /// 180 lines without tags count as BT.601. A film that is so holds their packets: its container names the colours.
    @Test func colourWithoutTags() throws {
        try check("it has no colour tags: its matrix counts as ITU_R_601_4, the film's is ITU_R_709_2") {
            $0.colour = nil
        }
        for colour in [#"{"matrix":"ITU_R_601_4"}"#, #"{"primaries":"EBU_3213","matrix":"ITU_R_601_4"}"#] {
            let plan = try film {
                $0.colour = nil
                $0.filmColour = colour
            }.plan()
            #expect(plan.copiedFrameCount == 240, "\(colour)")
        }
        try check("its packets name colours that are not the film's") {
            ($0.colour, $0.namesColours, $0.filmColour) = (nil, true, #"{"matrix":"ITU_R_601_4"}"#)
        }
    }

    /// What the composition says of a source holds where its packets are silent.
    @Test func colourThatTheCompositionSays() throws {
        let said = ColourOverrides(primaries: .smpteC, matrix: .bt601)
        let plan = try film {
            $0.colour = nil
            $0.overrides = said
        }.plan()
        #expect(plan.copiedFrameCount == 240)
        #expect(plan.output.video?.colour == ColourTriple(primaries: .smpteC, transfer: .bt709, matrix: .bt601))
        try check("its packets name colours, the composition others") {
            ($0.overrides, $0.namesColours) = (said, true)
        }
        try check("the composition says what its samples mean") { ($0.overrides, $0.isIntra) = (said, true) }
    }
}
