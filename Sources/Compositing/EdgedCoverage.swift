import Pictures

/// Coverage of shapes with round corners or a border: a row is cut into lines, each of which knows exactly from where
/// to where it is inside.
extension Coverage {
    /// The number of lines in a row that is crossed by an edge which is not upright: a cell's share is then right to
    /// 1/64.
    private static let lineCount = 32

    /// The stretches of a row's lines; those of a line without one are empty.
    private struct Lines {
        private var lows = SIMD32<Double>(repeating: .infinity)
        private var highs = SIMD32<Double>(repeating: -.infinity)
        let count: Int
        /// The part of a cell's height that each line counts for.
        let share: Double

        init(_ shape: RoundedShape?, _ row: (from: Double, to: Double), count: Int, share: Double, within: LayerShape) {
            (self.count, self.share) = (count, share)
            guard let shape else { return }
            for index in 0..<count {
                let y = row.from + (row.to - row.from) * (Double(index) + 0.5) / Double(count)
                guard let stretch = shape.stretch(atLine: y) else { continue }
                let low = max(LayerShape.snapped(stretch.low), within.left)
                let high = min(LayerShape.snapped(stretch.high), within.right)
                if high > low { (lows[index], highs[index]) = (low, high) }
            }
        }

        /// The extent from the first stretch's begin to the last one's end; nil where all are empty.
        var extent: (low: Double, high: Double)? {
            let (low, high) = (lows.min(), highs.max())
            return low < high ? (low, high) : nil
        }

        /// The extent that is inside on every line; nil where there is none.
        var common: (low: Double, high: Double)? {
            var (low, high) = (-Double.infinity, Double.infinity)
            for index in 0..<count { (low, high) = (max(low, lows[index]), min(high, highs[index])) }
            return low < high ? (low, high) : nil
        }

        /// The share of a cell that is inside.
        func share(from: Double, to: Double) -> Double {
            var sum = 0.0
            for index in 0..<count { sum += max(0, min(to, highs[index]) - max(from, lows[index])) }
            return sum * share / (to - from)
        }
    }

    /// Writes the shares of a row with an edge, as `row` does. Where a border is painted they are the border's weights.
    /// Otherwise they are the picture's, so that the border, painted over it with the same opacity (but for
    /// `pictureAlpha`), fills what the picture leaves and nothing shines through between.
    func edgedRow(_ y: Int, _ edged: EdgedShape, _ edge: LayerEdge, into weights: UnsafeMutablePointer<Float>) -> Span {
        let (low, high) = (Double(y << shiftY), Double(min((y + 1) << shiftY, canvas.height)))
        let row = (from: max(low, shape.top), to: min(high, shape.bottom))
        guard row.to > row.from else { return Span() }
        let count = row.from >= edged.plainTop && row.to <= edged.plainBottom ? 1 : Self.lineCount
        let share = (row.to - row.from) / (high - low) / Double(count)
        let outer = Lines(edged.outer, row, count: count, share: share, within: shape)
        let inner =
            edged.hasBorder ? Lines(edged.inner, row, count: count, share: share, within: shape) : outer
        guard let extent = outer.extent else { return Span() }
        let seen = Self.cells(extent.low, extent.high, shift: shiftX, size: canvas.width).clamped(to: columns)
        let whole = wholeCells(inner.common, in: seen)
        for x in seen where !whole.contains(x) {
            let (from, to) = (Double(x << shiftX), Double(min((x + 1) << shiftX, canvas.width)))
            let covered = outer.share(from: from, to: to)
            let inside = edged.hasBorder ? min(covered, inner.share(from: from, to: to)) : covered
            weights[x - columns.lowerBound] = Float(weight(covered, inside, edge))
        }
        let total = share * Double(count)
        fillRow(
            weights + (whole.lowerBound - columns.lowerBound), with: Float(weight(total, total, edge)),
            count: whole.count)
        let isSolid = total == 1 && !edge.isBorder && !whole.isEmpty
        return Span(
            start: seen.lowerBound, end: seen.upperBound, fullStart: isSolid ? whole.lowerBound : seen.upperBound,
            fullEnd: isSolid ? whole.upperBound : seen.upperBound)
    }

    /// The weight of a cell by its covered share and the part of that inside the border.
    private func weight(_ covered: Double, _ inside: Double, _ edge: LayerEdge) -> Double {
        guard edge.hasBorder else { return min(1, covered) }
        let ring = covered - inside
        if edge.isBorder { return min(1, ring) }
        let hidden = ring * edge.borderAlpha
        let left = 1 - opacity / edge.pictureAlpha * hidden
        return left > 1e-9 ? min(1, (covered - hidden) / left) : 0
    }

    private func wholeCells(_ stretch: (low: Double, high: Double)?, in seen: Range<Int>) -> Range<Int> {
        let none = seen.upperBound..<seen.upperBound
        guard let stretch else { return none }
        let size = Double(1 << shiftX)
        let start = clampedInt((stretch.low / size).rounded(.up), seen.lowerBound, seen.upperBound)
        let isRightEdge = stretch.high >= Double(canvas.width)
        let end =
            isRightEdge ? seen.upperBound : clampedInt(stretch.high / size, seen.lowerBound, seen.upperBound)
        return end > start ? start..<end : none
    }
}
