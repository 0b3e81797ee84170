import AudioMixing
import Diagnostics
import MediaTime
import SplitreelProject
import SplitreelTimeline

/// A program's own tap, as sound is mixed with it.
final class TapAdapter: SoundTap {
    let latency: Int
    let memory: TapMemory
    let leaders: [Int]
    /// The leading sound where the leader is not in this mix: it is disabled, or goes into another sound track.
    private let silence: PlanarBlock

    private let own: any AudioProcessingTap
    private let title: String
    private let sampleRate: Int
    /// The composition's sample that index 0 is.
    private let origin: Int
    /// The names of the parameters that keys move, in the order of their numbers.
    private let keyed: [String]
    private var numbers: TapNumbers
    private var call: EffectCall

    /// The longest time that a tap may hold back, in seconds.
    private static let longestLatency = 10

    init(
        _ recipe: TapRecipe, _ context: TapContext, leaders: [Int], sound: [[Float]],
        _ make: (AudioTapContext) throws -> any AudioProcessingTap
    ) throws {
        title = "\(recipe.id), version \(recipe.version)"
        call = EffectCall(id: recipe.id, version: recipe.version, values: recipe.fixed)
        keyed = recipe.keyed.keys.sorted()
        numbers = TapNumbers(keyed, of: recipe, context)
        self.leaders = leaders
        origin = context.origin
        sampleRate = context.sampleRate
        let isLedBySilence = !recipe.audioTracks.isEmpty && leaders.isEmpty
        silence = PlanarBlock(channels: isLedBySilence ? context.channels : 0, capacity: Mixer.blockLimit)
        do {
            own = try make(
                AudioTapContext(
                    sampleRate: context.sampleRate, channelCount: context.channels,
                    parameters: EffectValues(call: call), sound: sound))
        } catch {
            throw Self.failure(title, error)
        }
        latency = own.latency
        guard (0...Self.longestLatency * context.sampleRate).contains(latency) else {
            throw Self.failure(
                title, "its latency, \(latency) samples, is not from 0 to \(Self.longestLatency) s")
        }
        switch own.memory {
        case .start: memory = .start
        case .samples(let count):
            guard count >= 0 else { throw Self.failure(title, "its memory is \(count) samples") }
            // No film has so many samples; sums of a few of them fit.
            memory = count < 1 << 50 ? .samples(count) : .start
        }
    }

    func process(
        _ planes: [UnsafeMutablePointer<Float>], first: Int, count: Int, lead: [UnsafeMutablePointer<Float>]
    ) throws {
        let lead = leaders.isEmpty ? silence.planes : lead
        try numbers.run(first: first, count: count) { values in
            for (name, value) in zip(keyed, values) { call.values[name] = .numbers([value]) }
        } work: { samples in
            let start = origin + first + samples.lowerBound
            do {
                try own.process(AudioBlock(planes, lead, samples, firstSample: start), EffectValues(call: call))
            } catch {
                throw Self.failure("\(title), at \(Rational(start, sampleRate).shortSeconds) s", error)
            }
        }
    }

    private static func failure(_ subject: String, _ reason: Any) -> SplitreelError {
        SplitreelError(
            .tapFailed, operation: "mixing", subject: subject, reason: "\(reason)".cut(toBytes: 1000))
    }
}
