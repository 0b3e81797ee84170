import Drawings
import Libav
import Overlays
import Pictures
import SplitreelProject

/// A line of light letters of one width, in a box on a picture; lengths are in the picture's pixels.
struct PictureLabel {
    let text: String
    /// The size of the letters: each is 0.602 of it wide.
    let letters: Double
    let box: Rect
    var verticalAlign = TextSettings.VerticalAlign.center
    /// The room of a dark ground above, right, below and left of the letters; nil for none.
    var ground: [Double]?

    /// The inked part of the label, with its place on a picture of that size.
    func drawn(by rasteriser: DrawingRasteriser, on size: PixelSize) throws -> Picture {
        var drawing = TextDrawing(string: text, width: box.width, height: box.height)
        drawing.font.size = letters
        drawing.font.names = [.named("DejaVu Sans Mono"), .named("monospace")]
        drawing.align = .left
        drawing.verticalAlign = verticalAlign
        drawing.wrap = .never
        drawing.background = ground.map {
            TextBackground(colour: Colour(red: 0, green: 0, blue: 0, alpha: 0.7), padding: $0, cornerRadius: 0)
        }
        let inked = try rasteriser.draw(DrawingPicture(.text(drawing), size: size, originX: -box.x, originY: -box.y))
        let frame = try Frame.make(bitDepth: 8, hasAlpha: true, size: inked.size, colour: .bt709)
        try frame.withImage { image in try inked.write(into: image) }
        return Picture(frame, standsIn: .translation(Double(inked.x), Double(inked.y)))
    }
}
