package import MediaFacts
package import MediaTime
package import Pictures

/// What a compositor of somebody's own is told of one frame beside its parameters: the instruction, its layers' keys
/// evaluated at the frame's time.
package struct CompositorInstruction: Sendable, Hashable {
    package struct Layer: Sendable, Hashable {
        /// The composition track's id.
        package var track: Int
        /// Which of the node's inputs is its picture: with its own effects, in whole square pixels, fitted where the
        /// layer has `fit`. nil where the track shows nothing now.
        package var input: Int?
        /// From the picture's pixels to the stage's.
        package var transform = Affine.identity
        package var opacity = 1.0
        /// In the picture's pixels; nil where nothing is cropped.
        package var crop: Rect?
        /// What turns the picture upright; identity where it is.
        package var preferredTransform = Affine.identity
        package var isVisible = true

        package init(track: Int) { self.track = track }
    }

    package var start: Rational
    package var end: Rational
    package var background: Colour
    /// Top-most first, as a file lists them.
    package var layers: [Layer]
    /// What metadata tracks say now, by their ids.
    package var samples: [Int: MetadataSample] = [:]

    package init(start: Rational, end: Rational, background: Colour, layers: [Layer]) {
        (self.start, self.end, self.background, self.layers) = (start, end, background, layers)
    }

    /// The picture shows nothing.
    package mutating func forget(input: Int) {
        for index in layers.indices where layers[index].input == input { layers[index].input = nil }
    }
}
