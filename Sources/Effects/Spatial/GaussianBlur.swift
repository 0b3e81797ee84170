import Pictures
import SplitreelProject

/// A gaussian blur; see `SmoothPlane`.
struct GaussianBlur: EffectKernel {
    func render(_ call: EffectCall, _ inputs: [PlanarImage], into output: PlanarImage, _ memory: EffectMemory) {
        let deviation = (x: call.number("radius") * call.scaleX, y: call.number("radius") * call.scaleY)
        guard max(deviation.x, deviation.y) > 0.05 else { return output.copy(inputs[0]) }
        filterPicture(inputs[0], into: output, memory) { plane, read in
            let smooth = SmoothPlane(
                width: plane.width, height: plane.height,
                deviation: (
                    deviation.x / Double(1 << plane.shiftX), deviation.y / Double(1 << plane.shiftY)
                ), outside: plane.outside, memory, plane.name, read: read)
            return { smooth.row($0, into: $1) }
        }
    }
}
