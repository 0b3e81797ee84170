/// A filter of second order whose weights stay, in transposed direct form II.
struct Biquad {
    /// The weights of the filter; the feedback's first weight is 1.
    private struct Weights {
        let b0: Double
        let b1: Double
        let b2: Double
        let a1: Double
        let a2: Double
    }

    private let weights: Weights
    private var (s1, s2) = (0.0, 0.0)

    init(b0: Double, b1: Double, b2: Double, a1: Double, a2: Double) {
        weights = Weights(b0: b0, b1: b1, b2: b2, a1: a1, a2: a2)
    }

    mutating func next(_ x: Double) -> Double {
        let y = weights.b0 * x + s1
        s1 = weights.b1 * x - weights.a1 * y + s2
        s2 = weights.b2 * x - weights.a2 * y
        return y
    }

    /// Sets to 0 a state far below any float's last bit, which a processor takes long for.
    mutating func settle() {
        if abs(s1) < 1e-100 { s1 = 0 }
        if abs(s2) < 1e-100 { s2 = 0 }
    }
}
