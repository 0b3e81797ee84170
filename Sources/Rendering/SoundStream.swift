import AudioMixing
package import Diagnostics
package import MediaFacts
import MediaReading
package import MediaTime
import Outputs
package import Planning

/// All of a sound in order: a composition's mix, or a track of a media file at its own rate.
package struct SoundStream {
    private enum Origin {
        case mix(RenderPlan)
        case track(path: String, id: Int, start: Rational, duration: Rational)
    }

    private let origin: Origin
    /// The channel layout of a file's track; nil for a mix, and for a layout without a name.
    private let layout: ChannelLayout?
    package let sampleRate: Int
    package let channels: Int
    /// The number of samples of each channel.
    package let sampleCount: Int

    private static let blockLength = 4096

    /// The mix of a plan's film.
    package init(mixOf plan: RenderPlan) throws {
        guard let settings = plan.output.audio else {
            throw SplitreelError(
                .mediaHasNoSuchTrack, operation: "mixing", subject: "the composition", reason: "it has no sound")
        }
        (origin, layout) = (.mix(plan), nil)
        sampleRate = plan.sampleRate
        channels = settings.channels
        sampleCount = plan.sampleCount
    }

    /// A part of a file from asset time 0 on: where its track has no sound there is silence.
    package init(of facts: AssetFacts, track: TrackFacts, start: Rational, duration: Rational) throws {
        guard let audio = track.audio else {
            throw SplitreelError(
                .mediaHasNoSuchTrack, operation: "reading", subject: facts.path,
                reason: "track \(track.id) is not sound")
        }
        origin = .track(path: facts.path, id: track.id, start: start, duration: duration)
        layout = ChannelLayout(rawValue: audio.layout)
        (sampleRate, channels) = (audio.sampleRate, audio.channels)
        sampleCount = sampleIndex(of: duration, rate: audio.sampleRate)
    }

    /// Hands out all samples in order, values above 1 as they are: a plane for each channel, good inside `deliver`
    /// only. Answers what a person should know of the sources. Blocking; keeps one block.
    package func read(
        cancellation: Cancellation,
        _ deliver: (_ planes: [UnsafeMutablePointer<Float>], _ count: Int) throws -> Void
    ) throws -> NoticeList {
        switch origin {
        case .mix(let plan): return try mixSound(of: plan, cancellation: cancellation, deliver: deliver)
        case .track(let path, let id, let start, let duration):
            let reader = try AudioReader(
                path: path, track: id, sampleRate: sampleRate, channels: channels, layout: layout, sourceStart: start,
                sourceDuration: duration)
            let block = PlanarBlock(channels: channels, capacity: Self.blockLength)
            var done = 0
            while done < sampleCount {
                try cancellation.check()
                let count = min(Self.blockLength, sampleCount - done)
                try reader.read(into: block.planes, count: count)
                try deliver(block.planes, count)
                done += count
            }
            return reader.takeNotices()
        }
    }
}
