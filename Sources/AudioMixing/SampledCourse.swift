/// The course between a channel's samples: a window of its last ones and weights for places between two of them.
struct SampledCourse {
    /// The last samples, twice, so that any run of them lies together.
    private var ring: [Float]
    private var place = 0
    private let taps: Int
    private let weights: [[Float]]

    /// The samples that a limiter looks at, and the samples by which its place lies behind.
    static let taps = 48
    static let delay = taps / 2
    /// The samples that a meter looks at, near half the rate too, where a limiter that looks at less lets more through.
    static let meterTaps = 128

    /// A course with eight places for each sample, itself among them.
    static var ofLimiter: SampledCourse { SampledCourse(taps: taps, eighths) }
    /// A course with four places for each sample, itself among them.
    static var ofMeter: SampledCourse { SampledCourse(taps: meterTaps, quarters) }

    private init(taps: Int, _ weights: [[Float]]) {
        (self.taps, self.weights) = (taps, weights)
        ring = [Float](repeating: 0, count: 2 * taps)
    }

    private static let quarters = weights(of: 4, taps: meterTaps)
    private static let eighths = weights(of: 8, taps: taps)

    private static func weights(of phases: Int, taps: Int) -> [[Float]] {
        let kernel = SincKernel(crossings: taps / 2, steps: 256, beta: 8)
        return (1..<phases).map { phase in
            (0..<taps).map { Float(kernel.value(Double($0 - taps / 2 + 1) - Double(phase) / Double(phases))) }
        }
    }

    /// The largest magnitude between two samples: the one half the taps before this and the one after that.
    mutating func next(_ sample: Float) -> Float {
        let (taps, weights) = (taps, weights)
        var peak: Float = 0
        var place = place
        ring.withUnsafeMutableBufferPointer { ring in
            (ring[place], ring[place + taps]) = (sample, sample)
            place = place + 1 == taps ? 0 : place + 1
            guard let start = ring.baseAddress else { return }
            let run = UnsafeRawPointer(start + place)
            for phase in weights {
                phase.withUnsafeBytes { weights in
                    // Eight sums side by side, in this order everywhere.
                    var sums = SIMD8<Float>()
                    for tap in stride(from: 0, to: taps * 4, by: 32) {
                        let samples = run.loadUnaligned(fromByteOffset: tap, as: SIMD8<Float>.self)
                        sums += samples * weights.loadUnaligned(fromByteOffset: tap, as: SIMD8<Float>.self)
                    }
                    peak = max(peak, abs(sums.sum()))
                }
            }
        }
        self.place = place
        return peak
    }
}
