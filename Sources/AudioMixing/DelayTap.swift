import SplitreelTimeline

/// An echo: the sound of some time ago, again and again.
final class DelayTap: SoundTap {
    let memory: TapMemory
    private var numbers: TapNumbers
    private let length: Int
    /// The samples that went in and came back, of each channel, and the place of the oldest.
    private let ring: PlanarBlock
    private var place = 0
    private var (feedback, mix) = (0.0, 0.0)

    init(_ recipe: TapRecipe, _ context: TapContext) {
        length = max(1, Int((recipe.number("time") * Double(context.sampleRate)).rounded()))
        let comesBack = recipe.keyed["feedback"] != nil || recipe.number("feedback") != 0
        memory = comesBack ? .start : .samples(length)
        numbers = TapNumbers(["feedback", "mix"], of: recipe, context)
        ring = PlanarBlock(channels: context.channels, capacity: length)
    }

    func process(
        _ planes: [UnsafeMutablePointer<Float>], first: Int, count: Int, lead: [UnsafeMutablePointer<Float>]
    ) {
        numbers.run(first: first, count: count) {
            (feedback, mix) = ($0[0], $0[1])
        } work: { samples in
            for sample in samples {
                for (plane, ring) in zip(planes, ring.planes) {
                    let (input, late) = (Double(plane[sample]), Double(ring[place]))
                    plane[sample] = Float(input * (1 - mix) + late * mix)
                    let kept = input + late * feedback
                    ring[place] = abs(kept) < 1e-30 ? 0 : Float(kept)
                }
                place = place + 1 == length ? 0 : place + 1
            }
        }
    }
}
