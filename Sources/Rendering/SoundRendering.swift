import AudioMixing
import Diagnostics
import Foundation
import MediaReading
import MediaTime
import MediaWriting
import Outputs
import Planning

/// The sound of a plan, for all sound streams of all outputs: mixed once for all of one rate and channel layout that
/// have the same tracks, encoded for each.
struct SoundRendering {
    let session: RenderSession
    /// The paths of the segments, one for each sound stream in their order.
    let paths: [String]
    /// The paths of the parts in which the sound was mixed, in their order; none where it is mixed here.
    let parts: [String]
    let cancellation: Cancellation
    let progress: @Sendable (Int, Int) -> Void

    /// Answers the facts of each segment, in the order of `paths`.
    func run() throws -> [SegmentFacts] {
        if let copied = session.plan.copiedSound, let path = paths.first {
            let copying = CopiedSoundRendering(
                session: session, copied: copied, path: path, cancellation: cancellation, progress: progress)
            return [try copying.run()]
        }
        let mixes = session.plan.soundMixes
        let (total, progress) = (session.plan.sampleCount, progress)
        var facts: [Int: SegmentFacts] = [:]
        for (index, mix) in mixes.enumerated() {
            // Another mix of the same tracks has told of them.
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
            let made = try encode(rendering, mix)
            for (stream, var own) in zip(mix.streams, made) {
                if !own.notices.isEmpty {
                    own.notices = own.notices.naming(RenderPlan.onlySound, as: session.plan.subject(of: mix))
                }
                facts[stream.place] = own
            }
        }
        return paths.indices.compactMap { facts[$0] }
    }

    /// Encodes a mix for its streams. Where it has a loudness, a lossy coder's sound is held to that as well.
    private func encode(_ rendering: AudioRendering, _ mix: SoundMix) throws -> [SegmentFacts] {
        let streams = mix.streams.map { ($0.settings, paths[$0.place]) }
        guard let loudness = rendering.loudness else { return try encodeOnce(rendering, streams) }
        var rendering = rendering
        let told = ToldNotices()
        rendering.told = told
        if rendering.mixed == nil {
            rendering.kept = KeptMix(
                channels: mix.settings.channels, sampleCount: mix.sampleCount, folder: session.scratchFolder)
        }
        if mix.streams.contains(where: { !$0.settings.codec.isLossless }) { rendering.leaveRoom() }
        var facts = try encodeOnce(rendering, streams)
        session.add(told.notices)
        let subject = session.plan.subject(of: mix)
        for (index, stream) in streams.enumerated() where !stream.0.codec.isLossless {
            var coded = CodedSound(rendering: rendering, loudness: loudness, mixed: told.loudness, settings: stream.0)
            facts[index] = try coded.hold(facts[index], path: stream.1) { try encodeOnce($0, [stream])[0] }
            session.add(coded.notices(subject))
        }
        return facts
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
            // Clipping in one mix is in all that is encoded of it.
            if index > 0 { facts.notices = NoticeList() }
            return facts
        }
    }
}
