/// A plane of samples as floats, with a margin around them that stands for the outside.
struct FloatPlane {
    /// The columns on each side of a row; rows above and below are the margin's, two of each, and stand for all beyond.
    static let columns = 8
    static let rows = 2

    /// The place of the first sample.
    private let base: UnsafeMutablePointer<Float>
    private let stride: Int
    let width, height: Int

    init(_ width: Int, _ height: Int, _ memory: EffectMemory, _ name: String) {
        (self.width, self.height) = (width, height)
        stride = (width + 2 * Self.columns + 15) & ~7
        base = memory.floats(name, stride * (height + 2 * Self.rows)) + Self.rows * stride + Self.columns
    }

    /// The row of any number; the outermost one of the margin for those beyond.
    func row(_ y: Int) -> UnsafeMutablePointer<Float> {
        base + min(max(y, -Self.rows), height + Self.rows - 1) * stride
    }
}

/// The surroundings of a picture, as a kernel sees them.
enum OutsideOfPicture {
    /// Each place outside has the nearest sample.
    case edge
    /// Each place outside is empty: 0.
    case clear
}

/// Gives a row its margin of columns.
func extendRow(_ row: UnsafeMutablePointer<Float>, _ width: Int, _ margin: Int, _ outside: OutsideOfPicture) {
    let (left, right) = outside == .edge ? (row[0], row[width - 1]) : (0, 0)
    for x in 1...margin {
        row[-x] = left
        row[width - 1 + x] = right
    }
}
