/// A source plane as it is filtered: its own samples or, where the source has alpha, these times their alpha.
///
/// Samples that are not the source's own are made row by row when they are asked for: a large picture is never held as
/// floats.
struct SampledPlane {
    let plane: SourcePlane
    /// The plane of alpha, of the same size; nil without alpha.
    var alpha: SourcePlane?
    /// The factor that brings the codes of alpha to 0…1: those of `alpha`, or of the plane itself where that is alpha.
    var scale: Float = 1
    /// The component of a picture as light that the samples are; `plane` then tells only their number. nil for other
    /// samples.
    var light: (picture: LightPicture, component: Int)?

    /// Whether the samples count as they lie in memory.
    var isPlain: Bool { alpha == nil && scale == 1 && light == nil && plane.hasAllRows }

    /// Writes one row's samples as floats; `line` is memory for a row of alpha.
    func expand(_ y: Int, from x: Int, count: Int, into out: UnsafeMutablePointer<Float>, line: Scratch) {
        if let light { return light.picture.expand(light.component, y, from: x, count: count, into: out) }
        plane.expand(y, from: x, count: count, into: out)
        guard let alpha else {
            if scale != 1 { scaleRow(out, by: scale, into: out, count: count) }
            return
        }
        let share = line.floats(count)
        alpha.expand(y, from: x, count: count, into: share)
        if scale != 1 { scaleRow(share, by: scale, into: share, count: count) }
        multiplyRow(out, by: share, count: count)
    }
}
