/// What lies between a channel's samples: a window of its last ones and weights for places between two of them.
struct SampledCourse {
    /// The last samples, twice, so that any run of them lies together.
    private var ring = [Float](repeating: 0, count: 2 * SampledCourse.taps)
    private var place = 0
    private let weights: [[Float]]

    static let taps = 48
    /// Samples by which `next` lies behind.
    static let delay = taps / 2

    /// So many places for each sample, itself among them; 4 or 8.
    init(phases: Int) { weights = phases == 4 ? Self.quarters : Self.eighths }

    private static let quarters = weights(of: 4)
    private static let eighths = weights(of: 8)

    private static func weights(of phases: Int) -> [[Float]] {
        let kernel = SincKernel(crossings: taps / 2, steps: 256, beta: 8)
        return (1..<phases).map { phase in
            (0..<taps).map { Float(kernel.value(Double($0 - taps / 2 + 1) - Double(phase) / Double(phases))) }
        }
    }

    /// The largest magnitude between two samples: the one `delay` before this and the one after that.
    mutating func next(_ sample: Float) -> Float {
        let (taps, weights) = (Self.taps, weights)
        var peak: Float = 0
        var place = place
        ring.withUnsafeMutableBufferPointer { ring in
            (ring[place], ring[place + taps]) = (sample, sample)
            place = place + 1 == taps ? 0 : place + 1
            for phase in weights {
                var sum: Float = 0
                phase.withUnsafeBufferPointer { weights in
                    for tap in 0..<taps { sum += ring[place + tap] * weights[tap] }
                }
                peak = max(peak, abs(sum))
            }
        }
        self.place = place
        return peak
    }
}
