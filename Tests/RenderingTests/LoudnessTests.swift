import Diagnostics
import Foundation
import Planning
import Rendering
import TestSupport
import Testing

/// Loudness as ffmpeg's ebur128 measures it.
@Suite("Loudness", .serialized) struct LoudnessTests {
    /// Integrated loudness in LUFS and true peak in dBTP.
    private func measured(_ path: String, _ witness: Witness) throws -> (loudness: Double, peak: Double) {
        let text = try witness.ffmpeg([
            "-v", "info", "-i", path, "-map", "0:a:0", "-af", "ebur128=peak=true", "-f", "null", "-",
        ]).standardError
        let summary = try #require(text.range(of: "Summary:", options: .backwards)).upperBound
        func number(_ name: String) throws -> Double {
            let line = try #require(
                text[summary...].split(separator: "\n").first { $0.contains(" \(name):") }, "\(text)")
            return try #require(line.split(separator: " ").compactMap { Double($0) }.first)
        }
        return (try number("I"), try number("Peak"))
    }

    /// Noise and tones whose level changes, so that gates count; in as many channels.
    private func programme(_ channels: Int, amplitude: Double) -> [[Double]] {
        var numbers = SeededNumbers(seed: UInt64(channels))
        return (0..<channels).map { channel in
            (0..<12 * 48_000).map { sample in
                let loud = sample / 96_000 % 3 == 2 ? 0.02 : sample / 48_000 % 2 == 0 ? 1 : 0.4
                let noise = Double(numbers.next(in: 0..<2001)) / 1000 - 1
                let tone = sin(Double(sample) * (0.03 + 0.02 * Double(channel)))
                return amplitude * loud * (0.2 * noise + 0.5 * tone)
            }
        }
    }

    private static let source = "s.wav"

    /// What was told of the loudness that the mix had.
    private func report(_ record: SegmentRecord) throws -> (loudness: Double, peak: Double, brought: Double) {
        let notices = record.notices.notices.filter(\.isMeasurement)
        try #require(notices.count == 1)
        let numbers = notices[0].reason.split(separator: " ").compactMap { Double($0) }
        try #require(numbers.count == 3, "\(notices)")
        return (numbers[0], numbers[1], numbers[2])
    }

    private func film(
        _ fixture: RenderFixture, _ channels: [[Double]], _ loudness: String, input: String = ""
    ) throws -> (path: String, record: SegmentRecord) {
        let path = try fixture.wave(Self.source, channels)
        let text = """
            {"format":"splitreel/1","assets":{"s":{"url":"\(path)"}},"composition":{"tracks":[
            \(Text.track(1, "audio", Text.clip("s", "0s", "12s", at: "0s"))),
            \(Text.track(2, "audio", Text.clip("s", "0s", "12s", at: "0s")))]},
            "audio":{\(loudness)"inputs":[{"track":2,"mute":true}\(input)]}}
            """
        let plan = try fixture.plan(text) {
            ($0.channels, $0.sampleRate, $0.audioCodec) = (channels.count, 48_000, "flac")
        }
        return try fixture.render(plan, .audio(parts: []))
    }

    @Test(arguments: [1, 2, 6], [-23.0, -16, -14])
    func theMixComesToItsTarget(channels: Int, target: Double) throws {
        let fixture = try RenderFixture("loudness")
        let made = try film(
            fixture, programme(channels, amplitude: 0.05), "\"loudness\":{\"target\":\(target),\"truePeak\":-0.5},")
        let found = try measured(made.path, fixture.witness)
        let told = made.record.notices.notices.filter { $0.code == .loudnessMissed }
        let mix = try measured(fixture.folder.file(Self.source), fixture.witness)
        let said = try report(made.record)
        #expect(abs(said.loudness - mix.loudness) <= 0.15 && abs(said.peak - mix.peak) <= 0.25, "\(said), \(mix)")
        #expect(abs(said.brought - found.loudness) <= 0.15, "\(said), \(found)")
        // What there is room for under the ceiling, less what is asked for.
        let room = (-0.5 - mix.peak) - (target - mix.loudness)
        if abs(room) > 0.3 { #expect(told.isEmpty == (room > 0), "\(mix)") }
        #expect(found.peak <= -0.5 + 0.001)
        if told.isEmpty {
            #expect(abs(found.loudness - target) <= 0.15, "\(found)")
        } else {
            // The ceiling goes before the target.
            #expect(found.loudness < target && found.peak > -0.8, "\(found)")
        }
        #expect(told.isEmpty || target > -23)
    }

    /// Peaks that stand out keep the whole below its target, which is told.
    @Test func theCeilingGoesFirst() throws {
        let fixture = try RenderFixture("ceiling")
        var sound = programme(2, amplitude: 0.05)
        for sample in 0..<24 { sound[0][100_000 + sample] = sample % 4 < 2 ? 0.9 : -0.9 }
        let made = try film(fixture, sound, "\"loudness\":{\"target\":-14},")
        let found = try measured(made.path, fixture.witness)
        #expect(found.peak <= -1 && found.peak > -1.4 && found.loudness < -16, "\(found)")
        #expect(made.record.notices.notices.contains { $0.code == .loudnessMissed })
    }

    /// A track is brought to its own loudness; the other one is not heard, so that the sum is the track.
    @Test func aTrackComesToItsTarget() throws {
        let fixture = try RenderFixture("track")
        let made = try film(
            fixture, programme(2, amplitude: 0.3), "", input: ",{\"track\":1,\"loudness\":{\"target\":-30}}")
        #expect(abs(try measured(made.path, fixture.witness).loudness + 30) <= 0.15)
        #expect(made.record.notices.notices.map(\.code) == [.loudnessMeasured])
        #expect(try report(made.record).brought == -30)
    }

    @Test func silenceStaysSo() throws {
        let fixture = try RenderFixture("silence")
        let made = try film(
            fixture, [[Double](repeating: 0, count: 12 * 48_000)], "\"loudness\":{\"target\":-23},")
        #expect(made.record.notices.notices.map(\.code) == [.loudnessMissed])
        #expect(try fixture.witness.samples(made.path)[0].allSatisfy { $0 == 0 })
    }
}
