import ExactMath
import SplitreelTimeline

/// The gain, in decibels, by which sound above a threshold is lowered, and the course of that gain.
struct GainReduction {
    var threshold = 0.0
    var ratio = 1.0
    var knee = 0.0
    /// The shares of a difference that are left after a sample, where the gain falls and where it rises.
    var attack = 0.0
    var release = 0.0
    /// The samples for which the gain stays where it is before it rises.
    var hold = 0
    /// The decibels by which sound is lowered at most.
    var range = Double.infinity
    /// The gain in decibels, 0 or less.
    private(set) var value = 0.0
    /// The number of samples since the level last asked for as low a gain.
    private var quiet = 0

    /// The gain that steady sound of a level comes to; both in decibels. Within the knee a parabola leads from line to
    /// line.
    func target(at level: Double) -> Double {
        let over = level - threshold
        if 2 * over <= -knee { return 0 }
        let slope = 1 / ratio - 1
        if 2 * over >= knee { return slope * over }
        let into = over + knee / 2
        return slope * into * into / (2 * knee)
    }

    /// Moves the gain on by one sample, whose level is in decibels.
    mutating func advance(level: Double) {
        let target = max(target(at: level), -range)
        quiet = target > value ? quiet + 1 : 0
        guard quiet == 0 || quiet > hold else { return }
        value = target + (value - target) * (target < value ? attack : release)
        if target == 0, value > -1e-9 { value = 0 }
    }
}

/// The momentary loudness of sound, of all channels together.
struct LevelFollower {
    private let decay: Double
    private let isPeak: Bool
    /// The mean square, or the peak.
    private var state = 0.0

    /// Means over some 10 ms; peaks fall as fast.
    init(isPeak: Bool, sampleRate: Int) {
        self.isPeak = isPeak
        decay = ExactMath.decay(over: 0.01, sampleRate: sampleRate)
    }

    /// Adds the magnitude of the loudest channel's sample.
    mutating func add(_ planes: [UnsafeMutablePointer<Float>], _ sample: Int) {
        var peak = 0.0
        for plane in planes { peak = max(peak, abs(Double(plane[sample]))) }
        add(peak)
    }

    mutating func add(_ magnitude: Double) {
        if isPeak {
            state = max(magnitude, state * decay)
        } else {
            let square = magnitude * magnitude
            state = square + (state - square) * decay
        }
        if state < 1e-100 { state = 0 }
    }

    /// The amplitude of the moment; 1 at full scale.
    var amplitude: Double { isPeak ? state : state.squareRoot() }
    var level: Double { isPeak ? decibels(ofAmplitude: state) : decibels(ofAmplitude: state.squareRoot()) }
}

/// Lowers sound that is louder than a threshold.
final class CompressorTap: SoundTap {
    let memory = TapMemory.start
    private var numbers: TapNumbers
    private var follower: LevelFollower
    private var reduction = GainReduction()
    private var makeup = 0.0
    private let sampleRate: Int

    init(_ recipe: TapRecipe, _ context: TapContext) {
        sampleRate = context.sampleRate
        numbers = TapNumbers(
            ["threshold", "ratio", "knee", "attack", "release", "makeup"], of: recipe, context)
        follower = LevelFollower(isPeak: recipe.word("detector") == "peak", sampleRate: sampleRate)
    }

    func process(
        _ planes: [UnsafeMutablePointer<Float>], first: Int, count: Int, lead: [UnsafeMutablePointer<Float>]
    ) {
        numbers.run(first: first, count: count) {
            reduction.threshold = $0[0]
            reduction.ratio = $0[1]
            reduction.knee = $0[2]
            reduction.attack = decay(over: $0[3], sampleRate: sampleRate)
            reduction.release = decay(over: $0[4], sampleRate: sampleRate)
            makeup = $0[5]
        } work: { samples in
            for sample in samples {
                follower.add(planes, sample)
                reduction.advance(level: follower.level)
                let gain = reduction.value + makeup
                guard gain != 0 else { continue }
                let factor = Float(amplitude(ofDecibels: gain))
                for plane in planes { plane[sample] *= factor }
            }
        }
    }
}
