import ExactMath

/// A curve from an encoded component in 0…1 to linear light in 0…1, as an ICC profile says it.
package enum ToneCurve: Hashable, Sendable {
    /// The formula (a·x + b)^g + e for x from `d` up, and c·x + f below.
    case formula(g: Double, a: Double, b: Double, c: Double, d: Double, e: Double, f: Double)
    /// The light at evenly spaced components, two at least; 65,535 is 1. Between them it is linear.
    case table([UInt16])

    package static func gamma(_ g: Double) -> ToneCurve { .formula(g: g, a: 1, b: 0, c: 0, d: 0, e: 0, f: 0) }

    /// The linear light of an encoded component: 0…1 for any argument.
    package func light(_ encoded: Double) -> Double {
        let x = min(max(encoded, 0), 1)
        switch self {
        case .formula(let g, let a, let b, let c, let d, let e, let f):
            let value = x >= d ? power(a * x + b, g) + e : c * x + f
            return value > 0 ? min(value, 1) : 0
        case .table(let values):
            let place = x * Double(values.count - 1)
            let index = min(Int(place), values.count - 2)
            let (low, high) = (Double(values[index]), Double(values[index + 1]))
            return (low + (high - low) * (place - Double(index))) / 65_535
        }
    }

    /// Whether this is sRGB's curve within less than a code of 8 bits.
    var isScreen: Bool {
        (0...255).allSatisfy { code in
            let x = Double(code) / 255
            return abs(screenCode(light(x)) - x) < 0.003
        }
    }

    /// Whether the curve never falls, and gets from black to white.
    var isPossible: Bool {
        let values = (0...64).map { light(Double($0) / 64) }
        guard let first = values.first, let last = values.last, first < 0.1, last > 0.9 else { return false }
        return zip(values, values.dropFirst()).allSatisfy { $0 <= $1 + 1e-4 }
    }
}

/// The linear light that sRGB (IEC 61966-2-1) gives an encoded component of 0 or more.
package func screenLight(_ code: Double) -> Double {
    code <= 0.040_45 ? code / 12.92 : power((code + 0.055) / 1.055, 2.4)
}

/// The component that sRGB encodes linear light of 0 or more as.
package func screenCode(_ light: Double) -> Double {
    light <= 0.003_130_8 ? light * 12.92 : 1.055 * power(light, 1 / 2.4) - 0.055
}
