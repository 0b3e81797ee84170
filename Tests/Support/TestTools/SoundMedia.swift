package import Foundation

/// Sound files of known samples.
package enum SoundMedia {
    /// A WAV file of 24-bit samples.
    package static func wave(_ channels: [[Double]], rate: Int) -> Data {
        let count = channels.first?.count ?? 0
        let bytes = count * channels.count * 3
        var data = Data("RIFF".utf8)
        func append(_ value: Int, _ size: Int) {
            for byte in 0..<size { data.append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
        }
        append(36 + bytes, 4)
        data.append(Data("WAVEfmt ".utf8))
        append(16, 4)
        append(1, 2)
        append(channels.count, 2)
        append(rate, 4)
        append(rate * channels.count * 3, 4)
        append(channels.count * 3, 2)
        append(24, 2)
        data.append(Data("data".utf8))
        append(bytes, 4)
        for sample in 0..<count {
            for channel in channels {
                append(Int((max(-1, min(1, channel[sample])) * 8_388_607).rounded()), 3)
            }
        }
        return data
    }

    /// A sine at half of full scale.
    package static func tone(_ hertz: Double, count: Int, rate: Int, amplitude: Double = 0.5) -> [Double] {
        (0..<count).map { amplitude * sin(2 * .pi * hertz * Double($0) / Double(rate)) }
    }

    /// Silence with a single sample at `amplitude` at each position.
    package static func impulses(_ positions: [Int], count: Int, amplitude: Double = 0.9) -> [Double] {
        var samples = [Double](repeating: 0, count: count)
        for position in positions where samples.indices.contains(position) { samples[position] = amplitude }
        return samples
    }

    /// Where sound stands out: the largest sample of every stretch above the threshold, stretches `gap` apart at least.
    package static func peaks(_ samples: [Float], above threshold: Float, gap: Int) -> [Int] {
        var peaks: [Int] = []
        for (position, sample) in samples.enumerated() where abs(sample) > threshold {
            if let last = peaks.last, position - last < gap {
                if abs(sample) > abs(samples[last]) { peaks[peaks.count - 1] = position }
            } else {
                peaks.append(position)
            }
        }
        return peaks
    }
}
