package import Pictures

/// The scale between codes of limited range and R'G'B' of 0 (black) to 1 (white).
package struct ColourScale {
    package let lumaZero, lumaStep, chromaZero, chromaStep: Float
    /// The shares of R'G'B' in Y'.
    let red, green, blue: Float
    /// The factors of Cb and Cr, which go from -0.5 to 0.5, in R'G'B'.
    let redOfCr, greenOfCb, greenOfCr, blueOfCb: Float
    let cbOfBlue, crOfRed: Float

    package init(_ encoding: PixelEncoding) {
        let unit = Double(1 << (encoding.bitDepth - 8))
        (lumaZero, lumaStep) = (Float(16 * unit), Float(219 * unit))
        (chromaZero, chromaStep) = (Float(128 * unit), Float(224 * unit))
        let weights = encoding.matrix.weights
        let ofGreen = 1 - weights.red - weights.blue
        (red, green, blue) = (Float(weights.red), Float(ofGreen), Float(weights.blue))
        let (cr, cb) = (2 * (1 - weights.red), 2 * (1 - weights.blue))
        (redOfCr, blueOfCb) = (Float(cr), Float(cb))
        (greenOfCb, greenOfCr) = (Float(-weights.blue / ofGreen * cb), Float(-weights.red / ofGreen * cr))
        (cbOfBlue, crOfRed) = (Float(1 / cb), Float(1 / cr))
    }
}

/// Turns codes of a row into R'G'B'; Cb and Cr stand at the luma's places, from -0.5 to 0.5. All rows have room up to a
/// multiple of four.
func decodeColours(
    _ luma: UnsafePointer<Float>, _ cb: UnsafePointer<Float>, _ cr: UnsafePointer<Float>, _ scale: ColourScale,
    _ red: UnsafeMutablePointer<Float>, _ green: UnsafeMutablePointer<Float>, _ blue: UnsafeMutablePointer<Float>,
    _ count: Int
) {
    let (zero, step) = (scale.lumaZero, 1 / scale.lumaStep)
    var x = 0
    while x < count {
        let (y, u, v) = ((four(luma, x) - zero) * step, four(cb, x), four(cr, x))
        put(y + scale.redOfCr * v, red, x)
        put(y + (scale.greenOfCb * u + scale.greenOfCr * v), green, x)
        put(y + scale.blueOfCb * u, blue, x)
        x &+= 4
    }
}

/// Turns R'G'B' of a row into codes of Y' in `luma`, and Cb and Cr from -0.5 to 0.5.
func encodeColours(
    _ red: UnsafePointer<Float>, _ green: UnsafePointer<Float>, _ blue: UnsafePointer<Float>, _ scale: ColourScale,
    _ luma: UnsafeMutablePointer<Float>, _ cb: UnsafeMutablePointer<Float>, _ cr: UnsafeMutablePointer<Float>,
    _ count: Int
) {
    let (zero, step) = (scale.lumaZero, scale.lumaStep)
    var x = 0
    while x < count {
        let (r, b) = (four(red, x), four(blue, x))
        let y = scale.red * r + scale.green * four(green, x) + scale.blue * b
        put(zero + step * y, luma, x)
        put((b - y) * scale.cbOfBlue, cb, x)
        put((r - y) * scale.crOfRed, cr, x)
        x &+= 4
    }
}
