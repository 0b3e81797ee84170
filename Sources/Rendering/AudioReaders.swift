import AudioMixing
import Diagnostics
import MediaFacts
package import MediaReading
import MediaTime
import Outputs
import Planning
import SplitreelFiles
import SplitreelProject
import SplitreelTimeline

/// The open sound sources of a mix: a reader for each source that goes on, opened at its first sample, closed after its
/// last.
final class AudioReaders {
    let session: RenderSession
    private let settings: AudioSettings
    /// The composition whose sound it is: the film's, or a nested one.
    private let timeline: Timeline
    let progress: MixProgress
    private var readers: [MixRun: (reader: any SoundReading, left: Int)] = [:]
    private var notices = NoticeList()
    private var generators: [MixRun: (source: SoundGenerator, left: Int)] = [:]

    init(session: RenderSession, settings: AudioSettings, timeline: Timeline, progress: MixProgress) {
        self.session = session
        self.settings = settings
        self.timeline = timeline
        self.progress = progress
    }

    /// The mixer's source: the next `count` samples of a segment.
    func read(_ segment: MixSegment, _ count: Int, _ planes: [UnsafeMutablePointer<Float>]) throws {
        if let sound = segment.run.generated { return read(sound, segment, count, planes) }
        var open = try readers[segment.run] ?? (open(segment), segment.run.end - segment.samples.lowerBound)
        // Rounded ends may lie a sample beyond the source's duration: what the source has there is heard, not a hole.
        try open.reader.fill(planes, count: count)
        open.left -= count
        if open.left <= 0 { notices.add(open.reader.takeNotices()) }
        readers[segment.run] = open.left > 0 ? open : nil
    }

    private func read(
        _ sound: GeneratedSound, _ segment: MixSegment, _ count: Int, _ planes: [UnsafeMutablePointer<Float>]
    ) {
        var open =
            generators[segment.run]
            ?? (
                SoundGenerator(sound, sampleRate: settings.sampleRate, skipping: segment.skipped),
                segment.run.end - segment.samples.lowerBound
            )
        open.source.read(into: planes, count: count)
        open.left -= count
        generators[segment.run] = open.left > 0 ? open : nil
    }

    /// Closes all sources and answers the mix's notices, with those of sources that go on after its end.
    func close() -> NoticeList {
        let rest = readers.sorted { ($0.key.track, $0.key.index) < ($1.key.track, $1.key.index) }
        for (_, open) in rest { notices.add(open.reader.takeNotices()) }
        defer { (readers, generators, notices) = ([:], [:], NoticeList()) }
        return notices
    }

    private func open(_ segment: MixSegment) throws -> any SoundReading {
        let run = segment.run
        let natural: SoundOpener = { try self.open(run, rate: Rational(1), skipping: $0) }
        // Sound whose pitch follows its one speed is resampled once, where the resampler can keep to its places.
        let isResampled = run.pitch == .varispeed && run.speed == nil && !run.isReversed
        if run.isNatural || (isResampled && SpeedReader.takes(run.rate)) {
            return try open(run, rate: run.rate, skipping: segment.skipped)
        }
        let channels = settings.channels
        let length = sampleIndex(of: run.sourceDuration, rate: settings.sampleRate)
        var inOrder = natural
        if run.isReversed,
            try session.isDearToEnter(run.asset, track: run.assetTrack, at: run.sourceStart, in: timeline)
        {
            // At its own speed it is known how much of it is heard.
            let low = run.rate == Rational(1) && run.speed == nil ? max(0, length - (run.end - run.start)) : 0
            inOrder = try ScratchSound(
                low: low, channels: channels, folder: session.scratchFolder, progress: progress, open: natural
            ).reader
        }
        let source: SoundOpener = { [inOrder] in
            run.isReversed
                ? ReversedSound(length: length, first: $0, channels: channels, open: inOrder) : try natural($0)
        }
        if run.rate == Rational(1), run.speed == nil { return try source(segment.skipped) }
        return try SpeedSound(
            run, skipping: segment.skipped, sampleRate: settings.sampleRate, channels: channels,
            progress: progress, open: source)
    }

    /// A run's source at one speed, forwards.
    private func open(_ run: MixRun, rate: Rational, skipping skipped: Int) throws -> any SoundReading {
        if let nested = timeline.nested[run.asset] {
            return try NestedSound(
                nested, run: run, rate: rate, skipping: skipped, settings: settings,
                readers: AudioReaders(
                    session: session, settings: settings, timeline: nested, progress: progress))
        }
        guard let facts = session.plan.assets[run.asset] else {
            throw SplitreelError(
                .internalFault, operation: "mixing", subject: run.asset, reason: "the plan lacks this asset")
        }
        let part = facts.part(ofTrack: run.assetTrack, at: run.sourceStart, isSound: true)
        let source = try session.files.open(part.file, for: .sound)
        if session.files.isElsewhere(source) {
            let end = run.sourceStart + run.sourceDuration
            source.expect(try soundPlaces(source, track: part.track, from: run.sourceStart, through: end))
        }
        let reader = try AudioReader(
            source, track: part.track, sampleRate: settings.sampleRate, channels: settings.channels,
            layout: settings.channelLayout, rate: rate, sourceStart: run.sourceStart,
            sourceDuration: run.sourceDuration, skipping: skipped)
        reader.onStep = { [progress] in for _ in 0..<MixProgress.stepsOfSample { try progress.step() } }
        return reader
    }
}

/// Samples of a source, one after the other.
protocol SoundReading {
    /// Fills the planes with the next samples; those that the source lacks are silent.
    func fill(_ planes: [UnsafeMutablePointer<Float>], count: Int) throws
    func takeNotices() -> NoticeList
}

extension AudioReader: SoundReading {
    func fill(_ planes: [UnsafeMutablePointer<Float>], count: Int) throws { try read(into: planes, count: count) }
}
