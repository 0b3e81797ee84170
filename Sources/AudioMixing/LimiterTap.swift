import ExactMath
import SplitreelTimeline

/// Keeps the course of sound, between its samples too, below a ceiling: it looks 5 ms ahead, and is down before sound
/// that is too loud comes.
///
/// The gain is a mean over 5 ms of the least gain that anything within reach asks for, so it falls in straight lines
/// and stands still about each peak as far as interpolation between samples reaches.
final class LimiterTap: SoundTap {
    let memory = TapMemory.start
    let latency: Int
    private var numbers: TapNumbers
    private let sampleRate: Int
    private let ahead: Int
    private let span: Int
    private var courses: [SampledCourse]
    private let ring: PlanarBlock
    private var place = 0
    private var (ceiling, release) = (1.0, 0.0)
    /// The samples whose peaks may be the least gain of the span, in order, with gains that grow.
    private var least: [(sample: Int, gain: Double)] = []
    private var first = 0
    private var held = 1.0
    /// The last gains in 2⁻⁴⁰, rounded down, and their sum: whole numbers add without a rest.
    private var gains: [Int]
    private var sum: Int
    private var gainPlace = 0

    /// The samples about a peak through which the gain stands still.
    private static let reach = SampledCourse.taps / 2 + 2
    private static let unit = 1 << 40
    /// The factor below the ceiling, 0.35 dB: other meters differ by less between samples, close to half the rate too.
    private static let margin = 0.96050581838673072

    convenience init(_ recipe: TapRecipe, _ context: TapContext) {
        self.init(TapNumbers(["ceiling", "release"], of: recipe, context), context)
    }

    /// A limiter with one ceiling, in decibels, and the tap's usual release.
    convenience init(ceiling: Double, _ context: TapContext) {
        self.init(TapNumbers(), context)
        self.ceiling = amplitude(ofDecibels: ceiling) * Self.margin
        release = decay(over: Self.usualRelease, sampleRate: sampleRate)
    }

    private static let usualRelease = 0.05

    private init(_ numbers: TapNumbers, _ context: TapContext) {
        sampleRate = context.sampleRate
        ahead = max(16, sampleRate / 200)
        span = ahead + 2 * Self.reach + 1
        latency = ahead - 1 + Self.reach + SampledCourse.delay
        self.numbers = numbers
        courses = Array(repeating: SampledCourse.ofLimiter, count: context.channels)
        ring = PlanarBlock(channels: context.channels, capacity: latency)
        gains = Array(repeating: Self.unit, count: ahead)
        sum = ahead * Self.unit
    }

    func process(
        _ planes: [UnsafeMutablePointer<Float>], first: Int, count: Int, lead: [UnsafeMutablePointer<Float>]
    ) {
        // The samples that are looked at lie before those that go in: keys are those of their own time.
        numbers.run(first: first - SampledCourse.delay, count: count) {
            ceiling = amplitude(ofDecibels: $0[0]) * Self.margin
            release = decay(over: $0[1], sampleRate: sampleRate)
        } work: { samples in
            for sample in samples { advance(planes, sample, at: first + sample) }
        }
    }

    private func advance(_ planes: [UnsafeMutablePointer<Float>], _ sample: Int, at index: Int) {
        // The peak of the sample `delay` before, and of what follows it.
        let delayed = (place + latency - SampledCourse.delay) % latency
        var peak: Float = 0
        for (channel, plane) in planes.enumerated() {
            peak = max(peak, courses[channel].next(plane[sample]), abs(ring.planes[channel][delayed]))
        }
        let wanted = Double(peak) > ceiling ? ceiling / Double(peak) : 1
        while least.count > first, let last = least.last, last.gain >= wanted { least.removeLast() }
        least.append((index, wanted))
        while least[first].sample <= index - span { first += 1 }
        if first > 4096 {
            least.removeFirst(first)
            first = 0
        }
        let target = least[first].gain
        held = target < held ? target : target + (held - target) * release
        if target == 1, held > 1 - 1e-7 { held = 1 }
        let gain = Int(held * Double(Self.unit))
        sum += gain - gains[gainPlace]
        gains[gainPlace] = gain
        gainPlace = gainPlace + 1 == ahead ? 0 : gainPlace + 1
        let factor = Float(Double(sum) / Double(ahead * Self.unit))
        for (plane, ring) in zip(planes, ring.planes) {
            let late = ring[place]
            ring[place] = plane[sample]
            plane[sample] = late * factor
        }
        place = place + 1 == latency ? 0 : place + 1
    }
}
