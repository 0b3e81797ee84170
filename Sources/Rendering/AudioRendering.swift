import AudioMixing
import Composition
package import Diagnostics
import Foundation
import Media
import MediaTime
package import Planning

/// One mix of a plan, all of it or a part: mixed in blocks and handed on as it is mixed; nothing uncompressed is kept.
/// Where a loudness is wanted it is mixed before, once to measure the tracks and once to measure their sum.
struct AudioRendering {
    let session: RenderSession
    /// Its rate and channels count here.
    let settings: AudioSettings
    /// At that rate.
    let sampleCount: Int
    /// The composition, with the tracks that are mixed.
    let timeline: Timeline
    private let soundMix: SoundMix
    /// Whether what is noticed of the sources is told; not where another mix of the same ones tells it.
    var isTelling = true
    /// Whether its loudness is told; not where another mix that sounds like it tells its own.
    var isTellingLevels = true
    /// The samples that are wanted, without a loudness of their sum; nil: all of them.
    var part: Range<Int>?
    /// What was mixed in parts before, and is not mixed again.
    var mixed: MixedSound?
    let cancellation: Cancellation
    let progress: @Sendable (Int, Int) -> Void

    private static let blockLength = 4096
    /// Meters differ by less than this, in decibels: no other one shall find the ceiling passed.
    private static let margin = 0.05

    init(
        session: RenderSession, mix: SoundMix, cancellation: Cancellation,
        progress: @escaping @Sendable (Int, Int) -> Void
    ) {
        (self.session, self.cancellation, self.progress) = (session, cancellation, progress)
        (soundMix, settings, sampleCount) = (mix, mix.settings, mix.sampleCount)
        timeline = session.timeline.hearing(mix.tracks)
    }

    typealias Deliver = (_ planes: [UnsafeMutablePointer<Float>], _ count: Int) throws -> Void

    /// Hands on a plane for each channel, good inside `deliver` only; values above 1 are kept.
    func mix(_ deliver: @escaping Deliver) throws {
        let loudness = part == nil ? timeline.loudness : nil
        if let mixed {
            let passes = loudness == nil ? 1 : 2
            return try bring(to: loudness, firstPass: 0, deliver) { try read(mixed, $0, of: passes, $1) }
        }
        try session.requireSoundEffects()
        var mixer = try makeMixer()
        var levels: [(track: Int, level: Double)] = []
        let measured = mixer.measuredTracks
        let ownPasses = measured.isEmpty ? 0 : 1
        let passes = 1 + ownPasses + (loudness == nil ? 0 : 1)
        if !measured.isEmpty {
            let meters = TrackMeters(measured.map(\.track)) { newMeter }
            mixer.measure = meters.add
            try mix(&mixer, 0, of: passes) { _, _ in }
            for (track, wanted) in measured {
                guard let meter = meters.meter(of: track) else { continue }
                let subject = session.plan.subject(ofTrack: timeline.audio[track].track, in: soundMix)
                levels.append((track, level(wanted, meter, subject)))
            }
        }
        try bring(to: loudness, firstPass: ownPasses, deliver) { pass, take in
            var mixer = try makeMixer(levels)
            try mix(&mixer, pass, of: passes, take)
        }
    }

    /// The sum, which `make` gives anew for each pass, at its loudness.
    private func bring(
        to loudness: SoundLoudness?, firstPass pass: Int, _ deliver: @escaping Deliver,
        _ make: (_ pass: Int, _ take: Deliver) throws -> Void
    ) throws {
        guard let loudness else { return try make(pass, deliver) }
        var meter = newMeter
        try make(pass) { meter.add($0, count: $1) }
        let level = Float(self.level(loudness, meter, session.plan.subject(of: soundMix)))
        try make(pass + 1) { planes, count in
            for plane in planes { for sample in 0..<count { plane[sample] *= level } }
            try deliver(planes, count)
        }
    }

    private func read(_ mixed: MixedSound, _ pass: Int, of passes: Int, _ take: Deliver) throws {
        var done = 0
        try mixed.read(cancellation) { planes, count in
            try take(planes, count)
            done += count
            progress((pass * sampleCount + done) / passes, sampleCount)
        }
    }

    private func makeMixer(_ levels: [(track: Int, level: Double)] = []) throws -> Mixer {
        let plan = session.plan
        let context = TapContext(
            sampleRate: settings.sampleRate, channels: settings.channels, rangeStart: Rational(plan.range.start))
        let mixer = Mixer(
            tracks: timeline.audio, rangeStart: context.rangeStart, first: max(0, samples.lowerBound - lead),
            sampleCount: max(0, samples.upperBound - lead), sampleRate: settings.sampleRate,
            channels: settings.channels,
            taps: try MixTaps(of: timeline, context, session: session))
        for (track, level) in levels { mixer.setLevel(level, ofTrack: track) }
        return mixer
    }

    private var samples: Range<Int> { part ?? 0..<sampleCount }

    /// Silent samples before the mix begins.
    private var lead: Int { session.plan.leadSamples(rate: settings.sampleRate) }

    private var newMeter: LoudnessMeter {
        LoudnessMeter(sampleRate: settings.sampleRate, layout: settings.channelLayout)
    }

    /// Mixes all of it, block by block.
    private func mix(_ mixer: inout Mixer, _ pass: Int, of passes: Int, _ take: Deliver) throws {
        let total = samples.count
        let readers = AudioReaders(
            session: session, settings: settings, timeline: timeline, cancellation: cancellation)
        let block = PlanarBlock(channels: settings.channels, capacity: Self.blockLength)
        var done = 0
        let silent = samples.clamped(to: 0..<lead).count
        while done < silent {
            try cancellation.check()
            let count = min(Self.blockLength, silent - done)
            try take(block.planes, count)
            done += count
            progress((pass * total + done) / passes, total)
        }
        while try mixer.runIn(readers.read) { try cancellation.check() }
        while true {
            try cancellation.check()
            let count = try mixer.nextBlock(maxSamples: Self.blockLength, into: block.planes, source: readers.read)
            guard count > 0 else { break }
            try take(block.planes, count)
            done += count
            progress((pass * total + done) / passes, total)
        }
        let notices = readers.close()
        // What is mixed several times is told of once.
        if isTelling, pass == passes - 1 { session.add(notices) }
    }

    /// The factor that brings sound to its loudness, as far as its true peak allows; in hundredths of a decibel, so
    /// that the last bits of a meter's logarithms do not show.
    private func level(_ wanted: SoundLoudness, _ meter: LoudnessMeter, _ subject: String) -> Double {
        func text(_ value: Double, _ unit: String) -> String {
            String(format: "%.1f", locale: nil, value) + " " + unit
        }
        guard let found = meter.integrated else {
            let why =
                meter.isTooShort
                ? "loudness is measured over 0.4 s, and it is shorter" : "nothing of it is louder than -70 LUFS"
            tell(missed(subject, why + "; it stays as it is"))
            return 1
        }
        let peak = 20 * log10(max(meter.truePeak, 1e-9))
        let gain = ((min(wanted.target - found, wanted.ceiling - Self.margin - peak)) * 100).rounded(.down) / 100
        tell(
            notice(
                .loudnessMeasured, subject,
                "\(text(found, "LUFS")) and \(text(peak, "dBTP")) as mixed; brought to \(text(found + gain, "LUFS"))"))
        if gain < wanted.target - found - 0.1 {
            tell(
                missed(
                    subject,
                    "\(text(found + gain, "LUFS")) instead of \(text(wanted.target, "LUFS")): its true peak would "
                        + "pass \(text(wanted.ceiling, "dBTP"))",
                    hint: "take the peaks down by {\"id\": \"limiter\"} in `taps`, say a lower `target`, or a higher "
                        + "`truePeak`"))
        }
        return pow(10, (gain * 100).rounded() / 2000)
    }

    private func tell(_ notices: NoticeList) {
        if isTellingLevels { session.add(notices) }
    }

    private func missed(_ subject: String, _ reason: String, hint: String? = nil) -> NoticeList {
        notice(.loudnessMissed, subject, reason, hint: hint)
    }

    private func notice(_ code: ErrorCode, _ subject: String, _ reason: String, hint: String? = nil) -> NoticeList {
        var list = NoticeList()
        list.add(Notice(code, subject: subject, reason: reason, firstSeconds: nil, count: 1, hint: hint))
        return list
    }
}

/// A meter for each of some tracks.
private final class TrackMeters {
    private var meters: [Int: LoudnessMeter]

    init(_ tracks: [Int], _ make: () -> LoudnessMeter) {
        meters = Dictionary(tracks.map { ($0, make()) }) { first, _ in first }
    }

    func add(_ track: Int, _ planes: [UnsafeMutablePointer<Float>], _ count: Int) {
        meters[track]?.add(planes, count: count)
    }

    func meter(of track: Int) -> LoudnessMeter? { meters[track] }
}

/// The first sound of a plan as it is mixed for its film, in order: a plane for each channel, good inside `deliver`
/// only. Answers what a person should know of the sources. Blocking.
package func mixSound(
    of plan: RenderPlan, cancellation: Cancellation,
    deliver: (_ planes: [UnsafeMutablePointer<Float>], _ count: Int) throws -> Void
) throws -> NoticeList {
    guard let mix = plan.soundMixes.first else {
        throw SplitreelError(
            .mediaHasNoSuchTrack, operation: "mixing", subject: "the composition", reason: "it has no sound")
    }
    let session = try RenderSession(plan: plan, planHash: "", folder: "")
    let rendering = AudioRendering(session: session, mix: mix, cancellation: cancellation) { _, _ in }
    try withoutActuallyEscaping(deliver) { try rendering.mix($0) }
    try session.files.check()
    return session.takeNotices()
}
