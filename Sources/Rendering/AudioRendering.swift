import AudioMixing
package import Diagnostics
import Foundation
import MediaTime
import Outputs
package import Planning
import SplitreelProject
import SplitreelTimeline

/// One mix of a plan, all of it or a part: mixed in blocks and handed on as it is mixed. Where a loudness is wanted it
/// is mixed before, once to measure the tracks and once to measure their sum, which may be kept on disk.
struct AudioRendering {
    let session: RenderSession
    /// The mix's settings, of which the sample rate and the channels count here.
    let settings: AudioSettings
    /// The mix's length in samples at the settings' rate.
    let sampleCount: Int
    /// The composition, with the tracks that are mixed.
    let timeline: Timeline
    private let soundMix: SoundMix
    /// Whether the sources' notices are told; false where another mix of the same tracks tells them.
    var isTelling = true
    /// Whether notices on the loudness are told; false where another mix that sounds the same tells its own.
    var isTellingLevels = true
    /// The range of samples that is wanted, without a loudness of their sum; nil for all samples.
    private let part: Range<Int>?
    /// The sound that was mixed in parts before and is not mixed again; nil where it is mixed here.
    var mixed: MixedSound?
    /// The store that keeps the mix, so that it is mixed once; nil where nothing is kept.
    var kept: KeptMix?
    /// The list that takes the notices in place of the session, for a mix that may be made again; nil for the session.
    var told: ToldNotices?
    /// The decibels by which the mix's true peak stays below the ceiling of its loudness, for what a coder adds.
    var reserve = 0.0
    /// The loudness in LUFS to which it is brought in place of its own, for what a coder takes away; nil for its own.
    var target: Double?
    private let cancellation: Cancellation
    private let progress: MixProgress

    private static let blockLength = 4096

    init(
        session: RenderSession, mix: SoundMix, part: Range<Int>? = nil, cancellation: Cancellation,
        progress: @escaping @Sendable (Int, Int) -> Void
    ) {
        self.session = session
        self.part = part
        self.cancellation = cancellation
        soundMix = mix
        settings = mix.settings
        sampleCount = mix.sampleCount
        self.progress = MixProgress(
            total: part?.count ?? mix.sampleCount, cancellation: cancellation, report: progress)
        timeline = session.timeline.hearing(mix.tracks)
    }

    typealias Deliver = (_ planes: [UnsafeMutablePointer<Float>], _ count: Int) throws -> Void

    /// Mixes, and hands on a plane for each channel, good inside `deliver` only; values above 1 are kept.
    func mix(_ deliver: @escaping Deliver) throws {
        var loudness = loudness
        loudness?.ceiling -= reserve
        if let target { loudness?.target = target }
        if let mixed {
            return try bring(to: loudness, firstPass: 0, deliver) { pass, passes, take in
                try counting(pass, of: passes, take) { try mixed.read(cancellation, $0) }
            }
        }
        if let kept, kept.isWhole {
            return try bring(to: loudness, firstPass: 0, deliver) { pass, passes, take in
                try counting(pass, of: passes, take, kept.read)
            }
        }
        try session.requireSoundEffects()
        var mixer = try makeMixer()
        let ownPasses = mixer.measuredTracks.isEmpty ? 0 : 1
        let levels = try mixer.measureTracks(settings) {
            try mix(&$0, 0, of: 2) { _, _ in }
        } level: { track, wanted, meter in
            let made = wanted.level(meter, session.plan.subject(ofTrack: timeline.audio[track].track, in: soundMix))
            tell(made.notices)
            return made.factor
        }
        try bring(to: loudness, firstPass: ownPasses, deliver) { pass, passes, take in
            guard let kept, loudness != nil else {
                var mixer = try makeMixer(levels)
                return try mix(&mixer, pass, of: passes, take)
            }
            if kept.isWhole { return try counting(pass, of: passes, take, kept.read) }
            var mixer = try makeMixer(levels)
            kept.begin()
            try mix(&mixer, pass, of: passes) { planes, count in
                kept.add(planes, count)
                try take(planes, count)
            }
        }
    }

    /// Brings the sum, which `make` gives anew for each pass, to its loudness: by one factor, or through a limiter
    /// where its peaks do not allow that. The limiter's gain is tried until its output is as loud.
    private func bring(
        to loudness: SoundLoudness?, firstPass: Int, _ deliver: @escaping Deliver,
        _ make: (_ pass: Int, _ passes: Int, _ take: @escaping Deliver) throws -> Void
    ) throws {
        guard let loudness else { return try make(firstPass, firstPass + 1, deliver) }
        var meter = LoudnessMeter(settings)
        try make(firstPass, firstPass + 2) { meter.add($0, count: $1) }
        let subject = session.plan.subject(of: soundMix)
        guard var gain = loudness.gainThatNeedsALimiter(meter) else {
            let made = loudness.level(meter, subject)
            tell(made.notices)
            told?.loudness = made.reached
            let level = Float(made.factor)
            return try make(firstPass + 1, firstPass + 2) { planes, count in
                for plane in planes { for sample in 0..<count { plane[sample] *= level } }
                try deliver(planes, count)
            }
        }
        func limit(_ pass: Int, isLast: Bool, _ deliver: @escaping Deliver) throws {
            let limited = LimitedSound(
                factor: loudness.factor(gain), ceiling: loudness.ceiling, settings, deliver)
            try make(pass, pass + (isLast ? 1 : 2), limited.take)
            try limited.finish()
        }
        var pass = firstPass + 1
        var limited = LoudnessMeter(settings)
        while true {
            limited = LoudnessMeter(settings)
            try limit(pass, isLast: false) { limited.add($0, count: $1) }
            pass += 1
            guard pass <= firstPass + Self.mostTries, let next = loudness.nextGain(after: gain, limited) else { break }
            gain = next
        }
        tell(loudness.notices(subject, mixed: meter, limited: limited))
        told?.loudness = limited.integrated
        try limit(pass, isLast: true, deliver)
    }

    /// The most gains that are tried before a limiter, which takes some of the loudness.
    private static let mostTries = 8

    /// Hands on the blocks that `read` gives, and reports the progress.
    private func counting(
        _ pass: Int, of passes: Int, _ take: @escaping Deliver, _ read: (Deliver) throws -> Void
    ) throws {
        var done = 0
        try read { planes, count in
            try progress.step()
            try take(planes, count)
            done += count
            progress.tell((pass * sampleCount + done) / passes)
        }
    }

    private func makeMixer(_ levels: [TrackLevel] = []) throws -> Mixer {
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

    /// The number of silent samples before the mix begins.
    private var lead: Int { session.plan.leadSamples(rate: settings.sampleRate) }

    /// Mixes the wanted samples block by block, the silent ones of the lead first.
    private func mix(_ mixer: inout Mixer, _ pass: Int, of passes: Int, _ take: Deliver) throws {
        let total = samples.count
        let readers = AudioReaders(
            session: session, settings: settings, timeline: timeline, progress: progress)
        let block = PlanarBlock(channels: settings.channels, capacity: Self.blockLength)
        var done = 0
        let silent = samples.clamped(to: 0..<lead).count
        while done < silent {
            try progress.step()
            let count = min(Self.blockLength, silent - done)
            try take(block.planes, count)
            done += count
            progress.tell((pass * total + done) / passes)
        }
        while try mixer.runIn(readers.read) { try progress.step() }
        while true {
            try progress.step()
            let count = try mixer.nextBlock(maxSamples: Self.blockLength, into: block.planes, source: readers.read)
            guard count > 0 else { break }
            try take(block.planes, count)
            done += count
            progress.tell((pass * total + done) / passes)
        }
        let notices = readers.close()
        // Sources that are mixed several times are told of once.
        guard isTelling, pass == passes - 1 || kept != nil, kept?.hasTold != true else { return }
        kept?.hasTold = true
        add(notices)
    }

    private func tell(_ notices: NoticeList) {
        if isTellingLevels { add(notices) }
    }

    private func add(_ notices: NoticeList) {
        if let told { told.notices.add(notices) } else { session.add(notices) }
    }

    /// Counts a block of work on the mix, before it is done. Throws `.cancelled` where the render is cancelled.
    func step() throws { try progress.step() }

    /// Leaves half of the remaining progress for making the mix again.
    func leaveRoom() { progress.leaveRoom() }

    /// The loudness that the sum is brought to; nil where the composition says none, or only a part is mixed.
    var loudness: SoundLoudness? { part == nil ? timeline.loudness : nil }
}

/// The notices on a mix, kept until it is known to be the film's.
final class ToldNotices {
    var notices = NoticeList()
    /// The loudness in LUFS that the mix's sum was brought to; nil where there is none.
    var loudness: Double?
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
