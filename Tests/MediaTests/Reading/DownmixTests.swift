import Foundation
import MediaReading
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

    /// The matrices that docs/reference/audio.md states: a row for each channel out, before they are scaled.
    private static let half = 0.5.squareRoot()
    private static let matrices: [(layout: String, count: Int, rows: [[Double]])] = [
        ("mono", 1, [[half], [half]]),
        ("2.1", 3, [[1, 0, 0], [0, 1, 0]]),
        ("3.0", 3, [[1, 0, half], [0, 1, half]]),
        ("4.0", 4, [[1, 0, half, 0.5], [0, 1, half, 0.5]]),
        ("quad", 4, [[half, half, 0.5, 0.5]]),
        ("5.0", 5, [[1, 0, half, half, 0], [0, 1, half, 0, half]]),
        ("6.1", 7, [[half, half, 1, 0, 0.5, 0.5, 0.5]]),
        ("7.0", 7, [[1, 0, half, half, 0, half, 0], [0, 1, half, 0, half, 0, half]]),
        ("7.1", 8, [[1, 0, half, 0, half, 0, half, 0], [0, 1, half, 0, 0, half, 0, half]]),
        (
            "7.1", 8,
            [
                [1, 0, 0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0, 0, 0],
                [0, 0, 0, 1, 0, 0, 0, 0], [0, 0, 0, 0, 1, 0, half, 0], [0, 0, 0, 0, 0, 1, 0, half],
            ]
        ),
        ("mono", 1, [[0], [0], [1], [0], [0], [0]]),
        ("stereo", 2, [[1, 0], [0, 1], [0, 0], [0, 0], [0, 0], [0, 0]]),
        (
            "5.1", 6,
            (0..<8).map { row in (0..<6).map { $0 == row ? 1.0 : 0.0 } }
        ),
    ]

    @Test(arguments: matrices.indices)
    func channelsAreMixedAsStated(index: Int) throws {
        let (layout, count, rows) = Self.matrices[index]
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("mat-\(UUID().uuidString).wav").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let levels = (0..<count).map { Double($0 + 3) / 16 }
        let made = output(
            of: "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i",
                "aevalsrc=\(levels.map { "\($0)" }.joined(separator: "|")):c=\(layout):s=48000:d=0.1", "-c:a",
                "pcm_f32le", file,
            ])
        try #require(made != nil, "ffmpeg makes the file")
        let reader = try AudioReader(
            path: file, track: 1, sampleRate: 48_000, channels: rows.count, sourceStart: .zero,
            sourceDuration: Rational(1, 10))
        let got = try readAll(reader, channels: rows.count, count: 4_800)
        // Full scale on every channel stays full scale.
        let scale = max(1, rows.map { $0.reduce(0, +) }.max() ?? 1)
        for (channel, row) in rows.enumerated() {
            let wanted = zip(row, levels).reduce(0) { $0 + $1.0 * $1.1 } / scale
            #expect(got[channel].allSatisfy { abs(Double($0) - wanted) < 1e-6 }, "\(layout), channel \(channel)")
        }
    }
}
