import Composition

/// The planes that one layer is sampled from.
struct SourceSet {
    var luma, cb, cr: SampledPlane
    /// Present where the source has alpha: 0…1 at luma and chroma places; the other planes are then premultiplied.
    var alpha, chromaAlpha: SampledPlane?

    func planes(_ kind: PlaneKind) -> [SampledPlane] {
        switch kind {
        case .luma: [luma]
        case .chroma: [cb, cr]
        case .alpha: []
        }
    }
}

/// Makes sources ready for sampling: transposes them, finds the alpha of subsampled chroma. Its memory is one layer's.
final class SourceStage {
    private let transposed = [Scratch(), Scratch(), Scratch(), Scratch()]
    private let chromaAlpha = Scratch()
    private let alphaLines = Scratch()

    func sources(of image: PlanarImage) -> SourceSet {
        let depth = image.encoding.bitDepth
        let luma = SourcePlane(image.luma, bitDepth: depth)
        let cb = SourcePlane(image.cb, bitDepth: depth)
        let cr = SourcePlane(image.cr, bitDepth: depth)
        guard let straight = image.alpha else {
            return SourceSet(luma: SampledPlane(plane: luma), cb: SampledPlane(plane: cb), cr: SampledPlane(plane: cr))
        }
        let scale = Float(1 / (Double(1 << depth) - 1))
        let alpha = SourcePlane(straight, bitDepth: depth)
        let isWhole =
            image.encoding.chromaShiftX == 0 && image.encoding.chromaShiftY == 0 && cb.width == luma.width
            && cb.height == luma.height
        let (chromaAlpha, chromaScale) =
            isWhole ? (alpha, scale) : (blockMeans(alpha, scale, cb, image.encoding), 1)
        return SourceSet(
            luma: SampledPlane(plane: luma, alpha: alpha, scale: scale),
            cb: SampledPlane(plane: cb, alpha: chromaAlpha, scale: chromaScale),
            cr: SampledPlane(plane: cr, alpha: chromaAlpha, scale: chromaScale),
            alpha: SampledPlane(plane: alpha, scale: scale),
            chromaAlpha: SampledPlane(plane: chromaAlpha, scale: chromaScale))
    }

    /// A chroma sample's alpha: the mean over the luma pixels that it belongs to.
    private func blockMeans(
        _ alpha: SourcePlane, _ scale: Float, _ chroma: SourcePlane, _ encoding: PixelEncoding
    ) -> SourcePlane {
        let out = chromaAlpha.floats(chroma.width * chroma.height)
        let (blockX, blockY) = (1 << encoding.chromaShiftX, 1 << encoding.chromaShiftY)
        let lines = alphaLines.floats(blockY * alpha.width)
        for y in 0..<chroma.height {
            let top = min(y * blockY, alpha.height - 1)
            let bottom = min(top + blockY, alpha.height)
            for v in top..<bottom {
                let line = lines + (v - top) * alpha.width
                alpha.expand(v, from: 0, count: alpha.width, into: line)
                scaleRow(line, by: scale, into: line, count: alpha.width)
            }
            for x in 0..<chroma.width {
                let left = min(x * blockX, alpha.width - 1)
                let right = min(left + blockX, alpha.width)
                var sum: Float = 0
                for v in 0..<(bottom - top) {
                    for u in left..<right { sum += lines[v * alpha.width + u] }
                }
                out[y * chroma.width + x] = sum / Float((right - left) * (bottom - top))
            }
        }
        return SourcePlane(floats: out, width: chroma.width, height: chroma.height)
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
