import Composition

/// The planes that one layer is sampled from.
struct SourceSet {
    var luma, cb, cr: SourcePlane
    /// Present where the source has alpha: 0…1 at luma and chroma places; the other planes are then premultiplied.
    var alpha, chromaAlpha: SourcePlane?
}

/// Makes sources ready for sampling: transposes them, premultiplies them. Its memory is one layer's.
final class SourceStage {
    private let transposed = [Scratch(), Scratch(), Scratch(), Scratch()]
    private let floats = [Scratch(), Scratch(), Scratch(), Scratch(), Scratch()]

    func sources(of image: PlanarImage) -> SourceSet {
        let depth = image.encoding.bitDepth
        let luma = SourcePlane(image.luma, bitDepth: depth)
        let cb = SourcePlane(image.cb, bitDepth: depth)
        let cr = SourcePlane(image.cr, bitDepth: depth)
        guard let straight = image.alpha else { return SourceSet(luma: luma, cb: cb, cr: cr) }
        let scale = Float(1 / (Double(1 << depth) - 1))
        let source = SourcePlane(straight, bitDepth: depth)
        let lumaAlpha = floats[0].floats(luma.width * luma.height)
        for y in 0..<luma.height {
            let row = lumaAlpha + y * luma.width
            source.expand(y, from: 0, count: luma.width, into: row)
            scaleRow(row, by: scale, into: row, count: luma.width)
        }
        let alpha = SourcePlane(floats: lumaAlpha, width: luma.width, height: luma.height)
        let chromaAlpha =
            image.encoding.chromaShiftX == 0 && image.encoding.chromaShiftY == 0 && cb.width == luma.width
                && cb.height == luma.height
            ? lumaAlpha : blockMeans(lumaAlpha, luma, cb, image.encoding)
        return SourceSet(
            luma: premultiplied(luma, by: lumaAlpha, into: floats[1]),
            cb: premultiplied(cb, by: chromaAlpha, into: floats[2]),
            cr: premultiplied(cr, by: chromaAlpha, into: floats[3]), alpha: alpha,
            chromaAlpha: SourcePlane(floats: chromaAlpha, width: cb.width, height: cb.height))
    }

    private func premultiplied(
        _ plane: SourcePlane, by alpha: UnsafePointer<Float>, into memory: Scratch
    ) -> SourcePlane {
        let out = memory.floats(plane.width * plane.height)
        for y in 0..<plane.height {
            let row = out + y * plane.width
            plane.expand(y, from: 0, count: plane.width, into: row)
            multiplyRow(row, by: alpha + y * plane.width, count: plane.width)
        }
        return SourcePlane(floats: out, width: plane.width, height: plane.height)
    }

    /// A chroma sample's alpha: the mean over the luma pixels that it belongs to.
    private func blockMeans(
        _ alpha: UnsafePointer<Float>, _ luma: SourcePlane, _ chroma: SourcePlane, _ encoding: PixelEncoding
    ) -> UnsafeMutablePointer<Float> {
        let out = floats[4].floats(chroma.width * chroma.height)
        let (blockX, blockY) = (1 << encoding.chromaShiftX, 1 << encoding.chromaShiftY)
        for y in 0..<chroma.height {
            for x in 0..<chroma.width {
                let left = min(x * blockX, luma.width - 1)
                let top = min(y * blockY, luma.height - 1)
                let (right, bottom) = (min(left + blockX, luma.width), min(top + blockY, luma.height))
                var sum: Float = 0
                for v in top..<bottom {
                    for u in left..<right { sum += alpha[v * luma.width + u] }
                }
                out[y * chroma.width + x] = sum / Float((right - left) * (bottom - top))
            }
        }
        return out
    }

    /// The layer with its source's rows and columns exchanged, so that its axes run along the canvas's.
    func transposed(_ layer: PreparedLayer) -> PreparedLayer {
        var result = layer
        let image = layer.image
        let depth = image.encoding.bitDepth
        result.image.luma = transposed(image.luma, depth, into: transposed[0])
        result.image.cb = transposed(image.cb, depth, into: transposed[1])
        result.image.cr = transposed(image.cr, depth, into: transposed[2])
        result.image.alpha = image.alpha.map { transposed($0, depth, into: transposed[3]) }
        result.image.encoding.chromaShiftX = image.encoding.chromaShiftY
        result.image.encoding.chromaShiftY = image.encoding.chromaShiftX
        result.image.encoding.chromaOffsetX = image.encoding.chromaOffsetY
        result.image.encoding.chromaOffsetY = image.encoding.chromaOffsetX
        result.inverse = layer.inverse.then(Affine(a: 0, b: 1, c: 1, d: 0, tx: 0, ty: 0))
        return result
    }

    private func transposed(_ plane: Plane, _ depth: Int, into memory: Scratch) -> Plane {
        let sampleSize = depth > 8 ? 2 : 1
        let stride = (plane.height * sampleSize + 15) & ~15
        let out = memory.bytes(stride * plane.width)
        if sampleSize == 1 {
            transpose8(
                plane.base.assumingMemoryBound(to: UInt8.self), stride: plane.stride, width: plane.width,
                height: plane.height, into: out.assumingMemoryBound(to: UInt8.self), outStride: stride)
        } else {
            transpose16(
                plane.base, stride: plane.stride, width: plane.width, height: plane.height,
                into: out.assumingMemoryBound(to: UInt16.self), outStride: stride / 2)
        }
        return Plane(base: out, stride: stride, width: plane.height, height: plane.width)
    }
}
