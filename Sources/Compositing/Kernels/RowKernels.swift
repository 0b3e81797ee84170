// Kernels on rows of floats. All are elementwise, in a fixed order, multiply then add: the same bytes on every machine.

func fillRow(_ row: UnsafeMutablePointer<Float>, with value: Float, count: Int) {
    guard count > 0 else { return }
    row.update(repeating: value, count: count)
}

func scaleRow(
    _ source: UnsafePointer<Float>, by factor: Float, into row: UnsafeMutablePointer<Float>, count: Int
) {
    for i in 0..<count { row[i] = source[i] * factor }
}

func multiplyRow(_ row: UnsafeMutablePointer<Float>, by other: UnsafePointer<Float>, count: Int) {
    for i in 0..<count { row[i] = row[i] * other[i] }
}

/// Brings filtered premultiplied values back to straight ones; values of clear places do not matter.
func unpremultiplyRow(_ row: UnsafeMutablePointer<Float>, alpha: UnsafePointer<Float>, count: Int) {
    for i in 0..<count {
        let a = alpha[i]
        row[i] = row[i] / (a > 1e-6 ? a : 1)
    }
}

/// row = row·scale + offset
func scaleOffsetRow(_ row: UnsafeMutablePointer<Float>, _ scale: Float, _ offset: Float, count: Int) {
    for i in 0..<count { row[i] = row[i] * scale + offset }
}

/// y = y·scale + cb·fromCb + cr·fromCr + offset
func mixLumaRow(
    _ y: UnsafeMutablePointer<Float>, _ cb: UnsafePointer<Float>, _ cr: UnsafePointer<Float>,
    _ conform: ColourConform, count: Int
) {
    let (scale, fromCb, fromCr) = (conform.luma, conform.lumaFromCb, conform.lumaFromCr)
    let offset = conform.lumaOffset
    for i in 0..<count { y[i] = ((y[i] * scale + cb[i] * fromCb) + cr[i] * fromCr) + offset }
}

func mixChromaRows(
    _ cb: UnsafeMutablePointer<Float>, _ cr: UnsafeMutablePointer<Float>, _ conform: ColourConform, count: Int
) {
    let (bb, br, bo) = (conform.cbFromCb, conform.cbFromCr, conform.cbOffset)
    let (rb, rr, ro) = (conform.crFromCb, conform.crFromCr, conform.crOffset)
    for i in 0..<count {
        let (b, r) = (cb[i], cr[i])
        cb[i] = (b * bb + r * br) + bo
        cr[i] = (b * rb + r * rr) + ro
    }
}

/// Picks one source sample for each output.
func pickRow(
    _ source: UnsafePointer<Float>, starts: UnsafePointer<Int32>, first: Int32,
    into out: UnsafeMutablePointer<Float>, count: Int
) {
    for i in 0..<count { out[i] = source[Int(starts[i] &- first)] }
}

/// Weighs two source samples for each output.
func convolveRow2(
    _ source: UnsafePointer<Float>, starts: UnsafePointer<Int32>, first: Int32, weights: UnsafePointer<Float>,
    into out: UnsafeMutablePointer<Float>, count: Int
) {
    for i in 0..<count {
        let s = source + Int(starts[i] &- first)
        out[i] = s[0] * weights[2 &* i] + s[1] * weights[2 &* i &+ 1]
    }
}

/// Weighs two source samples for each output, of which two come for each source sample, all pairs with the same four
/// weights: `out[2i]` and `out[2i + 1]` are made of `source[i]` and `source[i + 1]`. The first of a pair is copied
/// where it is the sample itself, as left siting has it.
func convolvePairs(
    _ source: UnsafePointer<Float>, weights: UnsafePointer<Float>, into out: UnsafeMutablePointer<Float>, count: Int
) {
    let (a, b, c, d) = (weights[0], weights[1], weights[2], weights[3])
    if a == 1, b == 0 {
        for i in 0..<count {
            out[2 &* i] = source[i]
            out[2 &* i &+ 1] = source[i] * c + source[i &+ 1] * d
        }
        return
    }
    for i in 0..<count {
        let (s, t) = (source[i], source[i &+ 1])
        out[2 &* i] = s * a + t * b
        out[2 &* i &+ 1] = s * c + t * d
    }
}

/// Weighs four source samples for each output, two samples further for each, all with the same weights.
func convolveHalves(
    _ source: UnsafePointer<Float>, weights: UnsafePointer<Float>, into out: UnsafeMutablePointer<Float>, count: Int
) {
    let (a, b, c, d) = (weights[0], weights[1], weights[2], weights[3])
    for i in 0..<count {
        let s = source + 2 &* i
        out[i] = (s[0] * a + s[2] * c) + (s[1] * b + s[3] * d)
    }
}

@inline(__always)
private func convolveFours(
    _ source: UnsafePointer<Float>, starts: UnsafePointer<Int32>, first: Int32, weights: UnsafePointer<Float>,
    taps: Int, into out: UnsafeMutablePointer<Float>, count: Int
) {
    var w = UnsafeRawPointer(weights)
    for i in 0..<count {
        var s = UnsafeRawPointer(source + Int(starts[i] &- first))
        var sum = s.loadUnaligned(as: SIMD4<Float>.self) * w.loadUnaligned(as: SIMD4<Float>.self)
        w += 16
        var k = 4
        while k < taps {
            s += 16
            sum += s.loadUnaligned(as: SIMD4<Float>.self) * w.loadUnaligned(as: SIMD4<Float>.self)
            w += 16
            k &+= 4
        }
        out[i] = (sum[0] + sum[2]) + (sum[1] + sum[3])
    }
}

/// Weighs `taps` source samples for each output, a multiple of 4. Reads up to `taps` values past the last that counts,
/// with weight 0: they must be finite.
package func convolveRow4(
    _ source: UnsafePointer<Float>, starts: UnsafePointer<Int32>, first: Int32, weights: UnsafePointer<Float>,
    taps: Int, into out: UnsafeMutablePointer<Float>, count: Int
) {
    // The loop over taps is unrolled where their number is written here.
    @inline(__always) func convolve(_ taps: Int) {
        convolveFours(source, starts: starts, first: first, weights: weights, taps: taps, into: out, count: count)
    }
    switch taps {
    case 8: convolve(8)
    case 12: convolve(12)
    default: convolve(taps)
    }
}
