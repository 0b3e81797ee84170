import TestTools

/// Blend modes, by the formulas of Compositing and Blending Level 1.
enum SheetBlend {
    /// A layer over an opaque picture.
    static func blended(_ mode: String, _ layer: Sheet, over below: Sheet) throws -> Sheet {
        let (lower, upper) = (below.pixels(), layer.pixels(weighed: true))
        let alpha = layer.alpha ?? [Double](repeating: 1, count: lower.count)
        let encoding = below.encoding
        let made = try lower.indices.map { place -> SIMD3<Double> in
            let (b, s) = (Sheet.components(lower[place], encoding), Sheet.components(upper[place], encoding))
            var mixed = SIMD3<Double>()
            for k in 0..<3 {
                let both = try formula(mode, min(max(b[k], 0), 1), min(max(s[k], 0), 1))
                mixed[k] = b[k] * (1 - alpha[place]) + both * alpha[place]
            }
            return Sheet.values(mixed, encoding)
        }
        var result = below
        result.planes[0] = made.map { $0[0] }
        for plane in 1..<3 {
            let change = below.gather(made.indices.map { made[$0][plane] - lower[$0][plane] })
            result.planes[plane] = zip(below.planes[plane], change).map { $0 + $1 }
        }
        return result
    }

    /// `b` lies beneath, `s` is the layer's.
    private static func formula(_ mode: String, _ b: Double, _ s: Double) throws -> Double {
        switch mode {
        case "multiply": return b * s
        case "screen": return 1 - (1 - b) * (1 - s)
        case "overlay": return try formula("hard-light", s, b)
        case "darken": return min(b, s)
        case "lighten": return max(b, s)
        case "color-dodge": return b == 0 ? 0 : s >= 1 ? 1 : min(1, b / (1 - s))
        case "color-burn": return b >= 1 ? 1 : s <= 0 ? 0 : 1 - min(1, (1 - b) / s)
        case "hard-light": return s <= 0.5 ? b * 2 * s : 1 - (1 - b) * (1 - (2 * s - 1))
        case "soft-light":
            if s <= 0.5 { return b - (1 - 2 * s) * b * (1 - b) }
            let d = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : b.squareRoot()
            return b + (2 * s - 1) * (d - b)
        case "difference": return abs(b - s)
        case "exclusion": return b + s - 2 * b * s
        case "add": return min(1, b + s)
        case "subtract": return max(0, b - s)
        case "divide": return s <= 0 ? (b <= 0 ? 0 : 1) : min(1, b / s)
        default: throw ToolFailure("\(mode) is no blend mode")
        }
    }
}
