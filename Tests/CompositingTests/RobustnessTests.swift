import Compositing
import Pictures
import Testing

@Suite("Hostile geometry and determinism")
struct RobustnessTests {
    private static let strange: [Double] = [
        0, 1, -1, 0.5, 1e-9, 1e-300, 1e9, 1e17, 1e300, -1e300, .infinity, -.infinity, .nan, 3.7, -0.01, 1e5, 1e-4,
        .leastNonzeroMagnitude, .greatestFiniteMagnitude,
    ]

    private func number(_ random: inout Random, _ wild: Bool) -> Double {
        wild && random.int(in: 0..<3) == 0
            ? Self.strange[random.int(in: 0..<Self.strange.count)] : random.double(in: -3...3)
    }

    private func randomLayer(_ source: Picture, _ random: inout Random) -> LayerImage {
        let wild = random.int(in: 0..<2) == 0
        let isTurned = random.int(in: 0..<2) == 0
        let reach: Double = random.int(in: 0..<6) == 0 ? 1e6 : 40
        let transform = Affine(
            a: number(&random, wild), b: isTurned ? number(&random, wild) : 0,
            c: isTurned ? number(&random, wild) : 0, d: number(&random, wild),
            tx: wild ? number(&random, true) : random.double(in: -reach...reach),
            ty: wild ? number(&random, true) : random.double(in: -reach...reach))
        var crop: Rect?
        if random.int(in: 0..<2) == 0 {
            crop = Rect(
                x: number(&random, wild) * 9, y: number(&random, wild) * 9, width: number(&random, wild) * 20,
                height: number(&random, wild) * 20)
        }
        let aspect = wild ? number(&random, true) : 1.2
        return source.layer(transform, crop: crop, opacity: random.double(in: 0...1.2), aspect: aspect)
    }

    private func randomEncoding(_ random: inout Random, depths: [Int]) -> PixelEncoding {
        PixelEncoding(
            bitDepth: depths[random.int(in: 0..<depths.count)], chromaShiftX: random.int(in: 0..<3),
            chromaShiftY: random.int(in: 0..<3), chromaOffsetX: random.double(in: 0...1),
            chromaOffsetY: random.double(in: 0...1),
            colour: ColourTriple(
                primaries: .bt709, transfer: .bt709, matrix: ColourMatrix.allCases[random.int(in: 0..<4)]),
            isFullRange: random.int(in: 0..<2) == 0)
    }

    @Test("Random layers never write outside the planes nor into sources, and always the same bytes", arguments: 1...10)
    func fuzz(seed: Int) {
        var random = Random(seed: UInt64(seed))
        for _ in 0..<30 {
            let size = (random.int(in: 1..<48), random.int(in: 1..<40))
            let form = randomEncoding(&random, depths: [8, 10, 12])
            let hasAlpha = random.int(in: 0..<3) == 0
            var layers: [LayerImage] = []
            var sources: [Picture] = []
            for _ in 0..<random.int(in: 1..<4) {
                let depths = random.int(in: 0..<2) == 0 ? [form.bitDepth] : [8, 9, 10, 12, 16]
                let kind = random.int(in: 0..<2) == 0 ? form : randomEncoding(&random, depths: depths)
                let source = Picture(
                    random.int(in: 1..<50), random.int(in: 1..<50), kind, alpha: random.int(in: 0..<3) == 0)
                source.paintScene(seed: UInt64(random.int(in: 0..<1000)))
                sources.append(source)
                layers.append(randomLayer(source, &random))
            }
            let before = sources.map(\.samples)
            let out = Picture(size.0, size.1, form, alpha: hasAlpha)
            var compositor = Compositor(
                size: PixelSize(width: size.0, height: size.1), encoding: form, hasAlpha: hasAlpha)
            compositor.compose(background: .black, layers: layers.reversed(), into: out.image)
            compositor.compose(background: .black, layers: layers, into: out.image)
            let again = Picture(size.0, size.1, form, alpha: hasAlpha).fill(1, 2, 3).compose(layers)
            #expect(out.samples == again.samples, "a warm compositor's bytes are a fresh one's: \(layers)")
            #expect(out.damagedGuards == 0 && again.damagedGuards == 0, "\(layers.map(\.transform))")
            #expect(sources.map(\.samples) == before && sources.allSatisfy { $0.damagedGuards == 0 })
        }
    }

    @Test("Transforms that cannot be inverted or are no numbers draw nothing")
    func degenerate() {
        let source = Picture(16, 16, encoding()).fill(200, 60, 60)
        let empty = Picture(24, 24, encoding()).compose([])
        let transforms = [
            Affine(a: 0, b: 0, c: 0, d: 0, tx: 4, ty: 4), Affine(a: 1, b: 2, c: 2, d: 4, tx: 0, ty: 0),
            Affine(a: .nan, b: 0, c: 0, d: 1, tx: 0, ty: 0), Affine(a: 1, b: 0, c: 0, d: .infinity, tx: 0, ty: 0),
            Affine(a: 1, b: 0, c: 0, d: 1, tx: .nan, ty: 0), Affine(a: 1e300, b: 0, c: 0, d: 1e300, tx: 0, ty: 0),
            Affine(a: 1, b: 0, c: 0, d: 1, tx: 1e300, ty: 0), Affine(a: 1, b: 0, c: 0, d: 1, tx: -1e11, ty: 1e11),
            Affine(a: 1e-200, b: 0, c: 0, d: 1e-200, tx: 5, ty: 5),
        ]
        for transform in transforms {
            let out = Picture(24, 24, encoding()).compose([source.layer(transform)])
            #expect(out.samples == empty.samples, "\(transform)")
        }
        for aspect: Double in [0, -1, .nan, .infinity] {
            #expect(Picture(24, 24, encoding()).compose([source.layer(aspect: aspect)]).samples == empty.samples)
        }
    }

    @Test("Great enlargement of a flat source, and pictures smaller than a pixel")
    func extremes() {
        let source = Picture(16, 16, encoding()).fill(200, 60, 70)
        let out = Picture(24, 24, encoding())
            .compose([source.layer(Affine(a: 1e6, b: 0, c: 0, d: 1e6, tx: -8e6, ty: -8e6))])
        #expect(out.samples[0].allSatisfy { $0 == 200 } && out.samples[1].allSatisfy { $0 == 60 })
        // A quarter of a pixel in area: a quarter of the difference in one pixel, nothing elsewhere.
        let dot = Picture(24, 24, encoding())
            .compose([source.layer(Affine(a: 1.0 / 32, b: 0, c: 0, d: 1.0 / 32, tx: 5.25, ty: 7.25))])
        #expect(dot[0, 5, 7] == 16 + 46)
        #expect(dot.samples[0].filter { $0 != 16 }.count == 1)
    }

    @Test("Rows may run upwards in memory")
    func negativeStride() {
        let source = Picture(20, 12, encoding()).paintScene(seed: 9)
        var image = source.image
        func flipped(_ plane: Plane) -> Plane {
            Plane(
                base: plane.base + plane.stride * (plane.height - 1), stride: -plane.stride, width: plane.width,
                height: plane.height)
        }
        (image.luma, image.cb, image.cr) = (flipped(image.luma), flipped(image.cb), flipped(image.cr))
        var layer = source.layer()
        layer.image = image
        let out = Picture(20, 12, encoding()).compose([layer])
        for y in 0..<12 {
            for x in 0..<20 { #expect(out[0, x, y] == source[0, x, 11 - y]) }
        }
        layer.transform = Affine(a: 0.7, b: 0.2, c: -0.2, d: 0.7, tx: 4, ty: 0)
        let turned = Picture(20, 12, encoding()).compose([layer])
        #expect(turned.damagedGuards == 0 && turned[0, 10, 6] != 16)
    }
}
