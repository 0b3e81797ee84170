import Pictures
import SplitreelProject

/// Makes a colour transparent, and takes away its cast on the rest.
///
/// A pixel's distance from the key is that of Cb and Cr (−0.5…0.5); it is interpolated to the luma samples as
/// `ColourPass` does. Up to `tolerance` it is transparent, from `tolerance` + `softness` on as it was, linear between
/// them. Spill is the part of the key's strongest component above the mean of the other two; `spill` of it is taken
/// away.
struct ChromaKey: EffectKernel {
    /// The numbers by which alpha and spill follow from codes of Cb and Cr.
    struct Key {
        var cb, cr: Float
        /// The distance in codes that is transparent, and the alpha that one more code adds.
        var tolerance, slope: Float
        /// The part of the strongest component above the others' mean: factors of Cb and Cr codes, and an offset.
        var spill: Four
    }

    func render(_ call: EffectCall, _ inputs: [PlanarImage], into output: PlanarImage, _ memory: EffectMemory) {
        let input = inputs[0]
        let depth = input.encoding.bitDepth
        let codes = ColourCodes(input.encoding)
        let colour = call.numbers("color")
        let (key, taken) = key(call, codes, colour)
        let (width, maximum) = (input.luma.width, Float((1 << depth) - 1))
        let source = input.alpha.map { SampleRows($0, bitDepth: depth) }
        let target = output.alpha.map { SampleRows($0, bitDepth: depth) }
        let rows = (alpha: memory.floats("key.alpha", width + 8), old: memory.floats("key.old", width + 8))
        let hasSpill = call.number("spill") > 0
        ColourPass(input, memory).run(input, output, addsToChroma: true) { row, y in
            if let target {
                alphaRow(row, key, into: rows.alpha)
                if let source {
                    source.read(y, into: rows.old)
                    productRow(rows.alpha, rows.old, width)
                } else {
                    scaleRow(rows.alpha, maximum, width)
                }
                target.write(rows.alpha, to: y)
            }
            spillRow(row, key.spill, hasSpill ? taken : Four(repeating: 0))
        }
    }

    /// The key, and the Y', Cb and Cr codes that are taken away for a spill of 1.
    private func key(_ call: EffectCall, _ codes: ColourCodes, _ colour: [Double]) -> (Key, Four) {
        let code = codes.encoded(colour)
        let softness = max(call.number("softness"), 1e-6)
        let strongest = (0..<3).max { colour[$0] < colour[$1] } ?? 1
        let spill = call.number("spill")
        // Y' is in all three alike.
        let rows = codes.decoding
        func excess(_ part: KeyPath<ColourCodes.Row, Double>) -> Double {
            (0..<3).reduce(0) { $0 + rows[$1][keyPath: part] * ($1 == strongest ? 1 : -0.5) }
        }
        let factors = Four(Float(excess(\.cb)), Float(excess(\.cr)), Float(excess(\.offset)), 0)
        var unit = [0.0, 0, 0]
        unit[strongest] = spill
        let key = Key(
            cb: code[1], cr: code[2], tolerance: Float(call.number("tolerance") * codes.chromaRange),
            slope: Float(1 / (softness * codes.chromaRange)), spill: factors)
        return (key, codes.encoded(unit) - codes.encoded([0, 0, 0]))
    }
}

private func alphaRow(_ row: ColourRow, _ key: ChromaKey.Key, into alpha: UnsafeMutablePointer<Float>) {
    var i = 0
    while i < row.count {
        let (cb, cr) = (four(row.cb, i) - key.cb, four(row.cr, i) - key.cr)
        let distance = (cb * cb + cr * cr).squareRoot()
        put(largest(least((distance - key.tolerance) * key.slope, 1), 0), alpha, i)
        i &+= 4
    }
}

private func spillRow(_ row: ColourRow, _ spill: Four, _ taken: Four) {
    var i = 0
    while i < row.count {
        let (cb, cr) = (four(row.cb, i), four(row.cr, i))
        let excess = largest((cb * spill[0] + cr * spill[1]) + spill[2], 0)
        put(four(row.luma, i) - excess * taken[0], row.luma, i)
        put(excess * -taken[1], row.cb, i)
        put(excess * -taken[2], row.cr, i)
        i &+= 4
    }
}

private func productRow(_ row: UnsafeMutablePointer<Float>, _ other: UnsafePointer<Float>, _ count: Int) {
    var i = 0
    while i < count {
        put(four(row, i) * four(other, i), row, i)
        i &+= 4
    }
}

private func scaleRow(_ row: UnsafeMutablePointer<Float>, _ factor: Float, _ count: Int) {
    var i = 0
    while i < count {
        put(four(row, i) * factor, row, i)
        i &+= 4
    }
}

/// Makes a range of luma transparent: within `tolerance` of `threshold` wholly, beyond it less and less over
/// `softness`.
struct LumaKey: EffectKernel {
    func render(_ call: EffectCall, _ inputs: [PlanarImage], into output: PlanarImage, _ memory: EffectMemory) {
        let input = inputs[0]
        copyPicture(input, output)
        guard let alpha = output.alpha else { return }
        let depth = input.encoding.bitDepth
        let codes = ColourCodes(input.encoding)
        let (width, maximum) = (input.luma.width, Float((1 << depth) - 1))
        let (luma, target) = (SampleRows(input.luma, bitDepth: depth), SampleRows(alpha, bitDepth: depth))
        let rows = (luma: memory.floats("key.alpha", width + 8), old: memory.floats("key.old", width + 8))
        let middle = Float(codes.lumaOffset + call.number("threshold") * codes.lumaRange)
        let tolerance = Float(call.number("tolerance") * codes.lumaRange)
        let slope = Float(1 / (max(call.number("softness"), 1e-6) * codes.lumaRange))
        for y in 0..<luma.height {
            luma.read(y, into: rows.luma)
            lumaAlphaRow(rows.luma, middle, tolerance, slope, width)
            if input.alpha != nil {
                target.read(y, into: rows.old)
                productRow(rows.luma, rows.old, width)
            } else {
                scaleRow(rows.luma, maximum, width)
            }
            target.write(rows.luma, to: y)
        }
    }
}

private func lumaAlphaRow(
    _ row: UnsafeMutablePointer<Float>, _ middle: Float, _ tolerance: Float, _ slope: Float, _ count: Int
) {
    var i = 0
    while i < count {
        let offset = four(row, i) - middle
        let distance = largest(offset, Four(repeating: 0) - offset)
        put(largest(least((distance - tolerance) * slope, 1), 0), row, i)
        i &+= 4
    }
}
