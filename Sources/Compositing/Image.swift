package import Composition

/// One plane of samples, borrowed: the pointer is good only inside the closure that handed it out.
///
/// 8-bit samples are bytes, deeper ones little-endian 16-bit words, right-aligned. `stride` is in bytes, may be
/// negative. Width and height are in samples of this plane.
package struct Plane {
    package var base: UnsafeMutableRawPointer
    package var stride: Int
    package var width: Int
    package var height: Int

    package init(base: UnsafeMutableRawPointer, stride: Int, width: Int, height: Int) {
        (self.base, self.stride, self.width, self.height) = (base, stride, width, height)
    }
}

/// How samples stand for colour: layout, depth, chroma siting, matrix and range.
package struct PixelEncoding: Hashable, Sendable {
    /// 8…16; above 8 the samples are 16-bit words.
    package var bitDepth: Int
    /// log2 of the chroma subsampling.
    package var chromaShiftX: Int
    package var chromaShiftY: Int
    /// Where a chroma sample's centre lies in luma samples from its block's first luma sample's centre:
    /// 0 = co-sited with it; 0.5 = between two. Left siting of 4:2:0 is (0, 0.5).
    package var chromaOffsetX: Double
    package var chromaOffsetY: Double
    package var matrix: ColourMatrix
    package var isFullRange: Bool

    package init(
        bitDepth: Int, chromaShiftX: Int, chromaShiftY: Int, chromaOffsetX: Double, chromaOffsetY: Double,
        matrix: ColourMatrix, isFullRange: Bool
    ) {
        self.bitDepth = bitDepth
        self.chromaShiftX = chromaShiftX
        self.chromaShiftY = chromaShiftY
        self.chromaOffsetX = chromaOffsetX
        self.chromaOffsetY = chromaOffsetY
        self.matrix = matrix
        self.isFullRange = isFullRange
    }
}

/// A planar Y'CbCr(A) picture, borrowed. Planes in the order Y', Cb, Cr; `alpha` has luma size, the luma's bit depth,
/// straight, full range.
package struct PlanarImage {
    package var luma: Plane
    package var cb: Plane
    package var cr: Plane
    package var alpha: Plane?
    package var encoding: PixelEncoding

    package init(luma: Plane, cb: Plane, cr: Plane, alpha: Plane?, encoding: PixelEncoding) {
        (self.luma, self.cb, self.cr, self.alpha, self.encoding) = (luma, cb, cr, alpha, encoding)
    }
}

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

    package init(
        image: PlanarImage, pixelAspect: Double, transform: Affine, crop: Rect?, opacity: Double, clip: Rect? = nil,
        identity: AnyHashable? = nil
    ) {
        (self.image, self.pixelAspect, self.transform) = (image, pixelAspect, transform)
        (self.crop, self.opacity, self.clip, self.identity) = (crop, opacity, clip, identity)
    }
}
