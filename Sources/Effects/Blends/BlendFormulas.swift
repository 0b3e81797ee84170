import Composition

/// Of one component: premultiplied by the result's alpha where the picture beneath has one. `out` may be `upper`.
func blendRow(
    _ mode: BlendMode, _ lower: UnsafePointer<Float>, _ upper: UnsafePointer<Float>, _ alpha: UnsafePointer<Float>,
    _ back: UnsafePointer<Float>?, into out: UnsafeMutablePointer<Float>, _ count: Int
) {
    func mix(_ formula: (Float, Float) -> Float) { mixRow(lower, upper, alpha, back, into: out, count, formula) }
    switch mode {
    case .normal: mix { _, layer in layer }
    case .multiply: mix { $0 * $1 }
    case .screen: mix { screen($0, $1) }
    case .overlay: mix { hardLight($1, $0) }
    case .darken: mix { min($0, $1) }
    case .lighten: mix { max($0, $1) }
    case .colorDodge: mix { $0 <= 0 ? 0 : $1 >= 1 ? 1 : min(1, $0 / (1 - $1)) }
    case .colorBurn: mix { $0 >= 1 ? 1 : $1 <= 0 ? 0 : 1 - min(1, (1 - $0) / $1) }
    case .hardLight: mix { hardLight($0, $1) }
    case .softLight: mix { softLight($0, $1) }
    case .difference: mix { abs($0 - $1) }
    case .exclusion: mix { $0 + $1 - 2 * $0 * $1 }
    case .add: mix { min(1, $0 + $1) }
    case .subtract: mix { max(0, $0 - $1) }
    case .divide: mix { $1 <= 0 ? ($0 <= 0 ? 0 : 1) : min(1, $0 / $1) }
    }
}

/// A formula sees what lies beneath and the layer, each held to 0…1.
@inline(__always)
private func mixRow(
    _ lower: UnsafePointer<Float>, _ upper: UnsafePointer<Float>, _ alpha: UnsafePointer<Float>,
    _ back: UnsafePointer<Float>?, into out: UnsafeMutablePointer<Float>, _ count: Int,
    _ formula: (Float, Float) -> Float
) {
    func held(_ value: Float) -> Float { max(0, min(1, value)) }
    if let back {
        for x in 0..<count {
            let blended = formula(held(lower[x]), held(upper[x]))
            let layer = upper[x] + (blended - upper[x]) * back[x]
            out[x] = lower[x] * back[x] * (1 - alpha[x]) + layer * alpha[x]
        }
    } else {
        for x in 0..<count {
            let blended = formula(held(lower[x]), held(upper[x]))
            out[x] = lower[x] * (1 - alpha[x]) + blended * alpha[x]
        }
    }
}

@inline(__always)
private func screen(_ lower: Float, _ upper: Float) -> Float { lower + upper - lower * upper }

@inline(__always)
private func hardLight(_ lower: Float, _ upper: Float) -> Float {
    upper <= 0.5 ? lower * (2 * upper) : screen(lower, 2 * upper - 1)
}

@inline(__always)
private func softLight(_ lower: Float, _ upper: Float) -> Float {
    if upper <= 0.5 { return lower - (1 - 2 * upper) * lower * (1 - lower) }
    let light = lower <= 0.25 ? ((16 * lower - 12) * lower + 4) * lower : lower.squareRoot()
    return lower + (2 * upper - 1) * (light - lower)
}
