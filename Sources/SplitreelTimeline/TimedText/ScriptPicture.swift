package import Pictures

/// What libass draws of an ASS script at a moment: a picture with alpha.
package struct ScriptPicture: Sendable, Hashable {
    /// Its name, as recipes have it.
    package var asset: String
    /// Of a film; nil of a file of its own, and where none is named.
    package var track: Int?
    /// What the script is laid out for: widths of borders and blurs go by it.
    package var canvas: PixelSize
    /// In the output's pixels.
    package var size: PixelSize
    /// On the script's clock. Where nothing moves, of when it began to look like this.
    package var milliseconds: Int
    package var isMoving: Bool
    /// The script is a file with fonts of its own.
    package var hasFonts: Bool

    package init(
        asset: String, track: Int?, canvas: PixelSize, size: PixelSize, milliseconds: Int, isMoving: Bool,
        hasFonts: Bool
    ) {
        (self.asset, self.track, self.canvas, self.size) = (asset, track, canvas, size)
        (self.milliseconds, self.isMoving, self.hasFonts) = (milliseconds, isMoving, hasFonts)
    }

    /// Some events are drawn.
    var ownCost: Double { isMoving ? Double(size.width * size.height) / 8 : 0 }
}
