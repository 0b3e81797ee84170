/// Where a composition's canvas lies in the output.
struct CanvasPlacement: Sendable {
    /// The output's.
    let size: PixelSize
    /// From the canvas to the output.
    let map: Affine
    /// The part of the output that the canvas fills, in whole pixels; nil where that is all of it.
    let clip: Rect?

    /// Without an output size of its own the output is the canvas times `scale`. Another size takes the whole canvas as
    /// large as it fits, centred; what is less than a pixel short of an edge reaches it.
    init(canvas: PixelSize, scale: Double, output: PixelSize?) {
        let own = canvas.scaled(by: scale)
        guard let output, output != own, canvas.width > 0, canvas.height > 0 else {
            size = own
            map = scale == 1 ? .identity : .scale(scale, scale)
            clip = nil
            return
        }
        size = output
        let (width, height) = (Double(canvas.width), Double(canvas.height))
        let fit = min(Double(output.width) / width, Double(output.height) / height)
        let (left, shownWidth) = Self.centred(width * fit, in: output.width)
        let (top, shownHeight) = Self.centred(height * fit, in: output.height)
        map = Affine.scale(Double(shownWidth) / width, Double(shownHeight) / height)
            .then(.translation(Double(left), Double(top)))
        let isWhole = shownWidth == output.width && shownHeight == output.height
        clip =
            isWhole
            ? nil : Rect(x: Double(left), y: Double(top), width: Double(shownWidth), height: Double(shownHeight))
    }

    /// Starts on an even pixel, where halved chroma has one of its own.
    private static func centred(_ length: Double, in room: Int) -> (start: Int, length: Int) {
        if Double(room) - length < 1 { return (0, room) }
        let whole = max(1, Int(length.rounded()))
        return (((room - whole) / 2) & ~1, whole)
    }
}
