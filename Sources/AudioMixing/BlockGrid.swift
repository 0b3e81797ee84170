/// Sound in blocks of one size that begin at multiples of it, counted from the composition's start, whatever the blocks
/// are in which it comes; the blocks that come out lie one such block behind.
package final class BlockGrid {
    private let buffer: PlanarBlock
    private let size: Int
    private let origin: Int

    /// - Parameter origin: the composition's sample of index 0.
    package init(size: Int, channels: Int, origin: Int) {
        (self.size, self.origin) = (size, origin)
        buffer = PlanarBlock(channels: channels, capacity: size)
    }

    /// Runs `work` on each whole block, which it changes in place; its `first` is the index of the block's first
    /// sample.
    package func run(
        _ planes: [UnsafeMutablePointer<Float>], first: Int, count: Int,
        work: (_ block: [UnsafeMutablePointer<Float>], _ first: Int) throws -> Void
    ) rethrows {
        var done = 0
        while done < count {
            let rest = (first + done + origin) % size
            let place = rest < 0 ? rest + size : rest
            let part = min(size - place, count - done)
            for (plane, kept) in zip(planes, buffer.planes) {
                for index in 0..<part {
                    (plane[done + index], kept[place + index]) = (kept[place + index], plane[done + index])
                }
            }
            done += part
            if place + part == size { try work(buffer.planes, first + done - size) }
        }
    }
}
