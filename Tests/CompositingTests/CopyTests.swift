import Compositing
import Pictures
import Testing

@Suite("Identity and whole-pixel moves copy samples")
struct CopyTests {
    @Test("Identity", arguments: Layout.allCases, [8, 10])
    func identity(layout: Layout, bits: Int) {
        let source = Picture(70, 50, encoding(layout, bits: bits)).paintScene(seed: 1)
        let out = Picture(70, 50, encoding(layout, bits: bits)).compose([source.layer()])
        #expect(out.samples == source.samples)
        #expect(out.damagedGuards == 0)
    }

    @Test("Even moves, into and out of the canvas", arguments: Layout.allCases, [8, 10])
    func moves(layout: Layout, bits: Int) {
        let unit = 1 << (bits - 8)
        let source = Picture(40, 30, encoding(layout, bits: bits)).paintScene(seed: 2)
        for (dx, dy) in [(4, 6), (-10, 2), (30, -8), (0, 24), (-38, -28)] {
            let out = Picture(60, 48, encoding(layout, bits: bits))
                .compose([source.layer(.translation(Double(dx), Double(dy)))])
            expectMoved(source, in: out, dx, dy, [16 * unit, 128 * unit, 128 * unit])
        }
    }

    /// Every sample is the source's at that move, or the background.
    private func expectMoved(_ source: Picture, in out: Picture, _ dx: Int, _ dy: Int, _ background: [Int]) {
        for plane in 0..<3 {
            let (w, h) = out.size(plane)
            let (sw, sh) = source.size(plane)
            let (mx, my) = (dx * sw / source.width, dy * sh / source.height)
            var wrong = 0
            for y in 0..<h {
                for x in 0..<w {
                    let (u, v) = (x - mx, y - my)
                    let isInside = u >= 0 && v >= 0 && u < sw && v < sh
                    if out[plane, x, y] != (isInside ? source[plane, u, v] : background[plane]) { wrong += 1 }
                }
            }
            #expect(wrong == 0, "plane \(plane) moved by \(dx), \(dy)")
        }
        #expect(out.damagedGuards == 0)
    }

    @Test("Moves that come out of scales and pixel aspects that cancel")
    func cancelled() {
        let source = Picture(48, 36, encoding()).paintScene(seed: 3)
        let transform = Affine(a: 3.0 / 4, b: 0, c: 0, d: 1, tx: 0, ty: 0)
        let out = Picture(48, 36, encoding()).compose([source.layer(transform, aspect: 4.0 / 3)])
        #expect(out.samples == source.samples)
        let there = Affine.translation(-24, -18).then(.scale(1.0 / 3, 7)).then(.scale(3, 1.0 / 7))
            .then(.translation(24, 18))
        #expect(Picture(48, 36, encoding()).compose([source.layer(there)]).samples == source.samples)
    }

    @Test("Quarter turns, half turns and mirrors of whole pictures are exact", arguments: [8, 10])
    func turns(bits: Int) {
        // Co-sited in the middle, so that chroma turns onto itself.
        let form = encoding(.i420, bits: bits, siting: (0.5, 0.5))
        let source = Picture(40, 24, form).paintScene(seed: 4)
        let clockwise = Affine(a: 6.123e-17, b: 1, c: -1, d: 6.123e-17, tx: 24, ty: 0)
        let quarter = Picture(24, 40, form).compose([source.layer(clockwise)])
        let half = Picture(40, 24, form).compose([source.layer(Affine(a: -1, b: 0, c: 0, d: -1, tx: 40, ty: 24))])
        let mirror = Picture(40, 24, form).compose([source.layer(Affine(a: -1, b: 0, c: 0, d: 1, tx: 40, ty: 0))])
        for plane in 0..<3 {
            let (w, h) = source.size(plane)
            var wrong = 0
            for y in 0..<h {
                for x in 0..<w {
                    let value = source[plane, x, y]
                    if quarter[plane, h - 1 - y, x] != value { wrong += 1 }
                    if half[plane, w - 1 - x, h - 1 - y] != value { wrong += 1 }
                    if mirror[plane, w - 1 - x, y] != value { wrong += 1 }
                }
            }
            #expect(wrong == 0, "plane \(plane)")
        }
    }

    @Test("A crop clips and does not move the picture")
    func crop() {
        let source = Picture(40, 30, encoding()).paintScene(seed: 5)
        let crop = Rect(x: 10, y: 8, width: 12, height: 14)
        let out = Picture(60, 48, encoding()).compose([source.layer(.translation(6, 4), crop: crop)])
        var wrong = 0
        for y in 0..<48 {
            for x in 0..<60 {
                let isInside = (16..<28).contains(x) && (12..<26).contains(y)
                if out[0, x, y] != (isInside ? source[0, x - 6, y - 4] : 16) { wrong += 1 }
                if x % 2 == 0, y % 2 == 0 {
                    let expected = isInside ? source[1, (x - 6) / 2, (y - 4) / 2] : 128
                    if out[1, x / 2, y / 2] != expected { wrong += 1 }
                }
            }
        }
        #expect(wrong == 0)
        let all = Picture(40, 30, encoding()).compose([source.layer(crop: .infinite)])
        #expect(all.samples == source.samples)
        let none = Picture(40, 30, encoding()).compose([source.layer(crop: Rect(x: 5, y: 5, width: 0, height: 9))])
        #expect(none.samples == Picture(40, 30, encoding()).compose([]).samples)
    }

    @Test("A crop does not change the taps: neighbours outside it are still filtered in")
    func cropKeepsTaps() {
        let source = Picture(40, 30, encoding()).paintScene(seed: 6)
        let transform = Affine(a: 0.5, b: 0, c: 0, d: 0.5, tx: 2, ty: 2)
        let whole = Picture(40, 30, encoding()).compose([source.layer(transform)])
        let part = Picture(40, 30, encoding())
            .compose([source.layer(transform, crop: Rect(x: 8, y: 8, width: 16, height: 12))])
        for y in 6..<12 {
            for x in 6..<14 { #expect(part[0, x, y] == whole[0, x, y]) }
        }
        #expect(part[0, 5, 8] == 16 && part[0, 14, 8] == 16 && part[0, 8, 5] == 16 && part[0, 8, 12] == 16)
    }

    @Test("Odd sizes and single pixels")
    func oddSizes() {
        for (w, h) in [(1, 1), (3, 5), (7, 1), (1, 9)] {
            let source = Picture(w, h, encoding()).paintScene(seed: 7)
            let out = Picture(w, h, encoding()).compose([source.layer()])
            #expect(out.samples == source.samples)
            #expect(out.damagedGuards == 0)
        }
    }
}
