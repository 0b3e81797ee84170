import Diagnostics
import Testing

@Suite("Figures of loudness")
struct LoudnessFiguresTests {
    @Test func wordsReadBackToTheTenth() {
        let limited = LoudnessFigures(integrated: -26.83, truePeak: -13.1, reached: -16.04, ceiling: -1)
        #expect(
            limited.words
                == "-26.8 LUFS and -13.1 dBTP as mixed; brought to -16.0 LUFS with its peaks limited to -1.0 dBTP")
        #expect(
            LoudnessFigures(words: limited.words)
                == LoudnessFigures(integrated: -26.8, truePeak: -13.1, reached: -16, ceiling: -1))
        let plain = LoudnessFigures(integrated: -23, truePeak: 0.5, reached: -23)
        #expect(LoudnessFigures(words: plain.words) == plain)
    }

    @Test(arguments: ["", "-inf LUFS and 0.0 dBTP as mixed; brought to -inf LUFS", "-16.0 LUFS instead of -14.0 LUFS"])
    func otherWordsAreNoFigures(words: String) { #expect(LoudnessFigures(words: words) == nil) }
}
