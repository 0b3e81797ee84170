package import Pictures

/// The round corners and the border of a layer as the painter needs them: in the display pixels of the painted picture.
package struct LayerEdge: Hashable {
    package var radiusX, radiusY: Double
    package var borderX, borderY: Double
    /// The share of what lies below it that the border hides, 0…1.
    package var borderAlpha: Double
    /// The part of the painted picture's opacity that the border does not share, 0…1.
    package var pictureAlpha = 1.0
    /// Whether the border is painted, or the picture inside it.
    package var isBorder: Bool
    /// The picture's display size, which a border's own image does not have.
    package var width, height: Double

    /// - Parameters:
    ///   - map: The map from the painted picture's display pixels to those that the outline is in: scales and quarter
    ///     turns.
    ///   - width, height: The painted picture's display size.
    package init(_ outline: LayerOutline, by map: Affine?, width: Double, height: Double) {
        let (a, b, c, d) = map.map { ($0.a, $0.b, $0.c, $0.d) } ?? (1, 0, 0, 1)
        let (unitX, unitY) = ((a * a + b * b).squareRoot(), (c * c + d * d).squareRoot())
        (radiusX, radiusY) = (outline.cornerRadius / unitX, outline.cornerRadius * outline.rise / unitY)
        let border = outline.hasBorder ? outline.borderWidth : 0
        borderX = border / unitX
        borderY = border * outline.rise / unitY
        borderAlpha = outline.borderColour.alpha
        (self.width, self.height) = (width, height)
        isBorder = false
    }

    /// The same edge with its border as the painted part.
    package var border: LayerEdge {
        var result = self
        result.isBorder = true
        return result
    }

    var hasBorder: Bool { borderX > 0 && borderY > 0 && borderAlpha > 0 }
}
