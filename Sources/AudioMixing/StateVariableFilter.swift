import ExactMath

/// A filter of second order whose weights may change at every sample: two integrators by the trapezoidal rule, as in
/// Andrew Simper's "Linear trapezoidal integrated state variable filter".
///
/// Its memory never grows by a change of its weights, as it may in a direct form: without sound, the sum of the squares
/// of what both integrators hold never becomes larger, whatever the weights of each step are.
struct StateVariableFilter {
    struct Weights: Equatable {
        /// The weights of the integrators' input.
        var a1 = 1.0
        var a2 = 0.0
        var a3 = 0.0
        /// The weights of the output: of the sound, of the first integrator (a band) and of the second one (the low
        /// part).
        var whole = 1.0
        var band = 0.0
        var low = 0.0

        /// - Parameters:
        ///   - g: the tangent of half the frequency's angle for each sample.
        ///   - k: the damping, above 0.
        init(g: Double, k: Double, whole: Double, band: Double, low: Double) {
            a1 = 1 / (1 + g * (g + k))
            a2 = g * a1
            a3 = g * a2
            self.whole = whole
            self.band = band
            self.low = low
        }

        /// The weights that leave every sample as it is.
        init() {}
    }

    /// The weights of the next sample, which may change between samples.
    var weights = Weights()
    private var (s1, s2) = (0.0, 0.0)

    mutating func next(_ x: Double) -> Double {
        let input = x - s2
        let band = weights.a1 * s1 + weights.a2 * input
        let low = s2 + weights.a2 * s1 + weights.a3 * input
        s1 = 2 * band - s1
        s2 = 2 * low - s2
        return weights.whole * x + weights.band * band + weights.low * low
    }

    /// Sets to 0 a state far below any float's last bit, which a processor takes long for.
    mutating func settle() {
        if abs(s1) < 1e-100 { s1 = 0 }
        if abs(s2) < 1e-100 { s2 = 0 }
    }
}

/// The filters of Robert Bristow-Johnson's "Cookbook formulae for audio equalizer biquad filter coefficients", whose
/// responses these are.
enum FilterShape: Equatable {
    case lowPass, highPass, bell, lowShelf, highShelf

    /// - Parameters:
    ///   - cycles: the frequency for each sample; held below half a cycle.
    ///   - gain: the gain in decibels, of bells and shelves.
    func weights(cycles: Double, q: Double, gain: Double = 0) -> StateVariableFilter.Weights {
        let angle = min(max(cycles, 1e-6), 0.499) / 2
        let g = sine(ofCycles: angle) / cosine(ofCycles: angle)
        let a = amplitude(ofDecibels: gain / 2)
        let k = 1 / q
        switch self {
        case .lowPass: return StateVariableFilter.Weights(g: g, k: k, whole: 0, band: 0, low: 1)
        case .highPass: return StateVariableFilter.Weights(g: g, k: k, whole: 1, band: -k, low: -1)
        case .bell:
            let k = k / a
            return StateVariableFilter.Weights(g: g, k: k, whole: 1, band: k * (a * a - 1), low: 0)
        case .lowShelf:
            return StateVariableFilter.Weights(
                g: g / a.squareRoot(), k: k, whole: 1, band: k * (a - 1), low: a * a - 1)
        case .highShelf:
            return StateVariableFilter.Weights(
                g: g * a.squareRoot(), k: k, whole: a * a, band: k * a * (1 - a), low: 1 - a * a)
        }
    }
}
