import Foundation
package import MediaFacts

/// Integrated loudness and true peak as ITU-R BS.1770-4 and EBU R 128 define them. Some 80 bytes for a second of sound.
/// Not for use from two threads at once.
package struct LoudnessMeter {
    private let weights: [Double]
    private var filters: [KWeighting]
    private var peaks: [TruePeakMeter]
    /// The samples in a tenth of a second.
    private let hop: Int
    private var filled = 0
    private var sum = 0.0
    /// The weighted mean squares of all tenths of a second.
    private var tenths: [Double] = []

    /// A meter in which surrounds count more, and low frequencies not at all.
    package init(sampleRate: Int, layout: ChannelLayout) {
        let own = layout.speakers.map { $0 == .lowFrequency ? 0 : $0.isSurround ? 1.41 : 1 }
        // A sound field's speakers are not known; plans have none.
        weights = own.isEmpty ? Array(repeating: 0, count: layout.channels) : own
        filters = weights.map { _ in KWeighting(sampleRate: sampleRate) }
        peaks = weights.map { _ in TruePeakMeter() }
        hop = max(1, (sampleRate + 5) / 10)
    }

    package mutating func add(_ planes: [UnsafeMutablePointer<Float>], count: Int) {
        for channel in planes.indices { peaks[channel].add(planes[channel], count) }
        var done = 0
        while done < count {
            let part = min(count - done, hop - filled)
            for channel in planes.indices where weights[channel] > 0 {
                sum += weights[channel] * filters[channel].power(planes[channel] + done, part)
            }
            (filled, done) = (filled + part, done + part)
            guard filled == hop else { continue }
            tenths.append(sum / Double(hop))
            (sum, filled) = (0, 0)
        }
    }

    /// The largest sample, between samples too, as a magnitude.
    package var truePeak: Double { peaks.map(\.ofAll).max() ?? 0 }

    /// Whether the sound is shorter than a block of 400 ms, so that it has no loudness.
    package var isTooShort: Bool { tenths.count < 4 }

    /// The loudness in LUFS; nil where no block is louder than −70.
    package var integrated: Double? {
        // Blocks of 400 ms, one every 100 ms.
        let blocks = isTooShort ? [] : (3..<tenths.count).map { tenths[$0 - 3...$0].reduce(0, +) / 4 }
        let audible = blocks.filter { Self.level($0) >= -70 }
        guard !audible.isEmpty else { return nil }
        let gate = Self.level(audible.reduce(0, +) / Double(audible.count)) - 10
        let loud = audible.filter { Self.level($0) >= gate }
        return loud.isEmpty ? nil : Self.level(loud.reduce(0, +) / Double(loud.count))
    }

    private static func level(_ power: Double) -> Double { power > 0 ? -0.691 + 10 * log10(power) : -.infinity }
}

/// The K filter: a shelf and a high pass.
private struct KWeighting {
    private var shelf: Biquad
    private var highPass: Biquad

    init(sampleRate: Int) {
        // The analogue prototypes of BS.1770's coefficients at 48 kHz.
        func angle(_ frequency: Double) -> Double { tan(Double.pi * frequency / Double(sampleRate)) }
        let (k, q) = (angle(1_681.974450955533), 0.7071752369554196)
        let (high, band) = (1.5848647011308556, 1.2587209302325617)
        let a = 1 + k / q + k * k
        shelf = Biquad(
            b0: (high + band * k / q + k * k) / a, b1: 2 * (k * k - high) / a, b2: (high - band * k / q + k * k) / a,
            a1: 2 * (k * k - 1) / a, a2: (1 - k / q + k * k) / a)
        let (l, p) = (angle(38.13547087602444), 0.5003270373238773)
        let c = 1 + l / p + l * l
        highPass = Biquad(b0: 1, b1: -2, b2: 1, a1: 2 * (l * l - 1) / c, a2: (1 - l / p + l * l) / c)
    }

    /// The sum of the filtered samples' squares.
    mutating func power(_ samples: UnsafeMutablePointer<Float>, _ count: Int) -> Double {
        var sum = 0.0
        for index in 0..<count {
            let value = highPass.next(shelf.next(Double(samples[index])))
            sum += value * value
        }
        return sum
    }
}

/// The largest magnitude of a channel's course, looked at four times a sample.
package struct TruePeakMeter {
    private var peak = 0.0
    private var course = SampledCourse.ofMeter

    package init() {}

    /// The peak of all samples so far, as if silence followed.
    package var ofAll: Double {
        var end = course
        return (0..<SampledCourse.meterTaps / 2).reduce(peak) { peak, _ in max(peak, Double(end.next(0))) }
    }

    package mutating func add(_ samples: UnsafeMutablePointer<Float>, _ count: Int) {
        var peak = Float(peak)
        for index in 0..<count { peak = max(peak, abs(samples[index]), course.next(samples[index])) }
        self.peak = Double(peak)
    }
}
