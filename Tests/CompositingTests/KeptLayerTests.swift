import Compositing
import Pictures
import Testing

@Suite("Layers that stand still")
struct KeptLayerTests {
    /// Composes six frames with one compositor, the layer's identity known, against fresh compositors that know none.
    private func expectSame(
        _ canvas: PixelEncoding, canvasAlpha: Bool = false, _ source: Picture, _ transform: Affine, crop: Rect? = nil,
        _ comment: Comment
    ) {
        var compositor = Compositor(
            size: PixelSize(width: 61, height: 47), encoding: canvas, hasAlpha: canvasAlpha)
        for (frame, opacity) in [1.0, 1, 1, 1, 0.4, 1].enumerated() {
            let under = Picture(61, 47, canvas).paintScene(seed: UInt64(frame + 3))
            var layer = source.layer(transform, crop: crop, opacity: opacity)
            let expected = Picture(61, 47, canvas, alpha: canvasAlpha).compose([under.layer(), layer])
            layer.identity = AnyHashable("logo")
            let out = Picture(61, 47, canvas, alpha: canvasAlpha)
            compositor.compose(background: .black, layers: [under.layer(), layer], into: out.image)
            #expect(out.samples == expected.samples, "frame \(frame), \(comment)")
            #expect(out.damagedGuards == 0)
        }
    }

    @Test("A kept layer gives the bytes of one that is sampled anew", arguments: [8, 10], [false, true])
    func sameBytes(bits: Int, alpha: Bool) {
        let turned = Affine(a: 0, b: 1, c: -1, d: 0, tx: 40, ty: 2)
        let slanted = Affine(a: 0.8, b: 0.3, c: -0.2, d: 0.9, tx: 11.3, ty: 4.1)
        let places: [Affine] = [.translation(7, 5), .translation(3.3, 4.7), .scale(1.6, 0.7), turned, slanted]
        for layout in Layout.allCases {
            for matrix in [ColourMatrix.bt709, .bt601] {
                let source = Picture(32, 24, encoding(layout, bits: bits, matrix: matrix), alpha: alpha)
                source.paintScene(seed: 11)
                for place in places {
                    expectSame(encoding(.i420, bits: bits), source, place, "\(layout) \(matrix) \(place)")
                }
            }
        }
    }

    @Test("So it is on a canvas with alpha, and with a crop")
    func canvasAlphaAndCrop() {
        let source = Picture(32, 24, encoding(.i444), alpha: true).paintScene(seed: 5)
        let crop = Rect(x: 3.5, y: 2, width: 20, height: 15.25)
        expectSame(encoding(.i444), canvasAlpha: true, source, .scale(1.3, 1.3), "alpha")
        expectSame(encoding(.i420), source, .scale(1.3, 1.3), crop: crop, "crop")
    }

    @Test("What is transparent at a row's ends is passed over, whatever lies below")
    func transparentMargins() {
        let source = Picture(40, 30, encoding(.i444), alpha: true).paintScene(seed: 9)
        source.paint(3) { x, y in (12..<25).contains(x) && (8..<20).contains(y) ? 90 + x * 3 : 0 }
        expectSame(encoding(.i420), source, .translation(9.5, 6.25), "margins")
        source.paint(3) { _, _ in 0 }
        expectSame(encoding(.i420), source, .translation(9.5, 6.25), "nothing to see")
    }

    @Test("A picture that changes under one identity's neighbour is not mistaken for it")
    func otherPictures() {
        var compositor = Compositor(size: PixelSize(width: 32, height: 24), encoding: encoding(), hasAlpha: false)
        for frame in 0..<8 {
            let source = Picture(16, 12, encoding(.i444), alpha: true).paintScene(seed: UInt64(frame))
            var layer = source.layer(.scale(1.5, 1.5))
            let expected = Picture(32, 24, encoding()).compose([layer])
            layer.identity = AnyHashable(frame)
            let out = Picture(32, 24, encoding())
            compositor.compose(background: .black, layers: [layer], into: out.image)
            #expect(out.samples == expected.samples, "frame \(frame)")
        }
    }
}
