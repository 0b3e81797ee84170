package import MediaFacts
package import Pictures
package import SplitreelProject

/// The way in which a layer's source stands on the canvas before its keys move it.
package enum LayerStanding: Sendable, Equatable {
    /// As it is, at the top left: its transform alone places it.
    case asIs
    /// Upright, whole and centred if it is a film or a still, as by a transform that says so: what it leaves free is
    /// clear. Generators and nested compositions are as they are.
    case contained
    /// In a picture of the canvas's size.
    case fitted(Layer.Fit)

    /// The standing of a layer that has neither a `fit` nor a transform of its own, in a film of this `fit`.
    package init(filmFit: Layer.Fit?) {
        self = filmFit.map { LayerStanding(fit: $0) } ?? .contained
    }

    /// The standing by a `fit` that the file says.
    package init(fit: Layer.Fit) { self = fit == .asIs ? .asIs : .fitted(fit) }

    /// The way in which the source fills a picture of the canvas's size; nil where it has none.
    package var fit: Layer.Fit? { if case .fitted(let fit) = self { fit } else { nil } }

    /// Whether it turns a source upright by itself.
    package func placesUpright(_ media: VideoTrackPlan.Media) -> Bool {
        switch self {
        case .asIs: false
        case .contained: media.isOfAFile
        case .fitted: true
        }
    }

    /// The largest factor by which it scales a source on its way to the canvas, where nothing else does.
    func largestScale(of media: VideoTrackPlan.Media, on placement: CanvasPlacement) -> Double {
        guard case .fitted(let fit) = self else {
            return media.containedMap(into: placement.canvas).then(placement.map).largestScale
        }
        let map = fit.map(of: media.displaySize, upright: media.preferredTransform, into: placement.canvas)
        return map?.then(placement.wholeScale).largestScale ?? 0
    }
}

extension Layer {
    /// The way in which its source stands on the canvas, in a film of this `fit`.
    package func standing(filmFit: Layer.Fit?) -> LayerStanding {
        if let fit { return LayerStanding(fit: fit) }
        return transform?.isEmpty == false ? .asIs : LayerStanding(filmFit: filmFit)
    }
}

extension VideoTrackPlan.Media {
    /// Whether it is a film or a still, and no generator and no nested composition.
    package var isOfAFile: Bool { fill == nil && pattern == nil && nested == nil }

    /// The map from its display pixels to the canvas where it is contained; the identity where it is as it is.
    package func containedMap(into canvas: PixelSize) -> Affine {
        guard isOfAFile else { return .identity }
        return Layer.Fit.contain.map(of: displaySize, upright: preferredTransform, into: canvas) ?? .identity
    }
}

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
    /// short of the canvas each way is not scaled, which would soften it, but stands at the top left. One that is as it
    /// is stays there.
    package func map(of size: DisplaySize, upright: Affine, into canvas: PixelSize) -> Affine? {
        if self == .asIs { return .identity }
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
