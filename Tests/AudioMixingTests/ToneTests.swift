import AudioMixing
import Composition
import Foundation
import Testing

@Suite("Tones") struct ToneTests {
    private func samples(_ frequency: Double, skipping: Int = 0, blocks: [Int]) -> [Float] {
        var source = ToneSource(
            Tone(frequency: frequency, volume: 0.5), sampleRate: 44_100, skipping: skipping)
        return blocks.flatMap { count in
            let plane = UnsafeMutablePointer<Float>.allocate(capacity: count)
            defer { plane.deallocate() }
            source.read(into: [plane], count: count)
            return (0..<count).map { plane[$0] }
        }
    }

    @Test(arguments: [440.0, 997.3, 12_345]) func isASine(frequency: Double) {
        for (index, sample) in samples(frequency, blocks: [5000]).enumerated() {
            let expected = 0.5 * sin(2 * .pi * frequency * Double(index) / 44_100)
            #expect(abs(Double(sample) - expected) < 1e-7)
        }
    }

    /// However it is read, and after ten hours.
    @Test func isAFunctionOfThePosition() {
        let whole = samples(440, blocks: [3000])
        #expect(samples(440, blocks: [1, 999, 2000]) == whole)
        #expect(samples(440, skipping: 1000, blocks: [2000]) == Array(whole[1000...]))
        #expect(samples(440, skipping: 36_000 * 44_100, blocks: [3000]) == whole)
    }
}
