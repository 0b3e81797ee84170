import AudioMixing
import Diagnostics
import Foundation
import Outputs
import SplitreelProject

extension SoundLoudness {
    /// The room below the ceiling in decibels. Meters differ by less: no other one shall find the ceiling passed.
    private static let margin = 0.1

    /// The factor that brings sound to this loudness, as far as its true peak allows, the LUFS that it comes to, and
    /// the notices on it.
    func level(_ meter: LoudnessMeter, _ subject: String) -> (factor: Double, reached: Double?, notices: NoticeList) {
        let peak = decibels(meter.truePeak)
        guard let found = meter.integrated else {
            let why =
                meter.isTooShort
                ? "loudness is measured over 0.4 s, and it is shorter" : "nothing of it is louder than -70 LUFS"
            let gain = hundredths(min(0, ceiling - Self.margin - peak))
            let what = gain < 0 ? "; its peak is brought to \(text(ceiling, "dBTP"))" : "; it stays as it is"
            return (factor(gain), nil, notices(subject, [(.loudnessMissed, why + what, nil)]))
        }
        let gain = hundredths(min(target - found, ceiling - Self.margin - peak))
        var told: [(ErrorCode, String, String?)] = [
            (
                .loudnessMeasured,
                LoudnessFigures(integrated: found, truePeak: peak, reached: found + gain).words,
                nil
            )
        ]
        if gain < target - found - 0.1 {
            told.append(
                (
                    .loudnessMissed,
                    "\(text(found + gain, "LUFS")) instead of \(text(target, "LUFS")): its true peak would "
                        + "pass \(text(ceiling, "dBTP"))",
                    "take the peaks down by {\"id\": \"limiter\", \"params\": {\"ceiling\": "
                        + String(format: "%.1f", locale: nil, ceiling - target + found) + "}} in `taps` or by a lower "
                        + "one, say a lower `target`, or a higher `truePeak`"
                ))
        }
        return (factor(gain), found + gain, notices(subject, told))
    }

    /// The gain in decibels that brings sound to the target, whatever its peaks; nil where its peaks allow it or may
    /// not be limited, or where it has no loudness.
    func gainThatNeedsALimiter(_ meter: LoudnessMeter) -> Double? {
        guard limits, let found = meter.integrated else { return nil }
        let gain = target - found
        return gain > ceiling - Self.margin - decibels(meter.truePeak) + 0.1 ? hundredths(gain) : nil
    }

    /// The gain in decibels for the next try, where sound that was limited after `gain` has come to `meter`; nil where
    /// it is good enough.
    func nextGain(after gain: Double, _ meter: LoudnessMeter) -> Double? {
        guard let reached = meter.integrated, abs(target - reached) > 0.05 else { return nil }
        return hundredths(gain + min(6, target - reached))
    }

    /// The notices on sound that was limited.
    func notices(_ subject: String, mixed: LoudnessMeter, limited: LoudnessMeter) -> NoticeList {
        let (found, reached) = (mixed.integrated ?? -.infinity, limited.integrated ?? -.infinity)
        var told: [(ErrorCode, String, String?)] = [
            (
                .loudnessMeasured,
                LoudnessFigures(
                    integrated: found, truePeak: decibels(mixed.truePeak), reached: reached, ceiling: ceiling
                ).words, nil
            )
        ]
        if reached < target - 0.1 {
            told.append(
                (
                    .loudnessMissed,
                    "\(text(reached, "LUFS")) instead of \(text(target, "LUFS")), however much it is limited to "
                        + text(ceiling, "dBTP"), "say a lower `target`, or a higher `truePeak`"
                ))
        }
        return notices(subject, told)
    }

    /// The notices on sound that a lossy coder keeps from `wanted`, the mix's loudness in LUFS, or from the ceiling.
    func notices(
        _ subject: String, of coded: CodedLoudness, _ settings: AudioSettings, wanted: Double?
    ) -> NoticeList {
        var missed: [(found: String, asked: String)] = []
        if let wanted, abs(coded.lack(wanted)) > CodedLoudness.tolerance {
            let reached = coded.integrated.map { text($0, "LUFS") } ?? "silence"
            missed.append((reached, text(target, "LUFS")))
        }
        if coded.truePeak > ceiling {
            missed.append(("a true peak of " + text(coded.truePeak, "dBTP"), text(ceiling, "dBTP")))
        }
        let coder = settings.codec.rawValue + (settings.bitRate.map { " at \($0 / 1000) kb/s" } ?? "")
        return notices(
            subject,
            missed.map {
                (
                    .loudnessMissed, "\($0.found) instead of \($0.asked) as \(coder) is decoded",
                    "say a higher `bitRate` of the sound, or a codec that loses nothing, such as flac"
                )
            })
    }

    private func notices(_ subject: String, _ told: [(code: ErrorCode, reason: String, hint: String?)]) -> NoticeList {
        var notices = NoticeList()
        for (code, reason, hint) in told {
            notices.add(Notice(code, subject: subject, reason: reason, firstSeconds: nil, count: 1, hint: hint))
        }
        return notices
    }

    func factor(_ gain: Double) -> Double { pow(10, (gain * 100).rounded() / 2000) }

    /// A gain in decibels, rounded down to hundredths: the last bits of a meter's logarithms shall not show.
    private func hundredths(_ gain: Double) -> Double { (gain * 100).rounded(.down) / 100 }

    private func decibels(_ peak: Double) -> Double { 20 * log10(max(peak, 1e-9)) }

    private func text(_ value: Double, _ unit: String) -> String {
        String(format: "%.1f", locale: nil, value) + " " + unit
    }
}

/// The level of a mix's track, by its position, that brings it to its loudness.
typealias TrackLevel = (track: Int, level: Double)

extension Mixer {
    /// Mixes the whole once, by `mixing`, to measure the tracks that are to have a loudness of their own.
    mutating func measureTracks(
        _ settings: AudioSettings, mixing: (inout Mixer) throws -> Void,
        level: (_ track: Int, _ wanted: SoundLoudness, _ meter: LoudnessMeter) -> Double
    ) throws -> [TrackLevel] {
        let measured = measuredTracks
        guard !measured.isEmpty else { return [] }
        let meters = TrackMeters(measured.map(\.track), settings)
        measure = meters.add
        try mixing(&self)
        return measured.compactMap { track, wanted in
            meters.meter(of: track).map { (track, level(track, wanted, $0)) }
        }
    }
}

extension LoudnessMeter {
    init(_ settings: AudioSettings) { self.init(sampleRate: settings.sampleRate, layout: settings.channelLayout) }
}

/// A meter for each of some tracks.
private final class TrackMeters {
    private var meters: [Int: LoudnessMeter]

    init(_ tracks: [Int], _ settings: AudioSettings) {
        meters = Dictionary(tracks.map { ($0, LoudnessMeter(settings)) }) { first, _ in first }
    }

    func add(_ track: Int, _ planes: [UnsafeMutablePointer<Float>], _ count: Int) {
        meters[track]?.add(planes, count: count)
    }

    func meter(of track: Int) -> LoudnessMeter? { meters[track] }
}
