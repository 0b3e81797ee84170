package import MediaTime
package import SplitreelTimeline

/// The place in a source, in samples from its first one, of each sample of a segment; both at one sample rate.
package struct SoundCourse: Sendable {
    private let rate: Double
    private let speed: KeyedSpeed?
    private let sampleRate: Double

    package init(rate: Rational, speed: KeyedSpeed?, sampleRate: Int) {
        self.rate = rate.double
        self.speed = speed
        self.sampleRate = Double(sampleRate)
    }

    /// The source's place of an output sample, and the source samples for each output sample there.
    package func place(of sample: Double) -> (place: Double, speed: Double) {
        guard let speed else { return (sample * rate, rate) }
        let way = speed.way(after: sample / sampleRate)
        return (way.offset * sampleRate, way.speed)
    }

    /// The output sample that lies at a place of the source, to a millionth of one.
    package func sample(at place: Double) -> Double {
        guard let speed else { return place / rate }
        // No speed is below 1/32, none above 32.
        var (low, high) = place < 0 ? (place * 32 - 1, place / 32 + 1) : (place / 32 - 1, place * 32 + 1)
        while high - low > 1e-6 {
            let middle = (low + high) / 2
            if middle <= low || middle >= high { break }
            if speed.way(after: middle / sampleRate).offset * sampleRate < place { low = middle } else { high = middle }
        }
        return high
    }
}
