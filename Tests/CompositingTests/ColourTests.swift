import Compositing
import Pictures
import Testing

@Suite("Backgrounds and colour conversion")
struct ColourTests {
    struct Known: Sendable {
        let colour: Colour
        let matrix: ColourMatrix
        let codes: [Int]
    }

    /// The values of colour bars that every test-signal table prints.
    static let known = [
        Known(colour: .black, matrix: .bt709, codes: [16, 128, 128]),
        Known(colour: Colour(red: 1, green: 1, blue: 1), matrix: .bt601, codes: [235, 128, 128]),
        Known(colour: Colour(red: 0, green: 1, blue: 0), matrix: .bt709, codes: [173, 42, 26]),
        Known(colour: Colour(red: 0, green: 1, blue: 0), matrix: .bt601, codes: [145, 54, 34]),
        Known(colour: Colour(red: 1, green: 0, blue: 0), matrix: .bt709, codes: [63, 102, 240]),
        Known(colour: Colour(red: 1, green: 0, blue: 0), matrix: .bt601, codes: [81, 90, 240]),
        Known(colour: Colour(red: 0, green: 0, blue: 1), matrix: .bt709, codes: [32, 240, 118]),
        Known(colour: Colour(red: 0, green: 0, blue: 1), matrix: .bt601, codes: [41, 240, 110]),
    ]

    @Test("Background codes", arguments: known)
    func background(known: Known) {
        let out = Picture(6, 4, encoding(.i420, matrix: known.matrix)).compose([], background: known.colour)
        #expect(out[0, 5, 3] == known.codes[0] && out[1, 2, 1] == known.codes[1] && out[2, 0, 0] == known.codes[2])
        #expect(Set(out.samples[0]).count == 1 && out.damagedGuards == 0)
        let deep = Picture(6, 4, encoding(.i422, bits: 10, matrix: known.matrix)).compose([], background: known.colour)
        for plane in 0..<3 { #expect(abs(deep[plane, 1, 1] - known.codes[plane] * 4) <= 2) }
    }

    @Test("Background with components that are no numbers or out of range")
    func oddBackground() {
        let colour = Colour(red: .nan, green: 7, blue: -.infinity, alpha: .nan)
        let out = Picture(4, 4, encoding()).compose([], background: colour)
        #expect(out[0, 0, 0] == 173 && out[1, 0, 0] == 42 && out[2, 0, 0] == 26)
    }

    /// R'G'B' of codes, then codes of R'G'B', all in doubles.
    private func convert(_ codes: [Double], _ from: PixelEncoding, _ to: PixelEncoding) -> [Double] {
        func levels(_ e: PixelEncoding) -> (black: Double, luma: Double, grey: Double, chroma: Double) {
            let unit = Double(1 << (e.bitDepth - 8))
            let top = Double((1 << e.bitDepth) - 1)
            return e.isFullRange ? (0, top, 128 * unit, top) : (16 * unit, 219 * unit, 128 * unit, 224 * unit)
        }
        let (i, o) = (levels(from), levels(to))
        let y = (codes[0] - i.black) / i.luma
        let (pb, pr) = ((codes[1] - i.grey) / i.chroma, (codes[2] - i.grey) / i.chroma)
        let (kr, kb) = (from.matrix.weights.red, from.matrix.weights.blue)
        let red = y + 2 * (1 - kr) * pr
        let blue = y + 2 * (1 - kb) * pb
        let green = (y - kr * red - kb * blue) / (1 - kr - kb)
        let (lr, lb) = (to.matrix.weights.red, to.matrix.weights.blue)
        let z = lr * red + (1 - lr - lb) * green + lb * blue
        let result = [
            o.black + o.luma * z, o.grey + o.chroma * (blue - z) / (2 * (1 - lb)),
            o.grey + o.chroma * (red - z) / (2 * (1 - lr)),
        ]
        let top = Double((1 << to.bitDepth) - 1)
        return result.map { min(max($0, 0), top) }
    }

    @Test("Matrices into each other", arguments: ColourMatrix.allCases, ColourMatrix.allCases)
    func matrices(from: ColourMatrix, to: ColourMatrix) {
        expectConverted(encoding(.i444, matrix: from), encoding(.i444, matrix: to))
        expectConverted(encoding(.i444, bits: 10, matrix: from), encoding(.i444, matrix: to))
        expectConverted(encoding(.i444, matrix: from, full: true), encoding(.i444, bits: 10, matrix: to))
    }

    @Test("Range and depth", arguments: [8, 10, 12, 16], [8, 10])
    func depths(from: Int, to: Int) {
        expectConverted(encoding(.i444, bits: from), encoding(.i444, bits: to))
        expectConverted(encoding(.i444, bits: from, full: true), encoding(.i444, bits: to))
    }

    private func expectConverted(_ from: PixelEncoding, _ to: PixelEncoding) {
        let source = Picture(24, 20, from)
        var random = Random(seed: 77)
        let top = (1 << from.bitDepth) - 1
        for plane in 0..<3 { source.paint(plane) { _, _ in random.int(in: 0..<(top + 1)) } }
        let out = Picture(24, 20, to).compose([source.layer()])
        var (worst, sum) = (0.0, 0.0)
        for y in 0..<20 {
            for x in 0..<24 {
                let codes = (0..<3).map { (plane: Int) -> Double in Double(source[plane, x, y]) }
                let expected = convert(codes, from, to)
                for plane in 0..<3 {
                    worst = max(worst, abs(Double(out[plane, x, y]) - expected[plane]))
                    sum += Double(out[plane, x, y]) - expected[plane]
                }
            }
        }
        #expect(worst <= 0.51, "\(from) to \(to)")
        // Halves go up: a reduction by 4 is an eighth above its mean; the rest is chance.
        #expect(abs(sum) / (24 * 20 * 3) < 0.16, "\(from) to \(to)")
    }

    @Test("Limited range in depth steps is a shift, there and back")
    func shift() {
        let source = Picture(32, 20, encoding()).paintScene(seed: 2)
        let deep = Picture(32, 20, encoding(bits: 10)).compose([source.layer()])
        #expect(deep.samples == source.samples.map { $0.map { $0 * 4 } })
        let back = Picture(32, 20, encoding()).compose([deep.layer()])
        #expect(back.samples == source.samples)
    }

    @Test("Subsampled chroma is carried to the luma's places when matrices differ")
    func subsampledMatrix() {
        let from = encoding(.i420, matrix: .bt601)
        let source = Picture(40, 32, from)
        source.paint(0) { x, y in 60 + x * 2 + y }
        source.paint(1) { x, y in 90 + x * 2 + y }
        source.paint(2) { x, y in 160 - x - y * 2 }
        let out = Picture(40, 32, encoding(.i420, matrix: .bt709)).compose([source.layer()])
        // Linear ramps: chroma at luma (x, y) is at chroma place (x/2, (y − 0.5)/2) with left siting.
        for y in 4..<28 {
            for x in 4..<36 {
                let (u, v) = (Double(x) / 2, (Double(y) - 0.5) / 2)
                let expected = convert([Double(60 + x * 2 + y), 90 + u * 2 + v, 160 - u - v * 2], from, out.encoding)
                #expect(abs(Double(out[0, x, y]) - expected[0]) <= 0.51)
            }
        }
    }
}
