import Pictures

/// The meaning of codes of a picture's samples: R'G'B' of 0…1 as affine functions of Y', Cb and Cr codes, and back.
struct ColourCodes {
    /// The function of one component: factors of Y', Cb and Cr, and an offset.
    typealias Row = (luma: Double, cb: Double, cr: Double, offset: Double)

    let lumaOffset, lumaRange, chromaOffset, chromaRange: Double
    let red, green, blue: Double

    init(_ encoding: PixelEncoding) {
        let unit = Double(1 << (encoding.bitDepth - 8))
        let most = Double((1 << encoding.bitDepth) - 1)
        let isFull = encoding.isFullRange
        (lumaOffset, lumaRange) = isFull ? (0, most) : (16 * unit, 219 * unit)
        (chromaOffset, chromaRange) = (128 * unit, isFull ? most : 224 * unit)
        (red, blue) = encoding.matrix.weights
        green = 1 - red - blue
    }

    /// The functions that give R', G' and B' of codes.
    var decoding: [Row] {
        let (y, c) = (1 / lumaRange, 1 / chromaRange)
        let (fromCr, fromCb) = (2 * (1 - red) * c, 2 * (1 - blue) * c)
        func row(_ cb: Double, _ cr: Double) -> Row { (y, cb, cr, -lumaOffset * y - chromaOffset * (cb + cr)) }
        return [row(0, fromCr), row(-blue / green * fromCb, -red / green * fromCr), row(fromCb, 0)]
    }

    /// The Y', Cb and Cr codes, not rounded, of a colour of any values.
    func encoded(_ rgb: [Double]) -> SIMD4<Float> {
        let y = red * rgb[0] + green * rgb[1] + blue * rgb[2]
        let cb = (rgb[2] - y) / (2 * (1 - blue))
        let cr = (rgb[0] - y) / (2 * (1 - red))
        return SIMD4(
            Float(y * lumaRange + lumaOffset), Float(cb * chromaRange + chromaOffset),
            Float(cr * chromaRange + chromaOffset), 0)
    }
}
