import Pictures

/// The memory and samplers that painting a layer needs, kept between frames.
final class Workspace {
    let limits: SamplingLimits
    let stage = SourceStage()
    let grids = GridCache()
    let memory = LayerMemory()
    let light: LightPaths
    /// The samplers for luma, or for Cb and Cr.
    let channels = [RowSampler(), RowSampler()]
    let alpha = RowSampler()
    /// The samplers for Cb, Cr and alpha at the luma's places, where matrices differ, or for luma and alpha at the
    /// chroma's, where the light is converted.
    let crossChannels = [RowSampler(), RowSampler()]
    let crossAlpha = RowSampler()
    let overlaps = Scratch()
    let weights = Scratch()
    let values = [Scratch(), Scratch()]
    let alphaValues = Scratch()
    let crossValues = [Scratch(), Scratch()]
    let crossAlphaValues = Scratch()
    let back = Scratch()
    let line = Scratch()
    let ground = BorderGround()
    let blend: LightBlend
    let lightPicture: LightPicture

    /// - Parameter canvas: The encoding of the canvas.
    init(canvas: PixelEncoding, limits: SamplingLimits) {
        self.limits = limits
        light = LightPaths(canvas: canvas)
        lightPicture = LightPicture(light: light)
        blend = LightBlend(light: light, grids: grids, encoding: canvas)
    }
}

/// The memory that one plane of a source may take as floats while it is sampled. It does not change the composed
/// picture.
package struct SamplingLimits {
    /// The samples that are held ready for one tile where axes mix, unless the smallest tile needs more.
    package var tileSamples = 4 << 20
    /// The bytes of source rows that are kept for the next row where axes do not mix, eight rows at least.
    package var ringBytes = 16 << 20

    package init() {}
}
