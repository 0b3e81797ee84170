import Foundation
package import TestTools

/// The sounds of random mixes: WAV files of 3 s whose samples are all known.
package struct MixSources {
    package let folder: TestFolder
    static let seconds = 3
    static let rates = [48_000, 44_100]

    /// - Parameter folder: where they are written.
    package init(in folder: TestFolder) throws {
        self.folder = folder
        for rate in Self.rates {
            for channels in [1, 2, 6] { try write(Self.noise(channels, rate), name("noise", channels, rate), rate) }
        }
        for rate in Self.rates + [32_000, 96_000] {
            for channels in [1, 2] { try write(Self.waves(channels, rate), name("waves", channels, rate), rate) }
        }
    }

    func path(_ kind: String, _ channels: Int, _ rate: Int) -> String { folder.file(name(kind, channels, rate)) }

    private func name(_ kind: String, _ channels: Int, _ rate: Int) -> String { "\(kind)-\(channels)-\(rate).wav" }

    private func write(_ channels: [[Double]], _ name: String, _ rate: Int) throws {
        _ = try folder.write(SoundMedia.wave(channels, rate: rate), to: name)
    }

    /// Every sample by itself: nothing that is misplaced looks alike.
    private static func noise(_ channels: Int, _ rate: Int) -> [[Double]] {
        var numbers = SeededNumbers(seed: UInt64(rate + channels))
        return (0..<channels).map { _ in
            (0..<seconds * rate).map { _ in Double(numbers.next(in: -600_000..<600_001)) / 1_000_000 }
        }
    }

    /// Sines below 5 kHz that come and go softly, so that any good resampler finds the same between their samples.
    private static func waves(_ channels: Int, _ rate: Int) -> [[Double]] {
        (0..<channels).map { channel in
            (0..<seconds * rate).map { index in
                let time = Double(index) / Double(rate)
                let edge = min(1, min(time, Double(seconds) - time) / 0.3)
                let envelope = sin(edge * Double.pi / 2)
                let sum = [311.0, 997, 2503, 4801].enumerated().reduce(0.0) { sum, wave in
                    sum + sin(2 * Double.pi * (wave.element + 17 * Double(channel)) * time + Double(wave.offset))
                }
                return 0.2 * sum * envelope * envelope
            }
        }
    }
}
