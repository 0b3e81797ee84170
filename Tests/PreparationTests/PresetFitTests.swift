import Diagnostics
import Planning
import Preparation
import TestTools
import Testing

@Suite("Presets held against a composition") struct PresetFitTests {
    /// 3000 years of one colour: every preset with a picture says why not, and those of sound are not asked in vain.
    @Test func noFilmIsTooLongToBeTold() throws {
        let length = "100000000000s"
        let text = """
            {"format":"splitreel/1","assets":{"c":{"kind":"color","color":[0,0,0,1]}},
            "composition":{"tracks":[\(Text.track(1, "video", Text.still("c", at: "0s", for: length)))]},
            "video":{"renderSize":[3840,2160],"frameDuration":"1/60"}}
            """
        let fits = try presetFits(try PreparationFixture.project(text))
        #expect(fits.count == ExportPreset.all.count)
        for fit in fits { #expect(fit.settings == nil && fit.refusal != nil, "\(fit.preset.name)") }
        #expect(fits.contains { $0.refusal?.subject.contains("frames") == true })
    }
}
