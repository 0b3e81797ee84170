import Pictures
import SplitreelProject

/// A pixel at r, in half diagonals from the centre, shows the place at r·(1 + k1·r² + k2·r⁴), as ffmpeg's
/// lenscorrection does; the outside of the picture is empty.
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
        let lens = Lens(k1: k1, k2: k2, cx: cx, cy: cy, sx: sx, sy: sy, factor: factor)
        // Colours and the alpha that they are weighed by lie at the same places.
        let places = LensPlaces(source.luma.width, lens, memory)
        filterPicture(source, into: output, memory, clears: true) { plane, read in
            let padded = PaddedPlane(plane, memory, read)
            let siting = Siting(plane, source.encoding)
            return { y, out in
                places.move(to: y, padded, siting)
                places.row.sample(padded, into: out)
            }
        }
    }
}

private struct Lens {
    let k1, k2, cx, cy, sx, sy, factor: Float
}

/// The places at which a row's samples are looked for.
private final class LensPlaces {
    let row: PlacedRow
    private let lens: Lens
    private var shown: (y: Int, width: Int, offset: Float)?

    init(_ width: Int, _ lens: Lens, _ memory: EffectMemory) {
        row = PlacedRow(width, memory, "lens.places")
        self.lens = lens
    }

    func move(to y: Int, _ plane: PaddedPlane, _ siting: Siting) {
        let wanted = (y: y, width: plane.width, offset: siting.y(y))
        if let shown, shown == wanted { return }
        shown = wanted
        bendRow(lens, siting, siting.y(y) - lens.cy, into: row.right, row.below, plane.width)
        row.settle(plane)
    }
}

private func bendRow(
    _ lens: Lens, _ siting: Siting, _ down: Float, into across: UnsafeMutablePointer<Float>,
    _ downwards: UnsafeMutablePointer<Float>, _ count: Int
) {
    let high = (down * lens.sy) * (down * lens.sy)
    let firsts = Four(0, 1, 2, 3)
    var x = 0
    while x < count {
        let columns = (firsts + Float(x)) * siting.stepX + siting.offsetX
        let aside = columns - lens.cx
        let wide = aside * lens.sx
        let square = (wide * wide + high) * lens.factor
        let scale = 1 + square * (lens.k1 + square * lens.k2)
        put(((lens.cx + aside * scale) - siting.offsetX) * siting.factorX, across, x)
        put(((lens.cy + down * scale) - siting.offsetY) * siting.factorY, downwards, x)
        x &+= 4
    }
}
