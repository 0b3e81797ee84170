import Pictures

/// All samples of a plane, to be looked at anywhere.
struct HeldPlane {
    /// Of the first sample of the plane itself.
    private let samples: UnsafeMutablePointer<Float>
    private let stride: Int
    let plane: FilteredPlane
    /// Rows and columns that are held around it.
    let margin: Int

    /// - Parameter read: a row with its margin, which begins that far to the left.
    init(_ plane: FilteredPlane, margin: Int = 0, _ memory: EffectMemory, _ read: RowReader) {
        (self.plane, self.margin) = (plane, margin)
        stride = plane.width + 2 * margin
        samples = memory.floats(plane.name + ".held", stride * (plane.height + 2 * margin)) + margin * stride + margin
        for y in -margin..<plane.height + margin { read(y, samples + y * stride - margin) }
    }

    /// From its first sample on, behind the margin; nil beyond, where nothing is there.
    func row(_ y: Int) -> UnsafeMutablePointer<Float>? {
        if plane.outside == .clear, y < -margin || y >= plane.height + margin { return nil }
        return samples + min(max(y, -margin), plane.height + margin - 1) * stride
    }

    /// Between the four samples about a place, which is given in pixels of luma: 0 is the first one's centre.
    @inline(__always)
    func sample(_ x: Float, _ y: Float, _ siting: Siting) -> Float {
        let u = min(max((x - siting.offsetX) * siting.factorX, -2), Float(plane.width) + 1)
        let v = min(max((y - siting.offsetY) * siting.factorY, -2), Float(plane.height) + 1)
        let (left, top) = (u.rounded(.down), v.rounded(.down))
        let (column, line) = (Int(left), Int(top))
        let (right, below) = (u - left, v - top)
        let upper = value(column, line) + (value(column + 1, line) - value(column, line)) * right
        let lower = value(column, line + 1) + (value(column + 1, line + 1) - value(column, line + 1)) * right
        return upper + (lower - upper) * below
    }

    @inline(__always)
    private func value(_ x: Int, _ y: Int) -> Float {
        if plane.outside == .clear, x < 0 || y < 0 || x >= plane.width || y >= plane.height { return 0 }
        return samples[min(max(y, 0), plane.height - 1) * stride + min(max(x, 0), plane.width - 1)]
    }
}

/// Where a plane's samples lie among the pixels of luma.
struct Siting {
    let offsetX, offsetY, factorX, factorY: Float
    private let stepX, stepY: Float

    init(_ plane: FilteredPlane, _ encoding: PixelEncoding) {
        offsetX = plane.shiftX > 0 ? Float(encoding.chromaOffsetX) : 0
        offsetY = plane.shiftY > 0 ? Float(encoding.chromaOffsetY) : 0
        (stepX, stepY) = (Float(1 << plane.shiftX), Float(1 << plane.shiftY))
        (factorX, factorY) = (1 / stepX, 1 / stepY)
    }

    func x(_ column: Int) -> Float { Float(column) * stepX + offsetX }
    func y(_ row: Int) -> Float { Float(row) * stepY + offsetY }
}
