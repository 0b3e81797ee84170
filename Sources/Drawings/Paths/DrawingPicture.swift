package import Pictures

/// A drawing, a text or a shape, as a picture with alpha. Its units are the layer's own, with y down from the layer's
/// top left.
///
/// Only the inked part has memory when it is made: a raster may be much larger than what is seen in it.
package struct DrawingPicture: Sendable, Hashable {
    package var drawing: Drawing
    /// The raster's size in pixels, from 1 to 16384 each way. What sticks out is cut off.
    package var size: PixelSize
    /// The pixels of the raster for each unit of the layer.
    package var scaleX: Double
    package var scaleY: Double
    /// The place of the raster's top left, in the layer's units.
    package var originX: Double
    package var originY: Double

    /// The most pixels each way.
    package static let mostPixels = 16384

    package init(
        _ drawing: Drawing, size: PixelSize, scaleX: Double = 1, scaleY: Double = 1, originX: Double = 0,
        originY: Double = 0
    ) {
        (self.drawing, self.size) = (drawing, size)
        self.scaleX = scaleX
        self.scaleY = scaleY
        self.originX = originX
        self.originY = originY
    }

    /// Makes a raster with room for all of the drawing, whose pixels lie on those of a layer at a whole place; of a
    /// drawing that is too large it has the middle.
    ///
    /// - Parameters:
    ///   - scaleX: the pixels for each unit, as the layer is shown: a drawing at its final size is sharp.
    package init(_ drawing: Drawing, scaleX: Double, scaleY: Double) {
        let bounds = drawing.bounds
        func span(_ start: Double, _ length: Double, _ scale: Double) -> (origin: Double, count: Int) {
            var (first, last) = ((start * scale).rounded(.down), ((start + length) * scale).rounded(.up))
            let excess = last - first - Double(Self.mostPixels)
            if excess > 0 {
                first += (excess / 2).rounded(.up)
                last = first + Double(Self.mostPixels)
            }
            return (first / scale, last > first ? Int(last - first) : 1)
        }
        let (x, y) = (span(bounds.x, bounds.width, scaleX), span(bounds.y, bounds.height, scaleY))
        self.init(
            drawing, size: PixelSize(width: x.count, height: y.count), scaleX: scaleX, scaleY: scaleY,
            originX: x.origin, originY: y.origin)
    }

    /// The map from the raster's pixels to the layer's units.
    package var placement: Affine {
        Affine.scale(1 / scaleX, 1 / scaleY).then(.translation(originX, originY))
    }

    /// The cost of the picture for a frame: it is made once and kept, so that for most frames it costs nothing.
    package var ownCost: Double { 0 }
}

package enum Drawing: Sendable, Hashable {
    case text(TextDrawing)
    case shape(ShapeDrawing)

    /// The rectangle that the drawing may cover, in the layer's units.
    package var bounds: Rect {
        switch self {
        case .text(let text): text.bounds
        case .shape(let shape): shape.bounds
        }
    }
}

/// A point in a layer's units, y down.
package struct DrawingPoint: Sendable, Hashable {
    package var x: Double
    package var y: Double

    package init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }
}
