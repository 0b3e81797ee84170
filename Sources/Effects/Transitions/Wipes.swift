/// An edge that goes one way: straight ones along the rows or the columns, slanting ones from one corner to the
/// opposite one, parallel to the diagonal between the two others.
struct Wipe: TransitionKernel {
    /// The direction in which the edge goes: -1, 0 or 1.
    let x, y: Double

    func draw(_ transition: Transition) {
        let (width, height) = (Double(transition.width), Double(transition.height))
        if y == 0 {
            transition.mix.mix(
                by: StraightMask(transition.edge(length: width), along: transition.width, backwards: x < 0, rows: true))
        } else if x == 0 {
            transition.mix.mix(
                by: StraightMask(
                    transition.edge(length: height), along: transition.height, backwards: y < 0, rows: false))
        } else {
            transition.mix.mix(by: SlantMask(transition, x: x, y: y))
        }
    }
}

/// A mask with the same weight for all samples of a column, or of a row.
struct StraightMask: WeightMask {
    let rowsAreEqual: Bool
    private let weights: [Float]
    private let changes: Range<Int>

    /// - Parameters:
    ///   - count: the number of columns, or of rows.
    ///   - backwards: the edge comes from the end.
    ///   - rows: it goes along the rows.
    init(_ edge: Edge, along count: Int, backwards: Bool, rows: Bool) {
        rowsAreEqual = rows
        let places = (0..<count).map { Double(backwards ? count - 1 - $0 : $0) + 0.5 }
        weights = places.map { Float(edge.weight($0)) }
        let inside = places.indices.filter { places[$0] > edge.low && places[$0] < edge.high }
        changes = (inside.first ?? 0)..<(inside.last ?? -1) + 1
    }

    /// A mask of any weights; before and after `changing` they are as the first and the last one.
    init(_ weights: [Float], rows: Bool, changing: Range<Int>) {
        self.weights = weights
        rowsAreEqual = rows
        changes = changing
    }

    func row(_ y: Int, into row: UnsafeMutablePointer<Float>) -> MaskRow {
        guard rowsAreEqual else { return .even(weights[y]) }
        weights.withUnsafeBufferPointer { row.update(from: $0.baseAddress ?? UnsafePointer(row), count: $0.count) }
        return .varied(changes)
    }
}

/// A slanting edge. With `isFolded` both halves of the picture are alike in both directions: a diamond.
struct SlantMask: WeightMask {
    private let width: Int
    private let edge: Edge
    /// The way along which a row and a column are: at the origin, and for each further one.
    private let start, columnStep, rowStep: Double
    private let area: PixelArea
    /// The centre of a folded picture; nil for others.
    private let centre: (x: Double, y: Double)?

    init(_ transition: Transition, x: Double, y: Double, isFolded: Bool = false) {
        width = transition.width
        let (across, down) = (1 / Double(transition.width), 1 / Double(transition.height))
        // The way of a folded edge is half a picture.
        let share = isFolded ? 1.0 : 0.5
        let length = 1 / (share * (across * across + down * down).squareRoot())
        edge = transition.edge(length: length)
        (columnStep, rowStep) = (x * share * across * length, y * share * down * length)
        area = PixelArea(columnStep, rowStep)
        if isFolded {
            centre = (Double(transition.width) / 2, Double(transition.height) / 2)
            start = 0
        } else {
            centre = nil
            // The place of the corner that it comes from is 0.
            start = (x < 0 ? length / 2 : 0) + (y < 0 ? length / 2 : 0)
        }
    }

    func row(_ y: Int, into weights: UnsafeMutablePointer<Float>) -> MaskRow {
        let line = Double(y) + 0.5
        let base = start + rowStep * (centre.map { abs(line - $0.y) } ?? line)
        let (first, last) = ends(base)
        if edge.high <= min(first, last), centre == nil || edge.high <= base { return .even(0) }
        if edge.low >= max(first, last), centre == nil || edge.low >= base { return .even(1) }
        let soft = !edge.isSharp
        let (middle, scale) = (Float(edge.middle - base), Float(1 / edge.width))
        var range = 0..<width
        if let centre {
            foldedRow(Float(columnStep), Float(centre.x), middle, weights, width)
        } else {
            range = crossing(base)
            weights.update(repeating: first < last ? 1 : 0, count: range.lowerBound)
            slantRow(Float(columnStep), middle, weights, range)
            (weights + range.upperBound).update(repeating: first < last ? 0 : 1, count: width - range.upperBound)
        }
        if soft { rampRow(weights, scale, range) } else { area.row(weights, range) }
        return .varied(range)
    }

    /// The columns where the weight changes.
    private func crossing(_ base: Double) -> Range<Int> {
        let ends = [(edge.low - base) / columnStep, (edge.high - base) / columnStep]
        func column(_ place: Double) -> Int { Int(min(max(place, 0), Double(width)).rounded(.down)) }
        let low = column(min(ends[0], ends[1]) - 1)
        return low..<max(low, column(max(ends[0], ends[1]) + 2))
    }

    private func ends(_ base: Double) -> (Double, Double) {
        func place(_ x: Double) -> Double { base + columnStep * (centre.map { abs(x - $0.x) } ?? x) }
        return (place(0.5), place(Double(width) - 0.5))
    }
}

/// Writes the distance of each pixel's centre before the edge.
private func slantRow(_ step: Float, _ middle: Float, _ row: UnsafeMutablePointer<Float>, _ columns: Range<Int>) {
    for x in columns { row[x] = middle - (Float(Int32(truncatingIfNeeded: x)) + 0.5) * step }
}

private func foldedRow(
    _ step: Float, _ centre: Float, _ middle: Float, _ row: UnsafeMutablePointer<Float>, _ count: Int
) {
    for x in 0..<count { row[x] = middle - abs(Float(Int32(truncatingIfNeeded: x)) + 0.5 - centre) * step }
}

/// Turns distances into the weights of a ramp.
private func rampRow(_ row: UnsafeMutablePointer<Float>, _ scale: Float, _ columns: Range<Int>) {
    for x in columns { row[x] = min(max(row[x] * scale + 0.5, 0), 1) }
}

/// The part of a pixel that lies behind a straight edge of one slope.
struct PixelArea {
    private let flat, half, slope, curve: Float

    /// The area for an edge by its normal, whose length does not matter.
    init(_ x: Double, _ y: Double) {
        let length = (x * x + y * y).squareRoot()
        let (a, b) = (max(abs(x), abs(y)) / length, min(abs(x), abs(y)) / length)
        // The pixel's extent along the normal: half of all of it, and of where the edge meets two opposite sides.
        (half, flat) = (Float((a + b) / 2), Float((a - b) / 2))
        slope = Float(1 / a)
        curve = b > 1e-9 ? Float(1 / (2 * a * b)) : 0
    }

    /// Replaces the distance of the edge beyond a pixel's centre by the part of the pixel that lies behind it.
    func row(_ row: UnsafeMutablePointer<Float>, _ columns: Range<Int>) {
        let (flat, half, slope, curve) = (flat, half, slope, curve)
        for x in columns {
            let (place, far) = (row[x], abs(row[x]))
            let rest = max(half - far, 0)
            let corner = rest * rest * curve
            row[x] = far <= flat ? 0.5 + place * slope : place > 0 ? 1 - corner : corner
        }
    }
}
