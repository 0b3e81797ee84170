import Compositing
import Foundation
import Pictures
import Testing

@Suite("Sampling against a reference in doubles")
struct SamplingTests {
    private func rotation(_ degrees: Double, scale: Double, from: (Double, Double), to: (Double, Double)) -> Affine {
        let angle = degrees * .pi / 180
        return Affine.translation(-from.0, -from.1)
            .then(
                Affine(
                    a: scale * cos(angle), b: scale * sin(angle), c: -scale * sin(angle), d: scale * cos(angle),
                    tx: to.0, ty: to.1))
    }

    /// Composes and compares all three planes.
    private func check(
        _ source: Picture, _ layer: LayerImage, canvas: PixelEncoding, width: Int = 88, height: Int = 64,
        least: Double, _ note: String
    ) {
        let mid = canvas.bitDepth == 8 ? 1 : 1 << (canvas.bitDepth - 8)
        let out = Picture(width, height, canvas).compose([layer])
        var reference = Reference(
            width, height, canvas, background: [16 * Double(mid), 128 * Double(mid), 128 * Double(mid)])
        reference.draw(source, layer)
        for (plane, expected) in reference.samples.enumerated() {
            let quality = psnr(out.samples[plane], expected, bits: canvas.bitDepth)
            #expect(quality >= least, "\(note), plane \(plane): \(quality) dB")
        }
        #expect(out.damagedGuards == 0)
    }

    @Test("Scales from 1.2 to 0.3 at fractional places, 12 frames")
    func scales() {
        let source = Picture(80, 60, encoding()).paintScene(seed: 3)
        for frame in 0..<12 {
            let scale = 1.2 - 0.9 * Double(frame) / 11
            let move = (5 + 3.37 * Double(frame), 2 + 1.91 * Double(frame))
            let transform = Affine(a: scale, b: 0, c: 0, d: scale, tx: move.0, ty: move.1)
            check(source, source.layer(transform), canvas: encoding(), least: 56, "frame \(frame)")
        }
    }

    @Test("Rotations with scales, 12 frames")
    func rotations() {
        let source = Picture(80, 60, encoding()).paintScene(seed: 4)
        for frame in 0..<12 {
            let transform = rotation(
                Double(frame) * 31 + 7, scale: 1.2 - 0.08 * Double(frame), from: (40, 30),
                to: (40.3 + Double(frame), 31.9))
            check(source, source.layer(transform), canvas: encoding(), least: 52, "frame \(frame)")
        }
    }

    @Test("Shear, unequal scales and strong reduction")
    func shears() {
        let source = Picture(80, 60, encoding()).paintScene(seed: 5)
        let transforms = [
            Affine(a: 0.9, b: 0.1, c: 0.4, d: 0.8, tx: 4.5, ty: 3.25),
            Affine(a: 0.15, b: 0.05, c: -0.03, d: 0.2, tx: 40.5, ty: 30.25),
            Affine(a: 2.2, b: -0.7, c: 0.3, d: 1.7, tx: -60, ty: 10),
            Affine(a: 0.08, b: 0, c: 0, d: 1.4, tx: 30.2, ty: -7.4),
            Affine(a: 0.6, b: 0, c: 0, d: 0.07, tx: 30.2, ty: 17.4),
        ]
        for transform in transforms {
            check(source, source.layer(transform), canvas: encoding(), least: 50, "\(transform)")
        }
    }

    @Test("Flips and quarter turns with a scale", arguments: [1.0, 0.61, 1.3])
    func quarterTurns(scale: Double) {
        let source = Picture(90, 70, encoding()).paintScene(seed: 6)
        let turns = [
            Affine(a: 0, b: scale, c: -scale, d: 0, tx: 100.4, ty: 3.2),
            Affine(a: -scale, b: 0, c: 0, d: -scale, tx: 110.7, ty: 85.1),
            Affine(a: 0, b: -scale, c: scale, d: 0, tx: 6.6, ty: 90.3),
            Affine(a: -scale, b: 0, c: 0, d: scale, tx: 110.7, ty: 4.9),
            Affine(a: 0, b: scale, c: scale, d: 0, tx: 10.7, ty: 4.9),
        ]
        for turn in turns { check(source, source.layer(turn), canvas: encoding(), least: 55, "\(turn)") }
    }

    @Test("Layouts and sitings of source and canvas may differ", arguments: Layout.allCases, Layout.allCases)
    func layouts(from: Layout, to: Layout) {
        let sitings = [(0.0, 0.5), (0.5, 0.0)]
        for (index, siting) in sitings.enumerated() {
            let source = Picture(64, 48, encoding(from, siting: siting)).paintScene(seed: UInt64(index))
            let canvas = encoding(to, siting: sitings[(index + 1) % 2])
            check(source, source.layer(), canvas: canvas, least: 55, "\(from) to \(to) at \(siting)")
            check(
                source, source.layer(rotation(20, scale: 0.7, from: (32, 24), to: (44, 32))), canvas: canvas,
                least: 52, "\(from) to \(to) at \(siting), rotated")
        }
    }

    @Test("Ten bits, crops, pixel aspect and opacity")
    func tenBits() {
        let source = Picture(100, 80, encoding(.i422, bits: 10)).paintScene(seed: 8)
        let crop = Rect(x: 10.3, y: 7.7, width: 70.1, height: 50.9)
        for transform in [Affine.scale(0.8, 0.9), rotation(-25, scale: 0.9, from: (66, 40), to: (60, 50))] {
            let layer = source.layer(transform, crop: crop, opacity: 0.625, aspect: 4.0 / 3)
            check(source, layer, canvas: encoding(bits: 10), least: 60, "\(transform)")
        }
    }

    @Test("Flat sources stay flat at any scale")
    func flat() {
        let source = Picture(64, 48, encoding()).fill(201, 77, 140)
        for step in 0..<40 {
            let scale = 0.05 + Double(step) * 0.073
            let angle = step % 2 == 0 ? 0 : Double(step) * 9
            let transform = rotation(angle, scale: scale, from: (32, 24), to: (40, 40))
            let out = Picture(80, 80, encoding()).compose([source.layer(transform)], background: .black)
            // A chroma cell inside the frame by a wide margin, if there is one, and all of the luma there.
            let reach = Int(16 * scale)
            for y in max(0, 40 - reach)..<min(80, 40 + reach) {
                for x in max(0, 40 - reach)..<min(80, 40 + reach) {
                    #expect(out[0, x, y] == 201)
                }
            }
            if reach > 3 { #expect(out[1, 20, 20] == 77 && out[2, 20, 20] == 140) }
        }
    }
}
