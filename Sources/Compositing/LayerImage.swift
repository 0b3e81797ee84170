package import Pictures

/// One layer of a composed frame.
package struct LayerImage {
    package var image: PlanarImage
    /// The display width of one source pixel over its height.
    package var pixelAspect: Double
    /// The map from the source's display pixels to canvas pixels, renderScale and the like folded in.
    package var transform: Affine
    /// The part that is seen, in the source's display pixels; nil for all of it.
    package var crop: Rect?
    /// The opacity, 0…1.
    package var opacity: Double
    /// The part of the canvas in which the layer is seen, in its pixels; nil for all of it.
    package var clip: Rect?
    /// The identity of the image; nil where it is not known. Images of equal identity have equal samples and encodings:
    /// one that stands still is sampled once.
    package var identity: AnyHashable?
    /// The round corners and the border; nil for a plain rectangle.
    package var edge: LayerEdge?

    package init(
        image: PlanarImage, pixelAspect: Double, transform: Affine, crop: Rect?, opacity: Double, clip: Rect? = nil,
        identity: AnyHashable? = nil, edge: LayerEdge? = nil
    ) {
        self.image = image
        self.pixelAspect = pixelAspect
        self.transform = transform
        self.crop = crop
        self.opacity = opacity
        self.clip = clip
        self.identity = identity
        self.edge = edge
    }
}
