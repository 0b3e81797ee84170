import Pictures

/// Makes the rows of one pass: a layer's values in the canvas's encoding, and its alpha multiplied into the weights.
struct LayerSampler {
    private let kind: PlaneKind
    private let conform: ColourConform
    private let workspace: Workspace
    private let columns: Range<Int>
    private let hasAlpha: Bool
    private let light: LightPath?
    /// The luma needs chroma at its own places (the matrices differ), or each needs the other (their light does).
    private let crosses: Bool
    /// The canvas's code for an alpha of 1.
    private let opaque: Float
    /// A row of values for each output, each beginning at the pass's first column; filled by `sample`.
    let rows: [UnsafeMutablePointer<Float>]
    private let alphaRow: UnsafeMutablePointer<Float>
    private let crossRows: [UnsafeMutablePointer<Float>]
    private let crossAlphaRow: UnsafeMutablePointer<Float>
    /// All cells of the pass, in the pieces that are sampled together.
    let tiles: [SamplingGrid.Tile]

    /// - Parameter map: from the pass's cells to the source's samples of the same kind.
    init(
        _ kind: PlaneKind, _ layer: PreparedLayer, _ sources: SourceSet, map: Affine, coverage: Coverage,
        _ workspace: Workspace, _ encoding: PixelEncoding
    ) {
        (self.kind, conform, self.workspace) = (kind, layer.conform, workspace)
        columns = coverage.columns
        hasAlpha = sources.alpha != nil
        opaque = Float((1 << encoding.bitDepth) - 1)
        let count = coverage.columns.count
        rows = workspace.values.prefix(kind == .chroma ? 2 : 1).map { $0.floats(count) }
        alphaRow = workspace.alphaValues.floats(count)
        crossRows = workspace.crossValues.prefix(kind == .luma ? 2 : 1).map { $0.floats(count) }
        crossAlphaRow = workspace.crossAlphaValues.floats(count)
        light = workspace.light.path(from: layer.image.encoding, to: encoding)
        crosses = (kind == .luma && layer.conform.mixesChromaIntoLuma) || (kind == .chroma && light != nil)
        func grid(_ map: Affine, _ plane: SampledPlane) -> SamplingGrid {
            workspace.grids.grid(
                GridGeometry(
                    map: map, columns: coverage.columns, rows: coverage.rows, width: plane.plane.width,
                    height: plane.plane.height, isAligned: layer.isAligned))
        }
        let planes = sources.planes(kind)
        let alpha = kind == .chroma ? sources.chromaAlpha : sources.alpha
        guard let first = planes.first ?? alpha else {
            tiles = [SamplingGrid.Tile(columns: coverage.columns, rows: coverage.rows)]
            return
        }
        let own = grid(map, first)
        let limits = workspace.limits
        tiles = own.tiles(samples: limits.tileSamples)
        for (plane, channel) in zip(planes, workspace.channels) {
            channel.configure(plane, grid: own, ringBytes: limits.ringBytes)
        }
        if let alpha { workspace.alpha.configure(alpha, grid: own, ringBytes: limits.ringBytes) }
        guard crosses else { return }
        let others = sources.planes(kind == .luma ? .chroma : .luma)
        let cross = grid(
            layer.map(canvas: encoding, canvasIsChroma: kind == .chroma, sourceIsChroma: kind == .luma), others[0])
        for (plane, channel) in zip(others, workspace.crossChannels) {
            channel.configure(plane, grid: cross, ringBytes: limits.ringBytes)
        }
        guard let alpha = kind == .luma ? sources.chromaAlpha : sources.alpha else { return }
        workspace.crossAlpha.configure(alpha, grid: cross, ringBytes: limits.ringBytes)
    }

    /// Before the tile's rows are sampled.
    func enter(_ tile: SamplingGrid.Tile) {
        if kind != .alpha { for channel in workspace.channels.prefix(rows.count) { channel.enter(tile) } }
        if hasAlpha { workspace.alpha.enter(tile) }
        guard crosses else { return }
        for channel in workspace.crossChannels.prefix(crossRows.count) { channel.enter(tile) }
        if hasAlpha { workspace.crossAlpha.enter(tile) }
    }

    /// Fills `rows` within the span and multiplies the source's alpha into the weights. The span is a part of the row
    /// of cells that begins at `origin`.
    func sample(_ y: Int, _ span: Coverage.Span, origin: Int, weights: UnsafeMutablePointer<Float>) {
        let (from, count) = (span.start - columns.lowerBound, span.end - span.start)
        for (channel, row) in rows.enumerated() {
            if kind == .alpha {
                fillRow(row + from, with: opaque, count: count)
            } else {
                workspace.channels[channel].sample(row: y, start: span.start, end: span.end, origin: origin, into: row)
            }
        }
        if hasAlpha {
            workspace.alpha.sample(row: y, start: span.start, end: span.end, origin: origin, into: alphaRow)
            if kind != .alpha {
                for row in rows { unpremultiplyRow(row + from, alpha: alphaRow + from, count: count) }
            }
            multiplyRow(weights + from, by: alphaRow + from, count: count)
        }
        if kind != .alpha { conformRows(y, span, origin) }
    }

    private func conformRows(_ y: Int, _ span: Coverage.Span, _ origin: Int) {
        let (from, count) = (span.start - columns.lowerBound, span.end - span.start)
        if crosses { sampleCross(y, span, origin) }
        if let light {
            convert(light, from, count)
        } else if crosses {
            mixLumaRow(rows[0] + from, crossRows[0] + from, crossRows[1] + from, conform, count: count)
        } else if conform.mixesChromaIntoLuma {
            mixChromaRows(rows[0] + from, rows[1] + from, conform, count: count)
        } else if conform.isIdentity {
            return
        } else if kind == .luma {
            scaleOffsetRow(rows[0] + from, conform.luma, conform.lumaOffset, count: count)
        } else {
            scaleOffsetRow(rows[0] + from, conform.cbFromCb, conform.cbOffset, count: count)
            scaleOffsetRow(rows[1] + from, conform.crFromCr, conform.crOffset, count: count)
        }
    }

    private func convert(_ light: LightPath, _ from: Int, _ count: Int) {
        if kind == .luma {
            workspace.light.convertLuma(
                light, rows[0] + from, crossRows[0] + from, crossRows[1] + from, count: count)
        } else {
            workspace.light.convertChroma(light, crossRows[0] + from, rows[0] + from, rows[1] + from, count: count)
        }
    }

    /// Straight chroma, sampled at the luma's places; or luma at the chroma's.
    private func sampleCross(_ y: Int, _ span: Coverage.Span, _ origin: Int) {
        let (from, count) = (span.start - columns.lowerBound, span.end - span.start)
        for (channel, row) in crossRows.enumerated() {
            workspace.crossChannels[channel].sample(row: y, start: span.start, end: span.end, origin: origin, into: row)
        }
        guard hasAlpha else { return }
        workspace.crossAlpha.sample(row: y, start: span.start, end: span.end, origin: origin, into: crossAlphaRow)
        for row in crossRows { unpremultiplyRow(row + from, alpha: crossAlphaRow + from, count: count) }
    }
}
