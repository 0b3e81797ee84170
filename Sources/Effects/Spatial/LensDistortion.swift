import Composition
import Pictures

/// A pixel at r, in half diagonals from the centre, shows what is at r·(1 + k1·r² + k2·r⁴), as ffmpeg's lenscorrection
/// does; outside of the picture is nothing.
struct LensDistortion: EffectKernel {
    func render(_ call: EffectCall, _ inputs: [PlanarImage], into output: PlanarImage, _ memory: EffectMemory) {
        let source = inputs[0]
        let (k1, k2) = (Float(call.number("k1")), Float(call.number("k2")))
        guard k1 != 0 || k2 != 0 else { return output.copy(source) }
        let centre = call.numbers("center")
        let (width, height) = (Double(source.luma.width), Double(source.luma.height))
        guard centre.count == 2 else { return output.copy(source) }
        let (cx, cy) = (Float(centre[0] * width - 0.5), Float(centre[1] * height - 0.5))
        // Pixels of an output that is stretched are not square.
        let (sx, sy) = (Float(1 / call.scaleX), Float(1 / call.scaleY))
        let (wide, high) = (width / call.scaleX, height / call.scaleY)
        let factor = Float(4 / (wide * wide + high * high))
        filterPicture(source, into: output, memory, clears: true) { plane, read in
            let held = HeldPlane(plane, memory, read)
            let siting = Siting(plane, source.encoding)
            return { y, out in
                let down = siting.y(y) - cy
                for x in 0..<plane.width {
                    let across = siting.x(x) - cx
                    let square = ((across * sx) * (across * sx) + (down * sy) * (down * sy)) * factor
                    let scale = 1 + square * (k1 + square * k2)
                    out[x] = held.sample(cx + across * scale, cy + down * scale, siting)
                }
            }
        }
    }
}
