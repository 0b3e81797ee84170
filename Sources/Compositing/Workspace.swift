import Pictures

/// The memory and samplers that painting a layer needs, kept between frames.
final class Workspace {
    let limits: SamplingLimits
    let stage = SourceStage()
    let grids = GridCache()
    let memory = LayerMemory()
    let light: LightPaths
    /// For luma, or for Cb and Cr.
    let channels = [RowSampler(), RowSampler()]
    let alpha = RowSampler()
    /// Cb, Cr and alpha at the luma's places, where matrices differ; luma and alpha at the chroma's, where the light is
    /// converted.
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

    /// - Parameter canvas: the encoding of what is painted on.
    init(canvas: PixelEncoding, limits: SamplingLimits) {
        self.limits = limits
        light = LightPaths(canvas: canvas)
        lightPicture = LightPicture(light: light)
        blend = LightBlend(light: light, grids: grids, encoding: canvas)
    }
}

/// What one plane of a source may take as floats while it is sampled. It does not show in what is composed.
package struct SamplingLimits {
    /// Where axes mix: samples held ready for one tile, unless the smallest tile needs more.
    package var tileSamples = 4 << 20
    /// Where they do not: bytes of source rows kept for the next row, eight rows at least.
    package var ringBytes = 16 << 20

    package init() {}
}
