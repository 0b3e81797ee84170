/// Peaks and loudness of sound in buckets of equally many samples; the last one may be shorter.
///
/// One bucket is kept, whatever the length. Sums are taken sample by sample in double precision: blocks of any size
/// give the same values.
package struct WaveformMeter {
    /// The values of one channel in one bucket, linear, 1 being full scale.
    package struct Bucket: Hashable, Sendable {
        package var least: Float
        package var most: Float
        /// The root of the mean square.
        package var rms: Double

        package init(least: Float, most: Float, rms: Double) {
            self.least = least
            self.most = most
            self.rms = rms
        }
    }

    /// The number of values of each bucket: one for each channel, or one for all.
    package let rows: Int
    /// The samples that the buckets share out, and the number of buckets: bucket b ends at sample (b + 1)·total /
    /// count.
    private let total: Int
    private let count: Int
    private var index = 0
    private var size: Int
    private let channels: Int
    private var filled = 0
    private var least: [Float]
    private var most: [Float]
    private var squares: [Double]

    /// Makes buckets of `samplesPerBucket` samples; without `splitting` the channels' mean is measured.
    package init(channels: Int, splitting: Bool, samplesPerBucket: Int) {
        self.init(channels: channels, splitting: splitting, spreading: samplesPerBucket, over: 1)
    }

    /// Makes buckets that share so many samples out as evenly as they can: `count` of them, none longer than another by
    /// more than a sample. What comes after them goes on as they do.
    package init(channels: Int, splitting: Bool, spreading total: Int, over count: Int) {
        precondition(channels > 0 && count > 0 && total >= count, "a bucket holds samples of channels")
        self.channels = channels
        self.total = total
        self.count = count
        size = total / count
        rows = splitting ? channels : 1
        least = Array(repeating: .infinity, count: rows)
        most = Array(repeating: -.infinity, count: rows)
        squares = Array(repeating: 0, count: rows)
    }

    /// Takes the `count` samples that follow next; hands out each bucket that is full, one value a row.
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
        for row in 0..<rows {
            least[row] = .infinity
            most[row] = -.infinity
            squares[row] = 0
        }
        filled = 0
        index = (index + 1) % self.count
        size = (index + 1) * total / self.count - index * total / self.count
        return buckets
    }

    /// The sample as a film of 24 bits has it, so that sound that came from a farm measures as sound that is mixed
    /// here.
    private static func heard(_ sample: Float) -> Float { Float((Double(sample) * 8_388_608).rounded() / 8_388_608) }

    private mutating func measure(_ samples: UnsafePointer<Float>, _ count: Int, _ row: Int) {
        var low = least[row]
        var high = most[row]
        var sum = squares[row]
        for index in 0..<count {
            let value = Self.heard(samples[index])
            low = min(low, value)
            high = max(high, value)
            sum += Double(value) * Double(value)
        }
        least[row] = low
        most[row] = high
        squares[row] = sum
    }

    private mutating func measureMean(_ planes: [UnsafeMutablePointer<Float>], _ first: Int, _ count: Int) {
        var low = least[0]
        var high = most[0]
        var sum = squares[0]
        let scale = Float(planes.count)
        for index in first..<(first + count) {
            var value = Self.heard(planes[0][index])
            for channel in 1..<planes.count { value += Self.heard(planes[channel][index]) }
            value /= scale
            low = min(low, value)
            high = max(high, value)
            sum += Double(value) * Double(value)
        }
        least[0] = low
        most[0] = high
        squares[0] = sum
    }
}
