import AudioMixing
import Diagnostics
import MediaFacts
import MediaReading
import MediaTime
import Planning
import SplitreelTimeline

extension MixTaps {
    /// The taps of a composition, made anew since they remember.
    init(of timeline: Timeline, _ context: TapContext, session: RenderSession) throws {
        let positions = Dictionary(
            timeline.audio.enumerated().map { ($1.track, $0) }, uniquingKeysWith: { first, _ in first })
        func make(_ recipe: TapRecipe) throws -> any SoundTap {
            guard recipe.isKnown else {
                throw SplitreelError(
                    .workerDiffers, operation: "mixing", subject: "the sound",
                    reason: "this program lacks the tap \(recipe.id)"
                        + (recipe.version > 0 ? " \(recipe.version)" : ""),
                    hint: "start the worker from the program that has it")
            }
            // A track that is not there is silent: whoever is led by it hears nothing.
            let leaders = recipe.audioTracks.compactMap { positions[$0] }
            if let make = TapKernels.maker(of: recipe) {
                let sound = recipe.sound == nil ? [] : try session.impulse(recipe, context)
                return try make(recipe, context, leaders, sound)
            }
            if let tap = makeTap(recipe, context, leaders: leaders) { return tap }
            switch recipe.id {
            case "reverb": return ReverbTap(recipe, context, impulse: try session.impulse(recipe, context))
            case "denoise": return try DenoiseTap(recipe, context)
            default:
                throw SplitreelError(
                    .internalFault, operation: "mixing", subject: "\(recipe.id) \(recipe.version)",
                    reason: "this program cannot make the tap")
            }
        }
        var tracks: [Int: OfTrack] = [:]
        for (position, track) in timeline.audio.enumerated() where !track.taps.isEmpty {
            tracks[position] = OfTrack(
                before: try track.taps.filter { !$0.isAfterVolume }.map(make),
                after: try track.taps.filter(\.isAfterVolume).map(make))
        }
        self.init(tracks: tracks, whole: try timeline.taps.map(make))
    }
}

extension RenderSession {
    /// The samples of the sound that a tap is made of, each channel by itself, at the mix's rate.
    fileprivate func impulse(_ recipe: TapRecipe, _ context: TapContext) throws -> [[Float]] {
        guard let name = recipe.sound, let facts = plan.assets[name], let track = facts.firstTrack(of: .audio),
            let audio = track.audio
        else {
            throw SplitreelError(
                .internalFault, operation: "mixing", subject: recipe.sound ?? recipe.id,
                reason: "the plan lacks this sound")
        }
        let part = facts.part(ofTrack: track.id, at: .zero, isSound: true)
        let source = try files.open(part.file, for: .sound)
        let duration = min(Rational(track.duration), Rational(Self.longestImpulse))
        let reader = try AudioReader(
            source, track: part.track, sampleRate: context.sampleRate, channels: audio.channels,
            layout: ChannelLayout(rawValue: audio.layout), sourceStart: .zero, sourceDuration: duration)
        let block = PlanarBlock(channels: audio.channels, capacity: reader.sampleCount)
        try reader.read(into: block.planes, count: reader.sampleCount)
        add(reader.takeNotices())
        return block.planes.map { Array(UnsafeBufferPointer(start: $0, count: reader.sampleCount)) }
    }

    /// The longest sound of a tap in seconds; longer ones are refused before.
    private static let longestImpulse = 10
}

/// Noise taken away by libavfilter, whose hops begin with the composition.
private final class DenoiseTap: SoundTap {
    let memory = TapMemory.start
    let latency: Int
    private let filter: NoiseFilter
    private let grid: BlockGrid
    private let origin: Int

    init(_ recipe: TapRecipe, _ context: TapContext) throws {
        filter = try NoiseFilter(
            sampleRate: context.sampleRate, channels: context.channels, reduction: recipe.number("reduction"),
            floor: recipe.number("floor"))
        latency = filter.hop + filter.latency
        origin = context.origin
        grid = BlockGrid(size: filter.hop, channels: context.channels, origin: origin)
    }

    func process(
        _ planes: [UnsafeMutablePointer<Float>], first: Int, count: Int, lead: [UnsafeMutablePointer<Float>]
    ) throws {
        try grid.run(planes, first: first, count: count) { block, first in
            // Before the composition there is nothing, and the filter has not begun.
            if first + origin >= 0 { try filter.process(block) }
        }
    }
}
