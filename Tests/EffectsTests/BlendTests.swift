import Effects
import Foundation
import Pictures
import SplitreelProject
import TestTools
import Testing

@Suite struct BlendTests {
    /// B(beneath, layer) as Compositing and Blending Level 1 writes them; the last three as their names say.
    static func formula(_ mode: BlendMode, _ b: Double, _ s: Double) -> Double {
        switch mode {
        case .normal: return s
        case .multiply: return b * s
        case .screen: return b + s - b * s
        case .overlay: return formula(.hardLight, s, b)
        case .darken: return min(b, s)
        case .lighten: return max(b, s)
        case .colorDodge: return b == 0 ? 0 : s == 1 ? 1 : min(1, b / (1 - s))
        case .colorBurn: return b == 1 ? 1 : s == 0 ? 0 : 1 - min(1, (1 - b) / s)
        case .hardLight: return s <= 0.5 ? formula(.multiply, b, 2 * s) : formula(.screen, b, 2 * s - 1)
        case .softLight:
            let d = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : sqrt(b)
            return s <= 0.5 ? b - (1 - 2 * s) * b * (1 - b) : b + (2 * s - 1) * (d - b)
        case .difference: return abs(b - s)
        case .exclusion: return b + s - 2 * b * s
        case .add: return min(1, b + s)
        case .subtract: return max(0, b - s)
        case .divide: return s == 0 ? (b == 0 ? 0 : 1) : min(1, b / s)
        }
    }

    static let modes = BlendMode.allCases.filter { $0 != .normal }

    static func call(_ mode: BlendMode) -> EffectCall { EffectCall(id: mode.id, version: 1) }

    @Test(arguments: modes) func modeIsItsFormula(_ mode: BlendMode) {
        for (index, encoding) in filmEncodings.enumerated() {
            for backAlpha in [false, true] {
                let below = PlanePicture(37, 23, encoding, alpha: backAlpha).paintScene(seed: UInt64(index) + 1)
                let layer = PlanePicture(37, 23, encoding, alpha: true).paintScene(seed: UInt64(index) + 77)
                let made = PlanePicture.rendered(Self.call(mode), [below, layer], alpha: backAlpha)
                let expected = blended(below, layer) { Self.formula(mode, $0, $1) }
                // What is nearly transparent has codes of its own, which nobody sees.
                let off = made.apart(expected)
                #expect(
                    off.allSatisfy { $0 <= 1 } && made.damage == 0,
                    "\(mode) \(encoding.bitDepth) bits, 4:\(2 >> encoding.chromaShiftX)… alpha \(backAlpha): \(off)")
            }
        }
    }

    /// White, black or nothing, by the mode.
    @Test func neutralLayersChangeNothing() {
        for encoding in filmEncodings {
            let unit = 1 << (encoding.bitDepth - 8)
            let below = PlanePicture(35, 21, encoding).paintScene(seed: 5)
            func layer(_ luma: Int, alpha: Int) -> PlanePicture {
                PlanePicture(35, 21, encoding, alpha: true).paint(0) { _, _ in luma * unit }
                    .paint(1) { _, _ in 128 * unit }.paint(2) { _, _ in 128 * unit }.paint(3) { _, _ in alpha }
            }
            let all = (1 << encoding.bitDepth) - 1
            for (mode, luma) in [(BlendMode.multiply, 235), (.colorBurn, 235), (.divide, 235)] {
                // Components above white are cut off by the formulas.
                let inside = PlanePicture(35, 21, encoding).paint(0) { x, y in (16 + 5 * x + 2 * y) * unit }
                    .paint(1) { _, _ in 128 * unit }.paint(2) { _, _ in 128 * unit }
                #expect(
                    PlanePicture.rendered(Self.call(mode), [inside, layer(luma, alpha: all)]).samples == inside.samples)
            }
            for mode in Self.modes {
                #expect(PlanePicture.rendered(Self.call(mode), [below, layer(90, alpha: 0)]).samples == below.samples)
            }
        }
    }

    /// The modes of ffmpeg that compute the same, on R'G'B' of 8 bits.
    @Test(arguments: [
        ("multiply", BlendMode.multiply), ("screen", .screen), ("overlay", .overlay), ("darken", .darken),
        ("lighten", .lighten), ("hardlight", .hardLight), ("difference", .difference), ("exclusion", .exclusion),
        ("addition", .add), ("subtract", .subtract), ("divide", .divide),
    ]) func modeIsAsFFmpegBlends(_ name: String, _ mode: BlendMode) throws {
        let folder = try TestFolder("blend")
        let size = 48
        // Greys: the same in R'G'B' and in Y'CbCr, as 220 steps of 219.
        let encoding = filmEncoding(0, 0, bits: 8)
        func grey(_ value: (Int, Int) -> Int) -> PlanePicture {
            PlanePicture(size, size, encoding, alpha: true).paint(0) { 16 + value($0, $1) }
                .paint(1) { _, _ in 128 }.paint(2) { _, _ in 128 }.paint(3) { _, _ in 255 }
        }
        let below = grey { x, y in (x * 219 + 23) / 47 }
        let layer = grey { x, y in y * 219 / 47 }
        let made = PlanePicture.rendered(Self.call(mode), [below, layer])
        func file(_ name: String, _ picture: PlanePicture) throws -> String {
            let path = folder.file(name)
            let bytes = picture.samples[0].map { UInt8((Double($0 - 16) * 255 / 219).rounded()) }
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            return path
        }
        let raw = ["-f", "rawvideo", "-pix_fmt", "gray", "-s", "\(size)x\(size)", "-i"]
        let out = folder.file("out")
        // Of some modes its first input is the lower layer.
        let isTurned = [.subtract, .divide, .overlay, .hardLight].contains(mode)
        let files = [try file("a", layer), try file("b", below)]
        let inputs = isTurned ? [files[1], files[0]] : files
        try Witness(in: folder).ffmpeg(
            raw + [inputs[0]] + raw + [inputs[1]] + [
                "-filter_complex", "[0][1]blend=all_mode=\(name)", "-f", "rawvideo", "-pix_fmt", "gray", out,
            ])
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: out)))
        let theirs = bytes.map { (byte: UInt8) -> Int in Int((Double(byte) * 219 / 255 + 16).rounded()) }
        // A quotient by a few codes says more of their rounding.
        let least = mode == .divide ? 30.0 : 46
        let likeness = made.decibels(made.samples[0], theirs)
        #expect(theirs.count == size * size && likeness >= least, "\(name): \(likeness) dB")
    }
}

// MARK: - The definition in doubles

/// R'G'B' of 0…1 and alpha at the luma's places, with the chroma that was interpolated for them.
private struct Pixels {
    var red: [[Double]], green: [[Double]], blue: [[Double]], alpha: [[Double]], cb: [[Double]], cr: [[Double]]

    init(_ picture: PlanePicture) {
        let unit = Double(1 << (picture.encoding.bitDepth - 8))
        let whole = Double((1 << picture.encoding.bitDepth) - 1)
        let (columns, rows) = (0..<picture.width, 0..<picture.height)
        let (kr, kb) = (0.2126, 0.0722)
        let hasAlpha = picture.planeCount > 3
        alpha = rows.map { y in columns.map { x in hasAlpha ? Double(picture[3, x, y]) / whole : 1 } }
        let known = alpha
        let (shiftX, shiftY) = (picture.encoding.chromaShiftX, picture.encoding.chromaShiftY)
        func share(_ i: Int, _ j: Int) -> Double {
            guard hasAlpha, shiftX + shiftY > 0 else { return 1 }
            let xs = columns.filter { $0 >> shiftX == i }, ys = rows.filter { $0 >> shiftY == j }
            let all = ys.flatMap { y in xs.map { known[y][$0] } }
            return all.reduce(0, +) / Double(all.count)
        }
        func chroma(_ plane: Int) -> [[Double]] {
            let size = picture.size(plane)
            return rows.map { y in
                columns.map { x in
                    // In chroma samples: left siting, between two rows.
                    let u = Double(x) / Double(1 << shiftX)
                    let v = shiftY > 0 ? (Double(y) - 0.5) / 2 : Double(y)
                    var (sum, weight) = (0.0, 0.0)
                    for j in [Int(v.rounded(.down)), Int(v.rounded(.down)) + 1] {
                        for i in [Int(u), Int(u) + 1] {
                            let part = max(0, 1 - abs(u - Double(i))) * max(0, 1 - abs(v - Double(j)))
                            let (ci, cj) = (min(i, size.width - 1), min(max(j, 0), size.height - 1))
                            let w = part * share(ci, cj)
                            sum += w * (Double(picture[plane, ci, cj]) / unit - 128) / 224
                            weight += w
                        }
                    }
                    return weight > 0 ? sum / weight : 0
                }
            }
        }
        (cb, cr) = (chroma(1), chroma(2))
        let luma = rows.map { y in columns.map { x in (Double(picture[0, x, y]) / unit - 16) / 219 } }
        let (cb, cr) = (cb, cr)
        red = rows.map { y in columns.map { x in luma[y][x] + 2 * (1 - kr) * cr[y][x] } }
        blue = rows.map { y in columns.map { x in luma[y][x] + 2 * (1 - kb) * cb[y][x] } }
        let (r, b) = (red, blue)
        green = rows.map { y in columns.map { x in (luma[y][x] - kr * r[y][x] - kb * b[y][x]) / (1 - kr - kb) } }
    }
}

private func blended(
    _ below: PlanePicture, _ layer: PlanePicture, _ formula: (Double, Double) -> Double
) -> PlanePicture {
    let (under, over) = (Pixels(below), Pixels(layer))
    let encoding = below.encoding
    let unit = Double(1 << (encoding.bitDepth - 8))
    let whole = (1 << encoding.bitDepth) - 1
    let hasAlpha = below.planeCount > 3
    let result = PlanePicture(below.width, below.height, encoding, alpha: hasAlpha)
    let (columns, rows) = (0..<below.width, 0..<below.height)
    var total = over.alpha
    func component(_ b: [[Double]], _ s: [[Double]]) -> [[Double]] {
        rows.map { y in
            columns.map { x in
                let (alpha, back) = (over.alpha[y][x], under.alpha[y][x])
                let union = alpha + back - alpha * back
                total[y][x] = union
                let mixed = formula(min(max(b[y][x], 0), 1), min(max(s[y][x], 0), 1))
                let sum = (1 - alpha) * back * b[y][x] + alpha * ((1 - back) * s[y][x] + back * mixed)
                return union > 0 ? sum / union : 0
            }
        }
    }
    let red = component(under.red, over.red), green = component(under.green, over.green)
    let blue = component(under.blue, over.blue)
    func luma(_ x: Int, _ y: Int) -> Double { 0.2126 * red[y][x] + 0.7152 * green[y][x] + 0.0722 * blue[y][x] }
    func code(_ value: Double) -> Int { min(max(Int((value * unit).rounded()), 0), whole) }
    result.paint(0) { x, y in
        over.alpha[y][x] == 0 && hasAlpha ? below[0, x, y] : code(16 + 219 * luma(x, y))
    }
    if hasAlpha { result.paint(3) { x, y in Int((total[y][x] * Double(whole)).rounded()) } }
    for plane in 1...2 {
        let (shiftX, shiftY) = (encoding.chromaShiftX, encoding.chromaShiftY)
        result.paint(plane) { i, j in
            var (sum, weight, touched) = (0.0, 0.0, 0.0)
            for y in rows where y >> shiftY == j {
                for (step, share) in shiftX > 0 ? [(-1, 0.25), (0, 0.5), (1, 0.25)] : [(0, 1.0)] {
                    let x = min(max((i << shiftX) + step, 0), below.width - 1)
                    let own = (plane == 1 ? blue : red)[y][x] - luma(x, y)
                    let new = own / (plane == 1 ? 1.8556 : 1.5748)
                    let old = hasAlpha ? 0 : (plane == 1 ? under.cb : under.cr)[y][x]
                    let w = share * (hasAlpha ? total[y][x] : 1)
                    sum += w * (new - old)
                    weight += w
                    touched += share * over.alpha[y][x]
                }
            }
            guard touched > 0 else { return below[plane, i, j] }
            let base = hasAlpha ? 128 : Double(below[plane, i, j]) / unit
            return code(base + 224 * sum / weight)
        }
    }
    return result
}
