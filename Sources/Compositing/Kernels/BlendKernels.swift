// Kernels from rows of floats to canvas samples, and blends of whole samples.

/// The nearest code, halves upwards, for a value in 0…4095: adding 4096 leaves the value in the mantissa with 11 binary
/// places, and integers do the rest; unlike a conversion it needs no range check, so loops over it vectorise. The
/// limits are asked for in the way that is one machine instruction each.
@inline(__always)
private func nearest(_ value: Float, _ maximum: Float) -> UInt32 {
    let (raised, top) = (value + 4096, maximum + 4096)
    let high = raised < top ? raised : top
    let held = high > 4096 ? high : 4096
    return ((held.bitPattern & 0x7F_FFFF) &+ 1024) >> 11
}

func storeRow8(
    _ values: UnsafePointer<Float>, maximum: Float, into out: UnsafeMutablePointer<UInt8>, count: Int
) {
    for i in 0..<count { out[i] = UInt8(truncatingIfNeeded: nearest(values[i], maximum)) }
}

func storeRow16(
    _ values: UnsafePointer<Float>, maximum: Float, into out: UnsafeMutablePointer<UInt16>, count: Int
) {
    for i in 0..<count { out[i] = UInt16(truncatingIfNeeded: nearest(values[i], maximum)) }
}

/// out = out + (value − out)·weight
func blendRow8(
    _ values: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, maximum: Float,
    into out: UnsafeMutablePointer<UInt8>, count: Int
) {
    for i in 0..<count {
        let under = Float(out[i])
        out[i] = UInt8(truncatingIfNeeded: nearest(under + (values[i] - under) * weights[i], maximum))
    }
}

func blendRow16(
    _ values: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, maximum: Float,
    into out: UnsafeMutablePointer<UInt16>, count: Int
) {
    for i in 0..<count {
        let under = Float(out[i])
        out[i] = UInt16(truncatingIfNeeded: nearest(under + (values[i] - under) * weights[i], maximum))
    }
}

/// Source-over on a canvas with straight alpha; `back` is the canvas's alpha below each sample, 0…1.
func overRow8(
    _ values: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, back: UnsafePointer<Float>, maximum: Float,
    into out: UnsafeMutablePointer<UInt8>, count: Int
) {
    for i in 0..<count {
        let share = overShare(weights[i], back[i])
        let under = Float(out[i])
        out[i] = UInt8(truncatingIfNeeded: nearest(under + (values[i] - under) * share, maximum))
    }
}

func overRow16(
    _ values: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, back: UnsafePointer<Float>, maximum: Float,
    into out: UnsafeMutablePointer<UInt16>, count: Int
) {
    for i in 0..<count {
        let share = overShare(weights[i], back[i])
        let under = Float(out[i])
        out[i] = UInt16(truncatingIfNeeded: nearest(under + (values[i] - under) * share, maximum))
    }
}

func overShares(
    _ weights: UnsafePointer<Float>, back: UnsafePointer<Float>, into out: UnsafeMutablePointer<Float>, count: Int
) {
    for i in 0..<count { out[i] = overShare(weights[i], back[i]) }
}

/// Sets the row to the upper value where that hides the lower one, and to the lower value where the upper one has no
/// part.
func keepWholes(
    _ row: UnsafeMutablePointer<Float>, _ upper: UnsafePointer<Float>, over under: UnsafePointer<Float>,
    _ shares: UnsafePointer<Float>, count: Int
) {
    for i in 0..<count {
        let share = shares[i]
        row[i] = share >= 1 ? upper[i] : share <= 0 ? under[i] : row[i]
    }
}

/// The upper colour's share of the result: its alpha over the result's alpha.
@inline(__always)
private func overShare(_ weight: Float, _ back: Float) -> Float {
    let total = weight + back * (1 - weight)
    return weight / (total > 1e-6 ? total : 1)
}

/// out = base + (source − base)·weight/32768, rounded; `base` may be `out`.
func lerpRow8(
    _ base: UnsafePointer<UInt8>, _ source: UnsafePointer<UInt8>, weight: Int16,
    into out: UnsafeMutablePointer<UInt8>, count: Int
) {
    let w = Int32(weight)
    for i in 0..<count {
        let under = Int32(base[i])
        let change = (Int32(source[i]) &- under) &* w
        out[i] = UInt8(truncatingIfNeeded: under &+ ((change &+ 16384) >> 15))
    }
}

func lerpRow16(
    _ base: UnsafePointer<UInt16>, _ source: UnsafePointer<UInt16>, weight: Int16,
    into out: UnsafeMutablePointer<UInt16>, count: Int
) {
    let w = Int32(weight)
    for i in 0..<count {
        let under = Int32(Int16(truncatingIfNeeded: base[i]))
        let change = (Int32(Int16(truncatingIfNeeded: source[i])) &- under) &* w
        out[i] = UInt16(truncatingIfNeeded: under &+ ((change &+ 16384) >> 15))
    }
}
