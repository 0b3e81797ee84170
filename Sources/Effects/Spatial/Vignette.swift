import Pictures
import SplitreelProject

/// Darkens from an ellipse of the picture's own shape towards the corners: R'G'B' times 1 − amount·s, where s goes
/// smoothly (3t² − 2t³) from 0 at `start` to 1 at `end`, in shares of the way from the middle to a corner.
struct Vignette: EffectKernel {
    func render(_ call: EffectCall, _ inputs: [PlanarImage], into output: PlanarImage, _ memory: EffectMemory) {
        let source = inputs[0]
        let amount = Float(call.number("amount"))
        guard amount > 0 else { return output.copy(source) }
        output.copyAlpha(source)
        let encoding = source.encoding
        let scale = ColourScale(encoding)
        let start = Float(call.number("start"))
        let ramp = Ramp(start: start, factor: 1 / max(Float(call.number("end")) - start, 1e-3), amount: amount)
        let size = (Double(source.luma.width), Double(source.luma.height))
        for (input, result, zero, isChroma) in [
            (source.luma, output.luma, scale.lumaZero, false), (source.cb, output.cb, scale.chromaZero, true),
            (source.cr, output.cr, scale.chromaZero, true),
        ] {
            let depth = encoding.bitDepth
            let (rows, target) = (SampleRows(input, bitDepth: depth), SampleRows(result, bitDepth: depth))
            let shift = isChroma ? (encoding.chromaShiftX, encoding.chromaShiftY) : (0, 0)
            let room = memory.floats("vignette", 2 * (input.width + 24))
            let (row, across) = (room, room + input.width + 24)
            func square(_ place: Double, _ length: Double) -> Float {
                let part = (place + 0.5) * 2 / length - 1
                return Float(part * part / 2)
            }
            for x in 0..<input.width { across[x] = square(Double(x << shift.0), size.0) }
            for y in 0..<input.height {
                rows.read(y, into: row)
                let place = Double(y << shift.1) + (shift.1 > 0 ? encoding.chromaOffsetY : 0)
                darkenRow(row, across, square(place, size.1), ramp, zero, input.width)
                target.write(row, to: y)
            }
        }
    }
}

private struct Ramp {
    let start, factor, amount: Float
}

private func darkenRow(
    _ row: UnsafeMutablePointer<Float>, _ across: UnsafePointer<Float>, _ down: Float, _ ramp: Ramp, _ zero: Float,
    _ count: Int
) {
    for x in 0..<count {
        let distance = (across[x] + down).squareRoot()
        let t = max(0, min(1, (distance - ramp.start) * ramp.factor))
        row[x] = zero + (row[x] - zero) * (1 - ramp.amount * (t * t * (3 - 2 * t)))
    }
}
