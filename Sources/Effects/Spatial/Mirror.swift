import Pictures
import SplitreelProject

/// One side of a line is the mirror image of the other. The line lies on the edge or the middle of a pixel; where the
/// kept side is the smaller one its outermost pixels fill what is missing.
struct Mirror: EffectKernel {
    func render(_ call: EffectCall, _ inputs: [PlanarImage], into output: PlanarImage, _ memory: EffectMemory) {
        let source = inputs[0]
        let keep = call.word("keep")
        let isAcross = keep == "left" || keep == "right"
        let length = Double(isAcross ? source.luma.width : source.luma.height)
        // The sum is twice the line's place less one: a pixel and its image add up to it.
        let sum = Float((call.number("at") * length * 2).rounded()) - 1
        let keepsFirst = keep == "left" || keep == "top"
        func isKept(_ place: Float) -> Bool { (place <= sum - place) == keepsFirst }
        /// The place that is shown, no further than the kept sample at the line: a place between two samples is made of
        /// kept ones alone.
        func place(_ place: Float, nearest: Float) -> Float {
            if isKept(place) { return place }
            let image = min(max(sum - place, 0), Float(length) - 1)
            return keepsFirst ? min(image, nearest) : max(image, nearest)
        }
        filterPicture(source, into: output, memory) { plane, read in
            let padded = PaddedPlane(plane, memory, read)
            let siting = Siting(plane, source.encoding)
            let places = (0..<(isAcross ? plane.width : plane.height)).map { isAcross ? siting.x($0) : siting.y($0) }
            let kept = places.filter(isKept)
            let nearest = (keepsFirst ? kept.last : kept.first) ?? (keepsFirst ? 0 : Float(length) - 1)
            let (offset, factor) = isAcross ? (siting.offsetX, siting.factorX) : (siting.offsetY, siting.factorY)
            let found = places.map {
                padded.place(
                    place($0, nearest: nearest), offset, factor, of: isAcross ? plane.width : plane.height)
            }
            guard isAcross else {
                return { y, out in
                    mixRows(
                        padded.row(found[y].sample), padded.row(found[y].sample + 1), found[y].share, into: out,
                        plane.width)
                }
            }
            let row = PlacedRow(plane.width, memory, plane.name + ".mirror")
            for (x, one) in found.enumerated() { (row.indexes[x], row.right[x]) = (Int32(one.sample), one.share) }
            // Many samples are themselves.
            let same = found.indices.filter { found[$0] == ($0, 0) }
            let own = (same.first ?? 0)..<((same.last ?? -1) + 1)
            let copied = own.count == same.count ? own : 0..<0
            return { y, out in
                let samples = padded.row(y)
                for range in [0..<copied.lowerBound, copied.upperBound..<plane.width] {
                    gatherRow(samples, row.indexes, row.right, into: out, range)
                }
                (out + copied.lowerBound).update(from: samples + copied.lowerBound, count: copied.count)
            }
        }
    }
}

private func mixRows(
    _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, _ share: Float,
    into out: UnsafeMutablePointer<Float>, _ count: Int
) {
    for x in 0..<count { out[x] = first[x] + (second[x] - first[x]) * share }
}

private func gatherRow(
    _ row: UnsafePointer<Float>, _ indexes: UnsafePointer<Int32>, _ shares: UnsafePointer<Float>,
    into out: UnsafeMutablePointer<Float>, _ range: Range<Int>
) {
    for x in range {
        let first = row + Int(indexes[x])
        out[x] = first[0] + (first[1] - first[0]) * shares[x]
    }
}
