internal import MediaTime

/// Where a resampler has to begin so that its samples from a certain one on are good: far enough before it for the
/// filter to be full of the source's own samples, and where a sample out lies on a sample in.
///
/// A resampler that begins with the wanted sample has nothing before it, and an edge stands there. Counted from the
/// start of the source's range, sample n out lies at n × `step` in.
struct RunIn {
    /// Samples in, from the range's first one; negative before it.
    let sourceOffset: Int
    /// Samples out to throw away before the wanted one.
    let surplus: Int

    /// How far back a place is looked for where both rates' samples meet, in samples out: as far as they meet where
    /// 44.1 kHz becomes 48 kHz at a speed of 1024 parts (`SpeedReader.takes`).
    private static let reach = 160 << 10

    /// `step` is samples in for each sample out, 1 where nothing is resampled.
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

    /// The last sample out that lies on a sample in, or, where they meet too seldom, the one that lies nearest to one:
    /// the sound is shifted by as much then.
    private static func meeting(_ step: Rational, notAfter latest: Int) -> Int {
        if step.denominator <= Int128(reach) {
            let period = Int(step.denominator)
            return Rational(latest, period).floor() * period
        }
        let (down, unit) = (step.numerator % step.denominator, step.denominator)
        // How far `latest` lies beyond a sample in, in parts of `unit`.
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

/// What libswresample makes of the options that `Resampler` sets.
enum ResamplerFilter {
    static let size = 64
    /// Places between two samples for which there is a filter.
    static let phases = 1024
    private static let cutoff = 0.97

    /// Samples in that one sample out is made of: more where the rate goes down.
    static func length(step: Rational) -> Int {
        Int((Double(size) / min(1, cutoff / step.double)).rounded(.up))
    }
}

/// Room for samples that nobody wants.
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
