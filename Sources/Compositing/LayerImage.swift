package import Pictures

/// One layer of a composed frame.
package struct LayerImage {
    package var image: PlanarImage
    /// Display width of one source pixel over its height.
    package var pixelAspect: Double
    /// From the source's display pixels to canvas pixels, renderScale and the like folded in.
    package var transform: Affine
    /// In the source's display pixels; nil for none.
    package var crop: Rect?
    /// 0…1.
    package var opacity: Double
    /// The part of the canvas in which the layer is seen, in its pixels; nil for all of it.
    package var clip: Rect?
    /// Images of equal identity have equal samples and encodings: one that stands still is sampled once. nil: unknown.
    package var identity: AnyHashable?
    /// Round corners and a border; nil for a plain rectangle.
    package var edge: LayerEdge?

    package init(
        image: PlanarImage, pixelAspect: Double, transform: Affine, crop: Rect?, opacity: Double, clip: Rect? = nil,
        identity: AnyHashable? = nil, edge: LayerEdge? = nil
    ) {
        (self.image, self.pixelAspect, self.transform) = (image, pixelAspect, transform)
        (self.crop, self.opacity, self.clip, self.identity) = (crop, opacity, clip, identity)
        self.edge = edge
    }
}
