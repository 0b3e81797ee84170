import Pictures

/// A plane that layers are sampled from: a source's own samples, in its own order or turned, or floats that the
/// compositor made of them.
struct SourcePlane {
    enum Kind { case byte, word, float }

    private enum Rows {
        /// Rows that are all in memory; the stride is in bytes.
        case fixed(UnsafeRawPointer, stride: Int)
        case turned(TurnedPlane)
    }

    private let rows: Rows
    let width, height: Int
    let kind: Kind

    init(_ plane: Plane, bitDepth: Int) {
        rows = .fixed(UnsafeRawPointer(plane.base), stride: plane.stride)
        (width, height) = (plane.width, plane.height)
        kind = bitDepth > 8 ? .word : .byte
    }

    init(floats: UnsafePointer<Float>, width: Int, height: Int) {
        rows = .fixed(UnsafeRawPointer(floats), stride: width * 4)
        self.width = width
        self.height = height
        kind = .float
    }

    init(turned: TurnedPlane, width: Int, height: Int, isWide: Bool) {
        rows = .turned(turned)
        self.width = width
        self.height = height
        kind = isWide ? .word : .byte
    }

    /// The distance of two rows in bytes; nil where only one row at a time can be read.
    private var stride: Int? {
        if case .fixed(_, let stride) = rows { stride } else { nil }
    }

    var hasAllRows: Bool { stride != nil }

    var bytesPerSample: Int {
        switch kind {
        case .byte: 1
        case .word: 2
        case .float: 4
        }
    }

    /// The address of a sample, which the others of its row follow; both indexes must be inside. Where the plane has
    /// not all rows it is good until the next call.
    func address(_ x: Int, _ y: Int) -> UnsafeRawPointer {
        switch rows {
        case .fixed(let base, let stride): base + (y * stride + x * bytesPerSample)
        case .turned(let plane): plane.row(y) + x * bytesPerSample
        }
    }

    /// Writes the weighted sum of rows from `y` on, columns from `x` on; rows below the last one are the last one. Only
    /// planes that have all rows take more than one tap.
    func sumRows(
        _ y: Int, _ weights: UnsafePointer<Float>, taps: Int, from x: Int, count: Int,
        into out: UnsafeMutablePointer<Float>
    ) {
        let stack = RowStack(base: address(x, y), stride: stride ?? 0, last: height - 1 - y)
        switch kind {
        case .byte: sumRows8(stack, weights, taps: taps, into: out, count: count)
        case .word: sumRows16(stack, weights, taps: taps, into: out, count: count)
        case .float: sumRowsFloat(stack, weights, taps: taps, into: out, count: count)
        }
    }

    /// Writes one row's samples as floats.
    func expand(_ y: Int, from x: Int, count: Int, into out: UnsafeMutablePointer<Float>) {
        var one: Float = 1
        sumRows(y, &one, taps: 1, from: x, count: count, into: out)
    }
}
