import ExactMath

/// A source at another speed with its pitch kept, in the time domain: pieces of 40 ms that overlap by half, each taken
/// where it goes on best from the piece before it, within 10 ms of its own exact place (WSOLA). For voices.
///
/// The same on every machine: additions and multiplications in a fixed order. What comes out depends on the source's
/// samples and the course from sample 0 on. Confined to one thread at a time.
package final class OverlapReader {
    /// The sample that the source is to begin with.
    package let first: Int
    private let course: SoundCourse
    private let window: SampleWindow
    private let channels: Int
    /// The samples of half a piece, those within which a better place is looked for, and the step of the coarse look.
    private let half, reach: Int
    private static let stride = 4
    /// The rising half of a Hann window; the falling one is what lacks to 1.
    private let rise: [Float]
    private let tail: PlanarBlock
    private let made: PlanarBlock
    /// The samples of `made` that are handed out; `half` for all of them.
    private var used: Int
    /// The number of the next piece, and the middle of the one before it.
    private var piece = 0
    private var middle = 0

    package init(_ course: SoundCourse, channels: Int, sampleRate: Int) {
        (half, reach) = (max(8, sampleRate / 50), max(4, sampleRate / 100))
        self.course = course
        self.channels = channels
        used = half
        first = -half - reach
        window = SampleWindow(channels: channels, first: first)
        let half = half
        rise = (0..<half).map { index in
            let root = sine(ofCycles: Double(index) / Double(4 * half))
            return Float(root * root)
        }
        (tail, made) = (
            PlanarBlock(channels: channels, capacity: half), PlanarBlock(channels: channels, capacity: half)
        )
    }

    package func read(
        into planes: [UnsafeMutablePointer<Float>], count: Int,
        from source: ([UnsafeMutablePointer<Float>], Int) throws -> Void
    ) throws {
        var done = 0
        while done < count {
            if used == half { try makePiece(source) }
            let part = min(count - done, half - used)
            for (plane, made) in zip(planes, made.planes) { (plane + done).update(from: made + used, count: part) }
            (used, done) = (used + part, done + part)
        }
    }

    /// Makes the samples from the middle of piece k to the middle of piece k + 1.
    private func makePiece(_ source: SampleWindow.Source) throws {
        if piece == 0 {
            // The next piece may look back as far where the source is slow.
            try window.require(first..<half, from: source)
            for (plane, channel) in zip(tail.planes, 0...) { plane.update(from: samples(channel, at: 0), count: half) }
        }
        piece += 1
        let wanted = Int(course.place(of: Double(piece * half)).place.rounded())
        // The place at which the piece before it would have gone on by itself.
        let natural = middle + half
        let low = min(natural, wanted - reach) - half
        try window.require(low..<max(natural, wanted + reach) + half, from: source)
        middle = wanted + bestShift(wanted, natural)
        for channel in 0..<channels {
            let into = made.planes[channel]
            let old = tail.planes[channel]
            let new = samples(channel, at: middle - half)
            for index in 0..<half { into[index] = old[index] + (new[index] - old[index]) * rise[index] }
            old.update(from: samples(channel, at: middle), count: half)
        }
        used = 0
    }

    private func samples(_ channel: Int, at place: Int) -> UnsafeMutablePointer<Float> {
        window.plane(channel) + (place - window.range.lowerBound)
    }

    /// The shift in samples from the piece's own place at which it looks most like what would have followed.
    private func bestShift(_ wanted: Int, _ natural: Int) -> Int {
        if natural == wanted { return 0 }
        var best = (shift: 0, likeness: likeness(wanted, natural, Self.stride))
        for distance in Swift.stride(from: Self.stride, through: reach, by: Self.stride) {
            for shift in [distance, -distance] {
                let found = likeness(wanted + shift, natural, Self.stride)
                if found > best.likeness { best = (shift, found) }
            }
        }
        var fine = (shift: best.shift, likeness: likeness(wanted + best.shift, natural, 1))
        for shift in max(-reach, best.shift - Self.stride + 1)..<min(reach, best.shift + Self.stride) {
            let found = likeness(wanted + shift, natural, 1)
            if found > fine.likeness { fine = (shift, found) }
        }
        return fine.shift
    }

    /// The normalised product of two pieces, all channels together.
    private func likeness(_ place: Int, _ other: Int, _ step: Int) -> Float {
        var (product, power): (Float, Float) = (0, 1e-9)
        for channel in 0..<channels {
            let (a, b) = (samples(channel, at: place - half), samples(channel, at: other - half))
            for index in Swift.stride(from: 0, to: 2 * half, by: step) {
                product += a[index] * b[index]
                power += a[index] * a[index]
            }
        }
        return product / power.squareRoot()
    }
}
