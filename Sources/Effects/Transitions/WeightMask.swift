import Pictures

/// How much of the second picture is seen at each luma sample: 0…1. Values that stand for one frame.
protocol WeightMask {
    /// Whether every row is as row 0.
    var rowsAreEqual: Bool { get }

    /// Writes a row's weights where they are not the same all along it.
    func row(_ y: Int, into weights: UnsafeMutablePointer<Float>) -> MaskRow
}

extension WeightMask {
    var rowsAreEqual: Bool { false }
}

enum MaskRow {
    /// The same in all of it; nothing is written.
    case even(Float)
    /// All is written; before and after these columns weights are as in the row's first and last column.
    case varied(Range<Int>)
}

/// An edge on its way over a picture: from 0 to `length`, in pixels, with a ramp of `softness` of the way behind it.
/// A sharp edge covers each pixel by its area.
struct Edge {
    /// Where the middle of the ramp is, and its length, at least a pixel.
    let middle, width: Double
    let isSharp: Bool

    /// At 0 no pixel has begun, at 1 all are done.
    init(length: Double, softness: Double, progress: Double) {
        let ramp = length * softness
        middle = (length + ramp) * progress - ramp / 2
        width = max(1, ramp)
        isSharp = ramp < 1
    }

    /// Where the weight is between 0 and 1, with a pixel to spare on each side.
    var low: Double { middle - width / 2 - 1 }
    var high: Double { middle + width / 2 + 1 }

    /// Of what lies that far along the way.
    func weight(_ place: Double) -> Double { min(max((middle - place) / width + 0.5, 0), 1) }
}

/// Rows of luma samples and what of them each row of chroma stands for.
struct ChromaLayout {
    let shiftX, shiftY: Int
    let isCosited: Bool

    init(_ encoding: PixelEncoding) {
        (shiftX, shiftY) = (encoding.chromaShiftX, encoding.chromaShiftY)
        isCosited = encoding.chromaOffsetX < 0.25
    }
}
