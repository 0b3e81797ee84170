import AudioMixing
import Diagnostics
import Foundation
import MediaReading
import MediaTime
import Outputs
import SplitreelProject

/// The loudness of a lossy coder's sound as it is decoded, to hundredths: other machines' last bits shall not show.
struct CodedLoudness: Hashable {
    /// The integrated loudness in LUFS; nil where no part is louder than −70 LUFS.
    let integrated: Double?
    /// The true peak in dBTP.
    let truePeak: Double

    /// The deviation in LU that is let pass: less than other meters differ by.
    static let tolerance = 0.1

    init(_ meter: LoudnessMeter) {
        integrated = meter.integrated.map { ($0 * 100).rounded() / 100 }
        truePeak = (2000 * log10(max(meter.truePeak, 1e-9))).rounded(.up) / 100
    }

    /// The LU by which the sound is quieter than wanted; below 0 where it is louder.
    func lack(_ wanted: Double) -> Double { ((wanted - (integrated ?? -70)) * 100).rounded() / 100 }
}

/// Holds a lossy coder's sound to its mix's loudness. It has other peaks than its mix, and another loudness where high
/// tones are left out. Where that shows it is made anew, of a mix with more room or a higher level, until it is as was
/// asked for.
struct CodedSound {
    /// The aim of a mix in decibels: how far its peaks stay below its ceiling, and how much louder it is.
    private struct Aim: Hashable {
        var reserve = 0.0
        var lift = 0.0
    }

    private let rendering: AudioRendering
    private let loudness: SoundLoudness
    private let settings: AudioSettings
    /// The loudness in LUFS that the mix came to; nil where it has none.
    private let wanted: Double?
    private var best: (aim: Aim, heard: CodedLoudness)?
    /// Whether a louder mix can be made: one that does not come to its own target comes to none above.
    private var canRise: Bool

    /// The highest lift in decibels that was too soft, and the lowest that was too loud; nil where none was. A part
    /// near a meter's gate counts at one level and not at the next, so that loudness jumps.
    private var soft: Double?
    private var loud: Double?

    private static let mostTries = 8
    /// The largest lift in decibels. A level cannot mend a sound that loses more by coding.
    private static let mostLift = 12.0

    /// - Parameter mixed: the loudness in LUFS that the mix was brought to; nil where it has none.
    init(rendering: AudioRendering, loudness: SoundLoudness, mixed: Double?, settings: AudioSettings) {
        self.rendering = rendering
        self.loudness = loudness
        self.settings = settings
        wanted = mixed
        canRise = mixed.map { $0 > loudness.target - CodedLoudness.tolerance } ?? false
    }

    /// Measures the sound that was encoded into the file, and has it encoded again where that is not good enough.
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
            // Clipping was told with the first encoding.
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

    /// The notices on where the best encoding misses its loudness.
    func notices(_ subject: String) -> NoticeList {
        best.map { loudness.notices(subject, of: $0.heard, settings, wanted: wanted) } ?? NoticeList()
    }

    /// The aim of the next encoding after one that was heard so; nil where there is nothing to be done.
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

    /// The next lift in decibels: higher by what is lacking, or half-way between the bounds where that was tried.
    private func lift(after last: Double, _ lack: Double) -> Double {
        guard let soft, let loud, soft < loud, !(soft + 0.005..<loud - 0.005).contains(last + lack) else {
            return last + lack
        }
        return ((soft + loud) * 50).rounded() / 100
    }

    /// Whether one encoding comes nearer than another; the ceiling goes first.
    private func isBetter(_ one: CodedLoudness, than other: CodedLoudness) -> Bool {
        func distance(_ heard: CodedLoudness) -> (Double, Double) {
            (max(0, heard.truePeak - loudness.ceiling), abs(wanted.map(heard.lack) ?? 0))
        }
        return distance(one) < distance(other)
    }

    /// The loudness of an encoded segment as it is decoded, without what players drop in front of it.
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
