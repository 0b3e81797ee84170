import Pictures

/// Source-over in linear light of a layer and the canvas beneath it, at each plane's own places.
///
/// Light needs all three planes at a place: the layer's come with its rows, the canvas's others are sampled there.
/// Cells that the layer hides are its own values, cells without it stay: they do not go through light.
final class LightBlend {
    private let light: LightPaths
    private let grids: GridCache
    private let encoding: PixelEncoding
    /// The canvas's chroma as it was before the layer: the luma's pass comes after.
    private let chroma = [Scratch(), Scratch()]
    private let samplers = [RowSampler(), RowSampler()]
    private let underRows = [Scratch(), Scratch()]
    private let otherRows = [Scratch(), Scratch()]
    private let outRows = [Scratch(), Scratch()]
    private let shareRow = Scratch()
    private var kind = PlaneKind.luma
    private var canvas: PlanarImage?
    private var columns = 0..<0

    init(light: LightPaths, grids: GridCache, encoding: PixelEncoding) {
        self.light = light
        self.grids = grids
        self.encoding = encoding
    }

    /// Begins a layer; to be called before its passes.
    func beginLayer(on canvas: PlanarImage) {
        self.canvas = canvas
        for (plane, memory) in zip([canvas.cb, canvas.cr], chroma) {
            let bytes = plane.width * sampleBytes
            let copy = memory.bytes(bytes * plane.height)
            for y in 0..<plane.height {
                (copy + y * bytes).copyMemory(from: plane.base + y * plane.stride, byteCount: bytes)
            }
        }
    }

    /// Begins a pass of luma or chroma over those cells.
    func begin(_ kind: PlaneKind, columns: Range<Int>, rows: Range<Int>) {
        guard let canvas else { return }
        (self.kind, self.columns) = (kind, columns)
        let others = kind == .luma ? [saved(canvas.cb, 0), saved(canvas.cr, 1)] : [canvas.luma]
        let map = PreparedLayer.map(
            encoding, isChroma: kind == .chroma, through: .identity, to: encoding, isChroma: kind == .luma)
        for (plane, sampler) in zip(others, samplers) {
            let grid = grids.grid(
                GridGeometry(
                    map: map, columns: columns, rows: rows, width: plane.width, height: plane.height, isAligned: true))
            sampler.configure(
                SampledPlane(plane: SourcePlane(plane, bitDepth: encoding.bitDepth)), grid: grid, ringBytes: 1 << 20)
        }
    }

    /// Blends the cells of a row from `x` on.
    ///
    /// - Parameters:
    ///   - values: The layer's values in the canvas's codes: the pass's own planes, then the others.
    ///   - shares: The layer's shares of what is seen.
    func put(
        _ values: [UnsafeMutablePointer<Float>], _ shares: UnsafePointer<Float>, x: Int, y: Int, count: Int,
        on outputs: [CanvasPlane], _ planes: [SourcePlane]
    ) {
        guard count > 0 else { return }
        let offset = x - columns.lowerBound
        let others = otherRows.prefix(kind == .luma ? 2 : 1).map { $0.floats(columns.count) }
        for (row, sampler) in zip(others, samplers) {
            sampler.sample(row: y, start: x, end: x + count, origin: x, into: row)
        }
        let under = zip(planes, underRows).map { plane, memory in
            let row = memory.floats(count)
            plane.expand(y, from: x, count: count, into: row)
            return row
        }
        let out = outRows.prefix(outputs.count).map { $0.floats(count) }
        let (above, below) = (codes(values), codes(under + others.map { $0 + offset }))
        let target = kind == .luma ? CodeOutputs(luma: out[0]) : CodeOutputs(cb: out[0], cr: out[1])
        light.blend(above, over: below, shares: shares, into: target, count: count)
        for (channel, plane) in outputs.enumerated() {
            keepWholes(out[channel], values[channel], over: under[channel], shares, count: count)
            plane.store(out[channel], x: x, y: y, count: count)
        }
    }

    /// The layer's shares of what is seen, on a canvas of alpha `back`; nil is an opaque one.
    func shares(
        _ weights: UnsafePointer<Float>, back: UnsafePointer<Float>?, count: Int
    ) -> UnsafePointer<Float> {
        guard let back else { return weights }
        let row = shareRow.floats(count)
        overShares(weights, back: back, into: row, count: count)
        return UnsafePointer(row)
    }

    private func codes(_ rows: [UnsafeMutablePointer<Float>]) -> CodeRows {
        kind == .luma
            ? CodeRows(luma: rows[0], cb: rows[1], cr: rows[2]) : CodeRows(luma: rows[2], cb: rows[0], cr: rows[1])
    }

    private var sampleBytes: Int { encoding.bitDepth > 8 ? 2 : 1 }

    private func saved(_ plane: Plane, _ number: Int) -> Plane {
        let bytes = plane.width * sampleBytes
        return Plane(
            base: chroma[number].bytes(bytes * plane.height), stride: bytes, width: plane.width, height: plane.height)
    }
}
