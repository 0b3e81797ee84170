import Foundation
import TestTools
import Testing

extension EndToEnd {
    @Suite("A clipped mix is told") struct ClippingTests {
        /// The same tone on two tracks, the second from 1 s on: loud samples are counted in the test.
        @Test(arguments: ["flac", "opus"]) func countTimeAndPeakAreTold(codec: String) throws {
            let folder = try TestFolder("clipping")
            let program = try Splitreel(in: folder)
            let rate = 48_000
            let tone = SoundMedia.tone(440, count: 2 * rate, rate: rate, amplitude: 0.7)
            _ = try folder.write(SoundMedia.wave([tone, tone], rate: rate), to: "s.wav")
            let composition = try folder.write(
                Text.project(
                    ["s": "s.wav"],
                    [
                        Text.track(1, "audio", Text.clip("s", "0s", "2s", at: "0s")),
                        Text.track(2, "audio", Text.gap("0s", "1s"), Text.clip("s", "0s", "1s", at: "1s")),
                    ], size: (64, 64), frame: nil), to: "cut.json")
            let result = try program.render(composition, to: folder.file("out.mkv"), ["--audio-codec", codec])
            let stored = tone.map { ($0 * 8_388_607).rounded() / 8_388_608 }
            let loud = (rate..<2 * rate).filter { abs(stored[$0] + stored[$0 - rate]) > 1 }
            let first = try #require(loud.first)
            let peak = try #require(loud.map { abs(stored[$0] + stored[$0 - rate]) }.max())
            #expect(loud.count > 1000)
            let warnings = try #require(result.json?["warnings"] as? [[String: Any]])
            #expect(warnings.count == 1)
            #expect(warnings.first?["code"] as? Int == 20303)
            // Both channels.
            #expect(warnings.first?["count"] as? Int == 2 * loud.count)
            let told = try #require(warnings.first?["firstSeconds"] as? Double)
            #expect(abs(told - Double(first) / Double(rate)) < 1e-9)
            // 20 log10 (2 × 0.7) = 2.92 dB: the next tenth is enough.
            #expect(abs(20 * log10(peak) - 2.92) < 0.01)
            let digits = String(2 * loud.count)
            let grouped = "\(digits.dropLast(3)),\(digits.suffix(3))"
            let text = "sound clipped: \(grouped) samples from 0:01.0 on, peak +2.9 dBFS; lower the volumes by 3.0 dB"
            #expect(warnings.first?["message"] as? String == text)
            #expect(result.standardError.contains(", 1 warning\nwarning: \(text)\n"))
        }

        @Test func aQuietMixHasNoWarning() throws {
            let folder = try TestFolder("quiet")
            let program = try Splitreel(in: folder)
            _ = try folder.write(
                SoundMedia.wave([SoundMedia.tone(440, count: 4800, rate: 48_000)], rate: 48_000), to: "s.wav")
            let composition = try folder.write(
                Text.project(
                    ["s": "s.wav"], [Text.track(1, "audio", Text.clip("s", "0s", "0.1s", at: "0s"))], size: (64, 64),
                    frame: nil), to: "cut.json")
            let result = try program.render(composition, to: folder.file("out.mkv"))
            #expect((result.json?["warnings"] as? [Any])?.isEmpty == true)
            #expect(!result.standardError.contains("warning"))
        }
    }
}
