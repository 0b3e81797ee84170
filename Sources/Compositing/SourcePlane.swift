/// A plane that layers are sampled from: a source's own samples, or floats that the compositor made of them.
struct SourcePlane {
    enum Kind { case byte, word, float }

    let base: UnsafeRawPointer
    /// In bytes.
    let stride: Int
    let width, height: Int
    let kind: Kind

    init(_ plane: Plane, bitDepth: Int) {
        (base, stride, width, height) = (UnsafeRawPointer(plane.base), plane.stride, plane.width, plane.height)
        kind = bitDepth > 8 ? .word : .byte
    }

    init(floats: UnsafePointer<Float>, width: Int, height: Int) {
        (base, stride, self.width, self.height) = (UnsafeRawPointer(floats), width * 4, width, height)
        kind = .float
    }

    var bytesPerSample: Int {
        switch kind {
        case .byte: 1
        case .word: 2
        case .float: 4
        }
    }

    /// Where the sample lies; both indexes must be inside.
    func address(_ x: Int, _ y: Int) -> UnsafeRawPointer { base + (y * stride + x * bytesPerSample) }

    /// The weighted sum of rows from `y` on, columns from `x` on; rows below the last are the last.
    func sumRows(
        _ y: Int, _ weights: UnsafePointer<Float>, taps: Int, from x: Int, count: Int,
        into out: UnsafeMutablePointer<Float>
    ) {
        let stack = RowStack(base: address(x, y), stride: stride, last: height - 1 - y)
        switch kind {
        case .byte: sumRows8(stack, weights, taps: taps, into: out, count: count)
        case .word: sumRows16(stack, weights, taps: taps, into: out, count: count)
        case .float: sumRowsFloat(stack, weights, taps: taps, into: out, count: count)
        }
    }

    /// One row's samples as floats.
    func expand(_ y: Int, from x: Int, count: Int, into out: UnsafeMutablePointer<Float>) {
        var one: Float = 1
        sumRows(y, &one, taps: 1, from: x, count: count, into: out)
    }
}
