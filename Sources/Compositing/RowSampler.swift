/// Samples one source plane row by row, at a grid's places, as floats in the source's code values.
final class RowSampler {
    private var plane: SourcePlane?
    private var grid: SamplingGrid?
    private let ringMemory = Scratch()
    private let tagMemory = Scratch()
    private let rowMemory = Scratch()
    private let regionMemory = Scratch()
    private var region: UnsafeMutablePointer<Float>?
    /// Columns first, where that leaves the smaller sum of work; else rows first.
    private var filtersColumnsFirst = false
    private var ringRows = 0

    func configure(_ plane: SourcePlane, grid: SamplingGrid) {
        (self.plane, self.grid) = (plane, grid)
        guard grid.isAligned else {
            region = expandRegion(plane, grid)
            return
        }
        let (columns, vertical) = (grid.columnTaps, grid.rowTaps)
        let (inputs, outputs, rows) = (columns.end - columns.first, grid.columns.count, grid.rows.count)
        // A column tap is not vectorised across outputs, hence its price.
        let columnCost = outputs * (columns.taps <= 2 ? 6 : columns.taps * 2 + 2)
        let first = (vertical.end - vertical.first) * (columnCost + inputs) + rows * outputs * (vertical.taps + 1)
        let last = rows * (columnCost + inputs * (vertical.taps + 1))
        filtersColumnsFirst = !columns.isRun && first < last
        guard filtersColumnsFirst else { return }
        ringRows = vertical.taps + 1
        let tags = tagMemory.int32s(ringRows)
        for slot in 0..<ringRows { tags[slot] = -1 }
        _ = ringMemory.floats(ringRows * outputs)
    }

    /// Writes the values of a canvas row from column `start` to `end`; `out[0]` is the grid's first column. Where the
    /// axes do not mix, all of the grid's columns are written.
    func sample(row: Int, start: Int, end: Int, into out: UnsafeMutablePointer<Float>) {
        guard let plane, let grid else { return }
        if grid.isAligned {
            let index = row - grid.rows.lowerBound
            if filtersColumnsFirst {
                columnsFirst(plane, grid, index, into: out)
            } else {
                rowsFirst(plane, grid, index, into: out)
            }
            return
        }
        guard let region, end > start else { return }
        let walk = grid.walk(row: row, column: start)
        let stride = grid.regionX.count
        let target = out + (start - grid.columns.lowerBound)
        if grid.isBilinear {
            affineRow2(region, stride: stride, walk: walk, into: target, count: end - start)
        } else if grid.tapsX == 4, grid.tapsY == 4 {
            affineRow4(
                region, stride: stride, walk: walk, weightsX: grid.tableX, weightsY: grid.tableY, into: target,
                count: end - start)
        } else {
            affineRowN(
                region, stride: stride, walk: walk, weightsX: grid.tableX, tapsX: grid.tapsX, weightsY: grid.tableY,
                tapsY: grid.tapsY, into: target, count: end - start)
        }
    }

    // MARK: Axes apart

    private func rowsFirst(
        _ plane: SourcePlane, _ grid: SamplingGrid, _ index: Int, into out: UnsafeMutablePointer<Float>
    ) {
        let (columns, vertical) = (grid.columnTaps, grid.rowTaps)
        let inputs = columns.end - columns.first
        let weights = vertical.weights + index * vertical.taps
        let target = columns.isRun ? out : rowMemory.floats(inputs + columns.taps)
        plane.sumRows(
            Int(vertical.starts[index]), weights, taps: vertical.taps, from: columns.first, count: inputs, into: target)
        if !columns.isRun { convolve(target, columns, into: out, count: grid.columns.count) }
    }

    private func columnsFirst(
        _ plane: SourcePlane, _ grid: SamplingGrid, _ index: Int, into out: UnsafeMutablePointer<Float>
    ) {
        let vertical = grid.rowTaps
        let count = grid.columns.count
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

    /// A source row after the horizontal pass; made once while it stays in the ring.
    private func ringRow(_ plane: SourcePlane, _ grid: SamplingGrid, _ y: Int) -> UnsafePointer<Float> {
        let count = grid.columns.count
        // Rows past the last one touched have weight 0: any row in the ring will do.
        let source = min(y, grid.rowTaps.end - 1)
        let slot = source % ringRows
        let row = ringMemory.floats(ringRows * count) + slot * count
        let tags = tagMemory.int32s(ringRows)
        if tags[slot] != Int32(source) {
            tags[slot] = Int32(source)
            let columns = grid.columnTaps
            let inputs = columns.end - columns.first
            let expanded = rowMemory.floats(inputs + columns.taps)
            plane.expand(source, from: columns.first, count: inputs, into: expanded)
            convolve(expanded, columns, into: row, count: count)
        }
        return UnsafePointer(row)
    }

    private func convolve(
        _ source: UnsafePointer<Float>, _ taps: AxisTaps, into out: UnsafeMutablePointer<Float>, count: Int
    ) {
        let first = Int32(taps.first)
        switch taps.taps {
        case 1: pickRow(source, starts: taps.starts, first: first, into: out, count: count)
        case 2:
            convolveRow2(source, starts: taps.starts, first: first, weights: taps.weights, into: out, count: count)
        default:
            convolveRow4(
                source, starts: taps.starts, first: first, weights: taps.weights, taps: taps.taps, into: out,
                count: count)
        }
    }

    // MARK: Axes mixed

    /// The grid's region of the plane as floats, reduced where asked, edge samples repeated outside the frame.
    private func expandRegion(_ plane: SourcePlane, _ grid: SamplingGrid) -> UnsafeMutablePointer<Float> {
        let (xs, ys) = (grid.regionX, grid.regionY)
        let width = (plane.width + grid.reduceX - 1) / grid.reduceX
        let height = (plane.height + grid.reduceY - 1) / grid.reduceY
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
                plane.expand(source, from: left, count: right - left, into: inside)
            } else {
                reduceRow(plane, grid, source, from: left, count: right - left, into: inside)
            }
            fillRow(row, with: inside[0], count: left - xs.lowerBound)
            fillRow(inside + (right - left), with: inside[right - left - 1], count: xs.upperBound - right)
        }
        return out
    }

    /// Averages of blocks; blocks that overhang the frame repeat its edge.
    private func reduceRow(
        _ plane: SourcePlane, _ grid: SamplingGrid, _ y: Int, from x: Int, count: Int,
        into out: UnsafeMutablePointer<Float>
    ) {
        let (fx, fy) = (grid.reduceX, grid.reduceY)
        let line = rowMemory.floats(plane.width)
        fillRow(out, with: 0, count: count)
        for k in 0..<fy {
            plane.expand(min(y * fy + k, plane.height - 1), from: 0, count: plane.width, into: line)
            for i in 0..<count {
                var sum: Float = 0
                for j in 0..<fx { sum += line[min((x + i) * fx + j, plane.width - 1)] }
                out[i] += sum
            }
        }
        let share = 1 / (Float(fx) * Float(fy))
        for i in 0..<count { out[i] = out[i] * share }
    }
}
