import Compositing
import Foundation
import Pictures
import Testing

@Suite("Generators' patterns") struct PatternTests {
    /// Codes of Y', Cb, Cr and alpha, row by row.
    private func codes(_ pattern: Pattern, _ width: Int, _ height: Int, bitDepth: Int = 8) -> [[Int]] {
        let bytes = bitDepth > 8 ? 2 : 1
        let planes = (0..<4).map { _ in
            UnsafeMutableRawPointer.allocate(byteCount: width * height * bytes, alignment: 16)
        }
        defer { for plane in planes { plane.deallocate() } }
        let encoding = PixelEncoding(
            bitDepth: bitDepth, chromaShiftX: 0, chromaShiftY: 0, chromaOffsetX: 0, chromaOffsetY: 0, colour: .bt709,
            isFullRange: false)
        let made = planes.map { Plane(base: $0, stride: width * bytes, width: width, height: height) }
        pattern.paint(PlanarImage(luma: made[0], cb: made[1], cr: made[2], alpha: made[3], encoding: encoding))
        return planes.map { plane in
            (0..<(width * height)).map {
                bytes == 2
                    ? Int(plane.load(fromByteOffset: 2 * $0, as: UInt16.self))
                    : Int(plane.load(fromByteOffset: $0, as: UInt8.self))
            }
        }
    }

    private func grey(_ level: Double, _ alpha: Double = 1) -> Colour {
        Colour(red: level, green: level, blue: level, alpha: alpha)
    }

    /// From black to white and to nothing: at 16 pixels' centres.
    @Test(arguments: [8, 10]) func linear(bitDepth: Int) {
        let pattern = Pattern.gradient(
            Gradient(
                isRadial: false, from: (0, 0.5), to: (1, 0.5),
                stops: [.init(place: 0, colour: grey(0)), .init(place: 1, colour: grey(1, 0))]))
        let found = codes(pattern, 16, 2, bitDepth: bitDepth)
        let (scale, top) = (Double(1 << (bitDepth - 8)), Double(1 << bitDepth) - 1)
        let places = (0..<16).map { (Double($0) + 0.5) / 16 }
        let luma = places.map { Int((16 * scale + 219 * scale * $0).rounded()) }
        #expect(found[0] == luma + luma)
        #expect(Set(found[1] + found[2]) == [128 << (bitDepth - 8)])
        #expect(Array(found[3][..<16]) == places.map { Int(((1 - $0) * top).rounded()) })
        #expect(!pattern.isOpaque)
    }

    /// Around the middle of 9×9, to the edge: 4.5 pixels.
    @Test func radialWithAJump() {
        let pattern = Pattern.gradient(
            Gradient(
                isRadial: true, from: (0.5, 0.5), to: (1, 0.5),
                stops: [
                    .init(place: 0.5, colour: grey(0)), .init(place: 0.5, colour: grey(1)),
                    .init(place: 1, colour: grey(0.5)),
                ]))
        let luma = codes(pattern, 9, 9)[0]
        for y in 0..<9 {
            for x in 0..<9 {
                let way = hypot(Double(x - 4), Double(y - 4)) / 4.5
                let level = way < 0.5 ? 0 : 1 - min(way - 0.5, 0.5)
                #expect(luma[y * 9 + x] == Int((16 + 219 * level).rounded()))
            }
        }
    }

    /// Worked out by another program from SplitMix64's definition.
    @Test func noiseIsTheSameAnywhere() {
        let first = codes(.noise(Noise(seed: 7, isColoured: false)), 4, 2)
        #expect(first[0] == [149, 38, 80, 73, 170, 84, 20, 60])
        let fourth = codes(.noise(Noise(seed: 7, isColoured: false, frame: 3)), 4, 2)
        #expect(Array(fourth[0][4...]) == [83, 23, 17, 87])
        #expect(codes(.noise(Noise(seed: 8, isColoured: false)), 4, 2) != first)
        let coloured = codes(.noise(Noise(seed: -1, isColoured: true)), 64, 64)
        #expect(Set(coloured[1]).count > 100 && Set(coloured[2]).count > 100)
    }

    @Test func checkerBeginsAtTheTopLeft() {
        let cell = PixelSize(width: 3, height: 2)
        let luma = codes(.checker(Checker(cell: cell, even: grey(1), odd: grey(0))), 8, 5)[0]
        #expect(luma == (0..<40).map { ($0 % 8 / 3 + $0 / 8 / 2) % 2 == 0 ? 235 : 16 })
    }
}
