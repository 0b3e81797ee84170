/// Round corners of what is seen of a picture, and a border inside its edge, in its display pixels.
struct ReferenceEdge {
    var radius: Double
    var width: Double
    /// The border's, in the film's encoding.
    var values: SIMD3<Double>
    var alpha: Double

    /// Along each side of a cell.
    private static let points = 24

    /// How much of a canvas rectangle lies within the shape, and within its border, counted at points.
    func coverage(
        _ map: InverseMap, _ corner: (x: Double, y: Double), _ size: (x: Double, y: Double), _ box: InverseMap.Box
    ) -> (outer: Double, inner: Double) {
        let largest = min(box.right - box.left, box.bottom - box.top) / 2
        let outer = (box: box, radius: min(radius, largest))
        let inside = (box.left + width, box.top + width, box.right - width, box.bottom - width)
        let inner = (box: inside, radius: max(0, outer.radius - width))
        let steps = Self.points
        var counts = (outer: 0, inner: 0)
        for row in 0..<steps {
            for column in 0..<steps {
                let x = corner.x + size.x * (Double(column) + 0.5) / Double(steps)
                let y = corner.y + size.y * (Double(row) + 0.5) / Double(steps)
                let point = map.back(x, y)
                guard Self.contains(point, outer.box, outer.radius) else { continue }
                counts.outer += 1
                if Self.contains(point, inner.box, inner.radius) { counts.inner += 1 }
            }
        }
        let all = Double(steps * steps)
        return (Double(counts.outer) / all, Double(counts.inner) / all)
    }

    /// One plane's value and alpha with the border over that share of it, in encoded values.
    func over(_ value: Double, _ own: Double, plane: Int, share: Double) -> (value: Double, alpha: Double) {
        let (mixed, seen) = over(SIMD3(repeating: value), own, share: share, nil)
        return (mixed[plane], seen)
    }

    /// A picture's values and alpha with the border over that share of it.
    func over(_ picture: SIMD3<Double>, _ own: Double, share: Double, _ blend: LightMixing?)
        -> (values: SIMD3<Double>, alpha: Double)
    {
        let cover = share * alpha
        let seen = cover + own * (1 - cover)
        guard seen > 0 else { return (picture, 0) }
        if let blend { return (blend.mixed(values, over: picture, cover / seen), seen) }
        return ((values * cover + picture * own * (1 - cover)) / seen, seen)
    }

    private static func contains(_ point: (x: Double, y: Double), _ box: InverseMap.Box, _ radius: Double) -> Bool {
        guard point.x >= box.left, point.x <= box.right, point.y >= box.top, point.y <= box.bottom else { return false }
        let x = max(box.left + radius - point.x, point.x - (box.right - radius), 0)
        let y = max(box.top + radius - point.y, point.y - (box.bottom - radius), 0)
        return x * x + y * y <= radius * radius || x == 0 || y == 0
    }
}
