package import MediaFacts
package import MediaTime
package import Pictures

/// The facts of one frame that a compositor of somebody's own is told beside its parameters: the instruction, with its
/// layers' keys evaluated at the frame's time.
package struct CompositorInstruction: Sendable, Hashable {
    package struct Layer: Sendable, Hashable {
        /// The composition track's id.
        package var track: Int
        /// The index of its picture among the node's inputs: with its own effects, in whole square pixels, fitted where
        /// the layer has `fit`. nil where the track shows nothing now.
        package var input: Int?
        /// The map from the picture's pixels to the stage's.
        package var transform = Affine.identity
        package var opacity = 1.0
        /// The part that is seen, in the picture's pixels; nil where nothing is cropped.
        package var crop: Rect?
        /// The transform that turns the picture upright; identity where it is upright.
        package var preferredTransform = Affine.identity
        package var isVisible = true

        package init(track: Int) { self.track = track }
    }

    package var start: Rational
    package var end: Rational
    package var background: Colour
    /// The layers, the top-most first, as a file lists them.
    package var layers: [Layer]
    /// The samples of metadata tracks at this time, by the tracks' ids.
    package var samples: [Int: MetadataSample] = [:]

    package init(start: Rational, end: Rational, background: Colour, layers: [Layer]) {
        self.start = start
        self.end = end
        self.background = background
        self.layers = layers
    }

    /// Takes an input's picture from the layers that have it: it shows nothing.
    package mutating func forget(input: Int) {
        for index in layers.indices where layers[index].input == input { layers[index].input = nil }
    }
}
