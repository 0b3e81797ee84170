import Compositing
import Foundation
import Pictures
import Testing

/// Against the formulas in doubles of `LightReference`.
@Suite("Linear light")
struct LinearLightTests {
    typealias Kind = LightTests.Kind
    static let canvases = [LightTests.sdr, LightTests.wide, LightTests.pq, LightTests.hlg]
    static let blended = LightUse(blends: true)
    static let scaled = LightUse(scales: true)

    private func compose(
        _ layers: [LayerImage], _ out: Picture, use: LightUse, alpha: Bool = false, background: Colour = .black
    ) -> Picture {
        var compositor = Compositor(
            size: PixelSize(width: out.width, height: out.height), encoding: out.encoding, hasAlpha: alpha)
        compositor.compose(background: background, layers: layers, into: out.image, light: use)
        return out
    }

    /// Codes of light that is mixed of two pictures' codes.
    private func mixed(_ under: [Double], _ upper: [Double], share: Double, _ e: PixelEncoding) -> [Double] {
        func light(_ codes: [Double]) -> [Double] {
            LightReference.display(LightReference.components(codes, e), e.colour)
        }
        let both = zip(light(under), light(upper)).map { $0 + ($1 - $0) * share }
        return LightReference.codes(LightReference.signal(both, e.colour), e)
    }

    private func patches(_ e: PixelEncoding, seed: UInt64, alpha: Bool = false) -> Picture {
        let picture = Picture(24, 16, e, alpha: alpha)
        var random = Random(seed: seed)
        var colours: [[Int]] = []
        for index in 0..<(24 * 16) {
            let reach = index % 5 == 0 ? 0.1 : 0.9
            let rgb = (0..<3).map { _ in random.double(in: 0...1) * reach }
            colours.append(LightReference.codes(rgb, e).map { Int($0.rounded()) })
        }
        for plane in 0..<3 { picture.paint(plane) { x, y in colours[y * 24 + x][plane] } }
        return picture
    }

    private func codes(_ picture: Picture, _ x: Int, _ y: Int) -> [Double] {
        (0..<3).map { Double(picture[$0, x, y]) }
    }

    private func limit(_ e: PixelEncoding) -> Double { e.bitDepth == 8 ? 1 : 2 }

    @Test("Opacity mixes light, not codes", arguments: canvases)
    func opacity(kind: Kind) {
        let e = kind.encoding()
        let (under, upper) = (patches(e, seed: 3), patches(e, seed: 4))
        for share in [0.25, 0.5, 0.9] {
            let out = compose([under.layer(), upper.layer(opacity: share)], Picture(24, 16, e), use: Self.blended)
            var worst = 0.0
            for y in 0..<16 {
                for x in 0..<24 {
                    let expected = mixed(codes(under, x, y), codes(upper, x, y), share: share, e)
                    for plane in 0..<3 { worst = max(worst, abs(Double(out[plane, x, y]) - expected[plane])) }
                }
            }
            #expect(worst <= limit(e), "\(share)")
            #expect(out.damagedGuards == 0)
        }
    }

    @Test("200 fading over 100: 162 halfway, where codes give 150")
    func byHand() {
        // ((184/219)^2.4 / 2 + (84/219)^2.4 / 2)^(1/2.4) · 219 + 16
        let e = encoding(.i420)
        let (under, upper) = (Picture(8, 8, e).fill(100, 128, 128), Picture(8, 8, e).fill(200, 128, 128))
        let layers = [under.layer(), upper.layer(opacity: 0.5)]
        let light = (pow(184.0 / 219, 2.4) + pow(84.0 / 219, 2.4)) / 2
        let expected = Int((16 + 219 * pow(light, 1 / 2.4)).rounded())
        let out = compose(layers, Picture(8, 8, e), use: Self.blended)
        #expect(Set(out.samples[0]) == [expected] && Set(out.samples[1] + out.samples[2]) == [128])
        #expect(expected == 162)
        #expect(Set(compose(layers, Picture(8, 8, e), use: .none).samples[0]) == [150])
        withExtendedLifetime((under, upper)) {}
    }

    @Test("What is hidden, and what is not covered, is no code off", arguments: canvases, [Layout.i420, .i422, .i444])
    func exact(kind: Kind, layout: Layout) {
        let e = kind.encoding(layout)
        let (under, upper) = (Picture(32, 24, e).paintScene(seed: 1), Picture(32, 24, e).paintScene(seed: 2))
        let alone = compose([upper.layer()], Picture(32, 24, e), use: Self.blended)
        #expect(alone.samples == upper.samples)
        // On whole cells.
        let part = upper.layer(.translation(8, 4), crop: Rect(x: 0, y: 0, width: 16, height: 12))
        let both = compose([under.layer(), part], Picture(32, 24, e), use: Self.blended)
        #expect(both.samples == compose([under.layer(), part], Picture(32, 24, e), use: .none).samples)
        // A source with alpha, all or nothing of it.
        let masked = Picture(32, 24, e, alpha: true)
        for plane in 0..<3 { masked.paint(plane) { x, y in min(upper[plane, x, y], (1 << e.bitDepth) - 1) } }
        masked.paint(3) { x, _ in x / 8 % 2 == 0 ? (1 << e.bitDepth) - 1 : 0 }
        let holes = compose([under.layer(), masked.layer()], Picture(32, 24, e), use: Self.blended)
        #expect(holes.samples == compose([under.layer(), masked.layer()], Picture(32, 24, e), use: .none).samples)
    }

    @Test("Edges cover a share of the light; the rest of the row is its own")
    func edges() {
        let e = encoding(.i444)
        let upper = Picture(8, 8, e).fill(200, 90, 150)
        let under = Picture(16, 12, e).fill(60, 140, 120)
        let out = compose([under.layer(), upper.layer(.translation(3.5, 2))], Picture(16, 12, e), use: Self.blended)
        let expected = mixed([60, 140, 120], [200, 90, 150], share: 0.5, e)
        for (x, codes) in [
            (2, [60, 140, 120]), (3, expected), (4, [200, 90, 150]), (10, [200, 90, 150]), (11, expected),
        ] {
            for plane in 0..<3 { #expect(abs(Double(out[plane, x, 5]) - codes[plane]) <= 1, "\(x)") }
        }
        #expect(out[0, 4, 5] == 200 && out[0, 2, 5] == 60)
    }

    @Test("Alpha, straight, over the background and on a canvas with alpha", arguments: canvases)
    func alpha(kind: Kind) {
        let e = kind.encoding(bits: 10)
        let top = 1023
        let still = patches(e, seed: 8, alpha: true)
        still.paint(3) { x, _ in x * top / 23 }
        let grey = LightReference.codes([0.4, 0.4, 0.4], e)
        let colour = Colour(red: 0.4, green: 0.4, blue: 0.4)
        let out = compose([still.layer(opacity: 0.8)], Picture(24, 16, e), use: Self.blended, background: colour)
        let half = Colour(red: 0.4, green: 0.4, blue: 0.4, alpha: 0.5)
        let clear = compose(
            [still.layer(opacity: 0.8)], Picture(24, 16, e, alpha: true), use: Self.blended, alpha: true,
            background: half)
        let back = (0.5 * Double(top) + 0.5).rounded(.down) / Double(top)
        var worst = 0.0
        for x in 0..<24 {
            let weight = Double(x * top / 23) / Double(top) * 0.8
            let total = weight + back * (1 - weight)
            for y in 0..<16 {
                let opaque = mixed(grey.map { $0.rounded() }, codes(still, x, y), share: weight, e)
                let straight = mixed(grey.map { $0.rounded() }, codes(still, x, y), share: weight / total, e)
                for plane in 0..<3 {
                    worst = max(worst, abs(Double(out[plane, x, y]) - opaque[plane]))
                    worst = max(worst, abs(Double(clear[plane, x, y]) - straight[plane]))
                }
                #expect(abs(Double(clear[3, x, y]) - total * Double(top)) <= 1)
            }
        }
        #expect(worst <= 2)
    }

    @Test("Subsampled planes are blended each at its own places; other encodings are converted first")
    func subsampled() {
        let e = encoding(.i420)
        let full = encoding(.i422, bits: 10, matrix: .bt601, full: true)
        let under = Picture(40, 32, e)
        under.paint(0) { x, y in 60 + x * 2 + y }
        under.paint(1) { x, y in 100 + x + y }
        under.paint(2) { x, y in 150 - x + y }
        // Of one colour: 601, full range, ten bits.
        let rgb = [0.7, 0.5, 0.3]
        let upper = Picture(40, 32, full)
        for (plane, code) in LightReference.codes(rgb, full).enumerated() {
            upper.paint(plane) { _, _ in Int(code.rounded()) }
        }
        let out = compose([under.layer(), upper.layer(opacity: 0.5)], Picture(40, 32, e), use: Self.blended)
        let other = LightReference.codes(rgb, e)
        var worst = 0.0
        for y in 4..<28 {
            for x in 4..<36 {
                let (u, v) = (Double(x) / 2, (Double(y) - 0.5) / 2)
                let expected = mixed([Double(60 + x * 2 + y), 100 + u + v, 150 - u + v], other, share: 0.5, e)
                worst = max(worst, abs(Double(out[0, x, y]) - expected[0]))
            }
        }
        for y in 2..<14 {
            for x in 2..<18 {
                let luma = Double(60 + 4 * x) + Double(2 * y) + 0.5
                let expected = mixed([luma, Double(100 + x + y), Double(150 - x + y)], other, share: 0.5, e)
                for plane in 1...2 { worst = max(worst, abs(Double(out[plane, x, y]) - expected[plane])) }
            }
        }
        #expect(worst <= 1.5)
    }

    @Test("Layers that stand still are kept, and fade as they would")
    func kept() {
        let e = encoding(.i420)
        let under = Picture(40, 32, e).paintScene(seed: 5)
        let still = Picture(40, 32, LightTests.hlg.encoding(.i420), alpha: true).fill(600, 530, 480, 700)
        var compositor = Compositor(size: PixelSize(width: 40, height: 32), encoding: e, hasAlpha: false)
        for frame in 0..<6 {
            var layer = still.layer(.translation(3.5, 2), opacity: 0.3 + 0.1 * Double(frame))
            let fresh = compose([under.layer(), layer], Picture(40, 32, e), use: Self.blended)
            layer.identity = AnyHashable("still")
            let out = Picture(40, 32, e)
            compositor.compose(
                background: .black, layers: [under.layer(), layer], into: out.image, light: Self.blended)
            #expect(out.samples == fresh.samples)
        }
    }

    // MARK: Scaling

    @Test("A fine checker of black and white is half the light when reduced: 180, where codes give 126")
    func checker() {
        let e = encoding(.i420)
        let source = Picture(64, 48, e).fill(0, 128, 128)
        source.paint(0) { x, y in (x + y) % 2 == 0 ? 235 : 16 }
        let layer = source.layer(.scale(0.5, 0.5))
        let light = Int((16 + 219 * pow(0.5, 1 / 2.4)).rounded())
        let out = compose([layer], Picture(32, 24, e), use: Self.scaled)
        #expect(abs(out[0, 12, 12] - light) <= 1 && out[1, 6, 6] == 128)
        #expect(abs(compose([layer], Picture(32, 24, e), use: .none)[0, 12, 12] - 126) <= 1)
    }

    static let maps: [Affine] = [
        .scale(0.5, 0.75), .scale(1.7, 1.3), .translation(0.5, 0.25),
        Affine(a: 0.8, b: 0.6, c: -0.6, d: 0.8, tx: 8, ty: -6),
        Affine(a: 0, b: 0.7, c: -0.7, d: 0, tx: 20, ty: 1),
    ]

    @Test(
        "Light is sampled by the kernel of composition.md", arguments: [LightTests.sdr, LightTests.pq, LightTests.hlg])
    func sampled(kind: Kind) {
        let e = kind.encoding()
        let source = patches(e, seed: 21)
        for map in Self.maps {
            let out = compose([source.layer(map)], Picture(24, 16, e), use: Self.scaled)
            var (worst, seen) = (0.0, 0)
            for y in 0..<16 {
                for x in 0..<24 {
                    guard let expected = sampled(source, map, x, y) else { continue }
                    seen += 1
                    for plane in 0..<3 { worst = max(worst, abs(Double(out[plane, x, y]) - expected[plane])) }
                }
            }
            #expect(seen > 30)
            // Turned layers' places are rounded to 1/256 of a sample.
            #expect(worst <= (map.b == 0 || map.a == 0 ? 1 : 3) * limit(e), "\(map)")
        }
    }

    /// nil where the cell is not covered whole.
    private func sampled(_ source: Picture, _ map: Affine, _ x: Int, _ y: Int) -> [Double]? {
        let det = map.a * map.d - map.b * map.c
        func back(_ x: Double, _ y: Double) -> (Double, Double) {
            let (dx, dy) = (x - map.tx, y - map.ty)
            return ((map.d * dx - map.c * dy) / det, (map.a * dy - map.b * dx) / det)
        }
        for (dx, dy) in [(0.0, 0.0), (1, 0), (0, 1), (1, 1)] {
            let (u, v) = back(Double(x) + dx, Double(y) + dy)
            guard (1e-6...24 - 1e-6).contains(u), (1e-6...16 - 1e-6).contains(v) else { return nil }
        }
        let (rx, ry) = (hypot(map.d, map.c) / abs(det), hypot(map.b, map.a) / abs(det))
        let (hx, hy) = (max(1, rx), max(1, ry))
        var (u, v) = back(Double(x) + 0.5, Double(y) + 0.5)
        (u, v) = (u - 0.5, v - 0.5)
        var (sum, total) = ([0.0, 0, 0], 0.0)
        for j in Int((v - hy).rounded(.up))...Int((v + hy).rounded(.down)) {
            for i in Int((u - hx).rounded(.up))...Int((u + hx).rounded(.down)) {
                let w = max(0, 1 - abs(Double(i) - u) / hx) * max(0, 1 - abs(Double(j) - v) / hy)
                let codes = codes(source, min(max(i, 0), 23), min(max(j, 0), 15))
                let e = source.encoding
                let light = LightReference.display(LightReference.components(codes, e), e.colour)
                sum = zip(sum, light).map { $0 + w * $1 }
                total += w
            }
        }
        return LightReference.codes(
            LightReference.signal(sum.map { $0 / total }, source.encoding.colour), source.encoding)
    }

    @Test("What is not filtered is copied; flat pictures stay flat, with alpha too")
    func unfiltered() {
        let e = encoding(.i420)
        let source = Picture(32, 24, e).paintScene(seed: 7)
        let moves: [Affine] = [
            .identity, .translation(4, 2), Affine(a: -1, b: 0, c: 0, d: 1, tx: 32, ty: 0),
            Affine(a: 0, b: 1, c: -1, d: 0, tx: 24, ty: 0),
        ]
        for move in moves {
            let light = compose([source.layer(move)], Picture(32, 24, e), use: Self.scaled)
            #expect(light.samples == compose([source.layer(move)], Picture(32, 24, e), use: .none).samples)
        }
        let flat = Picture(32, 24, LightTests.hlg.encoding(.i420), alpha: true).fill(640, 530, 480, 600)
        flat.paint(3) { x, y in (x * 7 + y * 3) % 1023 }
        let colour = LightReference.convert([640, 530, 480], flat.encoding, e)
        for map in Self.maps[..<4] {
            let back = Colour(red: 1, green: 0, blue: 0, alpha: 0)
            let out = compose(
                [flat.layer(map)], Picture(32, 24, encoding(.i420), alpha: true), use: Self.scaled, alpha: true,
                background: back)
            for plane in 0..<3 {
                #expect(abs(Double(out[plane, plane > 0 ? 5 : 10, plane > 0 ? 4 : 8]) - colour[plane]) <= 1, "\(map)")
            }
        }
    }

    @Test("Memory and tiles do not show")
    func limits() {
        let e = encoding(.i420)
        let source = Picture(90, 70, e, alpha: true).paintScene(seed: 30)
        let layers = [
            source.layer(Affine(a: 0.5, b: 0.3, c: -0.3, d: 0.5, tx: 22, ty: 1)), source.layer(.scale(0.4, 0.3)),
        ]
        var small = SamplingLimits()
        (small.tileSamples, small.ringBytes) = (300, 1)
        var results: [[[Int]]] = []
        for limits in [SamplingLimits(), small] {
            var compositor = Compositor(
                size: PixelSize(width: 64, height: 48), encoding: e, hasAlpha: false, limits: limits)
            let out = Picture(64, 48, e)
            compositor.compose(
                background: .black, layers: layers, into: out.image, light: LightUse(blends: true, scales: true))
            results.append(out.samples)
            #expect(out.damagedGuards == 0)
        }
        #expect(results[0] == results[1])
    }
}
