import Compositing
import Pictures
import Testing

@Suite("Order, opacity and coverage")
struct LayeringTests {
    private func flat(_ y: Int, _ cb: Int = 128, _ cr: Int = 128, _ w: Int = 32, _ h: Int = 24) -> Picture {
        Picture(w, h, encoding()).fill(y, cb, cr)
    }

    @Test("The last layer is on top, with identity transforms too")
    func order() {
        let (a, b) = (flat(60, 100, 110), flat(190, 140, 150))
        let out = Picture(32, 24, encoding())
        out.compose([a.layer(), b.layer()])
        #expect(out.samples == b.samples)
        out.compose([b.layer(), a.layer()])
        #expect(out.samples == a.samples)
    }

    @Test("A dissolve's middle, and the dip when both layers fade", arguments: [false, true])
    func dissolve(moved: Bool) {
        // A flipped copy takes the path of floats, the plain one that of integers; both must agree.
        let flip = Affine(a: -1, b: 0, c: 0, d: 1, tx: 32, ty: 0)
        let (low, high) = (flat(116, 100, 40), flat(216, 200, 41))
        let transform = moved ? flip : .identity
        let out = Picture(32, 24, encoding())
        out.compose([low.layer(), high.layer(transform, opacity: 0.5)])
        #expect(out.samples == flat(166, 150, 41).samples)
        // Above black 100 and 200, both at one half: 125 and not 150 above black.
        out.compose([low.layer(opacity: 0.5), high.layer(transform, opacity: 0.5)])
        #expect(out[0, 5, 5] == 16 + 125)
        out.compose([high.layer(transform, opacity: 0.5), low.layer(opacity: 0.5)])
        #expect(out[0, 5, 5] == 16 + 100)
    }

    @Test("Opacity steps round to the nearest code", arguments: [8, 10])
    func opacity(bits: Int) {
        let unit = 1 << (bits - 8)
        let form = encoding(.i444, bits: bits)
        let under = Picture(16, 4, form).fill(40 * unit, 60 * unit, 70 * unit)
        let over = Picture(16, 4, form).fill(221 * unit, 200 * unit, 90 * unit)
        for step in 0...16 {
            let share = Double(step) / 16
            let out = Picture(16, 4, form).compose([under.layer(), over.layer(opacity: share)])
            func expected(_ a: Int, _ b: Int) -> Int {
                Int((Double(a * unit) * (1 - share) + Double(b * unit) * share + 0.5).rounded(.down))
            }
            #expect(out[0, 3, 2] == expected(40, 221))
            #expect(out[1, 3, 2] == expected(60, 200))
            #expect(out[2, 3, 2] == expected(70, 90))
        }
    }

    @Test("Transparent, NaN and negative opacity draw nothing; more than 1 is 1")
    func oddOpacity() {
        let (under, over) = (flat(80), flat(200))
        for value: Double in [0, -1, .nan, -.infinity] {
            let out = Picture(32, 24, encoding()).compose([under.layer(), over.layer(opacity: value)])
            #expect(out.samples == under.samples)
        }
        for value: Double in [1.5, .infinity] {
            let out = Picture(32, 24, encoding()).compose([under.layer(), over.layer(opacity: value)])
            #expect(out.samples == over.samples)
        }
    }

    @Test("Edges cover exactly the area that they cross")
    func edges() {
        // Luma from (4.5, 3.25) to (20.5, 15.25) over black: 200 is 184 above 16.
        let source = flat(200, 128, 128, 16, 12)
        let out = Picture(32, 24, encoding()).compose([source.layer(.translation(4.5, 3.25))])
        #expect(out[0, 3, 8] == 16)
        #expect(out[0, 4, 8] == 16 + 92)
        #expect(out[0, 5, 8] == 200)
        #expect(out[0, 19, 8] == 200)
        #expect(out[0, 20, 8] == 16 + 92)
        #expect(out[0, 21, 8] == 16)
        #expect(out[0, 10, 3] == 16 + 138)
        #expect(out[0, 10, 15] == 16 + 46)
        #expect(out[0, 4, 3] == 16 + 69)
        #expect(out[0, 20, 15] == 16 + 23)
    }

    @Test("A turned square has the area it should, and each edge pixel its share")
    func turned() {
        let source = flat(216, 128, 128, 20, 20)
        let side = 0.5.squareRoot()
        // 45°: a diamond about (32, 32) with corners 10·√2 away; pixels hold 200 above black where covered.
        let transform = Affine.translation(-10, -10).then(Affine(a: side, b: side, c: -side, d: side, tx: 32, ty: 32))
        let out = Picture(64, 64, encoding()).compose([source.layer(transform)])
        let sum = out.samples[0].reduce(0) { $0 + $1 - 16 }
        #expect(abs(Double(sum) / 200 - 400) < 1)
        // By hand: the upper right edge is x − 32 + 32 − y = 10√2; pixel (39, 25) is crossed by it.
        let reach = 10 * 2.0.squareRoot()
        for k in 0..<10 {
            let x = 33 + k
            let y = 32 - (15 - 1 - k)
            // Distance sum at the cell's lower left corner, and the covered part of the unit cell below the line.
            let rest = reach - (Double(x) - 32 + 32 - Double(y + 1))
            let area = rest <= 0 ? 0 : rest < 1 ? rest * rest / 2 : rest < 2 ? 1 - (2 - rest) * (2 - rest) / 2 : 1
            #expect(abs(Double(out[0, x, y]) - (16 + 200 * area)) <= 1, "pixel \(x), \(y)")
        }
    }

    @Test("Edges on even places leave chroma sharp whatever the siting", arguments: [0.0, 0.5])
    func sharpChroma(siting: Double) {
        let form = encoding(.i420, siting: (siting, 0.5))
        let source = Picture(16, 12, form).fill(120, 90, 200)
        for transform in [Affine.translation(6, 4), Affine(a: 2, b: 0, c: 0, d: 1, tx: 2, ty: 8)] {
            let out = Picture(40, 24, form).compose([source.layer(transform)])
            for y in 0..<12 {
                for x in 0..<20 {
                    let px = (Double(2 * x) + 0.5 - transform.tx) / transform.a
                    let py = (Double(2 * y) + 0.5 - transform.ty) / transform.d
                    let isInside = px > 0 && px < 16 && py > 0 && py < 12
                    #expect(out[1, x, y] == (isInside ? 90 : 128))
                }
            }
        }
        // An odd edge covers half of its cells.
        let odd = Picture(40, 24, form).compose([source.layer(.translation(7, 4))])
        #expect(odd[1, 3, 4] == 109 && odd[1, 4, 4] == 90 && odd[1, 11, 4] == 109)
    }

    @Test("Layers on top of what a call has drawn give what all give in one", arguments: [8, 10], [false, true])
    func inTwoCalls(bits: Int, alpha: Bool) {
        let form = encoding(bits == 8 ? .i420 : .i444, bits: bits)
        let hasAlpha = alpha && bits == 10
        let sources = (0..<5).map { Picture(48, 36, form, alpha: hasAlpha).paintScene(seed: UInt64($0 + 1)) }
        defer { withExtendedLifetime(sources) {} }
        let layers = sources.enumerated().map { index, source in
            source.layer(.translation(Double(index % 3) * -3.5, Double(-index)), opacity: index == 2 ? 1 : 0.6)
        }
        let white = Colour(red: 1, green: 1, blue: 1)
        let whole = Picture(32, 24, form, alpha: hasAlpha).compose(layers, background: white)
        for first in 0...5 {
            var compositor = Compositor(size: PixelSize(width: 32, height: 24), encoding: form, hasAlpha: hasAlpha)
            let out = Picture(32, 24, form, alpha: hasAlpha)
            compositor.compose(background: white, layers: Array(layers[..<first]), into: out.image)
            compositor.compose(background: nil, layers: Array(layers[first...]), into: out.image, beginsFrame: false)
            let isSame = out.samples == whole.samples
            #expect(isSame, "\(first) layers first")
        }
    }

    @Test("What an opaque layer hides does not show, and what it leaves free does")
    func hidden() {
        let (low, high) = (flat(60, 90, 90), flat(200, 150, 160))
        let out = Picture(32, 24, encoding())
        out.compose([low.layer(), high.layer(.scale(1.5, 1.5))])
        #expect(out.samples == high.samples)
        out.compose([low.layer(), high.layer(.translation(0, 2))])
        #expect(out[0, 4, 0] == 60 && out[0, 4, 2] == 200)
        let angle = 0.3
        let turn = Affine(a: 3 * (1 - angle), b: 3 * angle, c: -3 * angle, d: 3 * (1 - angle), tx: -10, ty: -20)
        out.compose([low.layer(), high.layer(turn)])
        #expect(out.samples == high.samples)
    }
}
