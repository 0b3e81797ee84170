import Pictures

/// All samples of a plane, to be looked at anywhere.
struct HeldPlane {
    private let samples: UnsafeMutablePointer<Float>
    let plane: FilteredPlane

    init(_ plane: FilteredPlane, _ memory: EffectMemory, _ read: RowReader) {
        self.plane = plane
        samples = memory.floats(plane.name + ".held", plane.width * plane.height)
        for y in 0..<plane.height { read(y, samples + y * plane.width) }
    }

    /// nil outside, where nothing is there.
    func row(_ y: Int) -> UnsafeMutablePointer<Float>? {
        if plane.outside == .clear, y < 0 || y >= plane.height { return nil }
        return samples + min(max(y, 0), plane.height - 1) * plane.width
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
        return samples[min(max(y, 0), plane.height - 1) * plane.width + min(max(x, 0), plane.width - 1)]
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
