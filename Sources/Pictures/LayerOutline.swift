/// Round corners of a layer and the border inside its edge, in the display pixels of its picture.
package struct LayerOutline: Hashable, Sendable {
    /// The radius of the corners, at least 0; more than half of the shorter side counts as that half.
    package var cornerRadius: Double
    /// The width of the border, at least 0.
    package var borderWidth: Double
    package var borderColour: Colour
    /// A vertical length over a horizontal one that looks as long: 1 where pixels are square.
    package var rise = 1.0

    package init(cornerRadius: Double, borderWidth: Double = 0, borderColour: Colour = .black) {
        self.cornerRadius = cornerRadius
        self.borderWidth = borderWidth
        self.borderColour = borderColour
    }

    package var hasBorder: Bool { borderWidth > 0 && borderColour.alpha > 0 }

    /// The outline scaled by a map without rotation and translation; as it is for a map that mirrors.
    package func scaled(by map: Affine) -> LayerOutline {
        guard map.a > 0, map.d > 0 else { return self }
        var result = self
        result.cornerRadius *= map.a
        result.borderWidth *= map.a
        result.rise *= map.d / map.a
        return result
    }
}
