import ExactMath
import SplitreelTimeline

/// Lets through loud sound: it opens at a threshold, and closes some time after sound has fallen below another one.
final class GateTap: SoundTap {
    let memory = TapMemory.start
    private var numbers: TapNumbers
    private var follower: LevelFollower
    private let sampleRate: Int
    /// The amplitudes at which the gate opens and closes, and the factor of a closed one.
    private var (opens, closes, floor) = (1.0, 1.0, 0.0)
    /// The steps of `share` for each sample, while the gate opens and while it closes.
    private var (up, down) = (1.0, 1.0)
    private var hold = 0
    /// The number of samples since the sound was loud enough to stay open.
    private var quiet = 0
    private var isOpen = false
    /// The opening of the gate, from 0, closed, to 1.
    private var share = 0.0

    init(_ recipe: TapRecipe, _ context: TapContext) {
        sampleRate = context.sampleRate
        numbers = TapNumbers(
            ["threshold", "hysteresis", "attack", "hold", "release", "floor"], of: recipe, context)
        follower = LevelFollower(isPeak: true, sampleRate: sampleRate)
    }

    func process(
        _ planes: [UnsafeMutablePointer<Float>], first: Int, count: Int, lead: [UnsafeMutablePointer<Float>]
    ) {
        numbers.run(first: first, count: count) {
            (opens, closes) = (amplitude(ofDecibels: $0[0]), amplitude(ofDecibels: $0[0] - $0[1]))
            (up, down) = (1 / max(1, $0[2] * Double(sampleRate)), 1 / max(1, $0[4] * Double(sampleRate)))
            (hold, floor) = (Int($0[3] * Double(sampleRate)), amplitude(ofDecibels: $0[5]))
        } work: { samples in
            for sample in samples {
                follower.add(planes, sample)
                if follower.amplitude >= (isOpen ? closes : opens) {
                    (isOpen, quiet) = (true, 0)
                } else if isOpen {
                    quiet += 1
                    isOpen = quiet <= hold
                }
                share = isOpen ? min(1, share + up) : max(0, share - down)
                guard share < 1 else { continue }
                let factor = Float(floor + (1 - floor) * share)
                for plane in planes { plane[sample] *= factor }
            }
        }
    }
}
