import AudioMixing
import Composition
import Diagnostics
import Media
import MediaTime
import Planning

/// The whole sound of a plan: mixed in blocks and encoded as it is mixed; nothing uncompressed is kept.
struct AudioRendering {
    let session: RenderSession
    let settings: AudioSettings
    let cancellation: Cancellation
    let progress: @Sendable (Int, Int) -> Void

    private static let blockLength = 4096

    func run(into encoder: AudioEncoder, emit: (consuming Packet) throws -> Void) throws {
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
            try encoder.send(block.planes, count: count, emit)
            done += count
            progress(done, plan.sampleCount)
        }
        readers.close()
        try encoder.finish(emit)
    }
}
