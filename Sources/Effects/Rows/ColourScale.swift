package import Pictures

/// Between codes of limited range and R'G'B' of 0 (black) to 1 (white).
package struct ColourScale {
    package let lumaZero, lumaStep, chromaZero, chromaStep: Float
    /// What Y' is of R'G'B'.
    let red, green, blue: Float
    /// Of Cb and Cr, which go from -0.5 to 0.5.
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

/// Codes of a row to R'G'B'; Cb and Cr stand at the luma's places, from -0.5 to 0.5.
func decodeColours(
    _ luma: UnsafePointer<Float>, _ cb: UnsafePointer<Float>, _ cr: UnsafePointer<Float>, _ scale: ColourScale,
    _ red: UnsafeMutablePointer<Float>, _ green: UnsafeMutablePointer<Float>, _ blue: UnsafeMutablePointer<Float>,
    _ count: Int
) {
    let (zero, step) = (scale.lumaZero, 1 / scale.lumaStep)
    for x in 0..<count {
        let y = (luma[x] - zero) * step
        red[x] = y + scale.redOfCr * cr[x]
        green[x] = y + (scale.greenOfCb * cb[x] + scale.greenOfCr * cr[x])
        blue[x] = y + scale.blueOfCb * cb[x]
    }
}

/// And back: `luma` are codes.
func encodeColours(
    _ red: UnsafePointer<Float>, _ green: UnsafePointer<Float>, _ blue: UnsafePointer<Float>, _ scale: ColourScale,
    _ luma: UnsafeMutablePointer<Float>, _ cb: UnsafeMutablePointer<Float>, _ cr: UnsafeMutablePointer<Float>,
    _ count: Int
) {
    let (zero, step) = (scale.lumaZero, scale.lumaStep)
    for x in 0..<count {
        let y = scale.red * red[x] + scale.green * green[x] + scale.blue * blue[x]
        luma[x] = zero + step * y
        cb[x] = (blue[x] - y) * scale.cbOfBlue
        cr[x] = (red[x] - y) * scale.crOfRed
    }
}
