import Pictures
import SplitreelProject

/// The mean of a picture and those of the frames before it, each with `decay` times the weight of the one after it.
/// Colours count by their alpha.
struct Echo: EffectKernel {
    func render(_ call: EffectCall, _ inputs: [PlanarImage], into output: PlanarImage, _ memory: EffectMemory) {
        let decay = call.number("decay")
        let pictures = Array(inputs.prefix(1) + inputs.dropFirst().prefix(call.neighbours).reversed())
        var weights = [1.0]
        while weights.count < pictures.count { weights.append((weights.last ?? 0) * decay) }
        let sum = weights.reduce(0, +)
        let shares = weights.map { Float($0 / sum) }
        guard pictures.count > 1, decay > 0 else { return output.copy(inputs[0]) }
        let encoding = inputs[0].encoding
        let isOpaque = !pictures.contains { $0.isTransparentSomewhere }
        if isOpaque { output.copyAlpha(inputs[0]) }
        for number in 0..<3 {
            let isChroma = number > 0
            let shift = isChroma ? (encoding.chromaShiftX, encoding.chromaShiftY) : (0, 0)
            func plane(_ image: PlanarImage) -> SampleRows {
                SampleRows([image.luma, image.cb, image.cr][number], bitDepth: encoding.bitDepth)
            }
            let (target, planes) = (plane(output), pictures.map(plane))
            let parts = isOpaque ? [] : pictures.map { BlockShares($0, shift.0, shift.1, memory) }
            let width = target.width
            let room = memory.floats("echo", 4 * (width + 16))
            let (row, part) = (room, room + width + 16)
            let (total, weight) = (room + 2 * (width + 16), room + 3 * (width + 16))
            for y in 0..<target.height {
                total.update(repeating: 0, count: width)
                weight.update(repeating: 0, count: width)
                for (index, share) in shares.enumerated() {
                    planes[index].read(y, into: row)
                    if isOpaque {
                        for x in 0..<width { total[x] += row[x] * share }
                    } else {
                        parts[index].read(y, into: part)
                        for x in 0..<width {
                            total[x] += row[x] * (part[x] * share)
                            weight[x] += part[x] * share
                        }
                    }
                }
                if !isOpaque {
                    planes[0].read(y, into: row)
                    for x in 0..<width { total[x] = weight[x] > 1e-5 ? total[x] / weight[x] : row[x] }
                }
                target.write(total, to: y)
                guard !isOpaque, !isChroma, let alpha = output.alpha else { continue }
                let whole = Float((1 << encoding.bitDepth) - 1)
                for x in 0..<width { weight[x] *= whole }
                SampleRows(alpha, bitDepth: encoding.bitDepth).write(weight, to: y)
            }
        }
    }
}
