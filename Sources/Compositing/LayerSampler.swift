import Pictures

/// Makes the rows of one pass: a layer's values in the canvas's encoding, and its alpha multiplied into the weights.
struct LayerSampler {
    private let kind: PlaneKind
    private let conform: ColourConform
    private let workspace: Workspace
    private let columns: Range<Int>
    private let hasAlpha: Bool
    private let light: LightPath?
    /// Whether the luma needs chroma at its own places (the matrices differ), or each needs the other (light is at
    /// work).
    private let crosses: Bool
    /// Whether each pass makes all of a place's colour.
    private let wantsColours: Bool
    /// Whether the three components are sampled as light, at the luma's places of the source: all rows are theirs.
    private let samplesLight: Bool
    private let source: PixelEncoding
    /// The canvas's code for an alpha of 1.
    private let opaque: Float
    /// A row of values for each output, each beginning at the pass's first column; filled by `sample`.
    let rows: [UnsafeMutablePointer<Float>]
    private let alphaRow: UnsafeMutablePointer<Float>
    private let crossRows: [UnsafeMutablePointer<Float>]
    private let crossAlphaRow: UnsafeMutablePointer<Float>
    /// All cells of the pass, in the pieces that are sampled together.
    let tiles: [SamplingGrid.Tile]

    /// - Parameter map: The map from the pass's cells to the source's samples of the same kind.
    init(
        _ kind: PlaneKind, _ layer: PreparedLayer, _ sources: SourceSet, map: Affine, coverage: Coverage,
        _ workspace: Workspace, _ encoding: PixelEncoding
    ) {
        self.kind = kind
        conform = layer.conform
        self.workspace = workspace
        columns = coverage.columns
        hasAlpha = sources.alpha != nil
        opaque = Float((1 << encoding.bitDepth) - 1)
        let count = coverage.columns.count
        rows = workspace.values.prefix(kind == .chroma ? 2 : 1).map { $0.floats(count) }
        alphaRow = workspace.alphaValues.floats(count)
        crossRows = workspace.crossValues.prefix(kind == .luma ? 2 : 1).map { $0.floats(count) }
        crossAlphaRow = workspace.crossAlphaValues.floats(count)
        light = workspace.light.path(from: layer.image.encoding)
        wantsColours = layer.use.blends && kind != .alpha
        samplesLight = layer.use.scales && kind != .alpha && layer.isFiltered
        source = layer.image.encoding
        let mixes = (kind == .luma && layer.conform.mixesChromaIntoLuma) || (kind == .chroma && light != nil)
        crosses = samplesLight || wantsColours || mixes
        func grid(_ map: Affine, _ plane: SampledPlane) -> SamplingGrid {
            workspace.grids.grid(
                GridGeometry(
                    map: map, columns: coverage.columns, rows: coverage.rows, width: plane.plane.width,
                    height: plane.plane.height, isAligned: layer.isAligned))
        }
        func mapped(toChroma: Bool) -> Affine {
            layer.map(canvas: encoding, canvasIsChroma: kind == .chroma, sourceIsChroma: toChroma)
        }
        guard let first = sources.planes(kind).first ?? sources.alpha else {
            tiles = [SamplingGrid.Tile(columns: coverage.columns, rows: coverage.rows)]
            return
        }
        let own = samplesLight ? grid(mapped(toChroma: false), sources.luma) : grid(map, first)
        tiles = own.tiles(samples: workspace.limits.tileSamples)
        if samplesLight {
            configureLight(sources, own)
            return
        }
        configure(workspace.channels, sources.planes(kind), own)
        let (alpha, crossAlpha) =
            kind == .chroma ? (sources.chromaAlpha, sources.alpha) : (sources.alpha, sources.chromaAlpha)
        if let alpha { configure([workspace.alpha], [alpha], own) }
        guard crosses else { return }
        let others = sources.planes(kind == .luma ? .chroma : .luma)
        let cross = grid(mapped(toChroma: kind == .luma), others[0])
        configure(workspace.crossChannels, others, cross)
        if let crossAlpha { configure([workspace.crossAlpha], [crossAlpha], cross) }
    }

    private func configure(_ samplers: [RowSampler], _ planes: [SampledPlane], _ grid: SamplingGrid) {
        for (sampler, plane) in zip(samplers, planes) {
            sampler.configure(plane, grid: grid, ringBytes: workspace.limits.ringBytes)
        }
    }

    private func configureLight(_ sources: SourceSet, _ grid: SamplingGrid) {
        let samplers = workspace.channels.prefix(rows.count) + workspace.crossChannels.prefix(crossRows.count)
        configure(Array(samplers), workspace.lightPicture.planes(sources, source), grid)
        if let alpha = sources.alpha { configure([workspace.alpha], [alpha], grid) }
    }

    /// The rows of values, with the others where each pass makes all of a place's colour.
    var values: [UnsafeMutablePointer<Float>] { wantsColours ? rows + crossRows : rows }

    /// Enters a tile; to be called before its rows are sampled.
    func enter(_ tile: SamplingGrid.Tile) {
        if kind != .alpha { for channel in workspace.channels.prefix(rows.count) { channel.enter(tile) } }
        if hasAlpha { workspace.alpha.enter(tile) }
        guard crosses else { return }
        for channel in workspace.crossChannels.prefix(crossRows.count) { channel.enter(tile) }
        if hasAlpha, !samplesLight { workspace.crossAlpha.enter(tile) }
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
        if samplesLight {
            encodeLight(y, span, origin)
        } else if kind != .alpha {
            conformRows(y, span, origin)
        }
    }

    private func encodeLight(_ y: Int, _ span: Coverage.Span, _ origin: Int) {
        let (from, count) = (span.start - columns.lowerBound, span.end - span.start)
        for (channel, row) in crossRows.enumerated() {
            workspace.crossChannels[channel].sample(row: y, start: span.start, end: span.end, origin: origin, into: row)
            if hasAlpha { unpremultiplyRow(row + from, alpha: alphaRow + from, count: count) }
        }
        let all = (rows + crossRows).map { $0 + from }
        let (luma, chroma) = kind == .luma ? (all[0], Array(all[1...])) : (all[2], Array(all[..<2]))
        let outputs = CodeOutputs(
            luma: kind == .luma || wantsColours ? luma : nil, cb: kind == .chroma || wantsColours ? chroma[0] : nil,
            cr: kind == .chroma || wantsColours ? chroma[1] : nil)
        workspace.light.encode(
            LightRows(red: all[0], green: all[1], blue: all[2]), of: source, into: outputs, count: count)
    }

    /// Brings the wanted ones of Y', Cb and Cr from the source's codes to the canvas's, in place.
    private func conformRows(_ y: Int, _ span: Coverage.Span, _ origin: Int) {
        let (from, count) = (span.start - columns.lowerBound, span.end - span.start)
        if crosses { sampleCross(y, span, origin) }
        let own = rows.map { $0 + from }
        let cross = crosses ? crossRows.map { $0 + from } : []
        let luma = kind == .luma ? own.first : cross.first
        let chroma = kind == .chroma ? own : cross
        let outputs = CodeOutputs(
            luma: kind == .luma || wantsColours ? luma : nil,
            cb: kind == .chroma || wantsColours ? chroma.first : nil,
            cr: kind == .chroma || wantsColours ? chroma.last : nil)
        if let light, let luma {
            workspace.light.convert(
                light, CodeRows(luma: luma, cb: chroma[0], cr: chroma[1]), into: outputs, count: count)
        } else if !conform.isIdentity {
            conformCodes(outputs, chroma, count)
        }
    }

    private func conformCodes(_ out: CodeOutputs, _ chroma: [UnsafeMutablePointer<Float>], _ count: Int) {
        if let luma = out.luma {
            if conform.mixesChromaIntoLuma {
                mixLumaRow(luma, chroma[0], chroma[1], conform, count: count)
            } else {
                scaleOffsetRow(luma, conform.luma, conform.lumaOffset, count: count)
            }
        }
        guard let cb = out.cb, let cr = out.cr else { return }
        if conform.mixesChromaIntoLuma {
            mixChromaRows(cb, cr, conform, count: count)
        } else {
            scaleOffsetRow(cb, conform.cbFromCb, conform.cbOffset, count: count)
            scaleOffsetRow(cr, conform.crFromCr, conform.crOffset, count: count)
        }
    }

    /// Samples straight chroma at the luma's places, or luma at the chroma's.
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
