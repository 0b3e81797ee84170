/// Peaks and loudness of sound in buckets of equally many samples; the last one may be shorter.
///
/// Keeps one bucket, whatever the length. Sums are taken sample by sample in double precision: blocks of any size give
/// the same values.
package struct WaveformMeter {
    /// What one channel did in one bucket, linear, 1 being full scale.
    package struct Bucket: Hashable, Sendable {
        package var least: Float
        package var most: Float
        /// Root of the mean square.
        package var rms: Double

        package init(least: Float, most: Float, rms: Double) { (self.least, self.most, self.rms) = (least, most, rms) }
    }

    /// How many values each bucket has: one for each channel, or one for all.
    package let rows: Int
    /// Bucket b ends at sample (b + 1)·total / count.
    private let total: Int
    private let count: Int
    private var index = 0
    private var size: Int
    private let channels: Int
    private var filled = 0
    private var least: [Float]
    private var most: [Float]
    private var squares: [Double]

    /// Without `splitting` the channels' mean is measured.
    package init(channels: Int, splitting: Bool, samplesPerBucket: Int) {
        self.init(channels: channels, splitting: splitting, spreading: samplesPerBucket, over: 1)
    }

    /// With buckets that share so many samples out as evenly as they can: `count` of them, none longer than another by
    /// more than a sample. What comes after them goes on as they do.
    package init(channels: Int, splitting: Bool, spreading total: Int, over count: Int) {
        precondition(channels > 0 && count > 0 && total >= count, "a bucket holds samples of channels")
        (self.channels, self.total, self.count) = (channels, total, count)
        size = total / count
        rows = splitting ? channels : 1
        least = Array(repeating: .infinity, count: rows)
        most = Array(repeating: -.infinity, count: rows)
        squares = Array(repeating: 0, count: rows)
    }

    /// Takes what follows next; hands out each bucket that is full, one value a row.
    package mutating func add(
        _ planes: [UnsafeMutablePointer<Float>], count: Int, _ emit: ([Bucket]) throws -> Void
    ) rethrows {
        precondition(planes.count == channels, "a plane for each channel")
        var done = 0
        while done < count {
            let length = min(count - done, size - filled)
            if rows == channels {
                for (row, plane) in planes.enumerated() { measure(plane + done, length, row) }
            } else {
                measureMean(planes, done, length)
            }
            filled += length
            done += length
            if filled == size { try emit(take()) }
        }
    }

    /// Hands out the last bucket, if there is one.
    package mutating func finish(_ emit: ([Bucket]) throws -> Void) rethrows {
        if filled > 0 { try emit(take()) }
    }

    private mutating func take() -> [Bucket] {
        let buckets = (0..<rows).map { row in
            Bucket(least: least[row], most: most[row], rms: (squares[row] / Double(filled)).squareRoot())
        }
        for row in 0..<rows { (least[row], most[row], squares[row]) = (.infinity, -.infinity, 0) }
        filled = 0
        index = (index + 1) % self.count
        size = (index + 1) * total / self.count - index * total / self.count
        return buckets
    }

    /// As a film of 24 bits has it, so that sound that came from a farm measures as sound that is mixed here.
    private static func heard(_ sample: Float) -> Float { Float((Double(sample) * 8_388_608).rounded() / 8_388_608) }

    private mutating func measure(_ samples: UnsafePointer<Float>, _ count: Int, _ row: Int) {
        var (low, high, sum) = (least[row], most[row], squares[row])
        for index in 0..<count {
            let value = Self.heard(samples[index])
            low = min(low, value)
            high = max(high, value)
            sum += Double(value) * Double(value)
        }
        (least[row], most[row], squares[row]) = (low, high, sum)
    }

    private mutating func measureMean(_ planes: [UnsafeMutablePointer<Float>], _ first: Int, _ count: Int) {
        var (low, high, sum) = (least[0], most[0], squares[0])
        let scale = Float(planes.count)
        for index in first..<(first + count) {
            var value = Self.heard(planes[0][index])
            for channel in 1..<planes.count { value += Self.heard(planes[channel][index]) }
            value /= scale
            low = min(low, value)
            high = max(high, value)
            sum += Double(value) * Double(value)
        }
        (least[0], most[0], squares[0]) = (low, high, sum)
    }
}
