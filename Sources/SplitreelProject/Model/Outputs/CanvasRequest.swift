package import Pictures

/// The size and the pitch in which an output shows the composition.
package struct CanvasRequest: Hashable, Codable, Sendable {
    /// The film's size in pixels, whatever renderSize and renderScale say: the canvas is fitted into it.
    package var size: PixelSize?
    /// The size in pixels inside which the canvas is made to fit; it is never enlarged.
    package var maximumSize: PixelSize?
    /// The pitch algorithm of audio inputs that name none.
    package var pitch: PitchAlgorithm?

    package init() {}
}
