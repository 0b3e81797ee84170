import Compositing
import Foundation
import Pictures
import Testing

@Suite("Conversion through linear light")
struct LightTests {
    struct Kind: Sendable, CustomTestStringConvertible {
        let name: String
        let colour: ColourTriple
        let bits: Int
        var isFull = false

        var testDescription: String { name }

        func encoding(_ layout: Layout = .i444, bits: Int? = nil) -> PixelEncoding {
            var result = CompositingTests.encoding(layout, bits: bits ?? self.bits, full: isFull)
            result.colour = colour
            return result
        }
    }

    static let sdr = Kind(name: "BT.709", colour: .bt709, bits: 8)
    static let ntsc = Kind(
        name: "SMPTE-C", colour: ColourTriple(primaries: .smpteC, transfer: .bt709, matrix: .bt601), bits: 8)
    static let pal = Kind(
        name: "EBU", colour: ColourTriple(primaries: .ebu3213, transfer: .bt709, matrix: .bt601), bits: 8,
        isFull: true)
    static let p3 = Kind(
        name: "P3", colour: ColourTriple(primaries: .p3D65, transfer: .srgb, matrix: .bt709), bits: 10)
    static let wide = Kind(
        name: "BT.2020", colour: ColourTriple(primaries: .bt2020, transfer: .bt709, matrix: .bt2020), bits: 10)
    static let linear = Kind(
        name: "linear", colour: ColourTriple(primaries: .bt709, transfer: .linear, matrix: .bt709), bits: 16)
    static let hlg = Kind(
        name: "HLG", colour: ColourTriple(primaries: .bt2020, transfer: .hlg, matrix: .bt2020), bits: 10)
    static let pq = Kind(
        name: "PQ", colour: ColourTriple(primaries: .bt2020, transfer: .pq, matrix: .bt2020), bits: 10)
    static let pqP3 = Kind(
        name: "PQ in P3", colour: ColourTriple(primaries: .p3D65, transfer: .pq, matrix: .bt709), bits: 12)

    static let sources = [sdr, ntsc, pal, p3, wide, linear, hlg, pq, pqP3]
    static let canvases = [sdr, ntsc, wide, hlg, pq, pqP3]

    /// One code's place on a canvas, from a picture of one colour.
    private func shown(_ codes: [Int], _ from: PixelEncoding, _ to: PixelEncoding) -> [Int] {
        let source = Picture(4, 4, from).fill(codes[0], codes[1], codes[2])
        let out = Picture(4, 4, to).compose([source.layer()])
        return (0..<3).map { out[$0, 1, 1] }
    }

    @Test("Patches of all colours are the formulas' within 2 codes, 4 at 10 bit", arguments: sources, canvases)
    func patches(from: Kind, to: Kind) {
        let (input, output) = (from.encoding(), to.encoding())
        let source = Picture(32, 24, input)
        var random = Random(seed: 5)
        var colours: [[Int]] = []
        for index in 0..<(32 * 24) {
            // Some grey, some in the shadows.
            let reach = index % 5 == 0 ? 0.1 : 1
            var rgb = (0..<3).map { _ in random.double(in: 0...1) * reach }
            if index % 7 == 0 { rgb = [rgb[0], rgb[0], rgb[0]] }
            colours.append(LightReference.codes(rgb, input).map { Int($0.rounded()) })
        }
        for plane in 0..<3 { source.paint(plane) { x, y in colours[y * 32 + x][plane] } }
        let out = Picture(32, 24, output).compose([source.layer()])
        guard !input.hasSameLight(on: output) else { return }
        let limit = (output.bitDepth == 8 ? 2.0 : 4) * Double(1 << max(0, output.bitDepth - 10))
        var (worst, sum) = (0.0, 0.0)
        for (index, codes) in colours.enumerated() {
            let expected = LightReference.convert(codes.map(Double.init), input, output)
            for plane in 0..<3 {
                let off = abs(Double(out[plane, index % 32, index / 32]) - expected[plane])
                (worst, sum) = (max(worst, off), sum + off)
            }
        }
        #expect(worst <= limit)
        #expect(sum / Double(colours.count * 3) < limit / 4)
    }

    @Test("White of SDR is 203 cd/m²: 58 % of PQ, 75 % of HLG")
    func referenceWhite() {
        let white = [235, 128, 128]
        #expect(shown(white, Self.sdr.encoding(), Self.pq.encoding()) == [573, 512, 512])
        #expect(shown(white, Self.sdr.encoding(), Self.hlg.encoding()) == [721, 512, 512])
        #expect(shown([16, 128, 128], Self.sdr.encoding(), Self.hlg.encoding()) == [64, 512, 512])
        #expect(shown([16, 128, 128], Self.sdr.encoding(), Self.pq.encoding()) == [64, 512, 512])
    }

    @Test("HDR's peak of 1,000 cd/m² is SDR's white, what is brighter too; its white keeps room for lights")
    func peaks() {
        #expect(shown([940, 512, 512], Self.hlg.encoding(), Self.sdr.encoding()) == [235, 128, 128])
        #expect(shown([940, 512, 512], Self.pq.encoding(), Self.sdr.encoding()) == [235, 128, 128])
        let white = shown([721, 512, 512], Self.hlg.encoding(), Self.sdr.encoding())
        #expect(white[0] > 205 && white[0] < 225 && white[1] == 128 && white[2] == 128)
    }

    @Test("Grey ramps rise without steps and stay grey", arguments: sources, canvases)
    func ramps(from: Kind, to: Kind) {
        let (input, output) = (from.encoding(bits: max(from.bits, 10)), to.encoding(bits: max(to.bits, 10)))
        let top = 1 << input.bitDepth
        let source = Picture(top / 4, 4, input)
        source.paint(0) { x, y in y * top / 4 + x }
        for plane in 1...2 { source.paint(plane) { _, _ in top / 2 } }
        let out = Picture(top / 4, 4, output).compose([source.layer()])
        let ramp = out.samples[0]
        let (falls, grey) = (zip(ramp, ramp.dropFirst()).filter { $0 > $1 }.count, 1 << (output.bitDepth - 1))
        #expect(falls == 0)
        #expect(Set((out.samples[1] + out.samples[2]).map { abs($0 - grey) }).allSatisfy { $0 <= 1 })
        // No rise is much more than the formula's own there.
        var worst = 0.0
        func exact(_ code: Int) -> Double {
            LightReference.convert([Double(code), Double(top / 2), Double(top / 2)], input, output)[0]
        }
        guard !input.hasSameLight(on: output) else { return }
        for code in 1..<top { worst = max(worst, Double(ramp[code] - ramp[code - 1]) - exact(code) + exact(code - 1)) }
        #expect(worst <= 2.5)
    }

    @Test("There and back again", arguments: [(sdr, hlg), (sdr, pq), (wide, hlg), (hlg, pq), (ntsc, sdr)])
    func roundTrip(inner: Kind, outer: Kind) {
        // Tone mapping leaves what is darker than 90 cd/m² as it is; HDR in HDR is whole.
        let (input, output) = (inner.encoding(bits: 10), outer.encoding(bits: 12))
        let reach = inner.colour.transfer.isHDR || !outer.colour.transfer.isHDR ? 0.85 : 0.68
        let source = Picture(40, 30, input)
        var random = Random(seed: 9)
        var colours: [[Int]] = []
        for _ in 0..<1200 {
            let rgb = (0..<3).map { _ in random.double(in: 0.15...0.15 + (reach - 0.15)) }
            colours.append(LightReference.codes(rgb, input).map { Int($0.rounded()) })
        }
        for plane in 0..<3 { source.paint(plane) { x, y in colours[y * 40 + x][plane] } }
        let there = Picture(40, 30, output).compose([source.layer()])
        let back = Picture(40, 30, input).compose([there.layer()])
        for plane in 0..<3 {
            let off = zip(source.samples[plane], back.samples[plane]).map { abs($0 - $1) }.max() ?? 0
            #expect(off <= 4, "plane \(plane)")
        }
    }

    @Test("Nothing is converted between SDR transfers, nor by a guess of primaries")
    func ordinary() {
        var srgb = encoding(.i444)
        srgb.colour.transfer = .srgb
        var guessed = encoding(.i444)
        guessed.colour.primaries = .smpteC
        guessed.guessesPrimaries = true
        for from in [srgb, guessed] {
            let source = Picture(32, 20, from).paintScene(seed: 3)
            #expect(Picture(32, 20, encoding(.i444)).compose([source.layer()]).samples == source.samples)
            #expect(from.hasSameCodes(as: encoding(.i444)))
        }
        #expect(!Self.ntsc.encoding().hasSameCodes(as: encoding(.i444, matrix: .bt601)))
        #expect(!guessed.hasSameCodes(as: Self.wide.encoding(bits: 8)))
    }

    @Test("Subsampled planes are converted each at its own places")
    func subsampled() {
        let (input, output) = (Self.hlg.encoding(.i420), Self.sdr.encoding(.i420))
        let source = Picture(40, 32, input)
        source.paint(0) { x, y in 240 + x * 8 + y * 4 }
        source.paint(1) { x, y in 500 + x - y }
        source.paint(2) { x, y in 520 - x + y * 2 }
        let out = Picture(40, 32, output).compose([source.layer()])
        for y in 4..<28 {
            for x in 4..<36 {
                let (u, v) = (Double(x) / 2, (Double(y) - 0.5) / 2)
                let expected = LightReference.convert(
                    [Double(240 + x * 8 + y * 4), 500 + u - v, 520 - u + v * 2], input, output)
                #expect(abs(Double(out[0, x, y]) - expected[0]) <= 1)
            }
        }
        for y in 2..<14 {
            for x in 2..<18 {
                let luma = 240 + Double(2 * x) * 8 + (Double(2 * y) + 0.5) * 4
                let expected = LightReference.convert(
                    [luma, Double(500 + x - y), Double(520 - x + y * 2)], input, output)
                #expect(abs(Double(out[1, x, y]) - expected[1]) <= 1)
                #expect(abs(Double(out[2, x, y]) - expected[2]) <= 1)
            }
        }
    }

    @Test("Alpha, scaling, turning and opacity go with it")
    func layers() {
        let (input, output) = (Self.hlg.encoding(.i420), Self.sdr.encoding(.i420))
        let source = Picture(40, 32, input, alpha: true).fill(721, 512, 512, 1023)
        let white = shown([721, 512, 512], Self.hlg.encoding(), Self.sdr.encoding())[0]
        let turns = [
            Affine.identity, Affine.scale(0.5, 1.5), Affine(a: 0, b: 1, c: -1, d: 0, tx: 32, ty: 0),
            Affine(a: 0.8, b: 0.6, c: -0.6, d: 0.8, tx: 10, ty: -4),
        ]
        for turn in turns {
            let out = Picture(40, 32, output).compose([source.layer(turn)])
            #expect(out[0, 12, 12] == white && out[1, 6, 6] == 128 && out.damagedGuards == 0)
        }
        let half = Picture(40, 32, output).compose([source.layer(opacity: 0.5)])
        #expect(half[0, 12, 12] == (16 + white + 1) / 2)
    }

    @Test("Layers that stand still are kept converted")
    func kept() {
        let output = Self.sdr.encoding(.i420)
        let source = Picture(40, 32, Self.pq.encoding(.i420)).fill(500, 530, 480)
        var layer = source.layer(.translation(3.5, 2))
        layer.identity = AnyHashable("still")
        var compositor = Compositor(size: PixelSize(width: 40, height: 32), encoding: output, hasAlpha: false)
        var frames: [[[Int]]] = []
        for _ in 0..<5 {
            let out = Picture(40, 32, output)
            compositor.compose(background: .black, layers: [layer], into: out.image)
            frames.append(out.samples)
        }
        #expect(Set(frames).count == 1)
    }
}
