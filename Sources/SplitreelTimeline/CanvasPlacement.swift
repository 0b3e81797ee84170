import Pictures

/// The place of a composition's canvas in the output, and the maps by which pictures are put onto it.
struct CanvasPlacement: Sendable {
    let canvas: PixelSize
    /// The output's size in pixels.
    var size: PixelSize
    /// The size in pixels that the canvas has in the output.
    var shownSize: PixelSize
    /// The map from the canvas to a picture of `shownSize`.
    var scale: Affine
    /// The part of the output that the canvas fills, in whole pixels; nil where that is all of it.
    var clip: Rect?
    let light: LightUse

    /// The map from a picture of `shownSize` to the output.
    var origin: Affine
    /// The map from the canvas to the output.
    var map: Affine

    /// The map from the canvas to all of a picture of `shownSize`, whose sides are rounded to whole pixels.
    var wholeScale: Affine {
        guard canvas.width > 0, canvas.height > 0 else { return scale }
        return .scale(
            Double(shownSize.width) / Double(canvas.width), Double(shownSize.height) / Double(canvas.height))
    }

    /// The placement of a canvas. Without an output size of its own the output is the canvas times `scale`. Another
    /// size takes the whole canvas as large as it fits, centred; a side that is less than a pixel short of an edge
    /// reaches it.
    ///
    /// `pixelAspect` is the width of one of the output's pixels over its height: the canvas's are square.
    init(
        canvas: PixelSize, scale: Double, output: PixelSize?, pixelAspect: Double = 1, light: LightUse = .none
    ) {
        self.light = light
        self.canvas = canvas
        let own = canvas.scaled(by: scale)
        guard let output, output != own || pixelAspect != 1, canvas.width > 0, canvas.height > 0 else {
            (size, shownSize) = (own, own)
            self.scale = .scale(scale, scale)
            (origin, map) = (.identity, self.scale)
            clip = nil
            return
        }
        size = output
        let (width, height) = (Double(canvas.width) / pixelAspect, Double(canvas.height))
        let fit = min(Double(output.width) / width, Double(output.height) / height)
        // Columns come in pairs: the canvas fills them though its shape is up to a pixel off.
        let fills = pixelAspect != 1 && abs(width * Double(output.height) / height - Double(output.width)) < 2
        let (left, shownWidth) = fills ? (0, output.width) : Self.centred(width * fit, in: output.width)
        let (top, shownHeight) = fills ? (0, output.height) : Self.centred(height * fit, in: output.height)
        shownSize = PixelSize(width: shownWidth, height: shownHeight)
        self.scale = .scale(Double(shownWidth) / Double(canvas.width), Double(shownHeight) / height)
        let isWhole = shownWidth == output.width && shownHeight == output.height
        origin = isWhole ? .identity : .translation(Double(left), Double(top))
        map = self.scale.then(origin)
        clip =
            isWhole
            ? nil : Rect(x: Double(left), y: Double(top), width: Double(shownWidth), height: Double(shownHeight))
    }

    /// A length in the middle of a room, in pixels; it starts on an even pixel, where halved chroma has one of its own.
    private static func centred(_ length: Double, in room: Int) -> (start: Int, length: Int) {
        if Double(room) - length < 1 { return (0, room) }
        let whole = max(1, Int(length.rounded()))
        return (((room - whole) / 2) & ~1, whole)
    }
}
