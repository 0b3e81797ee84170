package import Composition
package import Media
package import MediaTime

/// A decoded source frame on its way from the decoding to the composing thread, with what it is.
///
/// Never changed after it is made: both threads only read it.
package final class SourcePicture: @unchecked Sendable {
    // @unchecked: `frame` owns its own AVFrame (buffers are reference-counted by libav) and nobody writes to it.
    package let frame: Frame
    let identity: Identity
    let pixelAspect: Double

    /// Two pictures of equal identity have equal pixels.
    package struct Identity: Hashable, Sendable {
        var asset: String
        var assetTrack: Int
        /// Of the held frame, in asset time.
        var presentation: Rational

        package init(asset: String, assetTrack: Int, presentation: Rational) {
            (self.asset, self.assetTrack, self.presentation) = (asset, assetTrack, presentation)
        }
    }

    package init(frame: consuming Frame, identity: Identity, pixelAspect: Double) {
        self.frame = frame
        self.identity = identity
        self.pixelAspect = pixelAspect
    }
}

/// A composed frame on its way from the composing to the encoding thread; only read once made.
package final class ComposedFrame: @unchecked Sendable {
    // @unchecked: as `SourcePicture`.
    package let frame: Frame

    init(_ frame: consuming Frame) { self.frame = frame }
}

/// What the composing thread makes one output frame from.
package struct FrameJob: Sendable {
    /// Counted from the chunk's first frame.
    var index: Int
    var background: Colour
    /// Bottom first; each with the picture it shows.
    var layers: [(recipe: LayerRecipe, picture: SourcePicture)]
    /// The part of the output in which they are seen; nil for all of it. The same for all frames of a film.
    var clip: Rect?

    package init(
        index: Int, background: Colour, layers: [(recipe: LayerRecipe, picture: SourcePicture)], clip: Rect? = nil
    ) {
        (self.index, self.background, self.layers, self.clip) = (index, background, layers, clip)
    }

    /// Frames that look alike have equal pixels.
    var look: FrameLook {
        FrameLook(
            background: background,
            layers: layers.map { recipe, picture in
                FrameLook.Layer(
                    picture: picture.identity, transform: recipe.transform, crop: recipe.crop, opacity: recipe.opacity)
            })
    }
}

/// What can be seen of a frame job, without its pictures: these need memory.
struct FrameLook: Equatable {
    struct Layer: Equatable {
        var picture: SourcePicture.Identity
        var transform: Affine
        var crop: Rect?
        var opacity: Double
    }

    var background: Colour
    var layers: [Layer]
}
