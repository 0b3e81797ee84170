import Pictures
import SplitreelProject

/// Lets through as much of a picture as another one's alpha or luma says: an asset's, or a track's in its place. Where
/// the other one is missing nothing is let through.
struct PictureMask: EffectKernel {
    /// The name of the parameter that names the other picture.
    let parameter: String

    func render(_ call: EffectCall, _ inputs: [PlanarImage], into output: PlanarImage, _ memory: EffectMemory) {
        let mask = call.pictures[parameter].flatMap { inputs.indices.contains($0) ? inputs[$0] : nil }
        let isInverted = call.flag("invert")
        let width = inputs[0].luma.width
        let depth = inputs[0].encoding.bitDepth
        let usesLuma = call.word("channel") == "luma"
        let shares = mask.map { BlockShares($0, 0, 0, memory) }
        let luma = mask.map { SampleRows($0.luma, bitDepth: depth) }
        let scale = ColourScale(inputs[0].encoding)
        let row = memory.floats("mask.luma", width)
        maskPicture(inputs[0], into: output, memory) { y, out in
            guard let shares, let luma else { return out.update(repeating: isInverted ? 1 : 0, count: width) }
            shares.read(y, into: out)
            if usesLuma {
                luma.read(y, into: row)
                let (zero, step) = (scale.lumaZero, 1 / scale.lumaStep)
                for x in 0..<width { out[x] *= max(0, min(1, (row[x] - zero) * step)) }
            }
            if isInverted { for x in 0..<width { out[x] = 1 - out[x] } }
        }
    }
}

/// Lets through the inside of a rectangle or an ellipse, by the distance from its edge: a half at the edge, going
/// evenly over `feather` pixels, one at least. An ellipse's distance is along the ray from its centre.
struct ShapeMask: EffectKernel {
    func render(_ call: EffectCall, _ inputs: [PlanarImage], into output: PlanarImage, _ memory: EffectMemory) {
        let (width, height) = (inputs[0].luma.width, inputs[0].luma.height)
        let (centre, size) = (call.numbers("center"), call.numbers("size"))
        guard centre.count == 2, size.count == 2 else { return output.copy(inputs[0]) }
        let isInverted = call.flag("invert")
        let scale = (call.scaleX * call.scaleY).squareRoot()
        let shape = MaskShape(
            isEllipse: call.word("shape") == "ellipse", middle: Float(centre[0] * Double(width)),
            halfWidth: Float(size[0] * Double(width) / 2), halfHeight: Float(size[1] * Double(height) / 2),
            radius: Float(call.number("radius") * scale), factor: Float(1 / max(1, call.number("feather") * scale)))
        let line = Float(centre[1] * Double(height))
        maskPicture(inputs[0], into: output, memory) { y, out in
            shape.shares(Float(y) + 0.5 - line, into: out, width)
            if isInverted { for x in 0..<width { out[x] = 1 - out[x] } }
        }
    }
}

private struct MaskShape {
    let isEllipse: Bool
    let middle, halfWidth, halfHeight, radius, factor: Float

    func shares(_ y: Float, into out: UnsafeMutablePointer<Float>, _ count: Int) {
        if isEllipse { ellipse(y, into: out, count) } else { rectangle(y, into: out, count) }
    }

    private func rectangle(_ y: Float, into out: UnsafeMutablePointer<Float>, _ count: Int) {
        let round = min(radius, min(halfWidth, halfHeight))
        let down = abs(y) - halfHeight + round
        for x in 0..<count {
            let across = abs(Float(x) + 0.5 - middle) - halfWidth + round
            let (a, b) = (max(across, 0), max(down, 0))
            let distance = (a * a + b * b).squareRoot() + min(max(across, down), 0) - round
            out[x] = max(0, min(1, 0.5 - distance * factor))
        }
    }

    private func ellipse(_ y: Float, into out: UnsafeMutablePointer<Float>, _ count: Int) {
        let (a, b) = (max(halfWidth, 1e-3), max(halfHeight, 1e-3))
        for x in 0..<count {
            let across = Float(x) + 0.5 - middle
            let length = (across * across + y * y).squareRoot()
            let reach = ((across / a) * (across / a) + (y / b) * (y / b)).squareRoot()
            let distance = reach > 1e-6 ? length - length / reach : -min(a, b)
            out[x] = max(0, min(1, 0.5 - distance * factor))
        }
    }
}

/// Writes the picture with its alpha times a mask's rows.
private func maskPicture(
    _ source: PlanarImage, into output: PlanarImage, _ memory: EffectMemory, _ mask: RowReader
) {
    output.copy(source)
    guard let target = output.alpha else { return }
    let (width, depth) = (target.width, source.encoding.bitDepth)
    let whole = Float((1 << depth) - 1)
    let rows = SampleRows(target, bitDepth: depth)
    let room = memory.floats("mask", 2 * (width + 16))
    let (row, shares) = (room, room + width + 16)
    for y in 0..<target.height {
        rows.read(y, into: row)
        mask(y, shares)
        for x in 0..<width { row[x] = min(row[x] * shares[x], whole) }
        rows.write(row, to: y)
    }
}
