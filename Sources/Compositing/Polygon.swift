/// A convex polygon of at most 16 corners, held in place so that clipping allocates nothing.
struct Polygon {
    private(set) var xs = SIMD16<Double>.zero
    private(set) var ys = SIMD16<Double>.zero
    private(set) var count = 0

    mutating func append(_ x: Double, _ y: Double) {
        guard count < 16 else { return }
        xs[count] = x
        ys[count] = y
        count += 1
    }

    /// The part with x (or y, where `vertical`) at least `limit`, or at most `limit` where `above` is false.
    func clipped(vertical: Bool, above: Bool, limit: Double) -> Polygon {
        var result = Polygon()
        guard count > 0 else { return result }
        var (px, py) = (xs[count - 1], ys[count - 1])
        let sign: Double = above ? 1 : -1
        var pd = ((vertical ? py : px) - limit) * sign
        for index in 0..<count {
            let (x, y) = (xs[index], ys[index])
            let d = ((vertical ? y : x) - limit) * sign
            if (d >= 0) != (pd >= 0) {
                let t = pd / (pd - d)
                if vertical {
                    result.append(px + (x - px) * t, limit)
                } else {
                    result.append(limit, py + (y - py) * t)
                }
            }
            if d >= 0 { result.append(x, y) }
            (px, py, pd) = (x, y, d)
        }
        return result
    }

    func clipped(vertical: Bool, from low: Double, to high: Double) -> Polygon {
        clipped(vertical: vertical, above: true, limit: low).clipped(vertical: vertical, above: false, limit: high)
    }

    var area: Double {
        guard count >= 3 else { return 0 }
        // Relative to the first corner: keeps the digits where coordinates are large and the polygon small.
        let (ox, oy) = (xs[0], ys[0])
        var sum = 0.0
        for index in 1..<(count - 1) {
            sum += (xs[index] - ox) * (ys[index + 1] - oy) - (xs[index + 1] - ox) * (ys[index] - oy)
        }
        return abs(sum) / 2
    }

    /// The extent along x, or along y where `vertical`; meaningless for an empty polygon.
    func extent(vertical: Bool) -> (low: Double, high: Double) {
        let values = vertical ? ys : xs
        var (low, high) = (values[0], values[0])
        for index in 0..<count {
            low = min(low, values[index])
            high = max(high, values[index])
        }
        return (low, high)
    }

    /// The extent along x of the corners that lie on the line `y`; nil where none does.
    func extent(onLine y: Double) -> (low: Double, high: Double)? {
        var result: (low: Double, high: Double)?
        for index in 0..<count where ys[index] == y {
            let x = xs[index]
            result = (min(result?.low ?? x, x), max(result?.high ?? x, x))
        }
        return result
    }
}
