import ExactMath
import SplitreelTimeline

/// Lowers sound while the sum of other tracks' sound is loud, and for a while after: music under speech would otherwise
/// come up between words.
final class DuckTap: SoundTap {
    let memory = TapMemory.start
    /// The samples by which it looks ahead: it is down before a word begins.
    let latency: Int
    let leaders: [Int]
    /// The samples that the leaders' are ahead of, of each channel, and the place of the oldest.
    private let ring: PlanarBlock
    private var place = 0
    private var numbers: TapNumbers
    private var follower: LevelFollower
    private var reduction = GainReduction()
    private let sampleRate: Int

    init(_ recipe: TapRecipe, _ context: TapContext, leaders: [Int]) {
        self.leaders = leaders
        sampleRate = context.sampleRate
        latency = Int((recipe.number("lookahead") * Double(context.sampleRate)).rounded())
        ring = PlanarBlock(channels: context.channels, capacity: latency)
        numbers = TapNumbers(
            ["threshold", "ratio", "knee", "attack", "release", "hold", "range"], of: recipe, context)
        follower = LevelFollower(isPeak: false, sampleRate: sampleRate)
    }

    func process(
        _ planes: [UnsafeMutablePointer<Float>], first: Int, count: Int, lead: [UnsafeMutablePointer<Float>]
    ) {
        // Keys are those of the time of the samples that go out.
        numbers.run(first: first - latency, count: count) {
            reduction.threshold = $0[0]
            reduction.ratio = $0[1]
            reduction.knee = $0[2]
            reduction.attack = decay(over: $0[3], sampleRate: sampleRate)
            reduction.release = decay(over: $0[4], sampleRate: sampleRate)
            reduction.hold = Int($0[5] * Double(sampleRate))
            reduction.range = $0[6]
        } work: { samples in
            for sample in samples {
                delay(planes, sample)
                // A leader that is not heard lowers nothing.
                guard !lead.isEmpty else { continue }
                follower.add(lead, sample)
                reduction.advance(level: follower.level)
                guard reduction.value != 0 else { continue }
                let factor = Float(amplitude(ofDecibels: reduction.value))
                for plane in planes { plane[sample] *= factor }
            }
        }
    }

    private func delay(_ planes: [UnsafeMutablePointer<Float>], _ sample: Int) {
        guard latency > 0 else { return }
        for (plane, ring) in zip(planes, ring.planes) {
            let late = ring[place]
            ring[place] = plane[sample]
            plane[sample] = late
        }
        place = place + 1 == latency ? 0 : place + 1
    }
}
