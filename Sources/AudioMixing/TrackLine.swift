import MediaTime
import SplitreelProject
import SplitreelTimeline

/// One track of a mix: its segments, its place and its taps. Samples are made once, in order.
final class TrackLine {
    private let segments: [MixSegment]
    /// The index of the first segment that is not over.
    private var next = 0
    private let curve: GainCurve
    private let place: StereoPlace?
    /// The loudness that the track is brought to, by the factor `level`, which is known once it was measured; nil for
    /// none.
    let loudness: SoundLoudness?
    var level: Float = 1
    private let taps: (before: TapChain, after: TapChain)?
    /// The samples that are made ahead of the mix: of a track with taps, and of one that leads others; nil for others.
    private let queue: SampleQueue?
    /// The next sample that goes into the taps.
    private var position: Int
    private let bus: PlanarBlock?
    private static let unity = GainCurve(initial: 1)

    /// The samples that are made ahead at once.
    private static let step = 2048

    init(
        _ recipe: AudioTrackRecipe, segments: [MixSegment], taps: MixTaps.OfTrack?, leads: Bool, first: Int,
        _ context: TapContext
    ) {
        self.segments = segments
        curve = GainCurve(recipe.gains, rangeStart: context.rangeStart, sampleRate: context.sampleRate)
        place = StereoPlace(recipe, rangeStart: context.rangeStart, sampleRate: context.sampleRate)
        loudness = recipe.loudness
        let channels = context.channels
        self.taps = taps.map {
            (TapChain($0.before, channels: channels), TapChain($0.after, channels: channels))
        }
        queue = taps != nil || leads ? SampleQueue(channels: channels, first: first) : nil
        position = first
        let hasBus = place != nil || loudness != nil || queue != nil
        bus = hasBus ? PlanarBlock(channels: channels, capacity: Mixer.blockLimit) : nil
    }

    /// The parts of a mix that a line needs.
    struct Surroundings {
        let scratch: [UnsafeMutablePointer<Float>]
        let source: Mixer.Source
        let leader: TapChain.Leader
    }

    /// Adds the next samples to sums; `measure` takes them where the track has a loudness.
    func add(
        _ block: Range<Int>, to sums: [UnsafeMutablePointer<Float>], _ mix: Surroundings,
        measure: (_ planes: [UnsafeMutablePointer<Float>], _ count: Int) -> Void
    ) throws {
        guard let bus else { return try play(block, into: sums, curve, mix) }
        let count = block.count
        if let queue {
            try make(upTo: block.upperBound, mix)
            queue.copy(block, to: bus.planes)
        } else {
            for plane in bus.planes { plane.update(repeating: 0, count: count) }
            try play(block, into: bus.planes, curve, mix)
            place?.apply(to: bus.planes, first: block.lowerBound, count: count)
        }
        for plane in bus.planes { for sample in 0..<count { plane[sample] *= level } }
        if loudness != nil { measure(bus.planes, count) }
        for (plane, sum) in zip(bus.planes, sums) { for sample in 0..<count { sum[sample] += plane[sample] } }
    }

    /// Copies the samples of a track that leads others, before its loudness.
    func copy(_ wanted: Range<Int>, to planes: [UnsafeMutablePointer<Float>], _ mix: Surroundings) throws {
        try make(upTo: wanted.upperBound, mix)
        queue?.copy(wanted, to: planes)
    }

    func forget(before first: Int) { queue?.forget(before: first) }

    private func make(upTo end: Int, _ mix: Surroundings) throws {
        guard let queue, let bus else { return }
        while queue.range.upperBound < end {
            let block = position..<position + Self.step
            for plane in bus.planes { plane.update(repeating: 0, count: block.count) }
            try play(block, into: bus.planes, taps == nil ? curve : Self.unity, mix)
            var first = position
            if let taps {
                try taps.before.process(bus.planes, first: first, count: block.count, leader: mix.leader)
                first -= taps.before.latency
                curve.apply(to: bus.planes, first: first, count: block.count)
            }
            place?.apply(to: bus.planes, first: first, count: block.count)
            if let taps {
                try taps.after.process(bus.planes, first: first, count: block.count, leader: mix.leader)
                first -= taps.after.latency
            }
            position = block.upperBound
            queue.append(bus.planes, first: first, count: block.count)
        }
    }

    /// Adds the segments' samples to planes by a curve.
    private func play(
        _ block: Range<Int>, into planes: [UnsafeMutablePointer<Float>], _ curve: GainCurve, _ mix: Surroundings
    ) throws {
        // Segments that are joined overlap by a little.
        for segment in segments[next...] {
            guard segment.samples.lowerBound < block.upperBound else { break }
            let part = segment.samples.clamped(to: block)
            if !part.isEmpty {
                try mix.source(segment, part.count, mix.scratch)
                for fade in segment.fades { fade.apply(to: mix.scratch, first: part.lowerBound, count: part.count) }
                curve.add(
                    mix.scratch, to: planes, offset: part.lowerBound - block.lowerBound, first: part.lowerBound,
                    count: part.count, volume: segment.volume)
            }
        }
        while next < segments.count, segments[next].samples.upperBound <= block.upperBound { next += 1 }
    }
}
