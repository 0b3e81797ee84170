import Compositing
import Pictures
import Testing

@Suite("Alpha")
struct AlphaTests {
    @Test("Source alpha is a weight per pixel", arguments: [8, 10])
    func sourceAlpha(bits: Int) {
        let unit = 1 << (bits - 8)
        let form = encoding(.i444, bits: bits)
        let source = Picture(32, 8, form, alpha: true).fill(200 * unit, 60 * unit, 180 * unit)
        let top = (1 << bits) - 1
        source.paint(3) { x, _ in x * top / 31 }
        let under = Picture(32, 8, form).fill(40 * unit, 128 * unit, 90 * unit)
        let out = Picture(32, 8, form).compose([under.layer(), source.layer(opacity: 0.5)])
        for x in 0..<32 {
            let share = Double(x * top / 31) / Double(top) / 2
            for (plane, pair) in [(40, 200), (128, 60), (90, 180)].enumerated() {
                let expected = Double(pair.0 * unit) * (1 - share) + Double(pair.1 * unit) * share
                #expect(abs(Double(out[plane, x, 3]) - expected) <= 0.51)
            }
        }
    }

    @Test("Colours of transparent pixels do not bleed", arguments: Layout.allCases)
    func noBleeding(layout: Layout) {
        // A bright disc's colour everywhere it is opaque, garbage elsewhere.
        let source = Picture(32, 32, encoding(layout), alpha: true)
        func isOpaque(_ x: Int, _ y: Int) -> Bool { (8..<24).contains(x) && (8..<24).contains(y) }
        source.paint(0) { x, y in isOpaque(x, y) ? 180 : 250 }
        source.paint(3) { x, y in isOpaque(x, y) ? 255 : 0 }
        for plane in 1...2 {
            let scale = (32 / source.size(plane).width, 32 / source.size(plane).height)
            source.paint(plane) { x, y in isOpaque(x * scale.0, y * scale.1) ? 100 : 3 }
        }
        let under = Picture(48, 48, encoding(layout)).fill(180, 100, 100)
        let angle = 0.4
        for transform in [
            Affine.scale(1.37, 1.37), .scale(0.43, 0.6), .translation(3.3, 4.7),
            Affine(a: 1 - angle, b: angle, c: -angle, d: 1 - angle, tx: 12, ty: 3),
        ] {
            let out = Picture(48, 48, encoding(layout)).compose([under.layer(), source.layer(transform)])
            #expect(out.samples == under.samples, "\(transform)")
        }
    }

    @Test("A canvas with alpha: straight colour, proper over", arguments: [8, 10])
    func canvasAlpha(bits: Int) {
        let unit = 1 << (bits - 8)
        let top = (1 << bits) - 1
        let form = encoding(.i444, bits: bits)
        let clear = Colour(red: 0, green: 0, blue: 0, alpha: 0)
        let a = Picture(24, 8, form).fill(200 * unit, 90 * unit, 100 * unit)
        let b = Picture(24, 8, form).fill(100 * unit, 130 * unit, 140 * unit)
        let once = Picture(24, 8, form, alpha: true).compose([a.layer(opacity: 0.5)], background: clear)
        #expect(once[0, 4, 4] == 200 * unit && once[1, 4, 4] == 90 * unit)
        #expect(once[3, 4, 4] == (top + 1) / 2)
        let twice = Picture(24, 8, form, alpha: true)
            .compose([a.layer(opacity: 0.5), b.layer(opacity: 0.25)], background: clear)
        // 0.25 over 0.5: alpha 0.625, colour (0.25·b + 0.375·a) / 0.625.
        #expect(abs(Double(twice[3, 4, 4]) - 0.625 * Double(top)) <= 1)
        let colour = (0.25 * 100 + 0.375 * 200) / 0.625
        #expect(abs(Double(twice[0, 4, 4]) - colour * Double(unit)) <= 1)
        let moved = Picture(24, 8, form, alpha: true).compose([a.layer(.translation(4, 0))], background: clear)
        #expect(moved[3, 3, 4] == 0 && moved[3, 4, 4] == top && moved[0, 4, 4] == 200 * unit)
        let full = Picture(24, 8, form, alpha: true).compose([a.layer()], background: clear)
        #expect(full.samples == a.samples + [[Int](repeating: top, count: 24 * 8)])
    }

    @Test("Subsampled canvas with alpha: chroma uses its cell's mean alpha")
    func subsampledCanvas() {
        let clear = Colour(red: 0, green: 0, blue: 0, alpha: 0)
        let source = Picture(16, 8, encoding()).fill(200, 70, 190)
        let out = Picture(32, 16, encoding(), alpha: true).compose(
            [source.layer(.translation(3, 2))], background: clear)
        // Columns 3…18: chroma cell 1 (columns 2 and 3) is half covered, and its colour is the source's alone.
        #expect(out[3, 2, 4] == 0 && out[3, 3, 4] == 255 && out[3, 18, 4] == 255 && out[3, 19, 4] == 0)
        #expect(out[1, 1, 2] == 70 && out[2, 1, 2] == 190 && out[1, 0, 2] == 128)
        #expect(out.damagedGuards == 0)
    }

    @Test("The background's alpha is kept on a canvas that has alpha, and of no account on others")
    func backgroundAlpha() {
        let half = Colour(red: 0, green: 1, blue: 0, alpha: 0.5)
        let out = Picture(4, 4, encoding(), alpha: true).compose([], background: half)
        #expect(out[0, 1, 1] == 173 && out[3, 1, 1] == 128)
        #expect(Picture(4, 4, encoding()).compose([], background: half)[0, 1, 1] == 173)
    }
}
