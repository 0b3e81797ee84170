/// Round corners of a layer and the border inside its edge, in the display pixels of its picture.
package struct LayerOutline: Hashable, Sendable {
    /// At least 0; what is more than half of the shorter side counts as that.
    package var cornerRadius: Double
    /// At least 0.
    package var borderWidth: Double
    package var borderColour: Colour

    package init(cornerRadius: Double, borderWidth: Double = 0, borderColour: Colour = .black) {
        (self.cornerRadius, self.borderWidth, self.borderColour) = (cornerRadius, borderWidth, borderColour)
    }

    package var hasBorder: Bool { borderWidth > 0 && borderColour.alpha > 0 }

    package func scaled(by factor: Double) -> LayerOutline {
        var result = self
        result.cornerRadius *= factor
        result.borderWidth *= factor
        return result
    }
}
