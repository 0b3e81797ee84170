import Pictures
import SplitreelProject

extension EffectKernels {
    /// The kernels of blend modes by id; their inputs are the picture beneath and the layer.
    static let blends: [String: any EffectKernel] = Dictionary(
        uniqueKeysWithValues: BlendMode.allCases.filter { $0 != .normal }.map { ($0.id, Blend(mode: $0)) })
}

/// A separable blend mode, on R'G'B' of 0…1: beneath·(1 − αs) + αs·((1 − αb)·layer + αb·B(beneath, layer)).
private struct Blend: EffectKernel {
    let mode: BlendMode

    func render(_ call: EffectCall, _ inputs: [PlanarImage], into output: PlanarImage, _ memory: EffectMemory) {
        let below = ColourReader(inputs[0], memory, "below")
        let layer = ColourReader(inputs[1], memory, "layer")
        let writer = ColourWriter(output, under: inputs[0], keepsAlpha: false, memory)
        let width = below.width
        let stride = (width + 8) & ~7
        let rows = memory.floats("blend", 3 * stride)
        let (ones, shares, totals) = (rows, rows + stride, rows + 2 * stride)
        ones.update(repeating: 1, count: width)
        for block in writer.blocks {
            if layer.isClear(block) {
                writer.copy(block)
                continue
            }
            writer.begin(block)
            for y in block {
                below.read(y)
                layer.read(y)
                let alpha = layer.alpha ?? ones
                for (under, over) in [(below.red, layer.red), (below.green, layer.green), (below.blue, layer.blue)] {
                    blendRow(mode, under, over, alpha, below.alpha, into: over, width)
                }
                if let back = below.alpha {
                    unionRow(alpha, back, into: totals, shares, width)
                    for (row, under) in [(layer.red, below.red), (layer.green, below.green), (layer.blue, below.blue)] {
                        divideRow(row, shares, under, width)
                    }
                }
                writer.put(
                    y, layer.red, layer.green, layer.blue, alpha: below.alpha == nil ? nil : totals, touched: alpha,
                    below: below)
            }
            writer.end(block)
        }
    }
}

/// Makes the union of both alphas, and 1 over it; 0 where it is transparent.
private func unionRow(
    _ upper: UnsafePointer<Float>, _ lower: UnsafePointer<Float>, into total: UnsafeMutablePointer<Float>,
    _ inverse: UnsafeMutablePointer<Float>, _ count: Int
) {
    for x in 0..<count {
        let union = upper[x] + lower[x] * (1 - upper[x])
        total[x] = union
        inverse[x] = union > 1e-6 ? 1 / union : 0
    }
}

/// Divides a row by the result's alpha; where that is 0 the value beneath stays.
private func divideRow(
    _ row: UnsafeMutablePointer<Float>, _ shares: UnsafePointer<Float>, _ under: UnsafePointer<Float>, _ count: Int
) {
    for x in 0..<count { row[x] = shares[x] > 0 ? row[x] * shares[x] : under[x] }
}
