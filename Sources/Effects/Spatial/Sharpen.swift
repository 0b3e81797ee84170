import Pictures
import SplitreelProject

/// Adds to luma `amount` of its difference from a gaussian of it; chroma and alpha stay.
struct Sharpen: EffectKernel {
    func render(_ call: EffectCall, _ inputs: [PlanarImage], into output: PlanarImage, _ memory: EffectMemory) {
        let source = inputs[0]
        let (amount, radius) = (Float(call.number("amount")), call.number("radius"))
        output.copy(source)
        guard amount != 0, radius > 0.05 else { return }
        let smooth = SmoothLuma(
            source, deviation: (radius * call.scaleX, radius * call.scaleY), memory
        ) { _, _ in }
        let depth = source.encoding.bitDepth
        let (rows, target) = (SampleRows(source.luma, bitDepth: depth), SampleRows(output.luma, bitDepth: depth))
        let width = source.luma.width
        let room = memory.floats("sharpen", 2 * (width + 24))
        let (row, soft) = (room, room + width + 24)
        for y in 0..<source.luma.height {
            rows.read(y, into: row)
            smooth.row(y, into: soft)
            for x in 0..<width { row[x] += (row[x] - soft[x]) * amount }
            target.write(row, to: y)
        }
    }
}

/// The luma under a gaussian; in a picture with alpha, the luma of its visible parts.
struct SmoothLuma {
    private let colour: SmoothPlane
    private let alpha: SmoothPlane?
    private let zero: Float
    private let width: Int
    private let shares: UnsafeMutablePointer<Float>

    /// - Parameter change: changes a row of codes before it is blurred.
    init(
        _ source: PlanarImage, deviation: (x: Double, y: Double), _ memory: EffectMemory,
        _ change: (_ y: Int, _ row: UnsafeMutablePointer<Float>) -> Void
    ) {
        let (width, height) = (source.luma.width, source.luma.height)
        let rows = SampleRows(source.luma, bitDepth: source.encoding.bitDepth)
        self.width = width
        shares = memory.floats("smooth.shares", width + 24)
        guard source.isTransparentSomewhere else {
            (alpha, zero) = (nil, 0)
            colour = SmoothPlane(
                width: width, height: height, deviation: deviation, outside: .edge, memory, "smooth"
            ) { y, row in
                rows.read(y, into: row)
                change(y, row)
            }
            return
        }
        let zero = ColourScale(source.encoding).lumaZero
        let block = BlockShares(source, 0, 0, memory)
        let shares = shares
        self.zero = zero
        colour = SmoothPlane(
            width: width, height: height, deviation: deviation, outside: .clear, memory, "smooth"
        ) { y, row in
            rows.read(y, into: row)
            change(y, row)
            block.read(y, into: shares)
            for x in 0..<width { row[x] = (row[x] - zero) * shares[x] }
        }
        alpha = SmoothPlane(
            width: width, height: height, deviation: deviation, outside: .clear, memory, "smooth.alpha"
        ) { y, row in block.read(y, into: row) }
    }

    func row(_ y: Int, into out: UnsafeMutablePointer<Float>) {
        colour.row(y, into: out)
        guard let alpha else { return }
        alpha.row(y, into: shares)
        for x in 0..<width { out[x] = zero + (shares[x] > 1e-4 ? out[x] / shares[x] : 0) }
    }
}
