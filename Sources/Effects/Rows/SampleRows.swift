package import Pictures

/// Rows of a plane as floats and back. Codes are whole numbers of the plane's depth.
package struct SampleRows {
    private let plane: Plane
    private let isWide: Bool
    private let maximum: Float

    package init(_ plane: Plane, bitDepth: Int) {
        self.plane = plane
        isWide = bitDepth > 8
        maximum = Float((1 << bitDepth) - 1)
    }

    package var width: Int { plane.width }
    package var height: Int { plane.height }

    /// Reads all samples of a row as codes.
    package func read(_ y: Int, into values: UnsafeMutablePointer<Float>) {
        let row = plane.base + y * plane.stride
        if isWide {
            expandWords(row.assumingMemoryBound(to: UInt16.self), values, plane.width)
        } else {
            expandBytes(row.assumingMemoryBound(to: UInt8.self), values, plane.width)
        }
    }

    /// Writes a row, rounded to the nearest code, halves upwards, and cut off at the range's ends.
    package func write(_ values: UnsafePointer<Float>, to y: Int) {
        let row = plane.base + y * plane.stride
        if isWide {
            storeWords(values, maximum, row.assumingMemoryBound(to: UInt16.self), plane.width)
        } else {
            storeBytes(values, maximum, row.assumingMemoryBound(to: UInt8.self), plane.width)
        }
    }

    /// The bytes of a row from a column on; `write` them only where the plane is an output's.
    package func address(_ x: Int, _ y: Int) -> UnsafeMutableRawPointer {
        plane.base + y * plane.stride + (isWide ? 2 * x : x)
    }

    package func copy(_ y: Int, from x: Int, count: Int, of source: SampleRows) {
        guard count > 0 else { return }
        address(x, y).copyMemory(from: source.address(x, y), byteCount: isWide ? 2 * count : count)
    }

    package func copy(_ source: SampleRows) {
        for y in 0..<height { copy(y, from: 0, count: width, of: source) }
    }

    package func fill(_ code: UInt16) {
        for y in 0..<height {
            let row = plane.base + y * plane.stride
            if isWide {
                row.assumingMemoryBound(to: UInt16.self).update(repeating: code, count: width)
            } else {
                row.assumingMemoryBound(to: UInt8.self).update(
                    repeating: UInt8(truncatingIfNeeded: code), count: width)
            }
        }
    }
}

private func expandBytes(_ row: UnsafePointer<UInt8>, _ values: UnsafeMutablePointer<Float>, _ count: Int) {
    for x in 0..<count { values[x] = Float(row[x]) }
}

private func expandWords(_ row: UnsafePointer<UInt16>, _ values: UnsafeMutablePointer<Float>, _ count: Int) {
    for x in 0..<count { values[x] = Float(row[x]) }
}

private func storeBytes(
    _ values: UnsafePointer<Float>, _ maximum: Float, _ row: UnsafeMutablePointer<UInt8>, _ count: Int
) {
    for x in 0..<count { row[x] = UInt8(truncatingIfNeeded: nearest(values[x], maximum)) }
}

private func storeWords(
    _ values: UnsafePointer<Float>, _ maximum: Float, _ row: UnsafeMutablePointer<UInt16>, _ count: Int
) {
    for x in 0..<count { row[x] = UInt16(truncatingIfNeeded: nearest(values[x], maximum)) }
}

/// The nearest code of a value. Adding 4096 leaves a value of 0…4095 in the mantissa with 11 binary places, and
/// integers do the rest: unlike a conversion it needs no check of the range, so that loops over it vectorise.
@inline(__always)
private func nearest(_ value: Float, _ maximum: Float) -> UInt32 {
    // Compared as machines compare: `min` and `max` tell 0 from −0.
    let below = value < maximum ? value : maximum
    let held = below > 0 ? below : 0
    return (((held + 4096).bitPattern & 0x7F_FFFF) &+ 1024) >> 11
}
