import Effects
import Foundation
import MediaTime
import Pictures
import SplitreelProject
import TestTools
import Testing

/// Each against its formula in doubles.
@Suite struct SpatialTests {
    static func call(_ id: String, _ numbers: [String: [Double]], words: [String: String] = [:]) -> EffectCall {
        EffectCall(
            id: id, version: 1,
            values: numbers.mapValues { .numbers($0) }.merging(words.mapValues { .word($0) }) { first, _ in first })
    }

    private static func scene(_ encoding: PixelEncoding, alpha: Bool = false) -> PlanePicture {
        PlanePicture(91, 67, encoding, alpha: alpha).paintScene(seed: 21)
    }

    private static func scale(_ encoding: PixelEncoding, _ plane: Int) -> (x: Double, y: Double) {
        plane == 0 || plane == 3 ? (1, 1) : (Double(1 << encoding.chromaShiftX), Double(1 << encoding.chromaShiftY))
    }

    private static func off(_ made: PlanePicture, _ plane: Int, _ wanted: Grid) -> Double {
        let whole = Double((1 << made.encoding.bitDepth) - 1)
        return zip(made.samples[plane], wanted.values).map { abs(Double($0) - min(max($1, 0), whole)) }.max() ?? 99
    }

    @Test func boxIsTheMean() {
        for encoding in filmEncodings {
            let picture = Self.scene(encoding)
            let made = PlanePicture.rendered(Self.call("box-blur", ["radius": [3.5]]), [picture])
            for plane in 0..<3 {
                let scale = Self.scale(encoding, plane)
                let reach = (x: (8 / scale.x - 1) / 2, y: (8 / scale.y - 1) / 2)
                let source = Grid(picture, plane)
                func weights(_ reach: Double) -> [(Int, Double)] {
                    let whole = Int(reach)
                    return (-whole - 1...whole + 1).map {
                        ($0, (abs($0) > whole ? reach - Double(whole) : 1) / (2 * reach + 1))
                    }
                }
                let wanted = Grid(source.width, source.height) { x, y in
                    weights(reach.y).reduce(0) { sum, row in
                        sum + row.1
                            * weights(reach.x).reduce(0) { $0 + $1.1 * source.clamped(x + $1.0, y + row.0) }
                    }
                }
                #expect(Self.off(made, plane, wanted) <= 0.6, "plane \(plane)")
            }
            #expect(made.damage == 0)
        }
    }

    @Test func boxIsAsFFmpegAverages() throws {
        let picture = PlanePicture(96, 80, filmEncoding(1, 1)).paintScene(seed: 2)
        let theirs = try picture.filtered("avgblur=sizeX=4:sizeY=4")
        let made = PlanePicture.rendered(Self.call("box-blur", ["radius": [4]]), [picture]).samples[0]
        let inside = (0..<96 * 80).filter { (5..<91).contains($0 % 96) && (5..<75).contains($0 / 96) }
        #expect(inside.allSatisfy { abs(made[$0] - theirs[$0]) <= 1 })
    }

    @Test(arguments: [
        (0.0, 8.0), (90.0, 8.0), (45.0, 11.313_708_498_984_76), (180.0, 8.0), (0.0, 200.0),
    ])
    func linesAreMeansOfTheirPlaces(_ angle: Double, _ length: Double) {
        let picture = PlanePicture(131, 97, filmEncoding(0, 0)).paintScene(seed: 8)
        let made = PlanePicture.rendered(
            Self.call("directional-blur", ["angle": [angle], "length": [length]]), [picture])
        let (dx, dy) = (angle == 90 ? 0 : 1, angle == 90 || angle == 45 ? 1 : 0)
        let reach = Int((length * (angle == 45 ? 0.5.squareRoot() : 1) / 2).rounded())
        let source = Grid(picture, 0)
        let wanted = Grid(131, 97) { x, y in
            (-reach...reach).reduce(0) { $0 + source.clamped(x + $1 * dx, y + $1 * dy) } / Double(2 * reach + 1)
        }
        #expect(made.decibels(made.samples[0], wanted.codes) >= (length > 64 ? 46 : 58))
    }

    @Test func sharpeningAddsWhatABlurTakes() {
        for encoding in filmEncodings {
            let picture = Self.scene(encoding)
            let made = PlanePicture.rendered(Self.call("sharpen", ["amount": [0.8], "radius": [2]]), [picture])
            let source = Grid(picture, 0)
            let soft = source.gaussian(2, 2, clamps: true)
            let wanted = Grid(91, 67) { source[$0, $1] + 0.8 * (source[$0, $1] - soft[$0, $1]) }
            let whole = (1 << encoding.bitDepth) - 1
            let codes = wanted.codes.map { min(max($0, 0), whole) }
            #expect(made.decibels(made.samples[0], codes) >= 50)
            #expect(Array(made.samples[1...2]) == Array(picture.samples[1...2]))
        }
    }

    @Test func vignetteDarkensByDistance() {
        for encoding in filmEncodings {
            let picture = Self.scene(encoding)
            let made = PlanePicture.rendered(
                Self.call("vignette", ["amount": [0.7], "start": [0.3], "end": [0.9]]), [picture])
            for plane in 0..<3 {
                let (scale, source) = (Self.scale(encoding, plane), Grid(picture, plane))
                let zero = Double((plane == 0 ? 16 : 128) << (encoding.bitDepth - 8))
                let wanted = Grid(source.width, source.height) { x, y in
                    let px = Double(x) * scale.x + 0.5
                    let py = Double(y) * scale.y + 0.5 + (scale.y > 1 ? 0.5 : 0)
                    let distance = (pow(px * 2 / 91 - 1, 2) / 2 + pow(py * 2 / 67 - 1, 2) / 2).squareRoot()
                    let t = min(max((distance - 0.3) / 0.6, 0), 1)
                    return zero + (source[x, y] - zero) * (1 - 0.7 * t * t * (3 - 2 * t))
                }
                #expect(Self.off(made, plane, wanted) <= 0.51)
            }
        }
    }

    @Test func grainIsOfItsTimeAlone() {
        let grey = PlanePicture(200, 200, filmEncoding(1, 1)).paint(0) { _, _ in 126 }
            .paint(1) { _, _ in 128 }.paint(2) { _, _ in 128 }
        func made(_ time: Rational, seed: Double = 0, color: Double = 0) -> PlanePicture {
            var call = Self.call("grain", ["amount": [0.05], "size": [1], "color": [color], "seed": [seed]])
            call.time = time
            return PlanePicture.rendered(call, [grey])
        }
        let first = made(Rational(1, 25))
        #expect(made(Rational(2, 50)).samples == first.samples)
        #expect(
            made(Rational(2, 25)).samples != first.samples && made(Rational(1, 25), seed: 1).samples != first.samples)
        #expect(first.samples[1] == grey.samples[1])
        #expect(made(Rational(1, 25), color: 1).samples[1] != grey.samples[1])
        let luma = first.samples[0].map { code -> Double in Double(code) - 126 }
        let mean = luma.reduce(0, +) / Double(luma.count)
        let squares = luma.reduce(0.0) { (sum: Double, code: Double) -> Double in sum + code * code }
        let deviation = (squares / Double(luma.count)).squareRoot()
        #expect(abs(mean) < 0.3 && abs(deviation / (0.05 * 219) - 1) < 0.03, "\(mean), \(deviation)")
        // Neighbours know nothing of each other.
        func likeness(_ distance: Int) -> Double {
            let products = (0..<luma.count - distance).map { place -> Double in luma[place] * luma[place + distance] }
            return products.reduce(0, +) / Double(products.count)
        }
        let most: Double = 0.03 * deviation * deviation
        #expect(abs(likeness(200)) < most && abs(likeness(1)) < most)
    }

    @Test func glowAddsBlurredBrightness() {
        for encoding in filmEncodings {
            let picture = Self.scene(encoding)
            let made = PlanePicture.rendered(
                Self.call("glow", ["threshold": [0.6], "radius": [6], "intensity": [0.8]]), [picture])
            let unit = Double(1 << (encoding.bitDepth - 8))
            let bright = Grid(picture, 0).map { min(max((($0 / unit - 16) / 219 - 0.6) / 0.4, 0), 1) }
            for plane in 0..<3 {
                let scale = Self.scale(encoding, plane)
                let zero = (plane == 0 ? 16 : 128) * unit
                let parts = plane == 0 ? bright : bright.blocks(encoding.chromaShiftX, encoding.chromaShiftY)
                let source = Grid(picture, plane)
                let light = source.map { $0 - zero }.times(parts).gaussian(6 / scale.x, 6 / scale.y, clamps: true)
                let whole = Double((1 << encoding.bitDepth) - 1)
                let wanted = Grid(source.width, source.height) {
                    min(max(source[$0, $1] + 0.8 * light[$0, $1], 0), whole)
                }
                #expect(made.decibels(made.samples[plane], wanted.codes) >= 50)
            }
        }
    }

    @Test func squaresAreMeans() {
        for encoding in filmEncodings {
            let picture = Self.scene(encoding)
            let made = PlanePicture.rendered(Self.call("pixelate", ["size": [8]]), [picture])
            for plane in 0..<3 {
                let scale = Self.scale(encoding, plane)
                let (wide, high) = (8 / Int(scale.x), 8 / Int(scale.y))
                let source = Grid(picture, plane)
                let wanted = Grid(source.width, source.height) { x, y in
                    let columns = (x / wide * wide)..<min(x / wide * wide + wide, source.width)
                    let rows = (y / high * high)..<min(y / high * high + high, source.height)
                    let sum = rows.reduce(0.0) { sum, row in sum + columns.reduce(0.0) { $0 + source[$1, row] } }
                    return sum / Double(columns.count * rows.count)
                }
                #expect(Self.off(made, plane, wanted) <= 0.51)
            }
        }
    }

    @Test func mirroredHalvesAreTheSameCodes() {
        for encoding in filmEncodings {
            let picture = PlanePicture(90, 66, encoding, alpha: true).paintScene(seed: 3)
            for (keep, place) in [
                ("left", { (x: Int, y: Int) in (min(x, 89 - x), y) }), ("right", { (max($0, 89 - $0), $1) }),
                ("top", { ($0, min($1, 65 - $1)) }), ("bottom", { ($0, max($1, 65 - $1)) }),
            ] {
                let made = PlanePicture.rendered(
                    Self.call("mirror", ["at": [0.5]], words: ["keep": keep]), [picture], alpha: true)
                for (x, y) in [(0, 0), (10, 20), (44, 32), (45, 33), (80, 50), (89, 65)] {
                    let (u, v) = place(x, y)
                    #expect(made[3, x, y] == picture[3, u, v])
                    if picture[3, u, v] > 8 { #expect(made[0, x, y] == picture[0, u, v], "\(keep) \(x) \(y)") }
                }
            }
        }
    }

    @Test func lensBendsByItsPolynomial() {
        let picture = PlanePicture(90, 66, filmEncoding(0, 0)).paintScene(seed: 5)
        let made = PlanePicture.rendered(
            Self.call("lens-distortion", ["k1": [0.2], "k2": [-0.1], "center": [0.5, 0.5]]), [picture], alpha: true)
        let source = Grid(picture, 0)
        var (seen, clear) = (0, 0)
        for y in 0..<66 {
            for x in 0..<90 {
                let (dx, dy) = (Double(x) - 44.5, Double(y) - 32.5)
                let square = (dx * dx + dy * dy) * 4 / (90 * 90 + 66 * 66)
                let factor = 1 + square * 0.2 - square * square * 0.1
                let (u, v) = (44.5 + dx * factor, 32.5 + dy * factor)
                if u < -1.01 || v < -1.01 || u > 90.01 || v > 66.01 {
                    clear += 1
                    #expect(made[3, x, y] == 0)
                }
                guard u >= 0, v >= 0, u <= 89, v <= 65 else { continue }
                seen += 1
                let (i, j) = (Int(u), Int(v))
                let (a, b) = (u - Double(i), v - Double(j))
                let value =
                    (source.clamped(i, j) * (1 - a) + source.clamped(i + 1, j) * a) * (1 - b)
                    + (source.clamped(i, j + 1) * (1 - a) + source.clamped(i + 1, j + 1) * a) * b
                #expect(abs(Double(made[0, x, y]) - value) <= 0.6 && made[3, x, y] == 255)
            }
        }
        #expect(seen > 4000 && clear > 10)
    }

    /// An opaque square with a sharp shadow, and one with a soft shadow.
    @Test func shadowLiesBeneathTheLayer() {
        for encoding in filmEncodings {
            let whole = (1 << encoding.bitDepth) - 1
            let unit = 1 << (encoding.bitDepth - 8)
            let layer = PlanePicture(80, 80, encoding, alpha: true).paint(0) { _, _ in 200 * unit }
                .paint(1) { _, _ in 100 * unit }.paint(2) { _, _ in 140 * unit }
                .paint(3) { x, y in (20..<40).contains(x) && (20..<40).contains(y) ? whole : 0 }
            let sharp = PlanePicture.rendered(
                Self.call("drop-shadow", ["offset": [10, 6], "radius": [0], "color": [1, 0, 0, 0.5]]), [layer],
                alpha: true)
            func alpha(_ picture: PlanePicture, _ x: Int, _ y: Int) -> Double {
                Double(picture[3, x, y]) / Double(whole)
            }
            #expect(alpha(sharp, 30, 30) == 1 && sharp[0, 30, 30] == 200 * unit && alpha(sharp, 10, 10) == 0)
            #expect(abs(alpha(sharp, 45, 40) - 0.5) < 0.01 && alpha(sharp, 51, 40) == 0 && alpha(sharp, 45, 47) == 0)
            // Red in BT.709: Y' 0.2126, Cr 0.5.
            let chroma = (45 >> encoding.chromaShiftX, 42 >> encoding.chromaShiftY)
            #expect(abs(sharp[0, 45, 42] - Int((16 + 219 * 0.2126) * Double(unit))) <= 1)
            #expect(abs(sharp[2, chroma.0, chroma.1] - 240 * unit) <= 1 && sharp.damage == 0)
            let soft = PlanePicture.rendered(
                Self.call("drop-shadow", ["offset": [0, 30], "radius": [5], "color": [0, 0, 0, 1]]), [layer],
                alpha: true)
            let wanted = Grid(80, 80) { x, y in
                (20..<40).contains(x) && (50..<70).contains(y) ? 1 : 0
            }.gaussian(5, 5, clamps: false)
            for (x, y) in [(30, 60), (20, 60), (30, 50), (15, 75), (40, 70)] {
                #expect(abs(alpha(soft, x, y) - wanted[x, y]) < 0.01, "\(x) \(y)")
            }
        }
    }

    @Test func masksMultiplyAlpha() {
        for encoding in filmEncodings {
            let picture = Self.scene(encoding, alpha: true)
            let mask = PlanePicture(91, 67, encoding, alpha: true).paintScene(seed: 70)
            let whole = Double((1 << encoding.bitDepth) - 1)
            let unit = Double(1 << (encoding.bitDepth - 8))
            for (channel, inverts) in [("alpha", false), ("alpha", true), ("luma", false), ("luma", true)] {
                var call = Self.call("mask", [:], words: ["channel": channel])
                call.values["invert"] = .flag(inverts)
                call.pictures = ["image": 1]
                let made = PlanePicture.rendered(call, [picture, mask], alpha: true)
                let wanted = Grid(91, 67) { x, y in
                    var share = Double(mask[3, x, y]) / whole
                    if channel == "luma" {
                        share *= min(max((Double(mask[0, x, y]) / unit - 16) / 219, 0), 1)
                    }
                    return Double(picture[3, x, y]) * (inverts ? 1 - share : share)
                }
                #expect(Self.off(made, 3, wanted) <= 0.51 && made.samples[0] == picture.samples[0])
                call.pictures = [:]
                let without = PlanePicture.rendered(call, [picture], alpha: true)
                #expect(without.samples[3].allSatisfy { $0 == 0 } == !inverts)
            }
        }
    }

    @Test func shapesHaveTheirAreas() {
        let picture = PlanePicture(200, 160, filmEncoding(1, 1)).paintScene(seed: 1)
        func area(_ shape: String, feather: Double = 0, radius: Double = 0) -> Double {
            var call = Self.call(
                "mask-shape", ["center": [0.5, 0.5], "size": [0.5, 0.5], "feather": [feather], "radius": [radius]],
                words: ["shape": shape])
            call.values["invert"] = .flag(false)
            let made = PlanePicture.rendered(call, [picture], alpha: true)
            return Double(made.samples[3].reduce(0, +)) / 255
        }
        #expect(abs(area("rectangle") - 100 * 80) < 1)
        #expect(abs(area("rectangle", radius: 20) - (100 * 80 - (4 - Double.pi) * 400)) < 20)
        #expect(abs(area("ellipse") - Double.pi * 50 * 40) < 30)
        // Outside as much comes as goes inside, but for the corners.
        #expect(abs(area("rectangle", feather: 10) - 100 * 80) < 100)
    }
}
