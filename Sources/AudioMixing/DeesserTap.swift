import ExactMath
import SplitreelTimeline

/// Lowers the part of sound above a frequency where that part is loud; both parts together are the sound.
final class DeesserTap: SoundTap {
    let memory = TapMemory.start
    private var numbers: TapNumbers
    private var filters: [StateVariableFilter]
    private var follower: LevelFollower
    private var reduction = GainReduction()
    private let sampleRate: Int
    private var high: [Double]

    init(_ recipe: TapRecipe, _ context: TapContext) {
        sampleRate = context.sampleRate
        numbers = TapNumbers(["hz", "threshold", "ratio", "attack", "release"], of: recipe, context)
        filters = Array(repeating: StateVariableFilter(), count: context.channels)
        high = Array(repeating: 0, count: context.channels)
        follower = LevelFollower(isPeak: false, sampleRate: sampleRate)
    }

    func process(
        _ planes: [UnsafeMutablePointer<Float>], first: Int, count: Int, lead: [UnsafeMutablePointer<Float>]
    ) {
        numbers.run(first: first, count: count) {
            let weights = FilterShape.highPass.weights(
                cycles: $0[0] / Double(sampleRate), q: 0.707106781186547524)
            for channel in filters.indices { filters[channel].weights = weights }
            reduction.threshold = $0[1]
            reduction.ratio = $0[2]
            reduction.attack = decay(over: $0[3], sampleRate: sampleRate)
            reduction.release = decay(over: $0[4], sampleRate: sampleRate)
        } work: { samples in
            for sample in samples {
                var loudest = 0.0
                for (channel, plane) in planes.enumerated() {
                    high[channel] = filters[channel].next(Double(plane[sample]))
                    loudest = max(loudest, abs(high[channel]))
                }
                follower.add(loudest)
                reduction.advance(level: follower.level)
                guard reduction.value < 0 else { continue }
                let part = amplitude(ofDecibels: reduction.value) - 1
                for (channel, plane) in planes.enumerated() {
                    plane[sample] = Float(Double(plane[sample]) + high[channel] * part)
                }
            }
        }
        for channel in filters.indices { filters[channel].settle() }
    }
}
