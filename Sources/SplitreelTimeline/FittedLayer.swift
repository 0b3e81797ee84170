import MediaFacts
import Pictures
import SplitreelProject

/// A layer's `fit`: its source stands in a picture of the canvas's size.
struct FittedLayer: Sendable {
    let fit: Layer.Fit
    let matte: Colour

    /// The picture of the canvas's size in which the source stands; nil where the source has no size.
    func group(of picture: PictureNode, from media: VideoTrackPlan.Media, on placement: CanvasPlacement)
        -> PictureGroup?
    {
        guard let map = fit.map(of: media.displaySize, upright: media.preferredTransform, into: placement.canvas)
        else { return nil }
        let scale = placement.wholeScale
        return PictureGroup(
            size: placement.shownSize, matte: matte,
            layers: [
                LayerRecipe(
                    picture: picture, transform: scale == .identity ? map : map.then(scale), opacity: media.alpha)
            ], light: placement.light)
    }
}

extension Layer {
    /// The layer of a track as a pass-through shows it.
    init(wholeOf track: Int) {
        self.init()
        (self.track, fit) = (track, .contain)
    }
}

extension Layer.Fit {
    /// The map from a picture's display pixels to the canvas's: turned by `upright`, scaled, evenly unless it is
    /// stretched, and centred. nil where the picture has no size. A contained picture that is less than two pixels
    /// short of the canvas each way is not scaled, which would soften it, but stands at the top left.
    func map(of size: DisplaySize, upright: Affine, into canvas: PixelSize) -> Affine? {
        let corners = [(0, 0), (size.width, 0), (0, size.height), (size.width, size.height)].map {
            upright.apply($0.0, $0.1)
        }
        let (x, y) = (corners.map(\.x), corners.map(\.y))
        guard let left = x.min(), let right = x.max(), let top = y.min(), let bottom = y.max(), right > left,
            bottom > top
        else { return nil }
        let moved = upright.then(.translation(-left, -top))
        let (width, height) = (Double(canvas.width), Double(canvas.height))
        let (spareX, spareY) = (width - (right - left), height - (bottom - top))
        if self == .contain, spareX >= 0, spareX < 2, spareY >= 0, spareY < 2 { return moved }
        let (scaleX, scaleY) = (width / (right - left), height / (bottom - top))
        if self == .stretch { return moved.then(.scale(scaleX, scaleY)) }
        let scale = self == .contain ? min(scaleX, scaleY) : max(scaleX, scaleY)
        return moved.then(.scale(scale, scale)).then(
            .translation((width - (right - left) * scale) / 2, (height - (bottom - top) * scale) / 2))
    }
}
