import Pictures

/// The share of each cell of a canvas plane that a layer's shape covers: the exact area.
///
/// A cell is the block of luma pixels that a sample belongs to: one pixel for luma and alpha, the subsampling block for
/// chroma (cut at the canvas's edge), whatever the siting; so shapes on even coordinates have sharp chroma too.
struct Coverage {
    /// One row's cells that are covered at all, and those among them that are covered whole.
    struct Span {
        var start = 0
        var end = 0
        var fullStart = 0
        var fullEnd = 0
        var isEmpty: Bool { end <= start }

        /// The part of the span that lies in those cells.
        func within(_ cells: Range<Int>) -> Span {
            func limited(_ x: Int) -> Int { min(max(x, cells.lowerBound), cells.upperBound) }
            return Span(
                start: limited(start), end: limited(end), fullStart: limited(fullStart), fullEnd: limited(fullEnd))
        }
    }

    let shape: LayerShape
    let shiftX, shiftY: Int
    let canvas: PixelSize
    /// The layer's opacity, 0…1, on which the shares along a border depend.
    let opacity: Double
    /// The horizontal overlaps of `columns`, for shapes along the axes.
    private let overlaps: UnsafeMutablePointer<Float>
    private var fullColumns = 0..<0
    /// The cells that may be covered.
    let columns: Range<Int>
    let rows: Range<Int>

    init(shape: LayerShape, shiftX: Int, shiftY: Int, canvas: PixelSize, opacity: Double = 1, scratch: Scratch) {
        self.shape = shape
        self.shiftX = shiftX
        self.shiftY = shiftY
        self.canvas = canvas
        self.opacity = opacity
        columns = Self.cells(shape.left, shape.right, shift: shiftX, size: canvas.width)
        rows = Self.cells(shape.top, shape.bottom, shift: shiftY, size: canvas.height)
        overlaps = scratch.floats(columns.count)
        guard shape.isAxisAligned else { return }
        var (full, fullEnd) = (columns.upperBound, columns.lowerBound)
        for x in columns {
            let share = Self.share(x, shift: shiftX, size: canvas.width, shape.left, shape.right)
            overlaps[x - columns.lowerBound] = Float(share)
            if share == 1 { (full, fullEnd) = (min(full, x), x + 1) }
        }
        fullColumns = full..<max(full, fullEnd)
    }

    /// Whether all cells that are covered at all are covered whole.
    var isWhole: Bool {
        guard shape.isAxisAligned, shape.edged == nil, fullColumns == columns, let first = rows.first,
            let last = rows.last
        else { return false }
        return [first, last].allSatisfy {
            Self.share($0, shift: shiftY, size: canvas.height, shape.top, shape.bottom) == 1
        }
    }

    /// Writes the shares of row `y` from its span's start to its end; `weights[0]` is cell `columns.lowerBound`.
    func row(_ y: Int, into weights: UnsafeMutablePointer<Float>) -> Span {
        if let edged = shape.edged, let edge = shape.edge { return edgedRow(y, edged, edge, into: weights) }
        return shape.isAxisAligned ? alignedRow(y, into: weights) : polygonRow(y, into: weights)
    }

    private func alignedRow(_ y: Int, into weights: UnsafeMutablePointer<Float>) -> Span {
        let share = Float(Self.share(y, shift: shiftY, size: canvas.height, shape.top, shape.bottom))
        guard share > 0 else { return Span() }
        scaleRow(overlaps, by: share, into: weights, count: columns.count)
        var span = Span(start: columns.lowerBound, end: columns.upperBound)
        if share == 1 {
            (span.fullStart, span.fullEnd) = (fullColumns.lowerBound, fullColumns.upperBound)
        } else {
            (span.fullStart, span.fullEnd) = (span.end, span.end)
        }
        return span
    }

    private func polygonRow(_ y: Int, into weights: UnsafeMutablePointer<Float>) -> Span {
        let low = Double(y << shiftY)
        let high = Double(min((y + 1) << shiftY, canvas.height))
        let strip = shape.polygon.clipped(vertical: true, from: low, to: high)
        guard strip.count >= 3 else { return Span() }
        let extent = strip.extent(vertical: false)
        let cells = Self.cells(extent.low, extent.high, shift: shiftX, size: canvas.width).clamped(to: columns)
        guard !cells.isEmpty else { return Span() }
        var span = Span(start: cells.lowerBound, end: cells.upperBound, fullStart: cells.upperBound)
        span.fullEnd = span.fullStart
        if let first = strip.extent(onLine: low), let last = strip.extent(onLine: high) {
            let (left, right) = (max(first.low, last.low), min(first.high, last.high))
            let size = Double(1 << shiftX)
            let start = clampedInt((left / size).rounded(.up), cells.lowerBound, cells.upperBound)
            let isRightEdge = right >= Double(canvas.width)
            let end = isRightEdge ? cells.upperBound : clampedInt(right / size, cells.lowerBound, cells.upperBound)
            if end > start { (span.fullStart, span.fullEnd) = (start, end) }
        }
        for x in cells where x < span.fullStart || x >= span.fullEnd {
            let from = Double(x << shiftX)
            let to = Double(min((x + 1) << shiftX, canvas.width))
            let area = strip.clipped(vertical: false, from: from, to: to).area
            weights[x - columns.lowerBound] = Float(min(1, area / ((to - from) * (high - low))))
        }
        fillRow(weights + (span.fullStart - columns.lowerBound), with: 1, count: span.fullEnd - span.fullStart)
        return span
    }

    static func cells(_ low: Double, _ high: Double, shift: Int, size: Int) -> Range<Int> {
        let count = (size + (1 << shift) - 1) >> shift
        let cell = Double(1 << shift)
        let start = clampedInt((low / cell).rounded(.down), 0, count)
        return start..<max(start, clampedInt((high / cell).rounded(.up), 0, count))
    }

    /// The share of cell `index` that lies between `low` and `high`.
    private static func share(_ index: Int, shift: Int, size: Int, _ low: Double, _ high: Double) -> Double {
        let from = Double(index << shift)
        let to = Double(min((index + 1) << shift, size))
        return max(0, min(to, high) - max(from, low)) / (to - from)
    }
}
