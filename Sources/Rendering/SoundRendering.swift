import Composition
import Diagnostics
import Media
import Planning

/// The sound of a plan, for all sound streams of all outputs: mixed once for all of one rate and channel layout that
/// have the same tracks, encoded for each.
struct SoundRendering {
    let session: RenderSession
    /// Where the segments go, for each sound stream in their order.
    let paths: [String]
    let cancellation: Cancellation
    let progress: @Sendable (Int, Int) -> Void

    private struct Part {
        let number: Int
        let settings: AudioSettings
        let tracks: [Int]?
        let sampleCount: Int
        let path: String

        func isMixed(as other: Part) -> Bool {
            settings.sampleRate == other.settings.sampleRate
                && settings.channelLayout == other.settings.channelLayout && tracks == other.tracks
        }
    }

    /// Answers what each segment holds, in the order of `paths`.
    func run() throws -> [SegmentFacts] {
        let parts = session.plan.segmentParts(ofTask: session.plan.chunks.count)
        var mixes: [[Part]] = []
        for (number, (part, path)) in zip(parts, paths).enumerated() {
            let view = session.views[part.output]
            let sounds = view.output.sounds
            guard sounds.indices.contains(part.sound) else { continue }
            let own = Part(
                number: number, settings: sounds[part.sound].settings, tracks: sounds[part.sound].tracks,
                sampleCount: view.sampleCount, path: path)
            if let place = mixes.firstIndex(where: { own.isMixed(as: $0[0]) }) {
                mixes[place].append(own)
            } else {
                mixes.append([own])
            }
        }
        let (total, progress, count) = (session.plan.sampleCount, progress, mixes.count)
        var facts: [Int: SegmentFacts] = [:]
        for (index, mix) in mixes.enumerated() {
            // Of the same tracks another mix has told.
            let isTelling = !mixes[..<index].contains { $0[0].tracks == mix[0].tracks }
            let made = try render(mix, isTelling: isTelling) { done, all in
                progress((index * total + min(done, all, total)) / count, total)
            }
            for (part, own) in zip(mix, made) { facts[part.number] = own }
        }
        return paths.indices.compactMap { facts[$0] }
    }

    private func render(
        _ parts: [Part], isTelling: Bool, _ progress: @escaping @Sendable (Int, Int) -> Void
    ) throws -> [SegmentFacts] {
        let encoders = try parts.map { try AudioEncoder(settings: $0.settings) }
        let writers = try zip(parts, encoders).map { try SegmentWriter(path: $0.path, audio: $1) }
        let rendering = AudioRendering(
            session: session, settings: parts[0].settings, sampleCount: parts[0].sampleCount,
            timeline: session.timeline.hearing(parts[0].tracks), isTelling: isTelling, cancellation: cancellation,
            progress: progress)
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
