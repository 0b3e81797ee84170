import Foundation
import JSONText
import Testing

/// Transitions whose formulas are no shapes, each against its own in doubles.
@Suite("Figures of transitions") struct TransitionFigureTests {
    typealias Kind = TransitionTests.Kind

    static let opaque =
        TransitionTests.kinds.filter { !$0.hasAlpha } + [
            Kind(bits: 8, shiftX: 0, shiftY: 0, width: 33, height: 21, hasAlpha: false)
        ]

    /// How bright a matte is at a pixel: 0 for black or nothing, 1 for white.
    private func light(_ matte: TestPicture, _ x: Double, _ y: Double) -> Double {
        let index = Int(y) * matte.kind.width + Int(x)
        let step = Double(1 << (matte.kind.bits - 8))
        let luma = (Double(matte.planes[0][index]) - 16 * step) / (219 * step)
        let alpha = matte.kind.hasAlpha ? Double(matte.planes[3][index]) / Double((1 << matte.kind.bits) - 1) : 1
        return min(max(luma, 0), 1) * alpha
    }

    /// What is dark changes first, over a ramp of `softness`.
    @Test(arguments: TransitionTests.kinds) func lumaMatte(_ kind: Kind) throws {
        let (from, to, matte) = (TestPicture(kind, seed: 1), TestPicture(kind, seed: 2), TestPicture(kind, seed: 3))
        for (softness, progress, isInverted) in [(0.4, 0.3, false), (0.4, 0.75, true), (1, 0.5, false)] {
            let params = JSONValue.object([
                "matte": .string("m"), "softness": JSONValue(softness), "invert": .bool(isInverted),
            ])
            let out = try TestPicture.drawn("luma-matte", params, progress, from, to, matte: matte)
            for plane in 0..<3 {
                let worst = out.worst(plane, from, to) { x, y in
                    let place = isInverted ? 1 - light(matte, x, y) : light(matte, x, y)
                    return min(max((progress * (1 + softness) - place) / softness, 0), 1)
                }
                #expect(worst <= 0.52, "plane \(plane) at \(progress): \(worst)")
            }
        }
    }

    /// The matte is the share of the second picture; 4 · glow · share · (1 − share) of the colour lies over both.
    @Test(arguments: TransitionTests.kinds) func filmBurn(_ kind: Kind) throws {
        let (from, to, matte) = (TestPicture(kind, seed: 4), TestPicture(kind, seed: 5), TestPicture(kind, seed: 6))
        func drawn(_ glow: Double) throws -> TestPicture {
            let params = JSONValue.object([
                "matte": .string("m"), "glow": JSONValue(glow), "color": .array([1, 1, 1, 1].map { .integer($0) }),
            ])
            return try TestPicture.drawn("film-burn", params, 0.5, from, to, matte: matte)
        }
        let plain = try drawn(0)
        var white = TestPicture(kind, seed: 0)
        let step = 1 << (kind.bits - 8)
        white.fill([235 * step, 128 * step, 128 * step, (1 << kind.bits) - 1])
        for glow in [0.5, 1] {
            let out = try drawn(glow)
            for plane in 0..<3 {
                #expect(plain.worst(plane, from, to) { light(matte, $0, $1) } <= 0.52)
                let worst = out.worst(plane, plain, white) { x, y in
                    let share = light(matte, x, y)
                    return 4 * glow * share * (1 - share)
                }
                #expect(worst <= 0.52, "plane \(plane), glow \(glow): \(worst)")
            }
        }
    }

    /// A plane's value anywhere, its edges going on.
    private func sample(_ picture: TestPicture, _ plane: Int, _ x: Int, _ y: Int) -> Double {
        let size = TestPicture.size(picture.kind, plane)
        return Double(
            picture.planes[plane][min(max(y, 0), size.height - 1) * size.width + min(max(x, 0), size.width - 1)])
    }

    /// Linear between samples, at a pixel's place (0 is the first one's centre).
    private func between(_ picture: TestPicture, _ plane: Int, _ x: Double, _ y: Double) -> Double {
        let (shiftX, shiftY) = plane == 0 ? (0, 0) : (picture.kind.shiftX, picture.kind.shiftY)
        let u = x / Double(1 << shiftX)
        let v = (y - (shiftY > 0 ? 0.5 : 0)) / Double(1 << shiftY)
        let (left, top) = (u.rounded(.down), v.rounded(.down))
        func row(_ line: Int) -> Double {
            let first = sample(picture, plane, Int(left), line)
            return first + (sample(picture, plane, Int(left) + 1, line) - first) * (u - left)
        }
        return row(Int(top)) + (row(Int(top) + 1) - row(Int(top))) * (v - top)
    }

    /// Scale^progress of the first, scale^(1 − progress) of the second.
    @Test(arguments: opaque) func zoom(_ kind: Kind) throws {
        let (from, to) = (TestPicture(kind, seed: 7), TestPicture(kind, seed: 8))
        let params = JSONValue.object([
            "scale": .integer(4), "center": .array([JSONValue(0.25), JSONValue(0.75)]),
        ])
        let centre = (x: 0.25 * Double(kind.width) - 0.5, y: 0.75 * Double(kind.height) - 0.5)
        for progress in [0.25, 0.5, 0.75] {
            let out = try TestPicture.drawn("zoom", params, progress, from, to)
            for plane in 0..<3 {
                let size = TestPicture.size(kind, plane)
                let (shiftX, shiftY) = plane == 0 ? (0, 0) : (kind.shiftX, kind.shiftY)
                var worst = 0.0
                for index in out.planes[plane].indices {
                    let x = Double((index % size.width) << shiftX)
                    let y = Double((index / size.width) << shiftY) + (shiftY > 0 ? 0.5 : 0)
                    func large(_ picture: TestPicture, _ scale: Double) -> Double {
                        between(picture, plane, centre.x + (x - centre.x) / scale, centre.y + (y - centre.y) / scale)
                    }
                    let (a, b) = (large(from, pow(4, progress)), large(to, pow(4, 1 - progress)))
                    worst = max(worst, abs(a + (b - a) * progress - Double(out.planes[plane][index])))
                }
                // Rounded twice.
                #expect(worst <= 1.02, "plane \(plane) at \(progress): \(worst)")
            }
        }
    }

    /// Before a third of the way the first picture alone, under two boxes of half the radius each.
    @Test(arguments: opaque) func blurThrough(_ kind: Kind) throws {
        let (from, to) = (TestPicture(kind, seed: 9), TestPicture(kind, seed: 10))
        let out = try TestPicture.drawn("blur-through", .object(["radius": .integer(12)]), 0.25, from, to)
        for plane in 0..<3 {
            let size = TestPicture.size(kind, plane)
            func boxed(_ values: [Double], _ radius: Double, _ stepX: Int, _ stepY: Int) -> [Double] {
                let whole = Int(radius)
                return values.indices.map { index in
                    var sum = 0.0
                    for k in -whole - 1...whole + 1 {
                        let x = min(max(index % size.width + k * stepX, 0), size.width - 1)
                        let y = min(max(index / size.width + k * stepY, 0), size.height - 1)
                        sum += values[y * size.width + x] * (abs(k) > whole ? radius - Double(whole) : 1)
                    }
                    return sum / (2 * radius + 1)
                }
            }
            // Half of the radius at a quarter of the way, and half of that for each box.
            let across = 3 / Double(plane == 0 ? 1 : 1 << kind.shiftX)
            let down = 3 / Double(plane == 0 ? 1 : 1 << kind.shiftY)
            var values = from.planes[plane].map { Double($0) }
            for _ in 0..<2 { values = boxed(boxed(values, across, 1, 0), down, 0, 1) }
            let worst = zip(values, out.planes[plane]).map { abs($0 - Double($1)) }.max() ?? 0
            #expect(worst <= 0.52, "plane \(plane): \(worst)")
        }
    }

    /// At d pixels from the edge shadow · (1 − d / width)² of black, no wider than what throws it.
    @Test(arguments: opaque) func shadowsOfWhatCovers(_ kind: Kind) throws {
        var grey = TestPicture(kind, seed: 0)
        let step = 1 << (kind.bits - 8)
        grey.fill([200 * step, 128 * step, 128 * step])
        for (id, isBack, isAcross) in [
            ("cover.left", true, true), ("cover.right", false, true), ("reveal.up", true, false),
            ("reveal.down", false, false),
        ] {
            let length = isAcross ? kind.width : kind.height
            let way = length / 2
            for wide in [8.0, 1000] {
                let params = JSONValue.object(["shadow": JSONValue(0.75), "shadowWidth": JSONValue(wide)])
                let progress = Double(way) / Double(length)
                let out = try TestPicture.drawn(id, params, progress, grey, grey)
                let covers = id.hasPrefix("cover")
                let reach = min(wide, Double(covers ? way : length - way))
                let edge = Double(isBack ? length - way : way)
                var worst = 0.0
                for index in out.planes[0].indices {
                    let place = Double(isAcross ? index % kind.width : index / kind.width) + 0.5
                    // It falls on what stands still: in front of what comes, behind what goes.
                    let far = isBack == covers ? edge - place : place - edge
                    let share = far > 0 ? 0.75 * pow(max(0, 1 - far / reach), 2) : 0
                    let expected = Double(200 * step) + Double((16 - 200) * step) * share
                    worst = max(worst, abs(expected - Double(out.planes[0][index])))
                }
                #expect(worst <= 0.52, "\(id), \(wide): \(worst)")
            }
        }
    }
}
