import Compositing
import Foundation
import Pictures
import Testing

/// The light that is measured of pictures, against the standards' formulas in plain doubles.
@Suite("Measured light")
struct LightMeterTests {
    /// In 1/1000 cd/m²: of red, green and blue the one that is brightest.
    private func light(_ codes: [Int], _ encoding: PixelEncoding) -> Double {
        let rgb = LightReference.components(codes.map { Double($0) }, encoding)
        return (LightReference.display(rgb, encoding.colour).max() ?? 0) * 1000
    }

    @Test(arguments: [
        (LightTests.pq, Layout.i420, 10), (LightTests.pq, .i444, 10), (LightTests.pq, .i422, 8),
        (LightTests.hlg, .i420, 10), (LightTests.hlg, .i444, 8),
    ])
    func isTheFormulas(kind: LightTests.Kind, layout: Layout, bits: Int) {
        let encoding = kind.encoding(layout, bits: bits)
        let (shiftX, shiftY) = (encoding.chromaShiftX, encoding.chromaShiftY)
        let picture = Picture(22, 14, encoding)
        var random = Random(seed: 77)
        var blocks: [[Double]] = []
        for _ in 0..<(22 * 14) { blocks.append((0..<3).map { _ in random.double(in: 0.05...0.9) }) }
        let codes = blocks.map { LightReference.codes($0, encoding).map { Int($0.rounded()) } }
        for plane in 1...2 { picture.paint(plane) { x, y in codes[y * 22 + x][plane] } }
        picture.paint(0) { x, y in codes[(y >> shiftY) * 22 + (x >> shiftX)][0] + (x & 1) * 5 }
        var (most, sum) = (0.0, 0.0)
        for y in 0..<14 {
            for x in 0..<22 {
                let (u, v) = (x >> shiftX, y >> shiftY)
                let value = light([picture[0, x, y], picture[1, u, v], picture[2, u, v]], encoding)
                (most, sum) = (max(most, value), sum + value)
            }
        }
        let measured = LightMeter(encoding: encoding).measure(picture.image)
        // The table has sixteen places for each code.
        #expect(abs(Double(measured.most) - most) <= most * 0.003 + 2, "\(measured) \(most)")
        #expect(abs(Double(measured.average) - sum / (22 * 14)) <= measured.average.double * 0.002 + 2, "\(measured)")
        #expect(measured.isPossible)
    }

    @Test("A grey is as its code has it; black and what is below it have no light")
    func greys() {
        for (kind, slack) in [(LightTests.pq, 1.0), (LightTests.hlg, 60.0)] {
            let encoding = kind.encoding(.i420)
            let meter = LightMeter(encoding: encoding)
            for code in [64, 65, 300, 512, 721, 769, 940, 1023] {
                let picture = Picture(6, 4, encoding).fill(code, 512, 512)
                let grey = withExtendedLifetime(picture) { meter.measure(picture.image) }
                let expected = light([code, 512, 512], encoding)
                #expect(abs(Double(grey.most) - expected) <= slack, "\(code): \(grey), \(expected)")
                #expect(grey.most == grey.average)
            }
            let black = Picture(6, 4, encoding).fill(3, 512, 512)
            #expect(withExtendedLifetime(black) { meter.measure(black.image) } == MeasuredLight())
        }
    }

    @Test("Joining is by the larger numbers, in any order")
    func joins() {
        var random = Random(seed: 4)
        let lights = (0..<40).map { _ in
            let most = Int(random.double(in: 0...1e7))
            return MeasuredLight(most: most, average: Int(Double(most) * random.double(in: 0...1)))
        }
        func joined(_ lights: some Sequence<MeasuredLight>) -> MeasuredLight {
            lights.reduce(into: MeasuredLight()) { $0.join($1) }
        }
        #expect(joined(lights) == joined(lights.reversed()))
        #expect(joined([joined(lights[..<7]), joined(lights[7...])]) == joined(lights))
        #expect(MeasuredLight(most: 1_000_499, average: 0).contentLight == ContentLight(most: 1000, average: 1))
        #expect(MeasuredLight(most: 10_000_000, average: 10_000_000).contentLight.isPossible)
    }
}

extension Int {
    fileprivate var double: Double { Double(self) }
}
