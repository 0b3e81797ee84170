import Pictures
import SplitreelProject

/// Effects that make each of R', G' and B' a sum of all three.
struct MatrixEffect: EffectKernel {
    /// The three rows of factors of R', G', B' and 1; nil where nothing changes.
    let rows: @Sendable (EffectCall, PixelEncoding) -> [[Double]]?

    func render(_ call: EffectCall, _ inputs: [PlanarImage], into output: PlanarImage, _ memory: EffectMemory) {
        let input = inputs[0]
        let codes = ColourCodes(input.encoding)
        guard let rows = rows(call, input.encoding) else { return copyPicture(input, output) }
        let factors = codes.factors(rows)
        ColourPass(input, memory).run(input, output) { changeRow($0, factors) }
    }
}

extension ColourCodes {
    /// The factors of Y', Cb, Cr and 1 codes that do what `rows` do with R', G', B' and 1.
    func factors(_ rows: [[Double]]) -> [Four] {
        let decoding = decoding
        // R', G' and B' as functions of Y', Cb, Cr and 1.
        let changed = rows.map { row in
            (0..<4).map { k -> Double in
                let sum = zip(row, decoding).reduce(0.0) { $0 + $1.0 * [$1.1.luma, $1.1.cb, $1.1.cr, $1.1.offset][k] }
                return k == 3 ? sum + row[3] : sum
            }
        }
        func mix(_ r: Double, _ g: Double, _ b: Double, _ range: Double, _ offset: Double) -> Four {
            let values = (0..<4).map { (r * changed[0][$0] + g * changed[1][$0] + b * changed[2][$0]) * range }
            return Four(Float(values[0]), Float(values[1]), Float(values[2]), Float(values[3] + offset))
        }
        let (b, r) = (0.5 / (1 - blue), 0.5 / (1 - red))
        return [
            mix(red, green, blue, lumaRange, lumaOffset),
            mix(-red * b, -green * b, (1 - blue) * b, chromaRange, chromaOffset),
            mix((1 - red) * r, -green * r, -blue * r, chromaRange, chromaOffset),
        ]
    }
}

extension MatrixEffect {
    static let blackAndWhite = MatrixEffect { call, encoding in
        let mix = call.numbers("mix")
        let amount = call.number("amount")
        return amount == 0 ? nil : mixed([mix + [0], mix + [0], mix + [0]], amount)
    }

    /// The matrix of the W3C's Filter Effects.
    static let sepia = MatrixEffect { call, _ in
        let amount = call.number("amount")
        let rows = [[0.393, 0.769, 0.189, 0], [0.349, 0.686, 0.168, 0], [0.272, 0.534, 0.131, 0]]
        return amount == 0 ? nil : mixed(rows, amount)
    }

    /// A tint: luma times a colour.
    static let tint = MatrixEffect { call, encoding in
        let (colour, amount) = (call.numbers("color"), call.number("amount"))
        let (red, blue) = encoding.matrix.weights
        let rows = colour.prefix(3).map { [red * $0, (1 - red - blue) * $0, blue * $0, 0] }
        return amount == 0 ? nil : mixed(rows, amount)
    }

    static let colourMatrix = MatrixEffect { call, _ in
        let rows = ["red", "green", "blue"].map { call.numbers($0) }
        return rows == identity ? nil : rows
    }

    private static let identity: [[Double]] = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]

    private static func mixed(_ rows: [[Double]], _ amount: Double) -> [[Double]] {
        zip(rows, identity).map { zip($0, $1).map { $1 + ($0 - $1) * amount } }
    }
}
