package import MediaTime
package import Pictures
package import SplitreelTimeline

/// The facts of a timeline that decide the output settings.
package struct OutputFacts {
    package var hasVideo: Bool
    package var hasAudio: Bool
    /// The output's size in pixels: renderSize × renderScale.
    package var size: PixelSize
    package var colour: ColourTriple
    package var light: FilmLight
    package var frameDuration: MediaTime

    package init(
        hasVideo: Bool, hasAudio: Bool, size: PixelSize, colour: ColourTriple = .bt709, light: FilmLight = .none,
        frameDuration: MediaTime
    ) {
        (self.hasVideo, self.hasAudio, self.size) = (hasVideo, hasAudio, size)
        (self.colour, self.light, self.frameDuration) = (colour, light, frameDuration)
    }
}
