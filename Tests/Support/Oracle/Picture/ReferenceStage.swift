import TestTools

/// Draws compositions, and those within them, at one moment.
struct ReferenceStage {
    let sources: ReferenceSources
    var format: PixelFormat
    /// The film's, or that of a nested composition that says its own.
    var encoding: ReferenceEncoding
    /// The count of frames by which sources are ahead of what they should show.
    var late = 0
    var usesProxies = false

    /// - Parameter output: other than the composition's own.
    func picture(of cut: Cut, at time: Fraction, output: ReferenceOutput? = nil) throws -> Planes {
        let output = output ?? ReferenceOutput(cut)
        let (background, layers) = try layers(of: cut, at: time)
        var picture = try canvas(of: cut, output, background)
        for layer in layers.reversed() {
            if let drawing = try drawing(layer, over: background, in: cut, output, at: time) { picture.draw(drawing) }
        }
        return picture.canvas
    }

    private func canvas(of cut: Cut, _ output: ReferenceOutput, _ colour: [Double]) throws -> ReferencePicture {
        ReferencePicture(
            width: output.width, height: output.height, format: format, encoding: encoding, background: colour,
            light: try ReferenceLight(cut.colour))
    }

    /// Top-most first.
    private func layers(of cut: Cut, at time: Fraction) throws -> (background: [Double], layers: [Cut.Layer]) {
        let black: [Double] = [0, 0, 0, 1]
        if cut.instructions.isEmpty {
            // Every track that plays, the first on top.
            return (black, try cut.videoTracks.map { try Cut.Layer(wholeOf: $0.id, fit: nil) })
        }
        guard let instruction = cut.instructions.first(where: { $0.range.contains(time) }) else { return (black, []) }
        if let track = instruction.passthrough { return (instruction.background, [try Cut.Layer(wholeOf: track)]) }
        return (instruction.background, instruction.layers)
    }

    private func drawing(
        _ layer: Cut.Layer, over background: [Double], in cut: Cut, _ output: ReferenceOutput, at time: Fraction
    ) throws -> ReferencePicture.Drawing? {
        let opacity = min(1, layer.opacity.value(at: time)?.first ?? 1)
        guard opacity > 0, let track = cut.videoTracks.first(where: { $0.id == layer.track }),
            let shown = try shown(by: track, in: cut, at: time)
        else { return nil }
        let scale: [Double] = [output.scale.x, 0, 0, output.scale.y, 0, 0]
        let keys = layer.transform.value(at: time)
        guard let fit = Self.fit(of: layer, in: cut) else {
            let placed = keys.map { TransformReading.affine($0, shown.displaySize) }
            let map = placed ?? Self.place(of: layer, showing: shown, in: cut)
            var drawing = shown.drawing(InverseMap.joined(map, scale), opacity: opacity)
            (drawing.crop, drawing.edge) = (layer.crop.value(at: time), edge(of: layer, at: time, unit: 1))
            return drawing
        }
        // A picture of the canvas's size; its samples are the output's.
        let size = (width: Double(cut.width), height: Double(cut.height))
        let whole = (x: Double(output.width) / size.width, y: Double(output.height) / size.height)
        var group = try canvas(of: cut, output, layer.matte ?? background)
        let map = Self.fit(fit, shown.displaySize, shown.upright, into: size)
        group.draw(shown.drawing(InverseMap.joined(map, [whole.x, 0, 0, whole.y, 0, 0]), opacity: 1))
        var drawing = ReferencePicture.Drawing(
            source: group.canvas, pixelAspect: 1 / whole.x, affine: [whole.x, 0, 0, whole.y, 0, 0], opacity: opacity)
        drawing.pixelHeight = 1 / whole.y
        (drawing.crop, drawing.edge) = (layer.crop.value(at: time), edge(of: layer, at: time, unit: 1))
        if let placed = keys.map({ TransformReading.affine($0, size) }), placed != [1, 0, 0, 1, 0, 0] {
            drawing.affine = InverseMap.joined(placed, scale)
        }
        return drawing
    }

    /// How a layer is a picture of the canvas's size: by its own `fit`, or by the film's where it has no transform. nil
    /// where it is none.
    static func fit(of layer: Cut.Layer, in cut: Cut) -> String? {
        let fit = layer.fit ?? (layer.transform.isEmpty ? cut.fit : nil)
        return fit == "none" ? nil : fit
    }

    /// Where a layer that is not moved shows a picture: films and stills whole, upright and centred, if nobody says how
    /// they fit; anything else at the top left, upright where the film has no instructions.
    static func place(of layer: Cut.Layer, showing shown: ReferenceShown, in cut: Cut) -> [Double] {
        let isFree = layer.fit == nil && cut.fit == nil && layer.transform.isEmpty
        guard isFree, shown.isMedia else { return cut.instructions.isEmpty ? shown.upright : [1, 0, 0, 1, 0, 0] }
        return fit("contain", shown.displaySize, shown.upright, into: (Double(cut.width), Double(cut.height)))
    }

    /// nil where corners are square and there is no border; `unit` is one of the layer's pixels.
    func edge(of layer: Cut.Layer, at time: Fraction, unit: Double) -> ReferenceEdge? {
        let radius = max(0, layer.cornerRadius.value(at: time)?.first ?? 0) * unit
        let width = max(0, layer.borderWidth.value(at: time)?.first ?? 0) * unit
        guard radius > 0 || width > 0 else { return nil }
        let colour = layer.borderColour
        return ReferenceEdge(
            radius: radius, width: width, values: encoding.values(ofWritten: colour), alpha: colour[3])
    }

    /// From display pixels to the canvas, centred.
    static func fit(
        _ fit: String, _ size: (width: Double, height: Double), _ upright: [Double],
        into canvas: (width: Double, height: Double)
    ) -> [Double] {
        let corners = [(0, 0), (size.width, 0), (0, size.height), (size.width, size.height)].map {
            (upright[0] * $0.0 + upright[2] * $0.1 + upright[4], upright[1] * $0.0 + upright[3] * $0.1 + upright[5])
        }
        let (left, right) = (corners.map(\.0).min() ?? 0, corners.map(\.0).max() ?? 0)
        let (top, bottom) = (corners.map(\.1).min() ?? 0, corners.map(\.1).max() ?? 0)
        let moved = InverseMap.joined(upright, [1, 0, 0, 1, -left, -top])
        let (wide, high) = (right - left, bottom - top)
        let (spareX, spareY) = (canvas.width - wide, canvas.height - high)
        if fit == "contain", (0..<2).contains(spareX), (0..<2).contains(spareY) { return moved }
        var scale = (x: canvas.width / wide, y: canvas.height / high)
        if fit == "contain" { scale = (min(scale.x, scale.y), min(scale.x, scale.y)) }
        if fit == "cover" { scale = (max(scale.x, scale.y), max(scale.x, scale.y)) }
        return InverseMap.joined(
            moved,
            [scale.x, 0, 0, scale.y, (canvas.width - wide * scale.x) / 2, (canvas.height - high * scale.y) / 2])
    }
}

/// A picture that a track shows.
struct ReferenceShown {
    var picture: Planes
    /// One of the source's pixels, in display pixels.
    var pixelAspect = 1.0
    var pixelHeight = 1.0
    var upright: [Double] = [1, 0, 0, 1, 0, 0]
    /// A colour generator's.
    var alpha = 1.0
    /// Whether it is of a film or a still, and not of a generator or a nested composition.
    var isMedia = false

    var displaySize: (width: Double, height: Double) {
        (Double(picture.planes[0].width) * pixelAspect, Double(picture.planes[0].height) * pixelHeight)
    }

    func drawing(_ affine: [Double], opacity: Double, crop: [Double]? = nil) -> ReferencePicture.Drawing {
        var drawing = ReferencePicture.Drawing(
            source: picture, pixelAspect: pixelAspect, affine: affine, opacity: opacity, alpha: alpha, crop: crop)
        drawing.pixelHeight = pixelHeight
        return drawing
    }
}

/// A picture's size, and how much larger than the canvas it is.
struct ReferenceOutput {
    var width: Int
    var height: Int
    var scale: (x: Double, y: Double)

    /// The canvas times its scale.
    init(_ cut: Cut) {
        (width, height, scale) = (cut.outputSize.width, cut.outputSize.height, (cut.scale, cut.scale))
    }

    /// As many columns of such pixels as show it, an even number.
    init(_ cut: Cut, pixelAspect: Fraction) {
        self.init(cut)
        width = max(2, 2 * (Fraction(width) / pixelAspect / Fraction(2)).rounded)
        scale = (Double(width) / Double(cut.width), Double(height) / Double(cut.height))
    }
}
