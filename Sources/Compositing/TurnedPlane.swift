import Pictures

/// A plane whose rows and columns are exchanged, strip by strip as its rows are asked for: they come in order, and no
/// copy of the whole is needed.
final class TurnedPlane {
    private let memory = Scratch()
    private var source: (plane: Plane, isWide: Bool)?
    /// The columns of the source that are in the strip.
    private var columns = 0..<0
    private var stride = 0

    private static let stripColumns = 64

    /// The turned plane, good until the next one.
    func turn(_ plane: Plane, bitDepth: Int) -> SourcePlane {
        source = (plane, bitDepth > 8)
        columns = 0..<0
        stride = (plane.height * (bitDepth > 8 ? 2 : 1) + 15) & ~15
        return SourcePlane(turned: self, width: plane.height, height: plane.width, isWide: bitDepth > 8)
    }

    /// The address of a row, good until a row of another strip is asked for.
    func row(_ y: Int) -> UnsafeRawPointer {
        if !columns.contains(y) { fill(from: y / Self.stripColumns * Self.stripColumns) }
        return UnsafeRawPointer(memory.bytes(stride * Self.stripColumns)) + (y - columns.lowerBound) * stride
    }

    private func fill(from x: Int) {
        guard let (plane, isWide) = source else { return }
        columns = x..<min(x + Self.stripColumns, plane.width)
        let out = memory.bytes(stride * Self.stripColumns)
        if isWide {
            transpose16(
                plane.base + 2 * x, stride: plane.stride, width: columns.count, height: plane.height,
                into: out.assumingMemoryBound(to: UInt16.self), outStride: stride / 2)
        } else {
            transpose8(
                (plane.base + x).assumingMemoryBound(to: UInt8.self), stride: plane.stride, width: columns.count,
                height: plane.height, into: out.assumingMemoryBound(to: UInt8.self), outStride: stride)
        }
    }
}
