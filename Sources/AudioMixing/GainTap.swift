import ExactMath
import SplitreelTimeline

/// A gain in decibels.
final class GainTap: SoundTap {
    let memory = TapMemory.samples(0)
    private var numbers: TapNumbers
    private var factor: Float = 1

    init(_ recipe: TapRecipe, _ context: TapContext) { numbers = TapNumbers(["gain"], of: recipe, context) }

    func process(
        _ planes: [UnsafeMutablePointer<Float>], first: Int, count: Int, lead: [UnsafeMutablePointer<Float>]
    ) {
        numbers.run(first: first, count: count) {
            factor = Float(amplitude(ofDecibels: $0[0]))
        } work: { samples in
            for plane in planes { for sample in samples { plane[sample] *= factor } }
        }
    }
}
