import ExactMath
import MediaTime
import SplitreelProject

/// A segment's fade over output samples: each sample's gain is a function of its own exact time.
struct EdgeFade: Hashable, Sendable {
    /// The samples that the fade touches, and all that lie beyond the edge.
    let samples: Range<Int>
    private let curve: FadeSettings.Curve
    private let isIn: Bool
    /// The sample next to the exact edge, inwards, and how far inwards it lies.
    private let edge: Int
    private let lead: Double
    private let length: Double

    /// `edge` is in exact samples from the range's start; `isIn` where the sound begins there.
    init(_ fade: SoundFade, edge: Rational, isIn: Bool, sampleRate: Int) {
        let length = fade.duration * Rational(sampleRate)
        curve = fade.curve
        self.isIn = isIn
        self.length = length.double
        self.edge = isIn ? edge.ceil() : edge.floor()
        lead = (Rational(self.edge) - edge).magnitude.double
        samples = isIn ? Int.min / 2..<(edge + length).ceil() : (edge - length).ceil()..<Int.max / 2
    }

    func gain(at sample: Int) -> Double {
        let share = (Double(isIn ? sample - edge : edge - sample) + lead) / length
        let held = min(1, max(0, share))
        return curve == .linear ? held : sine(ofCycles: held / 4)
    }

    /// Multiplies the samples of the block that begins with `first`.
    func apply(to planes: [UnsafeMutablePointer<Float>], first: Int, count: Int) {
        for sample in samples.clamped(to: first..<first + count) {
            let gain = Float(gain(at: sample))
            for plane in planes { plane[sample - first] *= gain }
        }
    }
}
