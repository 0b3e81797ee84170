import AudioMixing
import Foundation
import MediaFacts
import Testing

@Suite struct LoudnessMeterTests {
    /// Between the last samples, too, as an interpolation written out here has it; after them there is silence.
    @Test(arguments: [0, 100]) func peaksAtTheEndCount(after: Int) {
        var sound = (0..<20).map { 0.9 * sin(Double($0) * .pi / 2 + .pi / 4) }
        sound += [Double](repeating: 0, count: after)
        var meter = LoudnessMeter(sampleRate: 48_000, layout: .mono)
        var samples = sound.map { Float($0) }
        samples.withUnsafeMutableBufferPointer { samples in
            if let start = samples.baseAddress { meter.add([start], count: samples.count) }
        }
        let course = (0..<80).map { quarter in
            sound.enumerated().reduce(0.0) { sum, sample in
                let away = .pi * (Double(quarter) / 4 - Double(sample.offset))
                return sum + sample.element * (away == 0 ? 1 : sin(away) / away)
            }
        }
        let peak = course.map(abs).max() ?? 0
        #expect(peak > 0.85 && abs(20 * log10(meter.truePeak / peak)) < 0.3, "\(meter.truePeak), \(peak)")
        #expect(meter.isTooShort && meter.integrated == nil)
    }
}
