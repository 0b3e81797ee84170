/// Samples of a source that is read once, in order: those that are needed at the moment.
final class SampleWindow {
    /// Makes the next samples.
    typealias Source = (_ planes: [UnsafeMutablePointer<Float>], _ count: Int) throws -> Void

    private var block: PlanarBlock
    private var capacity: Int
    private let channels: Int
    /// The samples that are there.
    private(set) var range: Range<Int>

    /// Samples that are read at once.
    private static let step = 2048

    init(channels: Int, first: Int) {
        (self.channels, capacity, range) = (channels, 4 * Self.step, first..<first)
        block = PlanarBlock(channels: channels, capacity: capacity)
    }

    /// The plane of a channel, whose sample n stands at n − `range.lowerBound`.
    func plane(_ channel: Int) -> UnsafeMutablePointer<Float> { block.planes[channel] }

    /// Reads on until the samples are there; what lies before them is forgotten, and never wanted again.
    func require(_ wanted: Range<Int>, from source: Source) throws {
        precondition(wanted.lowerBound >= range.lowerBound, "a source is read once, in order")
        forget(before: wanted.lowerBound)
        while range.upperBound < wanted.upperBound {
            if range.isEmpty, range.upperBound < wanted.lowerBound {
                // What nobody wants.
                let count = min(wanted.lowerBound - range.upperBound, Self.step)
                try source(block.planes, count)
                range = range.upperBound + count..<range.upperBound + count
                continue
            }
            if range.count + Self.step > capacity { grow() }
            try source(block.planes.map { $0 + range.count }, Self.step)
            range = range.lowerBound..<range.upperBound + Self.step
        }
    }

    private func forget(before first: Int) {
        let dropped = min(first, range.upperBound) - range.lowerBound
        guard dropped > 0 else { return }
        for plane in block.planes { plane.update(from: plane + dropped, count: range.count - dropped) }
        range = range.lowerBound + dropped..<range.upperBound
    }

    private func grow() {
        let larger = PlanarBlock(channels: channels, capacity: capacity * 2)
        for (new, old) in zip(larger.planes, block.planes) { new.update(from: old, count: range.count) }
        (block, capacity) = (larger, capacity * 2)
    }
}
