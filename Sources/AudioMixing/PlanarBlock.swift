/// A plane of floats for each channel, good as long as this object lives; zeroed at first.
package final class PlanarBlock {
    package let planes: [UnsafeMutablePointer<Float>]

    package init(channels: Int, capacity: Int) {
        planes = (0..<channels).map { _ in
            let plane = UnsafeMutablePointer<Float>.allocate(capacity: capacity)
            plane.initialize(repeating: 0, count: capacity)
            return plane
        }
    }

    deinit { planes.forEach { $0.deallocate() } }
}
