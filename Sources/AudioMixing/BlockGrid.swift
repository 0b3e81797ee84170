/// Sound in blocks of one size that begin at multiples of it, counted from the composition's start, whatever the blocks
/// are that it comes in; what comes out lies one such block behind.
package final class BlockGrid {
    private let buffer: PlanarBlock
    private let size: Int
    private let origin: Int

    /// - Parameter origin: the composition's sample of index 0.
    package init(size: Int, channels: Int, origin: Int) {
        (self.size, self.origin) = (size, origin)
        buffer = PlanarBlock(channels: channels, capacity: size)
    }

    /// `work` changes a whole block in place; `first` is the index of its first sample.
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
