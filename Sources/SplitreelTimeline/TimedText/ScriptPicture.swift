package import Pictures

/// The picture that libass draws of an ASS script at a moment, with alpha.
package struct ScriptPicture: Sendable, Hashable {
    /// The asset's name, as recipes have it.
    package var asset: String
    /// The track of a film; nil of a file of its own, and where none is named.
    package var track: Int?
    /// The size that the script is laid out for: widths of borders and blurs go by it.
    package var canvas: PixelSize
    /// The size in the output's pixels.
    package var size: PixelSize
    /// The moment on the script's clock in milliseconds. Where nothing moves it is when the script began to look like
    /// this.
    package var milliseconds: Int
    package var isMoving: Bool
    /// Whether the script is a file with fonts of its own.
    package var hasFonts: Bool

    package init(
        asset: String, track: Int?, canvas: PixelSize, size: PixelSize, milliseconds: Int, isMoving: Bool,
        hasFonts: Bool
    ) {
        self.asset = asset
        self.track = track
        self.canvas = canvas
        self.size = size
        self.milliseconds = milliseconds
        self.isMoving = isMoving
        self.hasFonts = hasFonts
    }

    /// The cost of drawing it, in pixels that are written: some events are drawn.
    var ownCost: Double { isMoving ? Double(size.width * size.height) / 8 : 0 }
}
