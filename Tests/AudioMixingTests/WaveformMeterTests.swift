import AudioMixing
import Outputs
import Testing

@Suite struct WaveformMeterTests {
    /// Two channels whose values and buckets can be worked out by hand; any block size gives the same.
    @Test(arguments: [1, 2, 3, 5, 7, 100])
    func bucketsHoldPeaksAndTheRootOfTheMeanSquare(block: Int) {
        let left: [Float] = [0.5, -0.5, 0.5, -0.5, 1.5, 0, 0, 0, -0.25, 0.25]
        let right: [Float] = [0, 0, 0, 0, -1, -1, 1, 1, 0.75, 0.25]
        func measured(splitting: Bool) -> [[WaveformMeter.Bucket]] {
            var meter = WaveformMeter(channels: 2, splitting: splitting, samplesPerBucket: 4)
            var found: [[WaveformMeter.Bucket]] = []
            var done = 0
            while done < left.count {
                let count = min(block, left.count - done)
                var (first, second) = (Array(left[done..<(done + count)]), Array(right[done..<(done + count)]))
                first.withUnsafeMutableBufferPointer { first in
                    second.withUnsafeMutableBufferPointer { second in
                        guard let one = first.baseAddress, let other = second.baseAddress else { return }
                        meter.add([one, other], count: count) { found.append($0) }
                    }
                }
                done += count
            }
            meter.finish { found.append($0) }
            return found
        }
        typealias Bucket = WaveformMeter.Bucket
        #expect(
            measured(splitting: true) == [
                [Bucket(least: -0.5, most: 0.5, rms: 0.5), Bucket(least: 0, most: 0, rms: 0)],
                [Bucket(least: 0, most: 1.5, rms: 0.75), Bucket(least: -1, most: 1, rms: 1)],
                // The mean squares of two samples.
                [
                    Bucket(least: -0.25, most: 0.25, rms: 0.25),
                    Bucket(least: 0.25, most: 0.75, rms: (0.3125).squareRoot()),
                ],
            ])
        #expect(
            measured(splitting: false) == [
                [Bucket(least: -0.25, most: 0.25, rms: 0.25)],
                // Means of 0.25, −0.5, 0.5 and 0.5.
                [Bucket(least: -0.5, most: 0.5, rms: (0.8125 / 4).squareRoot())],
                [Bucket(least: 0.25, most: 0.25, rms: 0.25)],
            ])
    }

    /// Ten samples over four buckets: 2, 3, 2 and 3 of them, in blocks of any size.
    @Test(arguments: [1, 3, 10]) func bucketsShareAllSamples(block: Int) {
        var meter = WaveformMeter(channels: 1, splitting: true, spreading: 10, over: 4)
        var found: [ClosedRange<Float>] = []
        var samples = (0..<10).map(Float.init)
        samples.withUnsafeMutableBufferPointer { samples in
            guard let base = samples.baseAddress else { return }
            for start in stride(from: 0, to: 10, by: block) {
                meter.add([base + start], count: min(block, 10 - start)) { found.append($0[0].least...$0[0].most) }
            }
        }
        meter.finish { _ in found = [] }
        #expect(found == [0...1, 2...4, 5...6, 7...9])
    }
}
