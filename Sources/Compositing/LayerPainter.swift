import Pictures

/// The planes that one pass over the canvas fills: chroma's two share their places, so they go together.
enum PlaneKind { case luma, chroma, alpha }

/// Paints one layer onto a canvas: chroma first, then luma, then the canvas's alpha, which the first two still need as
/// it was.
///
/// A pass makes rows of values and weights (`LayerSampler`, or `KeptLayer` where the same picture stood at the same
/// place before) and puts them onto the canvas. Whole-sample moves of a picture in the canvas's own encoding need
/// neither: they are copied.
struct LayerPainter {
    let canvas: PlanarImage
    let encoding: PixelEncoding
    let size: PixelSize
    let workspace: Workspace
    let layer: PreparedLayer

    func paint() {
        if layer.use.blends { workspace.blend.beginLayer(on: canvas) }
        defer { if layer.shape.edge?.isBorder == true { workspace.ground.forget() } }
        if let kept = layer.key.flatMap(workspace.memory.layer) {
            for pass in kept.passes { replay(pass) }
            return
        }
        let layer = layer.withTurnedAxes
        let sources = workspace.stage.sources(of: layer)
        let keeper = layer.key.flatMap(workspace.memory.keeper)
        paint(.chroma, layer, sources, keeper)
        paint(.luma, layer, sources, keeper)
        if canvas.alpha != nil { paint(.alpha, layer, sources, keeper) }
        if let key = layer.key, let keeper { workspace.memory.keep(keeper, as: key) }
    }

    private func paint(_ kind: PlaneKind, _ layer: PreparedLayer, _ sources: SourceSet, _ keeper: KeptLayer?) {
        let coverage = Coverage(
            shape: layer.shape, shiftX: shift(kind).x, shiftY: shift(kind).y, canvas: size,
            opacity: Double(layer.opacity), scratch: workspace.overlaps)
        let (columns, rows) = (coverage.columns, coverage.rows)
        guard !columns.isEmpty, !rows.isEmpty else { return }
        let map = layer.map(canvas: encoding, canvasIsChroma: kind == .chroma, sourceIsChroma: kind == .chroma)
        let outputs = outputs(kind)
        if canCopy(coverage), let shift = PreparedLayer.wholeShift(map, columns: columns, rows: rows) {
            keeper?.refuse()
            for (source, out) in zip(sources.planes(kind), outputs) {
                paintShifted(source.plane, into: out, shift: shift, coverage)
            }
            return
        }
        let sampler = LayerSampler(kind, layer, sources, map: map, coverage: coverage, workspace, encoding)
        let weights = workspace.weights.floats(columns.count)
        keeper?.begin(kind, columns: columns, rows: rows)
        begin(kind, columns: columns, rows: rows)
        let values = sampler.values
        for tile in sampler.tiles {
            sampler.enter(tile)
            for y in tile.rows {
                let whole = coverage.row(y, into: weights)
                let span = whole.within(tile.columns)
                guard !span.isEmpty else { continue }
                sampler.sample(y, span, origin: whole.start, weights: weights)
                let offset = span.start - columns.lowerBound
                keeper?.append(y, span, values: values, weights: weights, from: offset)
                applyOpacity(weights + offset, into: weights + offset, count: span.end - span.start)
                put(values, from: offset, weights + offset, span, y, kind, outputs)
            }
        }
    }

    private func begin(_ kind: PlaneKind, columns: Range<Int>, rows: Range<Int>) {
        if layer.use.blends, kind != .alpha { workspace.blend.begin(kind, columns: columns, rows: rows) }
        if kind == .chroma, let border = borderOverIt {
            workspace.ground.begin(under: border, columns: columns, rows: rows)
        }
    }

    /// The border of this picture, which follows it on a canvas with alpha; nil for others.
    private var borderOverIt: LayerEdge? {
        guard canvas.alpha != nil, let edge = layer.shape.edge, edge.hasBorder, !edge.isBorder else { return nil }
        return edge.border
    }

    private func replay(_ pass: KeptLayer.Pass) {
        let outputs = outputs(pass.kind)
        let values = pass.values
        begin(pass.kind, columns: pass.columns, rows: pass.canvasRows)
        for row in pass.rows {
            var weights = pass.weights(row)
            let count = row.span.end - row.span.start
            if layer.weight < 32768 {
                let faded = workspace.weights.floats(count)
                applyOpacity(weights, into: faded, count: count)
                weights = UnsafePointer(faded)
            }
            put(values, from: row.place, weights, row.span, row.y, pass.kind, outputs)
        }
    }
}

// MARK: - Rows onto the canvas

extension LayerPainter {
    /// Whether the source's samples are the canvas's, but for place and opacity, or only for their place where light is
    /// blended.
    private func canCopy(_ coverage: Coverage) -> Bool {
        guard layer.conform.isIdentity, layer.image.alpha == nil, canvas.alpha == nil else { return false }
        // A border's own picture is smaller than the border.
        if layer.shape.edge?.isBorder == true { return false }
        return !layer.use.blends || (layer.weight == 32768 && coverage.isWhole)
    }

    /// Whether there is neither alpha nor opacity, so that whole cells are stored and not blended.
    private var isSolid: Bool { layer.weight == 32768 && layer.image.alpha == nil && canvas.alpha == nil }

    private func shift(_ kind: PlaneKind) -> (x: Int, y: Int) {
        kind == .chroma ? (encoding.chromaShiftX, encoding.chromaShiftY) : (0, 0)
    }

    private func outputs(_ kind: PlaneKind) -> [CanvasPlane] {
        let planes =
            switch kind {
            case .luma: [canvas.luma]
            case .chroma: [canvas.cb, canvas.cr]
            case .alpha: [canvas.alpha].compactMap { $0 }
            }
        return planes.map { CanvasPlane($0, bitDepth: encoding.bitDepth) }
    }

    private func applyOpacity(
        _ weights: UnsafePointer<Float>, into out: UnsafeMutablePointer<Float>, count: Int
    ) {
        guard layer.weight < 32768 else { return }
        scaleRow(weights, by: layer.opacity, into: out, count: count)
    }

    /// Puts a row onto the canvas. The values of each output stand `offset` behind those pointers; the weights begin at
    /// the span's start.
    private func put(
        _ rows: [UnsafeMutablePointer<Float>], from offset: Int, _ weights: UnsafePointer<Float>,
        _ span: Coverage.Span, _ y: Int, _ kind: PlaneKind, _ outputs: [CanvasPlane]
    ) {
        let count = span.end - span.start
        let back = kind == .alpha ? nil : backRow(y, span, kind)
        if let back, kind == .chroma {
            if let edge = layer.shape.edge, edge.isBorder {
                workspace.ground.take(y, from: span.start, under: edge, into: back, count: count)
            } else if borderOverIt != nil {
                workspace.ground.keep(y, from: span.start, weights, over: back, count: count)
            }
        }
        if layer.use.blends, kind != .alpha {
            putLight(rows.map { $0 + offset }, weights, back, span, y, outputs)
            return
        }
        for (channel, out) in outputs.enumerated() {
            let values = UnsafePointer(rows[channel] + offset)
            if let back {
                out.over(values, weights, back: back, x: span.start, y: y, count: count)
            } else if isSolid, span.fullEnd > span.fullStart {
                let (whole, right) = (span.fullStart - span.start, span.fullEnd - span.start)
                out.blend(values, weights, x: span.start, y: y, count: whole)
                out.store(values + whole, x: span.fullStart, y: y, count: right - whole)
                out.blend(values + right, weights + right, x: span.fullEnd, y: y, count: count - right)
            } else {
                out.blend(values, weights, x: span.start, y: y, count: count)
            }
        }
    }

    /// Puts a row onto the canvas in linear light; its values begin at the span's start.
    private func putLight(
        _ values: [UnsafeMutablePointer<Float>], _ weights: UnsafePointer<Float>, _ back: UnsafePointer<Float>?,
        _ span: Coverage.Span, _ y: Int, _ outputs: [CanvasPlane]
    ) {
        let under = (outputs.count == 1 ? [canvas.luma] : [canvas.cb, canvas.cr]).map {
            SourcePlane($0, bitDepth: encoding.bitDepth)
        }
        let shares = workspace.blend.shares(weights, back: back, count: span.end - span.start)
        func put(_ from: Int, _ to: Int) {
            let start = from - span.start
            workspace.blend.put(
                values.map { $0 + start }, shares + start, x: from, y: y, count: to - from, on: outputs, under)
        }
        guard isSolid, span.fullEnd > span.fullStart else {
            put(span.start, span.end)
            return
        }
        put(span.start, span.fullStart)
        for (channel, out) in outputs.enumerated() {
            let whole = values[channel] + (span.fullStart - span.start)
            out.store(whole, x: span.fullStart, y: y, count: span.fullEnd - span.fullStart)
        }
        put(span.fullEnd, span.end)
    }

    /// The canvas's alpha below a row's cells, 0…1, by the mean over each cell; nil for a canvas without alpha.
    private func backRow(_ y: Int, _ span: Coverage.Span, _ kind: PlaneKind) -> UnsafeMutablePointer<Float>? {
        guard let alpha = canvas.alpha else { return nil }
        let (shiftX, shiftY) = shift(kind)
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

    /// Paints a whole-sample move: whole cells are copied or mixed as integers, the others are blended by their
    /// coverage.
    private func paintShifted(
        _ source: SourcePlane, into out: CanvasPlane, shift: (x: Int, y: Int), _ coverage: Coverage
    ) {
        let columns = coverage.columns
        let weights = workspace.weights.floats(columns.count)
        let values = workspace.values[0].floats(columns.count)
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
                applyOpacity(weights + from, into: weights + from, count: part.count)
                out.blend(values + from, weights + from, x: part.lowerBound, y: y, count: part.count)
            }
            guard fullEnd > fullStart else { continue }
            out.mix(
                under: out.address(fullStart, y), source: source.address(fullStart + shift.x, y + shift.y),
                weight: layer.weight, x: fullStart, y: y, count: fullEnd - fullStart)
        }
    }
}
