package import Pictures

/// Round corners and a border as the painter needs them: in the display pixels of the picture that is painted.
package struct LayerEdge: Hashable {
    package var radiusX, radiusY: Double
    package var borderX, borderY: Double
    /// How much of what lies below it the border hides.
    package var borderAlpha: Double
    /// What of the painted picture's opacity is not the border's too.
    package var pictureAlpha = 1.0
    /// Whether the border is painted, or the picture inside it.
    package var isBorder: Bool
    /// The picture's display size, which a border's own image does not have.
    package var width, height: Double

    /// - Parameters:
    ///   - map: from the painted picture's display pixels to those that the outline is in: scales and quarter turns.
    ///   - width, height: the painted picture's display size.
    package init(_ outline: LayerOutline, by map: Affine?, width: Double, height: Double) {
        let (a, b, c, d) = map.map { ($0.a, $0.b, $0.c, $0.d) } ?? (1, 0, 0, 1)
        let (unitX, unitY) = ((a * a + b * b).squareRoot(), (c * c + d * d).squareRoot())
        (radiusX, radiusY) = (outline.cornerRadius / unitX, outline.cornerRadius * outline.rise / unitY)
        let border = outline.hasBorder ? outline.borderWidth : 0
        (borderX, borderY, borderAlpha) = (border / unitX, border * outline.rise / unitY, outline.borderColour.alpha)
        (self.width, self.height) = (width, height)
        isBorder = false
    }

    /// The same edge, of which the border is painted.
    package var border: LayerEdge {
        var result = self
        result.isBorder = true
        return result
    }

    var hasBorder: Bool { borderX > 0 && borderY > 0 && borderAlpha > 0 }
}
