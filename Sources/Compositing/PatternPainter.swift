package import Pictures

extension Pattern {
    /// Writes every sample of a picture of 4:4:4, limited range, whose planes are as large as it is. Codes that a film
    /// cannot show are cut off.
    package func paint(_ image: PlanarImage) {
        let encoding = image.encoding
        precondition(encoding.chromaShiftX == 0 && encoding.chromaShiftY == 0, "a pattern is painted in 4:4:4")
        let size = PixelSize(width: image.luma.width, height: image.luma.height)
        var row = [Colour](repeating: .black, count: size.width)
        var codes = [[Double]](repeating: [Double](repeating: 0, count: size.width), count: 4)
        let formula = PatternCodes(encoding)
        for y in 0..<size.height {
            fill(&row, y: y, of: size)
            for x in row.indices { formula.put(row[x], x, &codes) }
            for (plane, values) in zip([image.luma, image.cb, image.cr, image.alpha], codes) {
                guard let plane else { continue }
                store(values, in: plane, y, bitDepth: encoding.bitDepth)
            }
        }
    }

    private func store(_ values: [Double], in plane: Plane, _ y: Int, bitDepth: Int) {
        let line = plane.base + y * plane.stride
        let top = Double((1 << bitDepth) - 1)
        for x in values.indices {
            let code = min(max(values[x], 0), top)
            if bitDepth > 8 {
                line.storeBytes(of: UInt16(code), toByteOffset: 2 * x, as: UInt16.self)
            } else {
                line.storeBytes(of: UInt8(code), toByteOffset: x, as: UInt8.self)
            }
        }
    }
}

/// The conversion from R'G'B'A to codes that only need their fraction cut off.
private struct PatternCodes {
    let red, green, blue: Double
    let black, middle, lumaSpan, cbSpan, crSpan, top: Double

    init(_ encoding: PixelEncoding) {
        (red, blue) = encoding.matrix.weights
        green = 1 - red - blue
        let scale = Double(1 << (encoding.bitDepth - 8))
        (black, middle) = (16 * scale + 0.5, 128 * scale + 0.5)
        (lumaSpan, cbSpan, crSpan) = (219 * scale, 112 * scale / (1 - blue), 112 * scale / (1 - red))
        top = Double((1 << encoding.bitDepth) - 1)
    }

    func put(_ colour: Colour, _ x: Int, _ codes: inout [[Double]]) {
        let y = red * colour.red + green * colour.green + blue * colour.blue
        codes[0][x] = black + lumaSpan * y
        codes[1][x] = middle + cbSpan * (colour.blue - y)
        codes[2][x] = middle + crSpan * (colour.red - y)
        codes[3][x] = colour.alpha * top + 0.5
    }
}
