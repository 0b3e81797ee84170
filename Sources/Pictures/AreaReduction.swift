/// Makes each sample the mean of a square of `factor` by `factor` samples, rounded to nearest, halves upwards. Samples
/// beyond an edge are those at the edge. Colours with alpha are means weighed by it; where all of a square is
/// transparent they are plain means.
///
/// `target` has the source's layout, and one sample for each square that has one. The cost grows with the number of the
/// source's samples.
package func reduceByArea(_ source: PlanarImage, by factor: Int, into target: PlanarImage) {
    precondition((1...64).contains(factor), "Sums of squares of up to 64 by 64 are held in 32 bits.")
    let isWide = source.encoding.bitDepth > 8
    guard let alpha = source.alpha, let targetAlpha = target.alpha else {
        for (from, to) in [(source.luma, target.luma), (source.cb, target.cb), (source.cr, target.cr)] {
            meanPlane(from, by: factor, into: to, isWide)
        }
        return
    }
    meanPlane(alpha, by: factor, into: targetAlpha, isWide)
    let encoding = source.encoding
    weighedPlane(source.luma, alpha, (0, 0), by: factor, into: target.luma, isWide)
    for (from, to) in [(source.cb, target.cb), (source.cr, target.cr)] {
        weighedPlane(from, alpha, (encoding.chromaShiftX, encoding.chromaShiftY), by: factor, into: to, isWide)
    }
}

private func meanPlane(_ source: Plane, by factor: Int, into target: Plane, _ isWide: Bool) {
    var sums = [UInt32](repeating: 0, count: max(source.width, target.width * factor))
    sums.withUnsafeMutableBufferPointer { sums in
        guard let sums = sums.baseAddress else { return }
        for y in 0..<target.height {
            sums.update(repeating: 0, count: source.width)
            for line in y * factor..<(y + 1) * factor {
                let row = source.base + min(line, source.height - 1) * source.stride
                if isWide {
                    addRow(row.assumingMemoryBound(to: UInt16.self), to: sums, source.width)
                } else {
                    addRow(row.assumingMemoryBound(to: UInt8.self), to: sums, source.width)
                }
            }
            if target.width * factor > source.width {
                (sums + source.width).update(
                    repeating: sums[source.width - 1], count: target.width * factor - source.width)
            }
            let out = target.base + y * target.stride
            if isWide {
                meanRow(sums, factor, into: out.assumingMemoryBound(to: UInt16.self), target.width)
            } else {
                meanRow(sums, factor, into: out.assumingMemoryBound(to: UInt8.self), target.width)
            }
        }
    }
}

private func addRow(_ row: UnsafePointer<UInt8>, to sums: UnsafeMutablePointer<UInt32>, _ count: Int) {
    for x in 0..<count { sums[x] &+= UInt32(row[x]) }
}

private func addRow(_ row: UnsafePointer<UInt16>, to sums: UnsafeMutablePointer<UInt32>, _ count: Int) {
    for x in 0..<count { sums[x] &+= UInt32(row[x]) }
}

private func meanRow(
    _ sums: UnsafePointer<UInt32>, _ factor: Int, into out: UnsafeMutablePointer<UInt8>, _ count: Int
) {
    let area = UInt32(factor * factor)
    for x in 0..<count { out[x] = UInt8(truncatingIfNeeded: sum(sums + x * factor, factor, area / 2) / area) }
}

private func meanRow(
    _ sums: UnsafePointer<UInt32>, _ factor: Int, into out: UnsafeMutablePointer<UInt16>, _ count: Int
) {
    let area = UInt32(factor * factor)
    for x in 0..<count { out[x] = UInt16(truncatingIfNeeded: sum(sums + x * factor, factor, area / 2) / area) }
}

@inline(__always)
private func sum(_ values: UnsafePointer<UInt32>, _ count: Int, _ start: UInt32) -> UInt32 {
    var sum = start
    for k in 0..<count { sum &+= values[k] }
    return sum
}

/// Reduces a plane with alpha: each sample's weight is the alpha of the pixels that it belongs to.
private func weighedPlane(
    _ source: Plane, _ alpha: Plane, _ shift: (x: Int, y: Int), by factor: Int, into target: Plane, _ isWide: Bool
) {
    func value(_ plane: Plane, _ x: Int, _ y: Int) -> UInt64 {
        let row = plane.base + min(y, plane.height - 1) * plane.stride
        let column = min(x, plane.width - 1)
        return isWide
            ? UInt64(row.assumingMemoryBound(to: UInt16.self)[column])
            : UInt64(row.assumingMemoryBound(to: UInt8.self)[column])
    }
    func weight(_ x: Int, _ y: Int) -> UInt64 {
        var sum: UInt64 = 0
        for v in y << shift.y..<(y + 1) << shift.y {
            for u in x << shift.x..<(x + 1) << shift.x { sum &+= value(alpha, u, v) }
        }
        return sum
    }
    for y in 0..<target.height {
        let out = target.base + y * target.stride
        for x in 0..<target.width {
            var weighed: UInt64 = 0
            var weights: UInt64 = 0
            var plain: UInt64 = 0
            for v in y * factor..<(y + 1) * factor {
                for u in x * factor..<(x + 1) * factor {
                    // A sample beyond the plane is the one at its edge, with that one's weight.
                    let (column, line) = (min(u, source.width - 1), min(v, source.height - 1))
                    let (sample, share) = (value(source, column, line), weight(column, line))
                    weighed &+= sample &* share
                    weights &+= share
                    plain &+= sample
                }
            }
            let area = UInt64(factor * factor)
            let mean = weights > 0 ? (weighed + weights / 2) / weights : (plain + area / 2) / area
            if isWide {
                out.assumingMemoryBound(to: UInt16.self)[x] = UInt16(truncatingIfNeeded: mean)
            } else {
                out.assumingMemoryBound(to: UInt8.self)[x] = UInt8(truncatingIfNeeded: mean)
            }
        }
    }
}

extension PixelEncoding {
    /// The encoding of a picture that `reduceByArea` makes: means of chroma lie in the middle of their samples.
    package func reducedByArea(_ factor: Int) -> PixelEncoding {
        guard factor > 1 else { return self }
        var result = self
        let share = 1 / Double(factor)
        if chromaShiftX > 0 { result.chromaOffsetX = 0.5 + (chromaOffsetX - 0.5) * share }
        if chromaShiftY > 0 { result.chromaOffsetY = 0.5 + (chromaOffsetY - 0.5) * share }
        return result
    }
}
