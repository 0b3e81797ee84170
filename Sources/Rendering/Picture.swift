import Compositing
package import Libav
package import Pictures

/// A picture on its way between threads, decoded or composed.
///
/// Never changed after it is made: all threads only read it.
package final class Picture: @unchecked Sendable {
    // @unchecked: `frame` owns its own AVFrame (buffers are reference-counted by libav) and nobody writes to it.
    package let frame: Frame
    /// The display width of a pixel over its height.
    package let pixelAspect: Double
    /// The map from its display pixels to those of the picture that it stands in for; nil where it is that picture.
    package let standsIn: Affine?
    /// The peak brightness that its source states, in cd/m²; nil where it states none.
    package let peak: Int?
    /// The colour profile of a still whose colours have no names; nil for other pictures.
    package let profile: ColourProfile?
    /// The factor by which a still was reduced; 1 for a picture that is as its file has it.
    package let reduction: Int
    /// Its size in its own pixels: less than the frame's where a reduced still's last ones reach beyond it.
    package let width, height: Double

    /// - Parameter original: the still's own size, where it was reduced.
    package init(
        _ frame: consuming Frame, pixelAspect: Double = 1, standsIn: Affine? = nil, peak: Int? = nil,
        profile: ColourProfile? = nil, reduction: Int = 1, original: PixelSize? = nil
    ) {
        self.reduction = reduction
        width = original.map { Double($0.width) / Double(reduction) } ?? Double(frame.width)
        height = original.map { Double($0.height) / Double(reduction) } ?? Double(frame.height)
        self.frame = frame
        self.standsIn = standsIn
        self.peak = peak
        self.profile = profile
        self.pixelAspect = pixelAspect
    }

    /// Whether it has as many samples as the other picture, which stand for the same, in the same place.
    func isLike(_ other: Picture) -> Bool {
        frame.pixelFormatName == other.frame.pixelFormatName && frame.width == other.frame.width
            && frame.height == other.frame.height && image.encoding == other.image.encoding
            && pixelAspect == other.pixelAspect && standsIn == other.standsIn && reduction == other.reduction
    }

    /// Its planes and their encoding; good as long as the picture is kept.
    package var image: PlanarImage {
        var image = frame.imageOfKeptFrame()
        image.encoding = image.encoding.reducedByArea(reduction)
        (image.encoding.peak, image.encoding.profile) = (peak, profile)
        return image
    }
}
