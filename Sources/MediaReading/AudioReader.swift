internal import CFFmpeg
package import Diagnostics
package import MediaFacts
package import MediaTime
package import SplitreelFiles

/// Samples of one audio track from a source time on, as planar float at the rate and channel count asked for.
///
/// Sample 0 of the range is source sample round(sourceStart × source rate), counted from asset time 0. Where the source
/// has no samples (before its track starts, in gaps, after its end) there is silence, so every `read` fills its planes.
/// `rate` > 1 plays faster and higher (varispeed). Resampling takes in the source's samples before the range and after
/// it, so that no edge stands at a cut. Channel counts are converted by libswresample's standard matrices, scaled down
/// where a sum could exceed 1. Blocking, confined to one thread at a time, not Sendable.
package final class AudioReader {
    /// The number of output samples that stand for `sourceDuration`: round(sourceDuration ÷ rate × sampleRate), less
    /// the skipped ones.
    package let sampleCount: Int
    /// The number of output samples handed out so far.
    package private(set) var position = 0

    private let source: any SoundRow
    private let resampler: Resampler
    private let subject: String
    private let skipped: Int
    /// The number of output samples still to be thrown away, on the resampler's way to its first good one; nil before
    /// the source has told its rate.
    private var surplus: Int?
    private lazy var waste = PlanarScratch(planes: resampler.channels)

    /// `track` is the track's position in the file from 1; `rate` must be positive. With `skipping` the samples are
    /// those that a reader of the whole range gives from that one on, bit for bit at the usual ratios of rates.
    /// `layout` has `channels` channels; nil is libavutil's default layout of them.
    package convenience init(
        _ source: any MediaSource, track: Int, sampleRate: Int, channels: Int, layout: ChannelLayout? = nil,
        rate: Rational = Rational(1), sourceStart: Rational, sourceDuration: Rational, skipping: Int = 0
    ) throws {
        try self.init(
            source, track: track, sampleRate: sampleRate, channels: channels, mask: layout?.mask ?? 0, rate: rate,
            sourceStart: sourceStart, sourceDuration: sourceDuration, skipping: skipping, isUnedited: false)
    }

    /// `isUnedited`: times are the track's own, without its edit list. `mask`: libavutil's bits of the channel layout;
    /// 0 for the default layout.
    init(
        _ source: any MediaSource, track: Int, sampleRate: Int, channels: Int, mask: UInt64, rate: Rational,
        sourceStart: Rational,
        sourceDuration: Rational, skipping: Int, isUnedited: Bool
    ) throws {
        subject = "\(source.name), track \(track)"
        guard rate > .zero, (1...768_000).contains(sampleRate), (1...64).contains(channels) else {
            throw SplitreelError(
                .settingsImpossible, operation: "reading sound", subject: subject,
                reason: "rate \(rate), \(sampleRate) Hz, \(channels) channels cannot be")
        }
        skipped = skipping
        sampleCount = max(0, sampleIndex(of: sourceDuration / rate, rate: sampleRate) - skipping)
        let resampler = Resampler(
            sampleRate: sampleRate, channels: channels, mask: mask, rate: rate, subject: subject)
        self.resampler = resampler
        func first(_ sourceRate: Int) throws -> Int {
            sampleIndex(of: sourceStart, rate: sourceRate)
                + RunIn(step: try resampler.step(from: sourceRate), skipping: skipping).sourceOffset
        }
        let index = try FileIndex.of(source)
        let edits = index.tracks.indices.contains(track - 1) ? index.tracks[track - 1].edits : nil
        if let edits, !isUnedited {
            self.source = try EditedSound(source, track: track, edits: edits, origin: index.origin, first: first)
        } else {
            self.source = try AudioSource(
                source, track: track, origin: edits == nil ? index.origin : .zero, first: first)
        }
    }

    /// Called now and then while much is decoded that nobody hears. An error that it throws ends the reading.
    package var onStep: (() throws -> Void)? {
        get { source.onStep }
        set { source.onStep = newValue }
    }

    /// The number of packets so far that the decoder refused.
    package var damagedPackets: Int { source.damagedPackets }
    private var noticedPackets = 0
    /// The number of samples, of any channel, that were silenced as no sound since the last notice of them.
    private var strangeSamples = 0

    /// The notices of damage in the sound handed out since the last call, counted in the source's packets, or in
    /// samples where samples are no numbers.
    package func takeNotices() -> NoticeList {
        var notices = NoticeList()
        if damagedPackets > noticedPackets {
            notices.add(
                Notice(
                    .sourceDamaged, subject: subject, reason: "the sound is damaged; what cannot be decoded is silent",
                    firstSeconds: source.firstDamage?.double, count: damagedPackets - noticedPackets))
        }
        noticedPackets = damagedPackets
        if strangeSamples > 0 {
            notices.add(
                Notice(
                    .sourceDamaged, subject: subject,
                    reason: "the sound has samples that are no numbers; they are silent",
                    firstSeconds: nil, count: strangeSamples))
            strangeSamples = 0
        }
        return notices
    }

    /// Fills `count` samples of every plane; there must be a plane per channel. Returns how many of them belong to the
    /// source's duration; the rest is the source's further samples, or silence.
    @discardableResult
    package func read(into planes: [UnsafeMutablePointer<Float>], count: Int) throws -> Int {
        unsafe precondition(planes.count == resampler.channels, "one plane for each channel")
        var done = 0
        if surplus == nil { try feed() }
        while let surplus, surplus > 0 {
            let pulled = try unsafe resampler.pull(into: waste.planes, count: min(surplus, waste.capacity))
            self.surplus = surplus - pulled
            if pulled == 0 { try feed() }
        }
        while done < count {
            let output = unsafe planes.map { unsafe UnsafeMutablePointer($0 + done) }
            let pulled = try unsafe resampler.pull(into: output, count: count - done)
            done += pulled
            if pulled == 0 { try feed() }
        }
        unsafe planes.forEach { unsafe silenceStrange($0, count) }
        let inside = max(0, min(count, sampleCount - position))
        position += count
        return inside
    }

    /// Silences samples that are no number, or too large for sound: filters that remember such a sample would never
    /// lose it.
    private func silenceStrange(_ plane: UnsafeMutablePointer<Float>, _ count: Int) {
        for index in 0..<count where unsafe !(abs(plane[index]) <= Self.mostMagnitude) {
            unsafe plane[index] = 0
            strangeSamples += 1
        }
    }

    private static let mostMagnitude: Float = 1e6

    private func feed() throws {
        let block = try source.next()
        if surplus == nil {
            surplus = RunIn(step: try resampler.step(from: source.format.sampleRate), skipping: skipped).surplus
        }
        switch block {
        case .silence(let count): try resampler.pushSilence(count, format: source.format)
        case .samples(let offset, let count):
            try resampler.push(source.frame, offset: offset, count: count, format: source.format)
        }
    }
}

/// Whether a track's sound has to be decoded from its start wherever reading begins. The file is indexed where it is
/// not yet; false where there is no such track.
package func isDecodedFromItsStart(_ source: any MediaSource, track: Int) throws -> Bool {
    let tracks = try FileIndex.of(source).tracks
    return tracks.indices.contains(track - 1) && tracks[track - 1].soundEntry == .start
}
