import Foundation

/// Round corners of what is seen of a picture, and a border inside its edge, in its display pixels.
struct ReferenceEdge {
    var radius: Double
    var width: Double
    /// The border's, in the film's encoding.
    var values: SIMD3<Double>
    var alpha: Double

    /// Straight lines that stand for a quarter of a circle.
    private static let lines = 48

    /// How much of a canvas rectangle lies within the shape, and within its border.
    func coverage(
        _ map: InverseMap, _ corner: (x: Double, y: Double), _ size: (x: Double, y: Double), _ box: InverseMap.Box
    ) -> (outer: Double, inner: Double) {
        let outer = min(radius, min(box.right - box.left, box.bottom - box.top) / 2)
        let inside = (box.left + width, box.top + width, box.right - width, box.bottom - width)
        func share(_ box: InverseMap.Box, _ radius: Double) -> Double {
            let whole = map.coverage(corner.x, corner.y, size.x, size.y, box)
            guard whole > 0, radius > 0, box.left < box.right, box.top < box.bottom else { return whole }
            let cell = map.corners(corner.x, corner.y, size.x, size.y)
            if cell.allSatisfy({ Self.contains($0, box, radius) }) { return 1 }
            return map.coverage(corner.x, corner.y, size.x, size.y, of: Self.outline(box, radius))
        }
        guard box.left + width < box.right - width, box.top + width < box.bottom - width else {
            return (share(box, outer), 0)
        }
        return (share(box, outer), share(inside, max(0, outer - width)))
    }

    /// Clockwise; as large as the shape itself.
    private static func outline(_ box: InverseMap.Box, _ radius: Double) -> [(x: Double, y: Double)] {
        let step = Double.pi / 2 / Double(lines)
        // Chords cut a little off a circle.
        let reach = radius * (step / sin(step)).squareRoot()
        let centres = [
            (box.right - radius, box.top + radius), (box.right - radius, box.bottom - radius),
            (box.left + radius, box.bottom - radius), (box.left + radius, box.top + radius),
        ]
        return centres.enumerated().flatMap { quarter, centre in
            (0...lines).map { line in
                let angle = Double.pi / 2 * (Double(quarter) - 1) + Double(line) * step
                return (centre.0 + reach * cos(angle), centre.1 + reach * sin(angle))
            }
        }
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
