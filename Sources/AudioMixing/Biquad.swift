/// A filter of second order, in transposed direct form II.
struct Biquad {
    /// The feedback's first weight is 1.
    struct Weights: Equatable {
        var b0 = 1.0
        var b1 = 0.0
        var b2 = 0.0
        var a1 = 0.0
        var a2 = 0.0
    }

    /// May change between samples.
    var weights: Weights
    private var (s1, s2) = (0.0, 0.0)

    init(_ weights: Weights = Weights()) { self.weights = weights }

    init(b0: Double, b1: Double, b2: Double, a1: Double, a2: Double) {
        weights = Weights(b0: b0, b1: b1, b2: b2, a1: a1, a2: a2)
    }

    mutating func next(_ x: Double) -> Double {
        let y = weights.b0 * x + s1
        s1 = weights.b1 * x - weights.a1 * y + s2
        s2 = weights.b2 * x - weights.a2 * y
        return y
    }

    /// Forgets what is far below any float's last bit, which a processor takes long for.
    mutating func settle() {
        if abs(s1) < 1e-100 { s1 = 0 }
        if abs(s2) < 1e-100 { s2 = 0 }
    }
}

/// The filters of Robert Bristow-Johnson's "Cookbook formulae for audio equalizer biquad filter coefficients".
enum FilterShape: Equatable {
    case lowPass, highPass, bell, lowShelf, highShelf

    /// - Parameters:
    ///   - cycles: the frequency for each sample; held below half a cycle.
    ///   - gain: in decibels, of bells and shelves.
    func weights(cycles: Double, q: Double, gain: Double = 0) -> Biquad.Weights {
        let angle = min(max(cycles, 1e-6), 0.499)
        let (sine, cosine) = (sine(ofCycles: angle), cosine(ofCycles: angle))
        let alpha = sine / (2 * q)
        let a = amplitude(ofDecibels: gain / 2)
        func scaled(
            _ b0: Double, _ b1: Double, _ b2: Double, _ a0: Double, _ a1: Double, _ a2: Double
        ) -> Biquad.Weights {
            Biquad.Weights(b0: b0 / a0, b1: b1 / a0, b2: b2 / a0, a1: a1 / a0, a2: a2 / a0)
        }
        let root = 2 * a.squareRoot() * alpha
        let (up, down) = (a + 1, a - 1)
        switch self {
        case .lowPass:
            let b = (1 - cosine) / 2
            return scaled(b, 2 * b, b, 1 + alpha, -2 * cosine, 1 - alpha)
        case .highPass:
            let b = (1 + cosine) / 2
            return scaled(b, -2 * b, b, 1 + alpha, -2 * cosine, 1 - alpha)
        case .bell:
            return scaled(
                1 + alpha * a, -2 * cosine, 1 - alpha * a, 1 + alpha / a, -2 * cosine, 1 - alpha / a)
        case .lowShelf:
            return scaled(
                a * (up - down * cosine + root), 2 * a * (down - up * cosine), a * (up - down * cosine - root),
                up + down * cosine + root, -2 * (down + up * cosine), up + down * cosine - root)
        case .highShelf:
            return scaled(
                a * (up + down * cosine + root), -2 * a * (down + up * cosine), a * (up + down * cosine - root),
                up - down * cosine + root, 2 * (down - up * cosine), up - down * cosine - root)
        }
    }
}
