import Diagnostics
package import MediaTime

/// Plays sound that is made sample by sample at another speed (varispeed), by the resampler that files are read by.
///
/// Output sample n lies at n × `rate` of the made sound. Resampling takes in the samples before the wanted one and
/// after the last, so that no edge stands at a cut. Confined to one thread at a time.
package final class SpeedReader {
    /// Makes the next `count` input samples; those of the first call are from `first` on.
    package typealias Source = (_ planes: [UnsafeMutablePointer<Float>], _ count: Int) throws -> Void

    /// The number of the sample that `source` is to begin with; it may be negative.
    package let first: Int
    private let resampler: Resampler
    private let format: AudioFormat
    private var surplus: Int
    private let input: PlanarScratch
    private let waste: PlanarScratch

    /// Whether samples at that rate lie exactly in their places, wherever reading begins: at short fractions, such as
    /// 25/24 and 1001/960. Other rates want a reader that knows every place by itself.
    package static func takes(_ rate: Rational) -> Bool { rate.denominator <= 1024 }

    /// A reader that leaves out the first `skipped` output samples.
    package init(sampleRate: Int, channels: Int, rate: Rational, skipping skipped: Int, subject: String) throws {
        resampler = Resampler(sampleRate: sampleRate, channels: channels, rate: rate, subject: subject)
        format = AudioFormat(sampleRate: sampleRate, channels: channels)
        let runIn = RunIn(step: try resampler.step(from: sampleRate), skipping: skipped)
        (first, surplus) = (runIn.sourceOffset, runIn.surplus)
        (input, waste) = (PlanarScratch(planes: channels), PlanarScratch(planes: channels))
    }

    package func read(into planes: [UnsafeMutablePointer<Float>], count: Int, from source: Source) throws {
        while surplus > 0 {
            surplus -= try unsafe pull(waste.planes, min(surplus, waste.capacity), source)
        }
        var done = 0
        while done < count {
            done += try unsafe pull(planes.map { unsafe $0 + done }, count - done, source)
        }
    }

    /// Writes up to `count` samples and returns their number; 0 where more had to come in first.
    private func pull(_ planes: [UnsafeMutablePointer<Float>], _ count: Int, _ source: Source) throws -> Int {
        let pulled = try unsafe resampler.pull(into: planes, count: count)
        if pulled == 0 {
            try unsafe source(input.planes, input.capacity)
            try unsafe resampler.push(input.planes, count: input.capacity, format: format)
        }
        return pulled
    }
}
