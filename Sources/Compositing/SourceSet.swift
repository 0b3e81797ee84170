import Pictures

/// The planes that one layer is sampled from.
struct SourceSet {
    var luma, cb, cr: SampledPlane
    /// The alpha, 0…1, at luma and chroma places; nil where the source has none. With alpha the other planes are
    /// premultiplied.
    var alpha, chromaAlpha: SampledPlane?

    func planes(_ kind: PlaneKind) -> [SampledPlane] {
        switch kind {
        case .luma: [luma]
        case .chroma: [cb, cr]
        case .alpha: []
        }
    }
}

/// Makes sources ready for sampling: turns them, finds the alpha of subsampled chroma. Its memory is one layer's.
final class SourceStage {
    private let turned = [TurnedPlane(), TurnedPlane(), TurnedPlane(), TurnedPlane()]
    private let chromaAlpha = Scratch()
    private let alphaLines = Scratch()

    func sources(of layer: PreparedLayer) -> SourceSet {
        let image = layer.image
        let depth = image.encoding.bitDepth
        func source(_ plane: Plane, _ number: Int) -> SourcePlane {
            layer.isTransposed
                ? turned[number].turn(plane, bitDepth: depth) : SourcePlane(plane, bitDepth: depth)
        }
        let (luma, cb, cr) = (source(image.luma, 0), source(image.cb, 1), source(image.cr, 2))
        guard let straight = image.alpha else {
            return SourceSet(luma: SampledPlane(plane: luma), cb: SampledPlane(plane: cb), cr: SampledPlane(plane: cr))
        }
        let scale = Float(1 / (Double(1 << depth) - 1))
        let alpha = source(straight, 3)
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

    /// The alpha of each chroma sample: the mean over the luma pixels that it belongs to.
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
}
