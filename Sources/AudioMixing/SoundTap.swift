import ExactMath
package import MediaTime
package import SplitreelTimeline

/// A limiter of one ceiling, in dBTP.
package func makeLimiter(ceiling: Double, _ context: TapContext) -> any SoundTap {
    LimiterTap(ceiling: ceiling, context)
}

/// A tap, which changes sound block by block, in order. Confined to one thread at a time.
package protocol SoundTap: AnyObject {
    /// The samples by which its output lies behind its input; whoever runs it makes up for them.
    var latency: Int { get }
    var memory: TapMemory { get }
    /// The positions among the mix's tracks the sum of whose sound it is led by, in the order in which they are added.
    var leaders: [Int] { get }

    /// Changes the samples in place.
    ///
    /// - Parameters:
    ///   - first: the index of the planes' first sample, counted from the range's start; each call's follows the
    ///     last one of the call before.
    ///   - lead: the leaders' sum at the same indices; empty without a leader.
    func process(
        _ planes: [UnsafeMutablePointer<Float>], first: Int, count: Int, lead: [UnsafeMutablePointer<Float>]
    ) throws
}

extension SoundTap {
    package var latency: Int { 0 }
    package var leaders: [Int] { [] }
}

/// The part of the sound before a sample that decides it.
package enum TapMemory: Hashable, Sendable {
    /// The number of samples before it.
    case samples(Int)
    /// All samples from the composition's start on.
    case start
}

/// The format and the place of a mix.
package struct TapContext: Sendable {
    package let sampleRate: Int
    package let channels: Int
    /// The composition time of the sample of index 0, in seconds.
    package let rangeStart: Rational

    package init(sampleRate: Int, channels: Int, rangeStart: Rational) {
        self.sampleRate = sampleRate
        self.channels = channels
        self.rangeStart = rangeStart
    }

    /// The composition's sample that index 0 is.
    package var origin: Int { sampleIndex(of: rangeStart, rate: sampleRate) }
    /// The index before which nothing of the composition lies.
    var beginning: Int { (-rangeStart * Rational(sampleRate)).floor() }
}

/// A tap's numbers over output samples: each sample's are functions of its own exact time, held in their ranges.
package struct TapNumbers {
    private let curves: [(curve: GainCurve, range: ClosedRange<Double>)]
    private var last: [Double] = []

    /// No numbers: whoever has them sets what they would have said.
    init() { curves = [] }

    /// The numbers of a recipe, in the order of the names.
    package init(_ names: [String], of recipe: TapRecipe, _ context: TapContext) {
        curves = names.map { name in
            let fallback = recipe.number(name)
            let curve = GainCurve(
                recipe.keys(name), rangeStart: context.rangeStart, sampleRate: context.sampleRate, initial: fallback)
            return (curve, recipe.ranges[name] ?? fallback...fallback)
        }
    }

    /// Runs over a block's samples: `change` takes numbers before the first sample that has them, `work` does samples
    /// that have the same.
    package mutating func run(
        first: Int, count: Int, change: ([Double]) -> Void, work: (_ samples: Range<Int>) throws -> Void
    ) rethrows {
        var done = 0
        while done < count {
            var (end, isConstant) = (count, true)
            for (curve, _) in curves {
                let stretch = curve.stretch(at: first + done)
                end = min(end, stretch.end - first)
                isConstant = isConstant && stretch.piece.isConstant
            }
            if isConstant {
                tell(first + done, change)
                try work(done..<end)
            } else {
                for sample in done..<end {
                    tell(first + sample, change)
                    try work(sample..<sample + 1)
                }
            }
            done = end
        }
    }

    private mutating func tell(_ sample: Int, _ change: ([Double]) -> Void) {
        let values = curves.map { $0.curve.stretch(at: sample).piece.value(at: sample).held(in: $0.range) }
        guard values != last else { return }
        last = values
        change(values)
    }
}

/// The tap of a recipe that this module makes; nil for taps that need files, filters or programs' own code.
///
/// - Parameter leaders: the positions of the recipe's audio tracks in the mix.
package func makeTap(_ recipe: TapRecipe, _ context: TapContext, leaders: [Int]) -> (any SoundTap)? {
    switch recipe.id {
    case "gain": GainTap(recipe, context)
    case "route": RouteTap(recipe)
    case "delay": DelayTap(recipe, context)
    case "highpass", "lowpass", "lowshelf", "highshelf", "bell", "equalizer": FilterTap(recipe, context)
    case "compressor": CompressorTap(recipe, context)
    case "duck": DuckTap(recipe, context, leaders: leaders)
    case "limiter": LimiterTap(recipe, context)
    case "gate": GateTap(recipe, context)
    case "deesser": DeesserTap(recipe, context)
    default: nil
    }
}
