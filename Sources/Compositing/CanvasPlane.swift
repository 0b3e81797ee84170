import Pictures

/// A plane of the canvas, to which rows of sampled values are written.
struct CanvasPlane {
    let base: UnsafeMutableRawPointer
    /// The distance of two rows in bytes.
    let stride: Int
    let isWide: Bool
    let maximum: Float

    init(_ plane: Plane, bitDepth: Int) {
        (base, stride) = (plane.base, plane.stride)
        isWide = bitDepth > 8
        maximum = Float((1 << bitDepth) - 1)
    }

    func address(_ x: Int, _ y: Int) -> UnsafeMutableRawPointer { base + (y * stride + (isWide ? 2 * x : x)) }

    private func bytes(_ x: Int, _ y: Int) -> UnsafeMutablePointer<UInt8> {
        address(x, y).assumingMemoryBound(to: UInt8.self)
    }

    private func words(_ x: Int, _ y: Int) -> UnsafeMutablePointer<UInt16> {
        address(x, y).assumingMemoryBound(to: UInt16.self)
    }

    func store(_ values: UnsafePointer<Float>, x: Int, y: Int, count: Int) {
        guard count > 0 else { return }
        if isWide {
            storeRow16(values, maximum: maximum, into: words(x, y), count: count)
        } else {
            storeRow8(values, maximum: maximum, into: bytes(x, y), count: count)
        }
    }

    func blend(_ values: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, x: Int, y: Int, count: Int) {
        guard count > 0 else { return }
        if isWide {
            blendRow16(values, weights, maximum: maximum, into: words(x, y), count: count)
        } else {
            blendRow8(values, weights, maximum: maximum, into: bytes(x, y), count: count)
        }
    }

    func over(
        _ values: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, back: UnsafePointer<Float>, x: Int, y: Int,
        count: Int
    ) {
        guard count > 0 else { return }
        if isWide {
            overRow16(values, weights, back: back, maximum: maximum, into: words(x, y), count: count)
        } else {
            overRow8(values, weights, back: back, maximum: maximum, into: bytes(x, y), count: count)
        }
    }

    /// Mixes `weight` parts of 32768 of `source` over `under`; both point at samples of this plane's size.
    func mix(under: UnsafeRawPointer, source: UnsafeRawPointer, weight: Int, x: Int, y: Int, count: Int) {
        guard count > 0 else { return }
        if weight >= 32768 {
            address(x, y).copyMemory(from: source, byteCount: isWide ? 2 * count : count)
        } else if isWide {
            lerpRow16(
                under.assumingMemoryBound(to: UInt16.self), source.assumingMemoryBound(to: UInt16.self),
                weight: Int16(weight), into: words(x, y), count: count)
        } else {
            lerpRow8(
                under.assumingMemoryBound(to: UInt8.self), source.assumingMemoryBound(to: UInt8.self),
                weight: Int16(weight), into: bytes(x, y), count: count)
        }
    }

    func fill(_ code: UInt16, width: Int, height: Int) {
        for y in 0..<height {
            if isWide {
                words(0, y).update(repeating: code, count: width)
            } else {
                bytes(0, y).update(repeating: UInt8(truncatingIfNeeded: code), count: width)
            }
        }
    }
}
