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
        self.base = base
        self.stride = stride
        self.width = width
        self.height = height
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
        self.luma = luma
        self.cb = cb
        self.cr = cr
        self.alpha = alpha
        self.encoding = encoding
    }
}
