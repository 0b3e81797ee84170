import Composition
import Pictures

/// One side of a line is the mirror image of the other. The line lies on the edge or the middle of a pixel; where the
/// kept side is the smaller one its outermost pixels fill what is missing.
struct Mirror: EffectKernel {
    func render(_ call: EffectCall, _ inputs: [PlanarImage], into output: PlanarImage, _ memory: EffectMemory) {
        let source = inputs[0]
        let keep = call.word("keep")
        let isAcross = keep == "left" || keep == "right"
        let length = Double(isAcross ? source.luma.width : source.luma.height)
        // Twice the line's place; a pixel and its image add up to one less.
        let sum = Float((call.number("at") * length * 2).rounded()) - 1
        let keepsFirst = keep == "left" || keep == "top"
        func isKept(_ place: Float) -> Bool { (place <= sum - place) == keepsFirst }
        /// No further than the kept sample at the line: what lies between two samples is of the kept ones alone.
        func place(_ place: Float, nearest: Float) -> Float {
            if isKept(place) { return place }
            let image = min(max(sum - place, 0), Float(length) - 1)
            return keepsFirst ? min(image, nearest) : max(image, nearest)
        }
        filterPicture(source, into: output, memory) { plane, read in
            let held = HeldPlane(plane, memory, read)
            let siting = Siting(plane, source.encoding)
            let kept = (0..<(isAcross ? plane.width : plane.height)).map { isAcross ? siting.x($0) : siting.y($0) }
                .filter(isKept)
            let nearest = (keepsFirst ? kept.last : kept.first) ?? (keepsFirst ? 0 : Float(length) - 1)
            return { y, out in
                let line = isAcross ? siting.y(y) : place(siting.y(y), nearest: nearest)
                for x in 0..<plane.width {
                    let column = siting.x(x)
                    out[x] = held.sample(isAcross ? place(column, nearest: nearest) : column, line, siting)
                }
            }
        }
    }
}
