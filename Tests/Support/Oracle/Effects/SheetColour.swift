import Foundation

/// Effects of a pixel's own colour.
extension Sheet {
    /// Each pixel's R'G'B' made anew: chroma is interpolated for it, and averaged back.
    func recoloured(_ change: (SIMD3<Double>) -> SIMD3<Double>) -> Sheet {
        var result = self
        let made = pixels().map { Self.values(change(Self.components($0, encoding)), encoding) }
        result.planes = [made.map { $0[0] }, gather(made.map { $0[1] }), gather(made.map { $0[2] })]
        return result
    }

    /// Y' and the plane of Cb and Cr, of each sample alone.
    func replaned(_ luma: (Double) -> Double, _ chroma: (Double, Double) -> (Double, Double)) -> Sheet {
        var result = self
        result.planes[0] = planes[0].map(luma)
        for place in planes[1].indices {
            (result.planes[1][place], result.planes[2][place]) = chroma(planes[1][place], planes[2][place])
        }
        return result
    }

    /// Red, green and blue by functions of their own, which hold beyond -0.25…1.25.
    func curved(_ functions: [(Double) -> Double]) -> Sheet {
        recoloured { rgb in
            func value(_ k: Int) -> Double { functions[functions.count > 1 ? k : 0](min(max(rgb[k], -0.25), 1.25)) }
            return SIMD3(value(0), value(1), value(2))
        }
    }

    /// Red, green and blue as sums of all three and 1, `amount` of the way there.
    func mixed(_ rows: [[Double]], _ amount: Double = 1) -> Sheet {
        recoloured { rgb in
            var result = SIMD3<Double>()
            for k in 0..<3 {
                let sum = rows[k][0] * rgb[0] + rows[k][1] * rgb[1] + rows[k][2] * rgb[2]
                result[k] = rgb[k] + (sum + (rows[k].count > 3 ? rows[k][3] : 0) - rgb[k]) * amount
            }
            return result
        }
    }
}

/// The same for effects by their names.
struct ColourEffects {
    let sheet: Sheet
    let call: EffectOfFile

    private var luma: [Double] {
        let (kr, kb) = sheet.encoding.weights
        return [kr, 1 - kr - kb, kb]
    }

    /// nil for an effect that is none of colour.
    func result() throws -> Sheet? {
        let amount = try call.number("amount", 1)
        switch call.id {
        case "brightness":
            let step = try call.number("amount", 0)
            return sheet.replaned({ $0 + step }, { ($0, $1) })
        case "contrast":
            let pivot = try call.number("pivot", 0.5)
            return sheet.replaned({ pivot + amount * ($0 - pivot) }, { ($0 * amount, $1 * amount) })
        case "saturation": return sheet.replaned({ $0 }, { ($0 * amount, $1 * amount) })
        case "hue":
            let angle = try call.number("degrees", 0) * .pi / 180
            return sheet.replaned({ $0 }, { ($0 * cos(angle) - $1 * sin(angle), $0 * sin(angle) + $1 * cos(angle)) })
        case "invert": return sheet.replaned({ 1 - $0 }, { (-$0, -$1) })
        case "black-and-white":
            let mix = try call.numbers("mix", [0.2126, 0.7152, 0.0722])
            return sheet.mixed([mix, mix, mix], amount)
        case "sepia":
            return sheet.mixed([[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]], amount)
        case "tint":
            let colour = try call.numbers("color", [1, 0.9, 0.7, 1])
            return sheet.mixed(colour.prefix(3).map { part in luma.map { $0 * part } }, amount)
        case "color-matrix":
            let identity: [[Double]] = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]
            return sheet.mixed(try zip(["red", "green", "blue"], identity).map { try call.numbers($0, $1) })
        case "chroma-key": return try chromaKey()
        case "luma-key": return try lumaKey()
        case "lut": return try lookUp()
        default: return try tables()
        }
    }

    private func tables() throws -> Sheet? {
        switch call.id {
        case "exposure":
            let gain = pow(2, try call.number("stops", 0))
            return sheet.curved([Self.inLight(gain)])
        case "white-balance":
            return sheet.curved(
                WhiteLight(kelvin: try call.number("kelvin", 6500), tint: try call.number("tint", 0)).gains
                    .map(Self.inLight))
        case "lift-gamma-gain":
            let (lift, gamma) = (try call.numbers("lift", [0, 0, 0]), try call.numbers("gamma", [1, 1, 1]))
            let gain = try call.numbers("gain", [1, 1, 1])
            return sheet.curved(
                (0..<3).map { k in
                    { x in Self.power(gain[k] * (x + lift[k] * (1 - x)), 1 / gamma[k]) }
                })
        case "levels":
            let (black, white) = (try call.number("black", 0), try call.number("white", 1))
            let (low, high) = (try call.number("outputBlack", 0), try call.number("outputWhite", 1))
            let gamma = try call.number("gamma", 1)
            let change = { (x: Double) -> Double in
                low + (high - low) * pow(min(max((x - black) / (white - black), 0), 1), 1 / gamma)
            }
            let same = { (x: Double) -> Double in x }
            guard let channel = ["red", "green", "blue"].firstIndex(of: try call.word("channel", "rgb")) else {
                return sheet.curved([change])
            }
            return sheet.curved((0..<3).map { $0 == channel ? change : same })
        case "curves":
            let master = MonotonePoints(try call.points("master"))
            return sheet.curved(
                try ["red", "green", "blue"].map { name in
                    let own = MonotonePoints(try call.points(name))
                    return { master.value(own.value($0)) }
                })
        default: return nil
        }
    }

    private static func power(_ x: Double, _ exponent: Double) -> Double {
        x < 0 ? -pow(-x, exponent) : pow(x, exponent)
    }

    /// As BT.1886's power of 2.4.
    private static func inLight(_ gain: Double) -> (Double) -> Double {
        { power(power($0, 2.4) * gain, 1 / 2.4) }
    }

    // MARK: Keys

    private func chromaKey() throws -> Sheet {
        let colour = try call.numbers("color", [0, 1, 0, 1])
        let key = Sheet.values(SIMD3(colour[0], colour[1], colour[2]), sheet.encoding)
        let (tolerance, softness) = (try call.number("tolerance", 0.2), try call.number("softness", 0.1))
        let spill = try call.number("spill", 0.5)
        let strongest = (0..<3).max { colour[$0] < colour[$1] } ?? 1
        let pixels = sheet.pixels()
        var result = sheet
        result.alpha = pixels.indices.map { place in
            let far = hypot(pixels[place][1] - key[1], pixels[place][2] - key[2])
            return (sheet.alpha?[place] ?? 1) * min(max((far - tolerance) / max(softness, 1e-6), 0), 1)
        }
        // What is taken away is averaged, not what is left.
        let taken = pixels.map { pixel in
            let rgb = Sheet.components(pixel, sheet.encoding)
            let others = (rgb[0] + rgb[1] + rgb[2] - rgb[strongest]) / 2
            var change = SIMD3<Double>()
            change[strongest] = spill * max(0, rgb[strongest] - others)
            return Sheet.values(change, sheet.encoding)
        }
        let parts = [taken.map { $0[0] }, sheet.gather(taken.map { $0[1] }), sheet.gather(taken.map { $0[2] })]
        for plane in 0..<3 { result.planes[plane] = zip(sheet.planes[plane], parts[plane]).map { $0 - $1 } }
        return result
    }

    private func lumaKey() throws -> Sheet {
        let (middle, tolerance) = (try call.number("threshold", 0), try call.number("tolerance", 0.1))
        let softness = max(try call.number("softness", 0.05), 1e-6)
        var result = sheet
        result.alpha = sheet.planes[0].indices.map { place in
            let far = abs(sheet.planes[0][place] - middle)
            return (sheet.alpha?[place] ?? 1) * min(max((far - tolerance) / softness, 0), 1)
        }
        return result
    }

    private func lookUp() throws -> Sheet {
        let amount = try call.number("amount", 1)
        let table = try CubeFile(path: call.asset("lut")["url"].text)
        if table.isLattice {
            return sheet.recoloured { $0 + (table.colour($0) - $0) * amount }
        }
        return sheet.recoloured { rgb in
            let held = rgb.clamped(lowerBound: SIMD3(repeating: -0.25), upperBound: SIMD3(repeating: 1.25))
            return rgb + (table.colour(held) - rgb) * amount
        }
    }
}
