import AudioMixing
import Composition
import Diagnostics
import Foundation
import Media
import MediaTime
import Planning

/// The sound of a plan, for all sound streams of all outputs: mixed once for all of one rate and channel layout that
/// have the same tracks, encoded for each.
struct SoundRendering {
    let session: RenderSession
    /// Where the segments go, for each sound stream in their order.
    let paths: [String]
    /// Where the parts lie that it was mixed in, in their order; none: it is mixed here.
    let parts: [String]
    let cancellation: Cancellation
    let progress: @Sendable (Int, Int) -> Void

    /// Answers what each segment holds, in the order of `paths`.
    func run() throws -> [SegmentFacts] {
        let mixes = session.plan.soundMixes
        let (total, progress) = (session.plan.sampleCount, progress)
        var facts: [Int: SegmentFacts] = [:]
        for (index, mix) in mixes.enumerated() {
            // Of the same tracks another mix has told.
            let isTelling = !mixes[..<index].contains { $0.tracks == mix.tracks }
            var rendering = AudioRendering(session: session, mix: mix, cancellation: cancellation) { done, all in
                progress((index * total + min(done, all, total)) / mixes.count, total)
            }
            rendering.isTelling = isTelling
            rendering.isTellingLevels = !mixes[..<index].contains(where: mix.soundsLike)
            if !parts.isEmpty {
                let files = parts.map { SegmentSet.path($0, file: index) }
                rendering.mixed = try MixedSound(paths: files, mix: mix, plan: session.plan)
            }
            let made = try encode(&rendering, mix.streams.map { ($0.settings, paths[$0.place]) })
            for (stream, var own) in zip(mix.streams, made) {
                if !own.notices.isEmpty {
                    own.notices = own.notices.naming(RenderPlan.onlySound, as: session.plan.subject(of: mix))
                }
                facts[stream.place] = own
            }
        }
        return paths.indices.compactMap { facts[$0] }
    }

    /// A lossy coder's sound has other peaks than what it was given: where one of them passes the ceiling that the mix
    /// is to keep, all of it is made again with so much room.
    private func encode(
        _ rendering: inout AudioRendering, _ streams: [(settings: AudioSettings, path: String)]
    ) throws -> [SegmentFacts] {
        let lossy = streams.filter { !$0.settings.codec.isLossless }
        guard let ceiling = rendering.ceiling, !lossy.isEmpty else { return try encodeOnce(rendering, streams) }
        var tries = 0
        while true {
            let told = ToldNotices()
            rendering.told = told
            let facts = try encodeOnce(rendering, streams)
            tries += 1
            var peak = -Double.infinity
            for (stream, own) in zip(streams, facts) where !stream.settings.codec.isLossless {
                peak = max(peak, try truePeak(of: stream, own.count, rendering))
            }
            guard peak > ceiling, tries < Self.mostTries else {
                session.add(told.notices)
                return facts
            }
            rendering.reserve += peak - ceiling + 0.05
        }
    }

    private static let mostTries = 4

    /// Of an encoded segment as it is decoded, in dBTP.
    private func truePeak(
        of stream: (settings: AudioSettings, path: String), _ sampleCount: Int, _ rendering: AudioRendering
    ) throws -> Double {
        let settings = stream.settings
        let reader = try AudioReader(
            path: stream.path, track: 1, sampleRate: settings.sampleRate, channels: settings.channels,
            layout: settings.channelLayout, sourceStart: .zero,
            sourceDuration: Rational(sampleCount, settings.sampleRate))
        let block = PlanarBlock(channels: settings.channels, capacity: Mixer.blockLimit)
        var meters = block.planes.map { _ in TruePeakMeter() }
        var done = 0
        while done < sampleCount {
            try rendering.step()
            let count = min(Mixer.blockLimit, sampleCount - done)
            try reader.read(into: block.planes, count: count)
            for (channel, plane) in block.planes.enumerated() { meters[channel].add(plane, count) }
            done += count
        }
        return 20 * log10(max(meters.map(\.ofAll).max() ?? 0, 1e-9))
    }

    private func encodeOnce(
        _ rendering: AudioRendering, _ streams: [(settings: AudioSettings, path: String)]
    ) throws -> [SegmentFacts] {
        let encoders = try streams.map { try AudioEncoder(settings: $0.settings) }
        let writers = try zip(streams, encoders).map { try SegmentWriter(path: $0.path, audio: $1) }
        try rendering.mix { planes, count in
            for (encoder, writer) in zip(encoders, writers) {
                try encoder.send(planes, count: count) { packet in try writer.write(packet) }
            }
        }
        return try zip(encoders, writers).enumerated().map { index, pair in
            let (encoder, writer) = pair
            try encoder.finish { packet in try writer.write(packet) }
            var facts = try writer.finish()
            // What is clipped in one mix is clipped in all that is encoded of it.
            if index > 0 { facts.notices = NoticeList() }
            return facts
        }
    }
}
