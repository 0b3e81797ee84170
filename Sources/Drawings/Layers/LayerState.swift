package import MediaTime
package import Pictures
package import SplitreelProject

/// A layer's properties at a time: first as the file has them, then as animations left them.
package struct LayerState: Sendable, Hashable {
    package var bounds = Rect(x: 0, y: 0, width: 0, height: 0)
    package var x = 0.0
    package var y = 0.0
    package var anchorX = 0.5
    package var anchorY = 0.5
    package var zPosition = 0.0
    package var transform = TransformState(nil)
    package var opacity = 1.0
    package var isHidden = false
    package var background = Colour.clear
    package var contents = LayerPicture.none
    package var cornerRadius = 0.0
    package var borderWidth = 0.0
    package var borderColour = Colour.black
    package var shadow = ShadowState()
}

package struct ShadowState: Sendable, Hashable {
    package var colour = Colour.black
    package var opacity = 0.0
    package var x = 0.0
    package var y = -3.0
    package var radius = 3.0
}

/// The contents that a layer shows.
package enum LayerPicture: Sendable, Hashable {
    case none
    /// The composed frame.
    case frame
    /// One of the tree's assets, by its index, and the moment of it.
    case media(Int, Play)
    case colour(Colour)
    case gradient(Gradient)
    /// Text in the box of the layer's bounds.
    case text(TextDrawing)
    case shape(ShapeDrawing)

    package enum Play: Sendable, Hashable {
        /// The asset's first picture.
        case still
        /// The picture at the layer's time.
        case film
        /// The picture at a time after the asset's start, in seconds.
        case at(Rational)
    }
}

extension LayerState {
    /// Makes the state of a layer as the file has it, but for the contents.
    package init(_ layer: AnimationLayer) {
        bounds = layer.bounds ?? bounds
        (x, y) = (layer.position?.x ?? 0, layer.position?.y ?? 0)
        (anchorX, anchorY) = (layer.anchorPoint?.x ?? 0.5, layer.anchorPoint?.y ?? 0.5)
        zPosition = layer.zPosition ?? 0
        transform = TransformState(layer.transform)
        opacity = layer.opacity ?? 1
        isHidden = layer.hidden ?? false
        background = layer.backgroundColor ?? .clear
        cornerRadius = layer.cornerRadius ?? 0
        borderWidth = layer.borderWidth ?? 0
        borderColour = layer.borderColor ?? .black
        guard let cast = layer.shadow else { return }
        shadow = ShadowState(
            colour: cast.color ?? .black, opacity: cast.opacity ?? 0, x: cast.offset?.x ?? 0, y: cast.offset?.y ?? -3,
            radius: cast.radius ?? 3)
    }

    package var hasShadow: Bool { shadow.opacity > 0 && shadow.colour.alpha > 0 }

    /// The anchor's place in the bounds' space.
    package var anchor: (x: Double, y: Double) {
        (bounds.x + anchorX * bounds.width, bounds.y + anchorY * bounds.height)
    }
}
