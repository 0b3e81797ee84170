/// Samples of consecutive places, a plane for each channel: more are put behind the last, the first are forgotten.
struct KeptSamples {
    private var block: PlanarBlock
    private var capacity: Int
    private let channels: Int
    /// The places of the samples that are kept.
    private(set) var range: Range<Int>

    init(channels: Int, first: Int, capacity: Int) {
        self.channels = channels
        self.capacity = max(1, capacity)
        range = first..<first
        block = PlanarBlock(channels: channels, capacity: self.capacity)
    }

    /// The first kept sample of each channel; good until samples are added.
    var planes: [UnsafeMutablePointer<Float>] { block.planes }

    /// Adds the next `count` samples, which `fill` writes into the room for them.
    mutating func append(_ count: Int, _ fill: ([UnsafeMutablePointer<Float>]) throws -> Void) rethrows {
        while range.count + count > capacity { grow() }
        try fill(block.planes.map { $0 + range.count })
        range = range.lowerBound..<range.upperBound + count
    }

    mutating func forget(before first: Int) {
        let dropped = min(first, range.upperBound) - range.lowerBound
        guard dropped > 0 else { return }
        for plane in block.planes { plane.update(from: plane + dropped, count: range.count - dropped) }
        range = range.lowerBound + dropped..<range.upperBound
    }

    private mutating func grow() {
        let larger = PlanarBlock(channels: channels, capacity: capacity * 2)
        for (new, old) in zip(larger.planes, block.planes) { new.update(from: old, count: range.count) }
        (block, capacity) = (larger, capacity * 2)
    }
}
