import AudioMixing
import Composition
import Diagnostics
import Foundation
import Planning

extension SoundLoudness {
    /// Meters differ by less than this, in decibels: no other one shall find the ceiling passed.
    private static let margin = 0.05

    /// The factor that brings sound to this loudness, as far as its true peak allows, and what is told of it; in
    /// hundredths of a decibel, so that the last bits of a meter's logarithms do not show.
    func level(_ meter: LoudnessMeter, _ subject: String) -> (factor: Double, notices: NoticeList) {
        func text(_ value: Double, _ unit: String) -> String {
            String(format: "%.1f", locale: nil, value) + " " + unit
        }
        var notices = NoticeList()
        func tell(_ code: ErrorCode, _ reason: String, hint: String? = nil) {
            notices.add(Notice(code, subject: subject, reason: reason, firstSeconds: nil, count: 1, hint: hint))
        }
        guard let found = meter.integrated else {
            let why =
                meter.isTooShort
                ? "loudness is measured over 0.4 s, and it is shorter" : "nothing of it is louder than -70 LUFS"
            tell(.loudnessMissed, why + "; it stays as it is")
            return (1, notices)
        }
        let peak = 20 * log10(max(meter.truePeak, 1e-9))
        let gain = ((min(target - found, ceiling - Self.margin - peak)) * 100).rounded(.down) / 100
        tell(
            .loudnessMeasured,
            "\(text(found, "LUFS")) and \(text(peak, "dBTP")) as mixed; brought to \(text(found + gain, "LUFS"))")
        if gain < target - found - 0.1 {
            tell(
                .loudnessMissed,
                "\(text(found + gain, "LUFS")) instead of \(text(target, "LUFS")): its true peak would "
                    + "pass \(text(ceiling, "dBTP"))",
                hint: "take the peaks down by {\"id\": \"limiter\"} in `taps`, say a lower `target`, or a higher "
                    + "`truePeak`")
        }
        return (pow(10, (gain * 100).rounded() / 2000), notices)
    }
}

/// The level of a mix's track, by its position, that brings it to its loudness.
typealias TrackLevel = (track: Int, level: Double)

extension Mixer {
    /// Mixes all of it once, by `mixing`, to measure the tracks that are to have a loudness of their own.
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
