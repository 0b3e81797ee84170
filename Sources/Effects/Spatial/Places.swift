import Pictures

/// A plane whose samples are all held, to be looked at anywhere.
struct HeldPlane {
    /// The place of the plane's own first sample.
    private let samples: UnsafeMutablePointer<Float>
    private let stride: Int
    let plane: FilteredPlane
    /// The rows and columns that are held around it.
    let margin: Int

    /// - Parameter read: fills a row with its margin, which begins that far to the left.
    init(_ plane: FilteredPlane, margin: Int = 0, _ memory: EffectMemory, _ read: RowReader) {
        (self.plane, self.margin) = (plane, margin)
        stride = plane.width + 2 * margin
        samples = memory.floats(plane.name + ".held", stride * (plane.height + 2 * margin)) + margin * stride + margin
        for y in -margin..<plane.height + margin { read(y, samples + y * stride - margin) }
    }

    /// The row from its first sample on, behind the margin; nil beyond, where the outside is empty.
    func row(_ y: Int) -> UnsafeMutablePointer<Float>? {
        if plane.outside == .clear, y < -margin || y >= plane.height + margin { return nil }
        return samples + min(max(y, -margin), plane.height + margin - 1) * stride
    }
}

/// A plane whose samples are all held with a margin of its outside, so that no place needs to be checked.
struct PaddedPlane {
    /// The margin in samples; places are held to less outside of the plane.
    private static let margin = 4

    /// The place of the plane's own first sample.
    let samples: UnsafePointer<Float>
    let stride: Int
    let width, height: Int

    init(_ plane: FilteredPlane, _ memory: EffectMemory, _ read: RowReader) {
        let margin = Self.margin
        width = plane.width
        height = plane.height
        stride = plane.width + 2 * margin
        let start = memory.floats(plane.name + ".padded", stride * (plane.height + 2 * margin))
        let first = start + margin * stride + margin
        for y in 0..<height {
            read(y, first + y * stride)
            extendRow(first + y * stride, width, margin, plane.outside)
        }
        let last = first + (height - 1) * stride
        for y in 1...margin {
            for (row, edge) in [(first - y * stride, first), (last + y * stride, last)] {
                if plane.outside == .edge {
                    (row - margin).update(from: edge - margin, count: stride)
                } else {
                    (row - margin).update(repeating: 0, count: stride)
                }
            }
        }
        samples = UnsafePointer(first)
    }

    func row(_ y: Int) -> UnsafePointer<Float> { samples + y * stride }

    /// A place along an axis, in pixels of luma, as the sample before it and the share of the one after.
    func place(_ pixel: Float, _ offset: Float, _ factor: Float, of length: Int) -> (sample: Int, share: Float) {
        let place = min(max((pixel - offset) * factor, -2), Float(length) + 1)
        let before = place.rounded(.down)
        return (Int(before), place - before)
    }
}

/// The places of a row in a padded plane, and shares of the samples after those that they begin with.
struct PlacedRow {
    let indexes: UnsafeMutablePointer<Int32>
    let right, below: UnsafeMutablePointer<Float>

    init(_ width: Int, _ memory: EffectMemory, _ name: String) {
        let length = (width + 8) & ~7
        let room = memory.floats(name, 3 * length)
        (right, below) = (room, room + length)
        indexes = UnsafeMutableRawPointer(room + 2 * length).assumingMemoryBound(to: Int32.self)
    }

    /// Settles the places: `right` and `below` hold each one in samples of the plane, and then the shares.
    func settle(_ plane: PaddedPlane) {
        settlePlaces(right, below, indexes, plane.width, plane.height, plane.stride)
    }

    /// Interpolates between the four samples about each place.
    func sample(_ plane: PaddedPlane, into out: UnsafeMutablePointer<Float>) {
        samplePlaces(plane.samples, plane.stride, indexes, right, below, into: out, plane.width)
    }
}

private func settlePlaces(
    _ across: UnsafeMutablePointer<Float>, _ down: UnsafeMutablePointer<Float>,
    _ indexes: UnsafeMutablePointer<Int32>, _ width: Int, _ height: Int, _ stride: Int
) {
    let (farX, farY) = (Float(width) + 1, Float(height) + 1)
    let step = SIMD4<UInt32>(repeating: UInt32(stride))
    var i = 0
    while i < width {
        let u = largest(least(four(across, i), farX), -2)
        let v = largest(least(four(down, i), farY), -2)
        let (left, top) = (floors(u), floors(v))
        put(u - left, across, i)
        put(v - top, down, i)
        let places = signed(top) &* step &+ signed(left)
        UnsafeMutableRawPointer(indexes + i).storeBytes(of: places, as: SIMD4<UInt32>.self)
        i &+= 4
    }
}

private func samplePlaces(
    _ samples: UnsafePointer<Float>, _ stride: Int, _ indexes: UnsafePointer<Int32>, _ right: UnsafePointer<Float>,
    _ below: UnsafePointer<Float>, into out: UnsafeMutablePointer<Float>, _ count: Int
) {
    for i in 0..<count {
        let first = samples + Int(indexes[i])
        let second = first + stride
        let upper = first[0] + (first[1] - first[0]) * right[i]
        let lower = second[0] + (second[1] - second[0]) * right[i]
        out[i] = upper + (lower - upper) * below[i]
    }
}

/// The whole numbers as they stand in memory, negative ones too.
@inline(__always)
private func signed(_ value: Four) -> SIMD4<UInt32> { wholeBits(value + wholeNumbers) }

/// The places of a plane's samples among the pixels of luma.
struct Siting {
    let offsetX, offsetY, factorX, factorY: Float
    let stepX, stepY: Float

    init(_ plane: FilteredPlane, _ encoding: PixelEncoding) {
        offsetX = plane.shiftX > 0 ? Float(encoding.chromaOffsetX) : 0
        offsetY = plane.shiftY > 0 ? Float(encoding.chromaOffsetY) : 0
        (stepX, stepY) = (Float(1 << plane.shiftX), Float(1 << plane.shiftY))
        (factorX, factorY) = (1 / stepX, 1 / stepY)
    }

    func x(_ column: Int) -> Float { Float(column) * stepX + offsetX }
    func y(_ row: Int) -> Float { Float(row) * stepY + offsetY }
}
