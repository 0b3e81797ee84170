import Pictures
import SplitreelProject

/// Adds the blurred light of the parts that are brighter than a threshold; alpha stays.
struct Glow: EffectKernel {
    func render(_ call: EffectCall, _ inputs: [PlanarImage], into output: PlanarImage, _ memory: EffectMemory) {
        let source = inputs[0]
        let (intensity, radius) = (Float(call.number("intensity")), call.number("radius"))
        guard intensity > 0 else { return output.copy(source) }
        output.copyAlpha(source)
        let encoding = source.encoding
        let scale = ColourScale(encoding)
        let bright = BrightParts(source, threshold: Float(call.number("threshold")), memory)
        let outside: OutsideOfPicture = source.isTransparentSomewhere ? .clear : .edge
        for (number, (input, result)) in [
            (source.luma, output.luma), (source.cb, output.cb), (source.cr, output.cr),
        ].enumerated() {
            let shift = number == 0 ? (0, 0) : (encoding.chromaShiftX, encoding.chromaShiftY)
            let zero = number == 0 ? scale.lumaZero : scale.chromaZero
            let depth = encoding.bitDepth
            let (rows, target) = (SampleRows(input, bitDepth: depth), SampleRows(result, bitDepth: depth))
            let width = input.width
            let room = memory.floats("glow", 2 * (width + 24))
            let (row, soft) = (room, room + width + 24)
            let smooth = SmoothPlane(
                width: width, height: input.height,
                deviation: (
                    radius * call.scaleX / Double(1 << shift.0), radius * call.scaleY / Double(1 << shift.1)
                ), outside: outside, memory, "glow.smooth"
            ) { y, out in
                rows.read(y, into: out)
                bright.read(y, shift.0, shift.1, into: row)
                for x in 0..<width { out[x] = (out[x] - zero) * row[x] }
            }
            for y in 0..<input.height {
                rows.read(y, into: row)
                smooth.row(y, into: soft)
                for x in 0..<width { row[x] += soft[x] * intensity }
                target.write(row, to: y)
            }
        }
    }
}

/// The brightness of samples: 0 up to the threshold, 1 at white, times its alpha; the mean of a block.
private struct BrightParts {
    private let luma: SampleRows
    private let alpha: BlockShares
    private let zero, factor: Float
    private let row, share: UnsafeMutablePointer<Float>

    init(_ image: PlanarImage, threshold: Float, _ memory: EffectMemory) {
        let scale = ColourScale(image.encoding)
        luma = SampleRows(image.luma, bitDepth: image.encoding.bitDepth)
        alpha = BlockShares(image, 0, 0, memory)
        zero = scale.lumaZero + scale.lumaStep * threshold
        factor = 1 / (scale.lumaStep * max(1 - threshold, 0.01))
        let room = memory.floats("bright", 2 * (image.luma.width + 24))
        (row, share) = (room, room + image.luma.width + 24)
    }

    func read(_ y: Int, _ shiftX: Int, _ shiftY: Int, into out: UnsafeMutablePointer<Float>) {
        let count = (luma.width + (1 << shiftX) - 1) >> shiftX
        out.update(repeating: 0, count: count)
        let first = y << shiftY
        let last = min(first + (1 << shiftY), luma.height) - 1
        for line in first...last {
            luma.read(line, into: row)
            alpha.read(line, into: share)
            for x in 0..<luma.width { row[x] = max(0, min(1, (row[x] - zero) * factor)) * share[x] }
            addBlocks(row, into: out, shiftX, luma.width, count)
        }
        multiplyRow(out, by: 1 / Float(last - first + 1), count)
    }
}
