import SplitreelProject

/// Blends a row of one component, premultiplied by the result's alpha where the picture beneath has one. `out` may be
/// `upper`.
func blendRow(
    _ mode: BlendMode, _ lower: UnsafePointer<Float>, _ upper: UnsafePointer<Float>, _ alpha: UnsafePointer<Float>,
    _ back: UnsafePointer<Float>?, into out: UnsafeMutablePointer<Float>, _ count: Int
) {
    func mix(_ formula: (Four, Four) -> Four) { mixRow(lower, upper, alpha, back, into: out, count, formula) }
    switch mode {
    case .normal: mix { _, layer in layer }
    case .multiply: mix { $0 * $1 }
    case .screen: mix { screen($0, $1) }
    case .overlay: mix { hardLight($1, $0) }
    case .darken: mix { least($0, $1) }
    case .lighten: mix { largest($0, $1) }
    case .colorDodge:
        mix { least($0 / (1 - $1), 1).replacing(with: 1, where: $1 .>= 1).replacing(with: 0, where: $0 .<= 0) }
    case .colorBurn:
        mix { (1 - least((1 - $0) / $1, 1)).replacing(with: 0, where: $1 .<= 0).replacing(with: 1, where: $0 .>= 1) }
    case .hardLight: mix { hardLight($0, $1) }
    case .softLight: mix { softLight($0, $1) }
    case .difference: mix { largest($0 - $1, $1 - $0) }
    case .exclusion: mix { $0 + $1 - 2 * $0 * $1 }
    case .add: mix { least($0 + $1, 1) }
    case .subtract: mix { largest($0 - $1, 0) }
    case .divide:
        mix {
            least($0 / $1, 1).replacing(
                with: Four(repeating: 1).replacing(with: 0, where: $0 .<= 0), where: $1 .<= 0)
        }
    }
}

/// Mixes a row by a formula of the value beneath and the layer's, each held to 0…1. Rows have room up to a multiple of
/// four.
@inline(__always)
private func mixRow(
    _ lower: UnsafePointer<Float>, _ upper: UnsafePointer<Float>, _ alpha: UnsafePointer<Float>,
    _ back: UnsafePointer<Float>?, into out: UnsafeMutablePointer<Float>, _ count: Int,
    _ formula: (Four, Four) -> Four
) {
    @inline(__always)
    func held(_ value: Four) -> Four { largest(least(value, 1), 0) }
    var x = 0
    if let back {
        while x < count {
            let (below, layer, cover, share) = (four(lower, x), four(upper, x), four(alpha, x), four(back, x))
            let blended = layer + (formula(held(below), held(layer)) - layer) * share
            put(below * share * (1 - cover) + blended * cover, out, x)
            x &+= 4
        }
    } else {
        while x < count {
            let (below, cover) = (four(lower, x), four(alpha, x))
            put(below * (1 - cover) + formula(held(below), held(four(upper, x))) * cover, out, x)
            x &+= 4
        }
    }
}

@inline(__always)
private func screen(_ lower: Four, _ upper: Four) -> Four { lower + upper - lower * upper }

@inline(__always)
private func hardLight(_ lower: Four, _ upper: Four) -> Four {
    screen(lower, 2 * upper - 1).replacing(with: lower * (2 * upper), where: upper .<= 0.5)
}

@inline(__always)
private func softLight(_ lower: Four, _ upper: Four) -> Four {
    let rest: Four = 1 - 2 * upper
    let dark: Four = lower - rest * lower * (1 - lower)
    let light = lower.squareRoot().replacing(with: ((16 * lower - 12) * lower + 4) * lower, where: lower .<= 0.25)
    return (lower + (2 * upper - 1) * (light - lower)).replacing(with: dark, where: upper .<= 0.5)
}
