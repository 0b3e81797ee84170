import Pictures
import SplitreelProject

/// An animation's layer under its mask: the second picture's alpha times the first one's. Not for files to name.
struct LayerMaskKernel: EffectKernel {
    func render(_ call: EffectCall, _ inputs: [PlanarImage], into output: PlanarImage, _ memory: EffectMemory) {
        guard inputs.count == 2, let target = output.alpha else { return }
        let depth = output.encoding.bitDepth
        for (from, to) in [
            (inputs[0].luma, output.luma), (inputs[0].cb, output.cb), (inputs[0].cr, output.cr),
        ] {
            SampleRows(to, bitDepth: depth).copy(SampleRows(from, bitDepth: depth))
        }
        let maximum = Int32((1 << depth) - 1)
        let alpha = SampleRows(target, bitDepth: depth)
        alpha.fill(UInt16(maximum))
        for plane in inputs.compactMap(\.alpha) {
            let source = SampleRows(plane, bitDepth: depth)
            for y in 0..<target.height {
                let (row, other) = (alpha.address(0, y), source.address(0, y))
                if depth > 8 {
                    multiplyWords(
                        row.assumingMemoryBound(to: UInt16.self), other.assumingMemoryBound(to: UInt16.self), maximum,
                        target.width)
                } else {
                    multiplyBytes(
                        row.assumingMemoryBound(to: UInt8.self), other.assumingMemoryBound(to: UInt8.self),
                        target.width)
                }
            }
        }
    }
}

private func multiplyBytes(_ row: UnsafeMutablePointer<UInt8>, _ other: UnsafePointer<UInt8>, _ count: Int) {
    for x in 0..<count {
        let product = UInt32(row[x]) * UInt32(other[x]) + 128
        // The nearest to a 255th of the product.
        row[x] = UInt8(truncatingIfNeeded: (product + product >> 8) >> 8)
    }
}

private func multiplyWords(
    _ row: UnsafeMutablePointer<UInt16>, _ other: UnsafePointer<UInt16>, _ maximum: Int32, _ count: Int
) {
    for x in 0..<count {
        row[x] = UInt16(truncatingIfNeeded: (Int32(row[x]) * Int32(other[x]) + maximum / 2) / maximum)
    }
}
