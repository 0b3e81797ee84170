import AudioMixing
import Diagnostics
import MediaFacts
import MediaTime
import Outputs
import SplitreelProject
import SplitreelTimeline

/// The factors that bring the sound of nested compositions to the loudness that they say. Each is measured over all of
/// its composition, however little of that is heard: a range, a part and another cut have the samples of the whole.
final class NestedLevels {
    struct Levels {
        var tracks: [TrackLevel] = []
        var whole: Float = 1
    }
    private struct Key: Hashable {
        var name: String
        var sampleRate: Int
        var layout: ChannelLayout
    }
    private var known: [Key: Levels] = [:]

    private static let blockLength = 4096

    /// The levels of a nested composition, by the name that recipes have for it. The first call mixes it as a whole,
    /// once to measure its tracks and once to measure their sum, and tells the notices on it to `readers`' session.
    func levels(of name: String, _ timeline: Timeline, _ settings: AudioSettings, by readers: AudioReaders) throws
        -> Levels
    {
        let isWanted = timeline.loudness != nil || timeline.audio.contains { $0.loudness != nil }
        guard isWanted else { return Levels() }
        let key = Key(name: name, sampleRate: settings.sampleRate, layout: settings.channelLayout)
        if let found = known[key] { return found }
        let found = try measure(name, timeline, settings, readers)
        known[key] = found
        return found
    }

    private func measure(
        _ name: String, _ timeline: Timeline, _ settings: AudioSettings, _ readers: AudioReaders
    ) throws -> Levels {
        let count = sampleIndex(of: timeline.duration, rate: settings.sampleRate)
        let context = TapContext(sampleRate: settings.sampleRate, channels: settings.channels, rangeStart: .zero)
        func makeMixer() throws -> Mixer {
            Mixer(
                tracks: timeline.audio, rangeStart: .zero, sampleCount: count, sampleRate: settings.sampleRate,
                channels: settings.channels, taps: try MixTaps(of: timeline, context, session: readers.session))
        }
        func level(_ wanted: SoundLoudness, _ meter: LoudnessMeter, _ subject: String) -> Double {
            let made = wanted.level(meter, subject)
            readers.session.add(made.notices)
            return made.factor
        }
        let subject = "the nested composition ‘\(name)’"
        var levels = Levels()
        var mixer = try makeMixer()
        levels.tracks = try mixer.measureTracks(settings) {
            try mix(&$0, settings, readers) { _, _ in }
        } level: { track, wanted, meter in
            level(wanted, meter, "track \(timeline.audio[track].track) of \(subject)")
        }
        guard let wanted = timeline.loudness else { return levels }
        var meter = LoudnessMeter(settings)
        mixer = try makeMixer()
        for (track, level) in levels.tracks { mixer.setLevel(level, ofTrack: track) }
        try mix(&mixer, settings, readers) { meter.add($0, count: $1) }
        levels.whole = Float(level(wanted, meter, subject))
        return levels
    }

    /// Mixes the whole composition block by block.
    private func mix(
        _ mixer: inout Mixer, _ settings: AudioSettings, _ readers: AudioReaders,
        _ take: (_ planes: [UnsafeMutablePointer<Float>], _ count: Int) -> Void
    ) throws {
        let block = PlanarBlock(channels: settings.channels, capacity: Self.blockLength)
        while true {
            try readers.progress.step()
            let count = try mixer.nextBlock(
                maxSamples: Self.blockLength, into: block.planes, source: readers.read)
            guard count > 0 else { break }
            take(block.planes, count)
        }
        // Sources' notices are told when they are heard.
        _ = readers.close()
    }
}
