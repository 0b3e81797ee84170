import Compositing
import Pictures
import Testing

@Suite("Samplers of little memory")
struct SamplingLimitTests {
    @Test("Tiles and short rings do not show", arguments: [8, 10], [false, true])
    func limitsDoNotShow(bits: Int, alpha: Bool) {
        var least = SamplingLimits()
        (least.tileSamples, least.ringBytes) = (1, 1)
        let size = PixelSize(width: 61, height: 47)
        let maps: [Affine] = [
            Affine(a: 0.8, b: 0.3, c: -0.2, d: 0.9, tx: 11.3, ty: 4.1),
            Affine(a: 0.2, b: 0.31, c: -0.27, d: 0.22, tx: 31.3, ty: 4.1),
            Affine(a: 2.7, b: -1.3, c: 0.9, d: 3.1, tx: -40, ty: -20),
            Affine(a: 0.02, b: 0.012, c: -0.009, d: 0.02, tx: 30, ty: 20),
            Affine(a: 0.06, b: 0, c: 0, d: 0.04, tx: 3.3, ty: 8.7),
            Affine(a: -0.3, b: 0, c: 0, d: -0.04, tx: 50.3, ty: 28.7),
            Affine(a: 1.6, b: 0, c: 0, d: 0.05, tx: -3.3, ty: 8.7),
            Affine(a: 0, b: 0.07, c: -0.05, d: 0, tx: 40, ty: 2),
        ]
        for layout in Layout.allCases {
            for matrix in [ColourMatrix.bt709, .bt601] {
                let source = Picture(160, 240, encoding(layout, bits: bits, matrix: matrix), alpha: alpha)
                source.paintScene(seed: 11)
                for map in maps {
                    var free = Compositor(size: size, encoding: encoding(.i420), hasAlpha: false)
                    var tight = Compositor(size: size, encoding: encoding(.i420), hasAlpha: false, limits: least)
                    let (wanted, got) = (Picture(61, 47, encoding(.i420)), Picture(61, 47, encoding(.i420)))
                    free.compose(background: .black, layers: [source.layer(map)], into: wanted.image)
                    tight.compose(background: .black, layers: [source.layer(map)], into: got.image)
                    #expect(got.samples == wanted.samples, "\(layout) \(matrix) \(map)")
                    #expect(got.damagedGuards == 0)
                }
            }
        }
    }
}
