import Compositing
import Foundation
import Pictures
import Testing

/// PQ in SDR, tone mapped by the peak that its source says.
@Suite("Tone mapping by the source's peak")
struct PeakTests {
    private func ramp(_ peak: Int?) -> (samples: [Int], exact: [Double]) {
        var input = LightTests.pq.encoding(bits: 10)
        input.peak = peak
        let output = LightTests.sdr.encoding(bits: 10)
        let source = Picture(256, 4, input)
        source.paint(0) { x, y in y * 256 + x }
        for plane in 1...2 { source.paint(plane) { _, _ in 512 } }
        let out = Picture(256, 4, output).compose([source.layer()])
        return (
            out.samples[0],
            (0..<1024).map { LightReference.convert([Double($0), 512, 512], input, output)[0] }
        )
    }

    @Test(arguments: [nil, 400, 1000, 4000, 10_000])
    func isTheFormulaAndRises(peak: Int?) {
        let (samples, exact) = ramp(peak)
        for (code, (made, wanted)) in zip(samples, exact).enumerated() {
            #expect(abs(Double(made) - wanted) <= 2, "\(code): \(made), \(wanted)")
        }
        #expect(zip(samples, samples.dropFirst()).allSatisfy { $0 <= $1 })
        // SDR's white is where the peak is.
        let top = LightReference.pqInverse(Double(peak ?? 1000)) * 876 + 64
        #expect(samples[min(Int(top.rounded(.up)), 1023)] == 940)
        #expect(samples[Int(top) - 200] < 940)
    }

    @Test("A brighter source leaves less for what is dark; a thousand is what nobody says")
    func peaksDiffer() {
        let (low, usual, high) = (ramp(400).samples, ramp(1000).samples, ramp(4000).samples)
        #expect(ramp(nil).samples == usual)
        // 203 cd/m².
        let white = Int((LightReference.pqInverse(203) * 876 + 64).rounded())
        #expect(low[white] > usual[white] + 10 && usual[white] > high[white] + 10)
    }

    @Test("Which word counts, and within which bounds")
    func whichCounts() {
        func display(_ most: Int) -> MasteringDisplay {
            var display = MasteringDisplay.reference(.p3D65)
            display.most = most * 10_000
            return display
        }
        func peak(_ most: Int?, _ light: Int?) -> Int? {
            HDRMetadata(mastering: most.map(display), light: light.map { ContentLight(most: $0, average: 1) })?.peak
        }
        #expect(peak(nil, nil) == nil && peak(4000, nil) == 4000 && peak(nil, 1200) == 1200)
        #expect(peak(4000, 1200) == 1200, "the content's own light rules")
        #expect(peak(4000, 0) == 4000, "0: not known")
        #expect(peak(4000, 90) == 400 && peak(100, nil) == 400 && peak(10_000, nil) == 10_000)
    }
}
