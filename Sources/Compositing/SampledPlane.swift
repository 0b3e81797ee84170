/// A source plane as it is filtered: its own samples or, where the source has alpha, these times their alpha.
///
/// What is not the source's own is made row by row when it is asked for: a large picture is never held as floats.
struct SampledPlane {
    let plane: SourcePlane
    /// Of the same size.
    var alpha: SourcePlane?
    /// Brings the codes of alpha to 0…1: of `alpha`, or of the plane itself where that is alpha.
    var scale: Float = 1
    /// Its samples are one of a picture's components as light, and `plane` tells their number alone.
    var light: (picture: LightPicture, component: Int)?

    /// The samples count as they lie in memory.
    var isPlain: Bool { alpha == nil && scale == 1 && light == nil && plane.hasAllRows }

    /// One row's samples as floats; `line` is for a row of alpha.
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
