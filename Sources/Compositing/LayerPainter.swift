import Composition

/// The memory and samplers that painting a layer needs, kept between frames.
final class Workspace {
    let stage = SourceStage()
    let grid = SamplingGrid()
    /// Chroma at the luma's places, where matrices differ.
    let crossGrid = SamplingGrid()
    let luma = RowSampler()
    let cb = RowSampler()
    let cr = RowSampler()
    let alpha = RowSampler()
    let chromaAlpha = RowSampler()
    let overlaps = Scratch()
    let weights = Scratch()
    let valuesA = Scratch()
    let valuesB = Scratch()
    let valuesC = Scratch()
    let alphaA = Scratch()
    let alphaB = Scratch()
    let back = Scratch()
    let line = Scratch()
}

/// Paints one layer onto a canvas: chroma first, then luma, then the canvas's alpha, which the first two still need as
/// it was.
struct LayerPainter {
    let canvas: PlanarImage
    let encoding: PixelEncoding
    let size: PixelSize
    let workspace: Workspace
    let layer: PreparedLayer

    init(_ layer: PreparedLayer, canvas: PlanarImage, encoding: PixelEncoding, size: PixelSize, workspace: Workspace) {
        (self.canvas, self.encoding, self.size, self.workspace) = (canvas, encoding, size, workspace)
        self.layer = layer.isTransposed ? workspace.stage.transposed(layer) : layer
    }

    /// Neither alpha nor opacity: whole cells are stored, not blended.
    private var isSolid: Bool { layer.weight == 32768 && layer.image.alpha == nil && canvas.alpha == nil }

    func paint() {
        let sources = workspace.stage.sources(of: layer.image)
        paintChroma(sources)
        paintLuma(sources)
        if let alpha = canvas.alpha { paintAlpha(alpha, sources) }
    }

    private func coverage(isChroma: Bool) -> Coverage {
        Coverage(
            shape: layer.shape, shiftX: isChroma ? encoding.chromaShiftX : 0,
            shiftY: isChroma ? encoding.chromaShiftY : 0, canvas: size, scratch: workspace.overlaps)
    }

    private func paintChroma(_ sources: SourceSet) {
        let coverage = coverage(isChroma: true)
        let (columns, rows) = (coverage.columns, coverage.rows)
        guard !columns.isEmpty, !rows.isEmpty else { return }
        let map = layer.map(canvas: encoding, canvasIsChroma: true, sourceIsChroma: true)
        let (cbOut, crOut) = (plane(canvas.cb), plane(canvas.cr))
        if canCopy, let shift = PreparedLayer.wholeShift(map, columns: columns, rows: rows) {
            paintShifted(sources.cb, into: cbOut, shift: shift, coverage)
            paintShifted(sources.cr, into: crOut, shift: shift, coverage)
            return
        }
        let grid = workspace.grid
        grid.configure(
            map: map, columns: columns, rows: rows, width: sources.cb.width, height: sources.cb.height,
            isAligned: layer.isAligned)
        workspace.cb.configure(sources.cb, grid: grid)
        workspace.cr.configure(sources.cr, grid: grid)
        if let alpha = sources.chromaAlpha { workspace.chromaAlpha.configure(alpha, grid: grid) }
        let weights = workspace.weights.floats(columns.count)
        let cb = workspace.valuesA.floats(columns.count)
        let cr = workspace.valuesB.floats(columns.count)
        let alpha = workspace.alphaA.floats(columns.count)
        for y in rows {
            let span = coverage.row(y, into: weights)
            guard !span.isEmpty else { continue }
            let (from, count) = (span.start - columns.lowerBound, span.end - span.start)
            workspace.cb.sample(row: y, start: span.start, end: span.end, into: cb)
            workspace.cr.sample(row: y, start: span.start, end: span.end, into: cr)
            if sources.chromaAlpha != nil {
                workspace.chromaAlpha.sample(row: y, start: span.start, end: span.end, into: alpha)
                unpremultiplyRow(cb + from, alpha: alpha + from, count: count)
                unpremultiplyRow(cr + from, alpha: alpha + from, count: count)
                multiplyRow(weights + from, by: alpha + from, count: count)
            }
            if layer.conform.mixesChromaIntoLuma {
                mixChromaRows(cb + from, cr + from, layer.conform, count: count)
            } else if !layer.conform.isIdentity {
                scaleOffsetRow(cb + from, layer.conform.cbFromCb, layer.conform.cbOffset, count: count)
                scaleOffsetRow(cr + from, layer.conform.crFromCr, layer.conform.crOffset, count: count)
            }
            applyOpacity(weights + from, count: count)
            let back = backRow(y, span, isChroma: true)
            put(cb, weights, back, span, columns.lowerBound, y, into: cbOut)
            put(cr, weights, back, span, columns.lowerBound, y, into: crOut)
        }
    }

    private func paintLuma(_ sources: SourceSet) {
        let coverage = coverage(isChroma: false)
        let (columns, rows) = (coverage.columns, coverage.rows)
        guard !columns.isEmpty, !rows.isEmpty else { return }
        let map = layer.map(canvas: encoding, canvasIsChroma: false, sourceIsChroma: false)
        let out = plane(canvas.luma)
        if canCopy, let shift = PreparedLayer.wholeShift(map, columns: columns, rows: rows) {
            paintShifted(sources.luma, into: out, shift: shift, coverage)
            return
        }
        workspace.grid.configure(
            map: map, columns: columns, rows: rows, width: sources.luma.width, height: sources.luma.height,
            isAligned: layer.isAligned)
        workspace.luma.configure(sources.luma, grid: workspace.grid)
        if let alpha = sources.alpha { workspace.alpha.configure(alpha, grid: workspace.grid) }
        if layer.conform.mixesChromaIntoLuma { configureCross(sources, columns, rows) }
        let weights = workspace.weights.floats(columns.count)
        let values = workspace.valuesA.floats(columns.count)
        let alpha = workspace.alphaA.floats(columns.count)
        for y in rows {
            let span = coverage.row(y, into: weights)
            guard !span.isEmpty else { continue }
            let (from, count) = (span.start - columns.lowerBound, span.end - span.start)
            workspace.luma.sample(row: y, start: span.start, end: span.end, into: values)
            if sources.alpha != nil {
                workspace.alpha.sample(row: y, start: span.start, end: span.end, into: alpha)
                unpremultiplyRow(values + from, alpha: alpha + from, count: count)
                multiplyRow(weights + from, by: alpha + from, count: count)
            }
            if layer.conform.mixesChromaIntoLuma {
                mixCross(values + from, sources, y, span, columns)
            } else if !layer.conform.isIdentity {
                scaleOffsetRow(values + from, layer.conform.luma, layer.conform.lumaOffset, count: count)
            }
            applyOpacity(weights + from, count: count)
            put(values, weights, backRow(y, span, isChroma: false), span, columns.lowerBound, y, into: out)
        }
    }

    private func configureCross(_ sources: SourceSet, _ columns: Range<Int>, _ rows: Range<Int>) {
        workspace.crossGrid.configure(
            map: layer.map(canvas: encoding, canvasIsChroma: false, sourceIsChroma: true), columns: columns, rows: rows,
            width: sources.cb.width, height: sources.cb.height, isAligned: layer.isAligned)
        workspace.cb.configure(sources.cb, grid: workspace.crossGrid)
        workspace.cr.configure(sources.cr, grid: workspace.crossGrid)
        if let alpha = sources.chromaAlpha { workspace.chromaAlpha.configure(alpha, grid: workspace.crossGrid) }
    }

    /// Adds the matrix's share of chroma, sampled at the luma's places, to a row of luma that starts at the span.
    private func mixCross(
        _ luma: UnsafeMutablePointer<Float>, _ sources: SourceSet, _ y: Int, _ span: Coverage.Span,
        _ columns: Range<Int>
    ) {
        let (from, count) = (span.start - columns.lowerBound, span.end - span.start)
        let cb = workspace.valuesB.floats(columns.count)
        let cr = workspace.valuesC.floats(columns.count)
        workspace.cb.sample(row: y, start: span.start, end: span.end, into: cb)
        workspace.cr.sample(row: y, start: span.start, end: span.end, into: cr)
        if sources.chromaAlpha != nil {
            let alpha = workspace.alphaB.floats(columns.count)
            workspace.chromaAlpha.sample(row: y, start: span.start, end: span.end, into: alpha)
            unpremultiplyRow(cb + from, alpha: alpha + from, count: count)
            unpremultiplyRow(cr + from, alpha: alpha + from, count: count)
        }
        mixLumaRow(luma, cb + from, cr + from, layer.conform, count: count)
    }

    /// The canvas's alpha under a layer moves towards opaque by the layer's weight.
    private func paintAlpha(_ canvasAlpha: Plane, _ sources: SourceSet) {
        let coverage = coverage(isChroma: false)
        let (columns, rows) = (coverage.columns, coverage.rows)
        guard !columns.isEmpty, !rows.isEmpty else { return }
        let out = plane(canvasAlpha)
        if let alpha = sources.alpha {
            workspace.grid.configure(
                map: layer.map(canvas: encoding, canvasIsChroma: false, sourceIsChroma: false), columns: columns,
                rows: rows, width: alpha.width, height: alpha.height, isAligned: layer.isAligned)
            workspace.alpha.configure(alpha, grid: workspace.grid)
        }
        let weights = workspace.weights.floats(columns.count)
        let alpha = workspace.alphaA.floats(columns.count)
        let opaque = workspace.valuesA.floats(columns.count)
        fillRow(opaque, with: out.maximum, count: columns.count)
        for y in rows {
            let span = coverage.row(y, into: weights)
            guard !span.isEmpty else { continue }
            let (from, count) = (span.start - columns.lowerBound, span.end - span.start)
            if sources.alpha != nil {
                workspace.alpha.sample(row: y, start: span.start, end: span.end, into: alpha)
                multiplyRow(weights + from, by: alpha + from, count: count)
            }
            applyOpacity(weights + from, count: count)
            out.blend(opaque + from, weights + from, x: span.start, y: y, count: count)
        }
    }
}

// MARK: Rows

extension LayerPainter {
    /// Samples of the source are samples of the canvas, but for place and opacity.
    private var canCopy: Bool { layer.conform.isIdentity && layer.image.alpha == nil && canvas.alpha == nil }

    private func plane(_ plane: Plane) -> CanvasPlane { CanvasPlane(plane, bitDepth: encoding.bitDepth) }

    private func applyOpacity(_ weights: UnsafeMutablePointer<Float>, count: Int) {
        guard layer.weight < 32768 else { return }
        scaleRow(weights, by: layer.opacity, into: weights, count: count)
    }

    /// The canvas's alpha below a row's cells, 0…1, by the mean over each cell; nil for a canvas without alpha.
    private func backRow(_ y: Int, _ span: Coverage.Span, isChroma: Bool) -> UnsafeMutablePointer<Float>? {
        guard let alpha = canvas.alpha else { return nil }
        let (shiftX, shiftY) = isChroma ? (encoding.chromaShiftX, encoding.chromaShiftY) : (0, 0)
        let source = SourcePlane(alpha, bitDepth: encoding.bitDepth)
        let left = span.start << shiftX
        let right = min(span.end << shiftX, size.width)
        let (top, bottom) = (y << shiftY, min((y + 1) << shiftY, size.height))
        let line = workspace.line.floats(right - left)
        let back = workspace.back.floats(span.end - span.start)
        fillRow(back, with: 0, count: span.end - span.start)
        for row in top..<bottom {
            source.expand(row, from: left, count: right - left, into: line)
            for x in left..<right { back[(x >> shiftX) - span.start] += line[x - left] }
        }
        let maximum = Float((1 << encoding.bitDepth) - 1)
        for x in span.start..<span.end {
            let width = min((x + 1) << shiftX, size.width) - (x << shiftX)
            back[x - span.start] = back[x - span.start] / (Float(width * (bottom - top)) * maximum)
        }
        return back
    }

    /// Values and weights begin at column `first`, `back` at the span.
    private func put(
        _ values: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, _ back: UnsafePointer<Float>?,
        _ span: Coverage.Span, _ first: Int, _ y: Int, into out: CanvasPlane
    ) {
        let from = span.start - first
        if let back {
            let count = span.end - span.start
            out.over(values + from, weights + from, back: back, x: span.start, y: y, count: count)
        } else if isSolid, span.fullEnd > span.fullStart {
            let (whole, right) = (span.fullStart - first, span.fullEnd - first)
            out.blend(values + from, weights + from, x: span.start, y: y, count: span.fullStart - span.start)
            out.store(values + whole, x: span.fullStart, y: y, count: span.fullEnd - span.fullStart)
            out.blend(values + right, weights + right, x: span.fullEnd, y: y, count: span.end - span.fullEnd)
        } else {
            out.blend(values + from, weights + from, x: span.start, y: y, count: span.end - span.start)
        }
    }

    /// Whole-sample moves: whole cells are copied or mixed as integers, the others blended by their coverage.
    private func paintShifted(
        _ source: SourcePlane, into out: CanvasPlane, shift: (x: Int, y: Int), _ coverage: Coverage
    ) {
        let columns = coverage.columns
        let weights = workspace.weights.floats(columns.count)
        let values = workspace.valuesA.floats(columns.count)
        for y in coverage.rows where y + shift.y >= 0 && y + shift.y < source.height {
            let whole = coverage.row(y, into: weights)
            let inside = max(whole.start, -shift.x)..<max(whole.start, -shift.x, min(whole.end, source.width - shift.x))
            guard !inside.isEmpty else { continue }
            func limited(_ x: Int) -> Int { min(max(x, inside.lowerBound), inside.upperBound) }
            let (fullStart, fullEnd) = (limited(whole.fullStart), limited(whole.fullEnd))
            for part in [inside.lowerBound..<fullStart, fullEnd..<inside.upperBound] where !part.isEmpty {
                let from = part.lowerBound - columns.lowerBound
                source.expand(
                    y + shift.y, from: part.lowerBound + shift.x, count: part.count, into: values + from)
                applyOpacity(weights + from, count: part.count)
                out.blend(values + from, weights + from, x: part.lowerBound, y: y, count: part.count)
            }
            guard fullEnd > fullStart else { continue }
            out.mix(
                under: out.address(fullStart, y), source: source.address(fullStart + shift.x, y + shift.y),
                weight: layer.weight, x: fullStart, y: y, count: fullEnd - fullStart)
        }
    }
}
