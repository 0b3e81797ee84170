package import Pictures

/// Composes layers over a background by the rules of the composition model.
///
/// * Sampling: an output sample's centre is mapped back into the source plane; the kernel is a triangle along each
///   source axis, of half-width max(1, source samples per output sample). Each plane has its own map, which carries
///   subsampling and siting of both sides, so all chroma conversions come out of the one kernel.
/// * Coverage is the exact area of the canvas cell inside the transformed (crop ∩ frame).
/// * Source-over in encoded values or, where asked, in linear light, rounded to nearest after every layer. Sources with
///   alpha are filtered premultiplied.
/// * Samples that are whole-pixel moves of a source in the canvas's encoding are copied as they are.
///
/// Memory is kept between calls; it follows from the canvas and `SamplingLimits`, hardly from the sources. The visible
/// part of a layer that stands still is kept, see `LayerMemory`. A warm compositor allocates nothing per frame beyond
/// the few words of layer lists. Copies share that memory: use one compositor on one thread at a time.
package struct Compositor {
    private let size: PixelSize
    private let encoding: PixelEncoding
    private let hasAlpha: Bool
    private let workspace: Workspace
    private var visible: [PreparedLayer] = []

    /// - Parameter encoding: The canvas's encoding, of 8 to 12 bits.
    package init(size: PixelSize, encoding: PixelEncoding, hasAlpha: Bool, limits: SamplingLimits = SamplingLimits()) {
        precondition(size.width > 0 && size.height > 0, "A canvas has at least one pixel.")
        precondition((8...12).contains(encoding.bitDepth), "A canvas has 8 to 12 bits a sample.")
        self.size = size
        self.encoding = encoding
        self.hasAlpha = hasAlpha
        workspace = Workspace(canvas: encoding, limits: limits)
    }

    /// The bytes that are kept of layers that stand still.
    package var keptByteCount: Int { workspace.memory.byteCount }

    /// Writes every sample of the canvas and nothing outside its planes.
    ///
    /// Layers that cannot be seen (transparent, outside, degenerate or non-finite transforms) are passed over. The
    /// background's alpha counts only on a canvas with alpha.
    ///
    /// - Parameters:
    ///   - background: The colour below all layers; nil keeps the canvas as the call before made it.
    ///   - layers: The layers, the bottom-most first; their planes must not overlap the canvas's.
    ///   - canvas: The planes to write, of the size and encoding that the compositor was made for; their own `encoding`
    ///     is not looked at.
    ///   - light: The steps that are worked out in linear light.
    ///   - beginsFrame: Whether this is the first picture of an output frame: a layer that stands still is looked for
    ///     from frame to frame.
    package mutating func compose(
        background: Colour?, layers: [LayerImage], into canvas: PlanarImage, light: LightUse = .none,
        beginsFrame: Bool = true
    ) {
        precondition(
            canvas.luma.width == size.width && canvas.luma.height == size.height,
            "The canvas has the size that the compositor was made for.")
        precondition(
            canvas.cb.width == chromaWidth && canvas.cb.height == chromaHeight && canvas.cr.width == chromaWidth
                && canvas.cr.height == chromaHeight, "The canvas's chroma planes fit its subsampling.")
        precondition((canvas.alpha != nil) == hasAlpha, "The canvas has alpha if the compositor was made for it.")
        visible.removeAll(keepingCapacity: true)
        if beginsFrame { workspace.memory.beginFrame() }
        for layer in layers {
            guard let prepared = PreparedLayer(layer, canvas: size, encoding: encoding, use: light) else { continue }
            if prepared.hidesCanvas { visible.removeAll(keepingCapacity: true) }
            visible.append(prepared)
        }
        var next = 0
        if let first = visible.first, first.hidesCanvas, let shifts = plainShifts(first) {
            if !light.blends, visible.count > 1, visible[1].shape.coversCanvas, let above = plainShifts(visible[1]) {
                mix(first, shifts, under: visible[1], above, into: canvas)
                next = 2
            } else {
                mix(first, shifts, under: first, shifts, into: canvas)
                next = 1
            }
        } else if let background, !(visible.first?.hidesCanvas ?? false) || hasAlpha {
            fill(background, canvas)
        }
        for layer in visible[next...] {
            LayerPainter(canvas: canvas, encoding: encoding, size: size, workspace: workspace, layer: layer).paint()
        }
    }

    private var chromaWidth: Int { (size.width + (1 << encoding.chromaShiftX) - 1) >> encoding.chromaShiftX }
    private var chromaHeight: Int { (size.height + (1 << encoding.chromaShiftY) - 1) >> encoding.chromaShiftY }

    private func fill(_ background: Colour, _ canvas: PlanarImage) {
        let codes = ColourCodes(background, encoding: encoding)
        let depth = encoding.bitDepth
        CanvasPlane(canvas.luma, bitDepth: depth).fill(codes.luma, width: size.width, height: size.height)
        CanvasPlane(canvas.cb, bitDepth: depth).fill(codes.cb, width: chromaWidth, height: chromaHeight)
        CanvasPlane(canvas.cr, bitDepth: depth).fill(codes.cr, width: chromaWidth, height: chromaHeight)
        guard let alpha = canvas.alpha else { return }
        CanvasPlane(alpha, bitDepth: depth).fill(codes.alpha, width: size.width, height: size.height)
    }

    // MARK: Whole pictures

    private typealias Shift = (x: Int, y: Int)

    /// The moves of luma and chroma for a layer whose samples fill the canvas unchanged; nil for other layers.
    private func plainShifts(_ layer: PreparedLayer) -> (luma: Shift, chroma: Shift)? {
        guard layer.shape.coversCanvas, layer.isAligned, !layer.isTransposed, layer.conform.isIdentity,
            layer.image.alpha == nil
        else { return nil }
        let luma = layer.map(canvas: encoding, canvasIsChroma: false, sourceIsChroma: false)
        let chroma = layer.map(canvas: encoding, canvasIsChroma: true, sourceIsChroma: true)
        guard
            let ofLuma = PreparedLayer.wholeShift(luma, columns: 0..<size.width, rows: 0..<size.height),
            let ofChroma = PreparedLayer.wholeShift(chroma, columns: 0..<chromaWidth, rows: 0..<chromaHeight)
        else { return nil }
        func isInside(_ plane: Plane, _ shift: Shift, _ width: Int, _ height: Int) -> Bool {
            shift.x >= 0 && shift.y >= 0 && shift.x + width <= plane.width && shift.y + height <= plane.height
        }
        guard isInside(layer.image.luma, ofLuma, size.width, size.height),
            isInside(layer.image.cb, ofChroma, chromaWidth, chromaHeight)
        else { return nil }
        return (ofLuma, ofChroma)
    }

    /// Mixes one full picture over another, straight into the canvas: each sample is touched once.
    private func mix(
        _ below: PreparedLayer, _ belowShifts: (luma: Shift, chroma: Shift), under above: PreparedLayer,
        _ aboveShifts: (luma: Shift, chroma: Shift), into canvas: PlanarImage
    ) {
        let depth = encoding.bitDepth
        func mixPlane(
            _ low: Plane, _ lowShift: Shift, _ high: Plane, _ highShift: Shift, _ out: Plane, _ width: Int,
            _ height: Int
        ) {
            let target = CanvasPlane(out, bitDepth: depth)
            let (under, source) = (SourcePlane(low, bitDepth: depth), SourcePlane(high, bitDepth: depth))
            for y in 0..<height {
                target.mix(
                    under: under.address(lowShift.x, y + lowShift.y),
                    source: source.address(highShift.x, y + highShift.y), weight: above.weight, x: 0, y: y, count: width
                )
            }
        }
        let (low, high) = (below.image, above.image)
        let (width, height) = (chromaWidth, chromaHeight)
        mixPlane(
            low.luma, belowShifts.luma, high.luma, aboveShifts.luma, canvas.luma, size.width, size.height)
        mixPlane(low.cb, belowShifts.chroma, high.cb, aboveShifts.chroma, canvas.cb, width, height)
        mixPlane(low.cr, belowShifts.chroma, high.cr, aboveShifts.chroma, canvas.cr, width, height)
        guard let alpha = canvas.alpha else { return }
        CanvasPlane(alpha, bitDepth: depth).fill(UInt16((1 << depth) - 1), width: size.width, height: size.height)
    }
}
