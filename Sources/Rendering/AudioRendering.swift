import AudioMixing
import Composition
package import Diagnostics
import Media
import MediaTime
package import Planning

/// The whole sound of a plan: mixed in blocks and handed on as it is mixed; nothing uncompressed is kept.
struct AudioRendering {
    let session: RenderSession
    let settings: AudioSettings
    let cancellation: Cancellation
    let progress: @Sendable (Int, Int) -> Void

    private static let blockLength = 4096

    func run(into encoder: AudioEncoder, emit: (consuming Packet) throws -> Void) throws {
        try mix { planes, count in try encoder.send(planes, count: count, emit) }
        try encoder.finish(emit)
    }

    /// Hands on a plane for each channel, good inside `deliver` only; values above 1 are kept.
    func mix(_ deliver: (_ planes: [UnsafeMutablePointer<Float>], _ count: Int) throws -> Void) throws {
        let plan = session.plan
        var mixer = Mixer(
            tracks: session.timeline.audio, rangeStart: Rational(plan.range.start), sampleCount: plan.sampleCount,
            sampleRate: plan.sampleRate, channels: settings.channels)
        let readers = AudioReaders(session: session, settings: settings, timeline: session.timeline)
        let block = PlanarBlock(channels: settings.channels, capacity: Self.blockLength)
        var done = 0
        while true {
            try cancellation.check()
            let count = try mixer.nextBlock(maxSamples: Self.blockLength, into: block.planes, source: readers.read)
            guard count > 0 else { break }
            try deliver(block.planes, count)
            done += count
            progress(done, plan.sampleCount)
        }
        readers.close()
    }
}

/// The sound of a plan as it is mixed for its film, in order: a plane for each channel, good inside `deliver` only.
/// Answers what a person should know of the sources. Blocking.
package func mixSound(
    of plan: RenderPlan, cancellation: Cancellation,
    deliver: (_ planes: [UnsafeMutablePointer<Float>], _ count: Int) throws -> Void
) throws -> NoticeList {
    guard let settings = plan.output.audio else {
        throw SplitreelError(
            .mediaHasNoSuchTrack, operation: "mixing", subject: "the composition", reason: "it has no sound")
    }
    let session = try RenderSession(plan: plan, planHash: "", folder: "")
    let rendering = AudioRendering(
        session: session, settings: settings, cancellation: cancellation, progress: { _, _ in })
    try rendering.mix(deliver)
    try session.files.check()
    return session.takeNotices()
}
