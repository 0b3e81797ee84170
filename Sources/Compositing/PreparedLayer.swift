import Pictures

/// A layer that is known to be visible, with its geometry worked out.
struct PreparedLayer {
    var image: PlanarImage
    let shape: LayerShape
    /// The map from canvas pixels to the source's coded pixels, both with y down and edges at whole numbers.
    var inverse: Affine
    /// Whether the source's rows run along the canvas's columns: then it is transposed before it is sampled.
    let isTransposed: Bool
    /// The opacity, 1…32768; 32768 is opaque.
    let weight: Int
    let conform: ColourConform
    /// The key of the layer's rows; nil where nobody says which picture it is.
    let key: LayerKey?
    /// The steps that are worked out in linear light.
    let use: LightUse

    /// The largest number of source pixels along one axis per canvas pixel; beyond it nothing is drawn.
    private static let farthestReduction = 1e6

    /// Prepares a layer; nil where nothing would be seen: transparent, cropped away, outside the canvas, a transform
    /// that cannot be inverted or is not finite.
    init?(_ layer: LayerImage, canvas: PixelSize, encoding: PixelEncoding, use: LightUse) {
        let luma = layer.image.luma
        guard Self.isWellFormed(layer.image), layer.opacity > 0, layer.pixelAspect > 0, layer.pixelAspect < 1e4
        else { return nil }
        weight = clampedInt((layer.opacity * 32768).rounded(), 0, 32768)
        guard weight > 0 else { return nil }
        var forward = layer.transform
        let numbers = [forward.a, forward.b, forward.c, forward.d, forward.tx, forward.ty]
        guard numbers.allSatisfy({ abs($0) < 1e12 }) else { return nil }
        // A border's own image is one colour of any size.
        let (width, height) =
            layer.edge.map { ($0.width, $0.height) } ?? (Double(luma.width) * layer.pixelAspect, Double(luma.height))
        // Shear and rotation that would move nothing by a ten-thousandth of a pixel are left over from arithmetic.
        let isAligned = abs(forward.b) * width < 1e-4 && abs(forward.c) * height < 1e-4
        isTransposed = !isAligned && abs(forward.a) * width < 1e-4 && abs(forward.d) * height < 1e-4
        if isAligned { (forward.b, forward.c) = (0, 0) }
        if isTransposed { (forward.a, forward.d) = (0, 0) }
        guard
            let shape = LayerShape(
                frame: (width, height), crop: layer.crop, transform: forward, isAxisAligned: isAligned || isTransposed,
                canvas: canvas, clip: layer.clip, edge: layer.edge),
            let inverse = Affine.scale(layer.pixelAspect, 1).then(forward).inverse
        else { return nil }
        guard [inverse.a, inverse.b, inverse.c, inverse.d].allSatisfy({ abs($0) <= Self.farthestReduction }),
            inverse.tx.isFinite, inverse.ty.isFinite
        else { return nil }
        image = layer.image
        self.shape = shape
        self.inverse = inverse
        self.use = use
        conform = ColourConform(from: layer.image.encoding, to: encoding)
        let seamWeight = layer.edge?.hasBorder == true ? weight : 0
        key = layer.identity.map {
            LayerKey(
                picture: $0, transform: layer.transform, crop: layer.crop, pixelAspect: layer.pixelAspect,
                clip: layer.clip, edge: layer.edge, weight: seamWeight, use: use)
        }
    }

    private static func isWellFormed(_ image: PlanarImage) -> Bool {
        let (luma, cb, cr) = (image.luma, image.cb, image.cr)
        guard luma.width > 0, luma.height > 0, cb.width > 0, cb.height > 0 else { return false }
        guard cr.width == cb.width, cr.height == cb.height else { return false }
        guard let alpha = image.alpha else { return true }
        return alpha.width == luma.width && alpha.height == luma.height
    }

    /// The same layer for a source whose rows and columns are exchanged, so that its axes run along the canvas's.
    var withTurnedAxes: PreparedLayer {
        guard isTransposed else { return self }
        var result = self
        let encoding = image.encoding
        (result.image.encoding.chromaShiftX, result.image.encoding.chromaShiftY) =
            (encoding.chromaShiftY, encoding.chromaShiftX)
        (result.image.encoding.chromaOffsetX, result.image.encoding.chromaOffsetY) =
            (encoding.chromaOffsetY, encoding.chromaOffsetX)
        result.inverse = inverse.then(Affine(a: 0, b: 1, c: 1, d: 0, tx: 0, ty: 0))
        return result
    }

    var isAligned: Bool { shape.isAxisAligned }
    var opacity: Float { Float(weight) / 32768 }
    /// Whether it hides everything below it.
    var hidesCanvas: Bool { shape.coversCanvas && weight == 32768 && image.alpha == nil }

    /// Whether its samples are filtered: scaled, turned by no quarter turn, or moved by a part of a pixel.
    var isFiltered: Bool {
        guard isAligned, inverse.b == 0, inverse.c == 0 else { return true }
        func isWhole(_ scale: Double, _ offset: Double, _ length: Int) -> Bool {
            let first = (scale - 1) / 2 + offset
            return (abs(scale) - 1).magnitude * Double(length) < 1e-4 && abs(first - first.rounded()) < 1e-4
        }
        return !isWhole(inverse.a, inverse.tx, image.luma.width) || !isWhole(inverse.d, inverse.ty, image.luma.height)
    }

    /// The map from sample indexes of a canvas plane to sample indexes of a source plane: luma's, or chroma's.
    func map(canvas: PixelEncoding, canvasIsChroma: Bool, sourceIsChroma: Bool) -> Affine {
        Self.map(canvas, isChroma: canvasIsChroma, through: inverse, to: image.encoding, isChroma: sourceIsChroma)
    }

    /// - Parameter inverse: The map from the canvas's pixels to the source's.
    static func map(
        _ canvas: PixelEncoding, isChroma canvasIsChroma: Bool, through inverse: Affine, to source: PixelEncoding,
        isChroma sourceIsChroma: Bool
    ) -> Affine {
        let (toX, toY) = axes(canvas, isChroma: canvasIsChroma)
        let (fromX, fromY) = axes(source, isChroma: sourceIsChroma)
        return Affine(a: toX.step, b: 0, c: 0, d: toY.step, tx: toX.first, ty: toY.first)
            .then(inverse)
            .then(
                Affine(
                    a: 1 / fromX.step, b: 0, c: 0, d: 1 / fromY.step, tx: -fromX.first / fromX.step,
                    ty: -fromY.first / fromY.step))
    }

    /// The places of samples in luma pixels: the first one's centre, and the distance between two.
    private static func axes(
        _ encoding: PixelEncoding, isChroma: Bool
    ) -> (x: (first: Double, step: Double), y: (first: Double, step: Double)) {
        func axis(_ shift: Int, _ offset: Double) -> (Double, Double) {
            isChroma && shift > 0 ? (0.5 + offset, Double(1 << shift)) : (0.5, 1)
        }
        return (
            axis(encoding.chromaShiftX, encoding.chromaOffsetX), axis(encoding.chromaShiftY, encoding.chromaOffsetY)
        )
    }

    /// The whole-sample move that the map amounts to over those outputs; nil where it is none.
    static func wholeShift(_ map: Affine, columns: Range<Int>, rows: Range<Int>) -> (x: Int, y: Int)? {
        guard map.b == 0, map.c == 0, !columns.isEmpty, !rows.isEmpty else { return nil }
        func shift(_ scale: Double, _ offset: Double, _ range: Range<Int>) -> Int? {
            let low = (scale - 1) * Double(range.lowerBound) + offset
            let high = (scale - 1) * Double(range.upperBound - 1) + offset
            let whole = low.rounded()
            guard abs(low - whole) < 1e-4, abs(high - whole) < 1e-4 else { return nil }
            return clampedInt(whole, -(1 << 30), 1 << 30)
        }
        guard let x = shift(map.a, map.tx, columns), let y = shift(map.d, map.ty, rows) else { return nil }
        return (x, y)
    }
}
