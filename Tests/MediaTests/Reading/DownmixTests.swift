import Foundation
import Media
import MediaTime
import Testing

/// Fewer channels than the source has: the ffmpeg command's matrices, as it scales them for whole numbers, so that full
/// scale on every channel stays full scale.
@Suite("Channel counts") struct DownmixTests {
    @Test(arguments: [
        "mono:2", "stereo:1", "quad:2", "quad:1", "4.0:2", "5.1:2", "5.1:1", "5.1(side):2", "5.1(side):6", "7.1:2",
        "7.1:1", "7.1:6", "stereo:6",
    ])
    func channelsAreMixedAsFfmpegDoes(conversion: String) throws {
        let parts = conversion.split(separator: ":")
        let (layout, channels) = (String(parts[0]), try #require(Int(parts[1])))
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("mix-\(UUID().uuidString).wav").path
        let raw = file + ".s32"
        defer { for path in [file, raw] { try? FileManager.default.removeItem(atPath: path) } }
        let counts = ["mono": 1, "stereo": 2, "quad": 4, "4.0": 4, "5.1": 6, "5.1(side)": 6, "7.1": 8]
        let count = try #require(counts[layout])
        let tones = (0..<count).map { "0.9*sin(2*PI*\(300 + 170 * $0)*t)" }.joined(separator: "|")
        let made = output(
            of: "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "aevalsrc=\(tones):c=\(layout):s=48000:d=0.2", "-c:a", "pcm_f32le",
                file,
            ])
        try #require(made != nil, "ffmpeg makes the file")
        let mixed = output(
            of: "ffmpeg", ["-v", "error", "-i", file, "-ac", "\(channels)", "-c:a", "pcm_s32le", "-f", "s32le", raw])
        try #require(mixed != nil, "ffmpeg mixes it")
        let words = try Data(contentsOf: URL(fileURLWithPath: raw)).withUnsafeBytes {
            Array($0.bindMemory(to: Int32.self))
        }
        let reader = try AudioReader(
            path: file, track: 1, sampleRate: 48_000, channels: channels, sourceStart: .zero,
            sourceDuration: Rational(1, 5))
        let got = try readAll(reader, channels: channels, count: 9_600)
        #expect(words.count == 9_600 * channels)
        var apart = 0.0
        for (place, word) in words.enumerated() {
            let wanted = Double(word) / 2_147_483_648
            apart = max(apart, abs(Double(got[place % channels][place / channels]) - wanted))
        }
        #expect(apart < 1e-6)
        #expect(got.allSatisfy { $0.allSatisfy { abs($0) <= 1 } })
    }
}
