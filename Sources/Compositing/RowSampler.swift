/// Samples one source plane row by row, at a grid's places, as floats in the source's code values.
final class RowSampler {
    private var plane: SampledPlane?
    private var grid: SamplingGrid?
    private let ringMemory = Scratch()
    private let tagMemory = Scratch()
    private let rowMemory = Scratch()
    private let alphaMemory = Scratch()
    private let regionMemory = Scratch()
    /// The part of the source that is ready as floats, for maps that mix the axes.
    private var region: (samples: UnsafeMutablePointer<Float>, x: Range<Int>, y: Range<Int>)?
    /// Whether columns are filtered before rows, where that is less work in all.
    private var filtersColumnsFirst = false
    private var ringRows = 0
    private var ringWidth = 0

    /// - Parameter ringBytes: The bytes that source rows which are kept for the next row may take, eight rows at least.
    func configure(_ plane: SampledPlane, grid: SamplingGrid, ringBytes: Int) {
        (self.plane, self.grid) = (plane, grid)
        region = nil
        guard grid.isAligned else { return }
        let (columns, vertical) = (grid.columnTaps, grid.rowTaps)
        let (inputs, outputs, rows) = (columns.end - columns.first, grid.columns.count, grid.rows.count)
        // A column tap is not vectorised across outputs unless its weights repeat, hence its price.
        let price = columns.taps <= 2 ? 6 : columns.taps * 2 + 2
        let columnCost = outputs * price - columns.run.outputs * price * 2 / 3
        let first = (vertical.end - vertical.first) * (columnCost + inputs) + rows * outputs * (vertical.taps + 1)
        let last = rows * (columnCost + inputs * (vertical.taps + 1))
        filtersColumnsFirst = !columns.isRun && first < last
        guard filtersColumnsFirst || !plane.isPlain else { return }
        ringWidth = filtersColumnsFirst ? outputs : inputs
        ringRows = min(vertical.taps + 1, max(8, ringBytes / (4 * max(1, ringWidth))))
        let tags = tagMemory.int32s(ringRows)
        for slot in 0..<ringRows { tags[slot] = -1 }
        _ = ringMemory.floats(ringRows * ringWidth)
    }

    /// Makes a tile's part of the source ready; to be called before its rows are sampled.
    func enter(_ tile: SamplingGrid.Tile) {
        guard let plane, let grid, !grid.isAligned else { return }
        let (xs, ys) = grid.region(of: tile)
        region = (expandRegion(plane, grid, xs, ys), xs, ys)
    }

    /// Writes the values of a canvas row from column `start` to `end`; `out[0]` is the grid's first column. Where the
    /// axes do not mix, all of the grid's columns are written; where they do, the walk along the row began at `origin`.
    func sample(row: Int, start: Int, end: Int, origin: Int, into out: UnsafeMutablePointer<Float>) {
        guard let plane, let grid else { return }
        if grid.isAligned {
            let index = row - grid.rows.lowerBound
            if filtersColumnsFirst {
                sumRing(plane, grid, index, into: out)
            } else {
                rowsFirst(plane, grid, index, into: out)
            }
            return
        }
        guard let (samples, xs, ys) = region, end > start else { return }
        let walk = grid.walk(row: row, column: start, from: origin, in: xs, ys)
        let stride = xs.count
        let target = out + (start - grid.columns.lowerBound)
        if grid.isBilinear {
            affineRow2(samples, stride: stride, walk: walk, into: target, count: end - start)
        } else if grid.tapsX == 4, grid.tapsY == 4 {
            affineRow4(
                samples, stride: stride, walk: walk, weightsX: grid.tableX, weightsY: grid.tableY, into: target,
                count: end - start)
        } else {
            affineRowN(
                samples, stride: stride, walk: walk, weightsX: grid.tableX, tapsX: grid.tapsX, weightsY: grid.tableY,
                tapsY: grid.tapsY, into: target, count: end - start)
        }
    }

    // MARK: Axes apart

    private func rowsFirst(
        _ plane: SampledPlane, _ grid: SamplingGrid, _ index: Int, into out: UnsafeMutablePointer<Float>
    ) {
        let (columns, vertical) = (grid.columnTaps, grid.rowTaps)
        let inputs = columns.end - columns.first
        let target = columns.isRun ? out : rowMemory.floats(inputs + columns.taps)
        if plane.isPlain {
            plane.plane.sumRows(
                Int(vertical.starts[index]), vertical.weights + index * vertical.taps, taps: vertical.taps,
                from: columns.first, count: inputs, into: target)
        } else {
            sumRing(plane, grid, index, into: target)
        }
        if !columns.isRun { convolve(target, columns, into: out, count: grid.columns.count) }
    }

    /// Makes the vertical pass over rows of the ring.
    private func sumRing(
        _ plane: SampledPlane, _ grid: SamplingGrid, _ index: Int, into out: UnsafeMutablePointer<Float>
    ) {
        let vertical = grid.rowTaps
        let count = ringWidth
        let weights = vertical.weights + index * vertical.taps
        let start = Int(vertical.starts[index])
        switch vertical.taps {
        case 1:
            out.update(from: ringRow(plane, grid, start), count: count)
        case 2:
            let (a, b) = (ringRow(plane, grid, start), ringRow(plane, grid, start + 1))
            sumTwoRows(a, b, weights, into: out, count: count)
        default:
            for k in stride(from: 0, to: vertical.taps, by: 4) {
                sumFourRows(
                    ringRow(plane, grid, start + k), ringRow(plane, grid, start + k + 1),
                    ringRow(plane, grid, start + k + 2), ringRow(plane, grid, start + k + 3), weights + k,
                    adds: k > 0, into: out, count: count)
            }
        }
    }

    /// A source row as floats, after the horizontal pass where that comes first; made once while it stays in the ring,
    /// which takes four rows at least.
    private func ringRow(_ plane: SampledPlane, _ grid: SamplingGrid, _ y: Int) -> UnsafePointer<Float> {
        let count = ringWidth
        // Rows past the last one touched have weight 0: any row in the ring will do.
        let source = min(y, grid.rowTaps.end - 1)
        let slot = source % ringRows
        let row = ringMemory.floats(ringRows * count) + slot * count
        let tags = tagMemory.int32s(ringRows)
        if tags[slot] != Int32(source) {
            tags[slot] = Int32(source)
            let columns = grid.columnTaps
            let inputs = columns.end - columns.first
            if filtersColumnsFirst {
                let expanded = rowMemory.floats(inputs + columns.taps)
                plane.expand(source, from: columns.first, count: inputs, into: expanded, line: alphaMemory)
                convolve(expanded, columns, into: row, count: count)
            } else {
                plane.expand(source, from: columns.first, count: inputs, into: row, line: alphaMemory)
            }
        }
        return UnsafePointer(row)
    }

    private func convolve(
        _ source: UnsafePointer<Float>, _ taps: AxisTaps, into out: UnsafeMutablePointer<Float>, count: Int
    ) {
        let run = taps.run
        guard run.count > 0 else { return convolve(source, taps, 0..<count, into: out) }
        convolve(source, taps, 0..<run.first, into: out)
        let start = source + (Int(taps.starts[run.first]) - taps.first)
        let weights = taps.weights + taps.taps * run.first
        if taps.taps == 2 {
            convolvePairs(start, weights: weights, into: out + run.first, count: run.count)
        } else {
            convolveHalves(start, weights: weights, into: out + run.first, count: run.count)
        }
        convolve(source, taps, run.end..<count, into: out)
    }

    private func convolve(
        _ source: UnsafePointer<Float>, _ taps: AxisTaps, _ outputs: Range<Int>,
        into out: UnsafeMutablePointer<Float>
    ) {
        let (first, place, count) = (Int32(taps.first), outputs.lowerBound, outputs.count)
        let (starts, weights, target) = (taps.starts + place, taps.weights + place * taps.taps, out + place)
        switch taps.taps {
        case 1: pickRow(source, starts: starts, first: first, into: target, count: count)
        case 2: convolveRow2(source, starts: starts, first: first, weights: weights, into: target, count: count)
        default:
            convolveRow4(
                source, starts: starts, first: first, weights: weights, taps: taps.taps, into: target, count: count)
        }
    }

    // MARK: Axes mixed

    /// A region of the plane as floats, reduced where asked, edge samples repeated outside the frame.
    private func expandRegion(
        _ plane: SampledPlane, _ grid: SamplingGrid, _ xs: Range<Int>, _ ys: Range<Int>
    ) -> UnsafeMutablePointer<Float> {
        let width = (plane.plane.width + grid.reduceX - 1) / grid.reduceX
        let height = (plane.plane.height + grid.reduceY - 1) / grid.reduceY
        let out = regionMemory.floats(xs.count * ys.count)
        let (left, right) = (max(xs.lowerBound, 0), min(xs.upperBound, width))
        var last = -1
        for y in ys {
            let row = out + (y - ys.lowerBound) * xs.count
            let source = min(max(y, 0), height - 1)
            if source == last {
                row.update(from: row - xs.count, count: xs.count)
                continue
            }
            last = source
            let inside = row + (left - xs.lowerBound)
            if grid.reduceX == 1, grid.reduceY == 1 {
                plane.expand(source, from: left, count: right - left, into: inside, line: alphaMemory)
            } else {
                reduceRow(plane, grid, source, from: left, count: right - left, into: inside)
            }
            fillRow(row, with: inside[0], count: left - xs.lowerBound)
            fillRow(inside + (right - left), with: inside[right - left - 1], count: xs.upperBound - right)
        }
        return out
    }

    /// Writes the averages of blocks; blocks that overhang the frame repeat its edge.
    private func reduceRow(
        _ plane: SampledPlane, _ grid: SamplingGrid, _ y: Int, from x: Int, count: Int,
        into out: UnsafeMutablePointer<Float>
    ) {
        let (fx, fy) = (grid.reduceX, grid.reduceY)
        let (width, height) = (plane.plane.width, plane.plane.height)
        let line = rowMemory.floats(width)
        fillRow(out, with: 0, count: count)
        for k in 0..<fy {
            plane.expand(min(y * fy + k, height - 1), from: 0, count: width, into: line, line: alphaMemory)
            for i in 0..<count {
                var sum: Float = 0
                for j in 0..<fx { sum += line[min((x + i) * fx + j, width - 1)] }
                out[i] += sum
            }
        }
        let share = 1 / (Float(fx) * Float(fy))
        for i in 0..<count { out[i] = out[i] * share }
    }
}
