/// Samples of a source that is read once, in order: those that are needed at the moment.
final class SampleWindow {
    /// Makes the next samples.
    typealias Source = (_ planes: [UnsafeMutablePointer<Float>], _ count: Int) throws -> Void

    private var kept: KeptSamples
    /// The places of the samples that are kept.
    var range: Range<Int> { kept.range }

    /// The samples that are read at once.
    private static let step = 2048

    init(channels: Int, first: Int) {
        kept = KeptSamples(channels: channels, first: first, capacity: 4 * Self.step)
    }

    /// The plane of a channel, whose sample n stands at n − `range.lowerBound`.
    func plane(_ channel: Int) -> UnsafeMutablePointer<Float> { kept.planes[channel] }

    /// Reads on until the samples are there; samples before them are forgotten, and never wanted again.
    func require(_ wanted: Range<Int>, from source: Source) throws {
        precondition(wanted.lowerBound >= range.lowerBound, "a source is read once, in order")
        kept.forget(before: wanted.lowerBound)
        while range.upperBound < wanted.upperBound {
            // Samples that nobody wants are read and forgotten.
            let skipped = wanted.lowerBound - range.upperBound
            let count = skipped > 0 ? min(skipped, Self.step) : Self.step
            try kept.append(count) { try source($0, count) }
            if skipped > 0 { kept.forget(before: range.upperBound) }
        }
    }
}
