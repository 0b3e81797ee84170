internal import MediaTime

/// The place where a resampler has to begin so that its samples from a certain one on are good: far enough before it
/// for the filter to be full of the source's own samples, and where an output sample lies on an input sample.
///
/// A resampler that begins with the wanted sample has nothing before it, and an edge stands there. Counted from the
/// start of the source's range, output sample n lies at n × `step` in the input.
struct RunIn {
    /// The input sample to begin with, counted from the range's first one; negative before it.
    let sourceOffset: Int
    /// The number of output samples to throw away before the wanted one.
    let surplus: Int

    /// The number of output samples in which a place is looked for where both rates' samples meet. They meet within it
    /// where 44.1 kHz becomes 48 kHz at a speed of 1024 parts (`SpeedReader.takes`).
    private static let reach = 160 << 10

    /// `step` is the number of input samples for each output sample, 1 where nothing is resampled. `skipped` counts
    /// output samples.
    init(step: Rational, skipping skipped: Int) {
        guard step != Rational(1) else {
            (sourceOffset, surplus) = (skipped, 0)
            return
        }
        let length = ResamplerFilter.length(step: step)
        let latest = skipped - (Rational(length + 1) / step).ceil() - 1
        let start = Self.meeting(step, notAfter: latest)
        (sourceOffset, surplus) = ((Rational(start) * step).rounded(), skipped - start)
    }

    /// The last output sample that lies on an input sample. Where they meet too seldom it is the one that lies nearest
    /// to one: the sound is then shifted by the distance.
    private static func meeting(_ step: Rational, notAfter latest: Int) -> Int {
        if step.denominator <= Int128(reach) {
            let period = Int(step.denominator)
            return Rational(latest, period).floor() * period
        }
        let (down, unit) = (step.numerator % step.denominator, step.denominator)
        // The distance of `latest` from the input sample before it, in parts of `unit`.
        var phase = (Int128(latest) * step.numerator) % unit
        if phase < 0 { phase += unit }
        var best = (distance: unit, place: latest)
        for back in 0..<reach {
            let distance = min(phase, unit - phase)
            if distance < best.distance { best = (distance, latest - back) }
            phase -= down
            if phase < 0 { phase += unit }
        }
        return best.place
    }
}

/// The filter that libswresample makes of the options that `Resampler` sets.
enum ResamplerFilter {
    static let size = 64
    /// The number of places between two samples for which there is a filter.
    static let phases = 1024
    private static let cutoff = 0.97

    /// The number of input samples that one output sample is made of: more where the rate goes down.
    static func length(step: Rational) -> Int {
        Int((Double(size) / min(1, cutoff / step.double)).rounded(.up))
    }
}

/// A buffer for samples that nobody wants, or that are on their way.
@safe
final class PlanarScratch {
    let capacity = 4096
    let planes: [UnsafeMutablePointer<Float>]

    init(planes count: Int) {
        let capacity = capacity
        unsafe planes = (0..<count).map { _ in UnsafeMutablePointer<Float>.allocate(capacity: capacity) }
    }

    deinit { unsafe planes.forEach { unsafe $0.deallocate() } }
}
