import ExactMath
import SplitreelTimeline

/// Lowers sound while the sound of another track is loud, and for a while after: music under speech would otherwise
/// come up between words.
final class DuckTap: SoundTap {
    let memory = TapMemory.start
    let leader: Int?
    private var numbers: TapNumbers
    private var follower: LevelFollower
    private var reduction = GainReduction()
    private let sampleRate: Int

    init(_ recipe: TapRecipe, _ context: TapContext, leader: Int?) {
        self.leader = leader
        sampleRate = context.sampleRate
        numbers = TapNumbers(
            ["threshold", "ratio", "knee", "attack", "release", "hold", "range"], of: recipe, context)
        follower = LevelFollower(isPeak: false, sampleRate: sampleRate)
    }

    func process(
        _ planes: [UnsafeMutablePointer<Float>], first: Int, count: Int, lead: [UnsafeMutablePointer<Float>]
    ) {
        // A leader that is not heard lowers nothing.
        if lead.isEmpty { return }
        numbers.run(first: first, count: count) {
            reduction.threshold = $0[0]
            reduction.ratio = $0[1]
            reduction.knee = $0[2]
            reduction.attack = decay(over: $0[3], sampleRate: sampleRate)
            reduction.release = decay(over: $0[4], sampleRate: sampleRate)
            reduction.hold = Int($0[5] * Double(sampleRate))
            reduction.range = $0[6]
        } work: { samples in
            for sample in samples {
                follower.add(lead, sample)
                reduction.advance(level: follower.level)
                guard reduction.value != 0 else { continue }
                let factor = Float(amplitude(ofDecibels: reduction.value))
                for plane in planes { plane[sample] *= factor }
            }
        }
    }
}
