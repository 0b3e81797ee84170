package import Pictures

/// The affine map from a source's code values to the canvas's: matrix, range and bit depth in one set of factors. Where
/// transfers or primaries differ, a `LightPath` stands in its place.
///
/// `Y' = luma·Y + lumaFromCb·Cb + lumaFromCr·Cr + lumaOffset`; the chroma rows have no part in Y', because every matrix
/// gives grey no chroma. Applied to sampled values, before rounding.
struct ColourConform {
    let isIdentity: Bool
    /// Whether transfers or primaries differ, so that the factors are not to be used.
    let needsLight: Bool
    /// Whether the luma needs chroma sampled at the luma's places.
    let mixesChromaIntoLuma: Bool
    let luma, lumaFromCb, lumaFromCr, lumaOffset: Float
    let cbFromCb, cbFromCr, cbOffset: Float
    let crFromCb, crFromCr, crOffset: Float

    init(from source: PixelEncoding, to canvas: PixelEncoding) {
        let sameMatrix = source.matrix == canvas.matrix
        needsLight = !source.hasSameLight(on: canvas)
        isIdentity =
            !needsLight && sameMatrix && source.bitDepth == canvas.bitDepth && source.isFullRange == canvas.isFullRange
        mixesChromaIntoLuma = needsLight || !sameMatrix
        let (input, output) = (CodeScale(source), CodeScale(canvas))
        let (from, to) = (source.matrix.weights, canvas.matrix.weights)
        // The canvas's Y', Cb and Cr of a source's Cb and Cr at Y' = 0, by way of its R', G' and B'.
        func target(_ cb: Double, _ cr: Double) -> (y: Double, cb: Double, cr: Double) {
            if sameMatrix { return (0, cb, cr) }
            let red = 2 * (1 - from.red) * cr
            let blue = 2 * (1 - from.blue) * cb
            let green = -(from.red * red + from.blue * blue) / (1 - from.red - from.blue)
            let y = to.red * red + (1 - to.red - to.blue) * green + to.blue * blue
            return (y, (blue - y) / (2 * (1 - to.blue)), (red - y) / (2 * (1 - to.red)))
        }
        let (ofCb, ofCr) = (target(1, 0), target(0, 1))
        let scale = output.lumaStep / input.lumaStep
        let (yb, yr) = (ofCb.y * output.lumaStep / input.chromaStep, ofCr.y * output.lumaStep / input.chromaStep)
        let chroma = output.chromaStep / input.chromaStep
        let (bb, br, rb, rr) = (ofCb.cb * chroma, ofCr.cb * chroma, ofCb.cr * chroma, ofCr.cr * chroma)
        luma = Float(scale)
        (lumaFromCb, lumaFromCr) = (Float(yb), Float(yr))
        lumaOffset = Float(output.lumaZero - scale * input.lumaZero - (yb + yr) * input.chromaZero)
        (cbFromCb, cbFromCr) = (Float(bb), Float(br))
        (crFromCb, crFromCr) = (Float(rb), Float(rr))
        cbOffset = Float(output.chromaZero - (bb + br) * input.chromaZero)
        crOffset = Float(output.chromaZero - (rb + rr) * input.chromaZero)
    }
}

/// The code values of an encoding: those of black and grey, and the number of codes that a unit of Y' (0…1) or Cb, Cr
/// (±0.5) spans.
struct CodeScale {
    let lumaZero, lumaStep, chromaZero, chromaStep, maximum: Double

    init(_ encoding: PixelEncoding) {
        let unit = Double(1 << (encoding.bitDepth - 8))
        maximum = Double(1 << encoding.bitDepth) - 1
        chromaZero = 128 * unit
        if encoding.isFullRange {
            lumaZero = 0
            lumaStep = maximum
            chromaStep = maximum
        } else {
            lumaZero = 16 * unit
            lumaStep = 219 * unit
            chromaStep = 224 * unit
        }
    }
}

/// The code values of one colour, rounded to the nearest.
package struct ColourCodes: Hashable, Sendable {
    package let luma, cb, cr, alpha: UInt16

    /// The codes of a colour; components outside 0…1 are brought to the nearest limit, NaN to 0.
    package init(_ colour: Colour, encoding: PixelEncoding) {
        func limited(_ value: Double) -> Double { value > 0 ? min(value, 1) : 0 }
        let (red, green, blue) = (limited(colour.red), limited(colour.green), limited(colour.blue))
        let weights = encoding.matrix.weights
        let scale = CodeScale(encoding)
        let y = weights.red * red + (1 - weights.red - weights.blue) * green + weights.blue * blue
        func code(_ value: Double) -> UInt16 {
            UInt16(clampedInt((value + 0.5).rounded(.down), 0, Int(scale.maximum)))
        }
        luma = code(scale.lumaZero + scale.lumaStep * y)
        cb = code(scale.chromaZero + scale.chromaStep * (blue - y) / (2 * (1 - weights.blue)))
        cr = code(scale.chromaZero + scale.chromaStep * (red - y) / (2 * (1 - weights.red)))
        alpha = code(limited(colour.alpha) * scale.maximum)
    }
}
