import AudioMixing
import Diagnostics
import MediaReading
import MediaTime
import Outputs
import SplitreelTimeline

/// The sound of a nested composition: mixed by its own mix at the film's rate, at the speed at which it is shown.
final class NestedSound: SoundReading {
    private var mixer: Mixer
    private let readers: AudioReaders
    private let speed: SpeedReader?
    /// The factor that brings the whole to its loudness.
    private let level: Float
    /// The mix's length in samples, which is never reached: after the last sound there is silence.
    private static let endless = 1 << 60

    /// - Parameters:
    ///   - run: the part that is heard: sample 0 of the run is at its source's start.
    ///   - skipped: samples of the run before the first one that is read.
    init(
        _ timeline: Timeline, run: MixRun, rate: Rational, skipping skipped: Int, settings: AudioSettings,
        readers: AudioReaders
    ) throws {
        self.readers = readers
        let levels = try readers.session.nestedLevels.levels(of: run.asset, timeline, settings, by: readers)
        level = levels.whole
        speed =
            rate == Rational(1)
            ? nil
            : try SpeedReader(
                sampleRate: settings.sampleRate, channels: settings.channels, rate: rate, skipping: skipped,
                subject: run.asset)
        let context = TapContext(
            sampleRate: settings.sampleRate, channels: settings.channels, rangeStart: run.sourceStart)
        mixer = Mixer(
            tracks: timeline.audio, rangeStart: run.sourceStart, first: speed?.first ?? skipped,
            sampleCount: Self.endless, sampleRate: settings.sampleRate, channels: settings.channels,
            taps: try MixTaps(of: timeline, context, session: readers.session))
        for (track, level) in levels.tracks { mixer.setLevel(level, ofTrack: track) }
    }

    func fill(_ planes: [UnsafeMutablePointer<Float>], count: Int) throws {
        guard let speed else { return try mix(planes, count) }
        try speed.read(into: planes, count: count, from: mix)
    }

    private func mix(_ planes: [UnsafeMutablePointer<Float>], _ count: Int) throws {
        while try mixer.runIn(readers.read) { try readers.progress.step() }
        var done = 0
        while done < count {
            try readers.progress.step()
            let rest = planes.map { $0 + done }
            done += try mixer.nextBlock(maxSamples: count - done, into: rest, source: readers.read)
        }
        if level != 1 { for plane in planes { for sample in 0..<count { plane[sample] *= level } } }
    }

    /// Takes the notices of its sources, which tell theirs as they end.
    func takeNotices() -> NoticeList { readers.close() }
}
