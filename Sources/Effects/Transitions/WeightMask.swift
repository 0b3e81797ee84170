import Pictures

/// The weight of the second picture at each luma sample, 0…1. A mask's values stand for one frame.
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
    /// One weight for the whole row; nothing is written.
    case even(Float)
    /// Weights that are all written; before and after these columns they are as in the row's first and last column.
    case varied(Range<Int>)
}

/// An edge on its way over a picture: from 0 to `length`, in pixels, with a ramp of `softness` of the way behind it.
/// A sharp edge covers each pixel by its area.
struct Edge {
    /// The place of the ramp's middle, and its length, at least a pixel.
    let middle, width: Double
    let isSharp: Bool

    /// An edge that has begun no pixel at progress 0, and has done all at 1.
    init(length: Double, softness: Double, progress: Double) {
        let ramp = length * softness
        middle = (length + ramp) * progress - ramp / 2
        width = max(1, ramp)
        isSharp = ramp < 1
    }

    /// The places between which the weight is between 0 and 1, with a pixel to spare on each side.
    var low: Double { middle - width / 2 - 1 }
    var high: Double { middle + width / 2 + 1 }

    /// The weight of a place that far along the way.
    func weight(_ place: Double) -> Double { min(max((middle - place) / width + 0.5, 0), 1) }
}

/// The layout of chroma: the rows and columns of luma for one of its own, as powers of 2, and its siting.
struct ChromaLayout {
    let shiftX, shiftY: Int
    let isCosited: Bool

    init(_ encoding: PixelEncoding) {
        (shiftX, shiftY) = (encoding.chromaShiftX, encoding.chromaShiftY)
        isCosited = encoding.chromaOffsetX < 0.25
    }
}
