import AudioMixing
import Diagnostics
import Foundation
import MediaReading
import MediaTime
import Outputs
import SplitreelProject

/// What a lossy coder's sound has as it is decoded, to hundredths: other machines' last bits shall not show.
struct CodedLoudness: Hashable {
    /// In LUFS; nil where nothing of it is louder than −70.
    let integrated: Double?
    /// In dBTP.
    let truePeak: Double

    /// In LU: less than what others' meters differ by.
    static let tolerance = 0.1

    init(_ meter: LoudnessMeter) {
        integrated = meter.integrated.map { ($0 * 100).rounded() / 100 }
        truePeak = (2000 * log10(max(meter.truePeak, 1e-9))).rounded(.up) / 100
    }

    /// The LU that it is quieter than wanted.
    func lack(_ wanted: Double) -> Double { ((wanted - (integrated ?? -70)) * 100).rounded() / 100 }
}

/// A lossy coder's sound has other peaks than what it was given, and where high tones are left out another loudness.
/// Where that shows it is made anew, of a mix with so much more room, or so much louder, until it is as was asked for.
struct CodedSound {
    /// In decibels: by how much the mix's peaks stay below its ceiling, and how much louder it is.
    private struct Aim: Hashable {
        var reserve = 0.0
        var lift = 0.0
    }

    private let rendering: AudioRendering
    private let loudness: SoundLoudness
    private let settings: AudioSettings
    /// What the mix came to, in LUFS.
    private let wanted: Double?
    private var best: (aim: Aim, heard: CodedLoudness)?
    /// A mix that does not come to its own target comes to none above.
    private var canRise: Bool

    /// Levels at which it was too soft, the highest, and too loud, the lowest. What lies near a meter's gate counts at
    /// one level and not at the next, so that loudness jumps.
    private var soft: Double?
    private var loud: Double?

    private static let mostTries = 8
    /// In decibels. What loses more by coding cannot be mended by a level.
    private static let mostLift = 12.0

    /// - Parameter mixed: what the mix was brought to, in LUFS; nil where it has no loudness.
    init(rendering: AudioRendering, loudness: SoundLoudness, mixed: Double?, settings: AudioSettings) {
        (self.rendering, self.loudness, self.settings, wanted) = (rendering, loudness, settings, mixed)
        canRise = mixed.map { $0 > loudness.target - CodedLoudness.tolerance } ?? false
    }

    /// Looks at what was encoded into the file, and has it encoded again where that is not good enough.
    mutating func hold(
        _ encoded: SegmentFacts, path: String, encode: (AudioRendering) throws -> SegmentFacts
    ) throws -> SegmentFacts {
        var (facts, aim) = (encoded, Aim())
        var mixed = wanted
        func make(_ aim: Aim) throws -> Double? {
            var next = rendering
            let told = ToldNotices()
            (next.told, next.reserve) = (told, aim.reserve)
            next.target = wanted.map { $0 + aim.lift }
            next.leaveRoom()
            // What is clipped was told with the others.
            let notices = facts.notices
            facts = try encode(next)
            facts.notices = notices
            return told.loudness
        }
        for attempt in 1...Self.mostTries {
            let heard = try measure(path, facts)
            if best.map({ isBetter(heard, than: $0.heard) }) ?? true { best = (aim, heard) }
            note(heard, at: aim.lift)
            guard attempt < Self.mostTries, let next = next(after: aim, heard) else { break }
            let now = try make(next)
            if next.lift > aim.lift, let before = mixed, let now, now <= before { canRise = false }
            (aim, mixed) = (next, now)
        }
        if let best, best.aim != aim { _ = try make(best.aim) }
        return facts
    }

    /// What a person is to know of it.
    func notices(_ subject: String) -> NoticeList {
        best.map { loudness.notices(subject, of: $0.heard, settings, wanted: wanted) } ?? NoticeList()
    }

    /// nil where there is nothing to be done.
    private func next(after aim: Aim, _ heard: CodedLoudness) -> Aim? {
        var next = aim
        if heard.truePeak > loudness.ceiling { next.reserve += heard.truePeak - loudness.ceiling + 0.05 }
        let lack = wanted.map(heard.lack) ?? 0
        let isMendable = lack < 0 || (canRise && aim.lift + lack <= Self.mostLift)
        if abs(lack) > CodedLoudness.tolerance, isMendable { next.lift = lift(after: aim.lift, lack) }
        return next == aim ? nil : next
    }

    private mutating func note(_ heard: CodedLoudness, at lift: Double) {
        let lack = wanted.map(heard.lack) ?? 0
        if lack > 0 { soft = max(soft ?? lift, lift) } else { loud = min(loud ?? lift, lift) }
    }

    /// What is lacking, or half-way where that was tried.
    private func lift(after last: Double, _ lack: Double) -> Double {
        guard let soft, let loud, soft < loud, !(soft + 0.005..<loud - 0.005).contains(last + lack) else {
            return last + lack
        }
        return ((soft + loud) * 50).rounded() / 100
    }

    /// The ceiling goes first.
    private func isBetter(_ one: CodedLoudness, than other: CodedLoudness) -> Bool {
        func distance(_ heard: CodedLoudness) -> (Double, Double) {
            (max(0, heard.truePeak - loudness.ceiling), abs(wanted.map(heard.lack) ?? 0))
        }
        return distance(one) < distance(other)
    }

    /// An encoded segment as it is decoded, without what players drop in front of it.
    private func measure(_ path: String, _ facts: SegmentFacts) throws -> CodedLoudness {
        let sampleCount = facts.count
        let reader = try AudioReader(
            path: path, track: 1, sampleRate: settings.sampleRate, channels: settings.channels,
            layout: settings.channelLayout, sourceStart: Rational(facts.priming, settings.sampleRate),
            sourceDuration: Rational(sampleCount, settings.sampleRate))
        let block = PlanarBlock(channels: settings.channels, capacity: Mixer.blockLimit)
        var meter = LoudnessMeter(settings)
        var done = 0
        while done < sampleCount {
            try rendering.step()
            let count = min(Mixer.blockLimit, sampleCount - done)
            try reader.read(into: block.planes, count: count)
            meter.add(block.planes, count: count)
            done += count
        }
        return CodedLoudness(meter)
    }
}
