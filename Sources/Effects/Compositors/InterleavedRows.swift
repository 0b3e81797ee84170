package import Pictures

/// A planar picture's rows as R'G'B' and alpha, four numbers a pixel, 1 being white and opaque, and back.
///
/// Chroma is interpolated to luma places on the way there: evenly between its two neighbours each way. On the way back
/// each chroma sample is the mean of the pixels around it by a triangle of two pixels to each side: 1 2 1 across, where
/// it lies on a pixel, 1 3 3 1 down, where it lies between two.
package struct InterleavedRows {
    private let image: PlanarImage
    private let luma: SampleRows
    private let chroma: [SampleRows]
    private let alpha: SampleRows?
    /// Code of black, and codes from black to white; of no colour, and from none to all.
    private let lumaZero: Float
    private let lumaSpan: Float
    private let chromaZero: Float
    private let chromaSpan: Float
    private let alphaSpan: Float
    private let red: Float
    private let green: Float
    private let blue: Float

    /// Of limited range and left siting, as film's pictures are.
    package init(_ image: PlanarImage) {
        let depth = image.encoding.bitDepth
        let unit = Float(1 << (depth - 8))
        self.image = image
        luma = SampleRows(image.luma, bitDepth: depth)
        chroma = [image.cb, image.cr].map { SampleRows($0, bitDepth: depth) }
        alpha = image.alpha.map { SampleRows($0, bitDepth: depth) }
        (lumaZero, lumaSpan) = (16 * unit, 219 * unit)
        (chromaZero, chromaSpan) = (128 * unit, 224 * unit)
        alphaSpan = Float((1 << depth) - 1)
        let weights = image.encoding.matrix.weights
        (red, blue) = (Float(weights.red), Float(weights.blue))
        green = Float(1 - weights.red - weights.blue)
    }

    package var width: Int { luma.width }
    package var height: Int { luma.height }
    private var halvesX: Bool { image.encoding.chromaShiftX > 0 }
    private var halvesY: Bool { image.encoding.chromaShiftY > 0 }

    // MARK: - Reading

    /// Calls `row` with each row from the top; the pointer is good within the call.
    package func read(_ row: (_ y: Int, _ pixels: UnsafePointer<Float>) -> Void) {
        let columns = chroma[0].width
        var pixels = [Float](repeating: 1, count: 4 * width)
        var codes = [Float](repeating: 0, count: width + 16)
        var own = [[Float]](repeating: [Float](repeating: 0, count: columns + 16), count: 2)
        var other = own
        var wide = [[Float]](repeating: [Float](repeating: 0, count: width + 16), count: 2)
        for y in 0..<height {
            for plane in 0..<2 {
                readChroma(plane, y, &own[plane], &other[plane])
                widen(own[plane], &wide[plane], columns)
            }
            luma.read(y, into: &codes)
            pixels.withUnsafeMutableBufferPointer { pixels in
                guard let target = pixels.baseAddress else { return }
                makeRGB(codes, wide[0], wide[1], target, width, numbers)
            }
            if let alpha {
                alpha.read(y, into: &codes)
                for x in 0..<width { pixels[4 * x + 3] = codes[x] / alphaSpan }
            }
            row(y, pixels)
        }
    }

    /// The chroma of a luma row: three parts of the nearer row and one of the farther.
    private func readChroma(_ plane: Int, _ y: Int, _ own: inout [Float], _ other: inout [Float]) {
        guard halvesY else { return chroma[plane].read(y, into: &own) }
        let near = y / 2
        let far = min(max(y % 2 == 0 ? near - 1 : near + 1, 0), chroma[plane].height - 1)
        chroma[plane].read(near, into: &own)
        chroma[plane].read(far, into: &other)
        mixQuarter(&own, other, chroma[plane].width)
    }

    private func widen(_ row: [Float], _ wide: inout [Float], _ columns: Int) {
        if halvesX {
            widenHalf(row, &wide, width, columns)
        } else {
            wide = row
        }
    }

    private var numbers: Conversion {
        Conversion(
            red: red, green: green, blue: blue, ofCr: 2 * (1 - red), ofCb: 2 * (1 - blue), lumaZero: lumaZero,
            lumaSpan: lumaSpan, chromaZero: chromaZero, chromaSpan: chromaSpan)
    }

    // MARK: - Writing

    /// Fills the picture with rows that `row` makes, each asked for once, from the top.
    package func write(_ row: (_ y: Int, _ pixels: UnsafeMutablePointer<Float>) -> Void) {
        let columns = chroma[0].width
        var pixels = [Float](repeating: 0, count: 4 * width)
        var codes = [Float](repeating: 0, count: width)
        var (wideCb, wideCr) = (codes, codes)
        var narrow = [[Float]](repeating: [Float](repeating: 0, count: columns * height), count: 2)
        for y in 0..<height {
            row(y, &pixels)
            splitRGB(pixels, &codes, &wideCb, &wideCr, width, numbers)
            luma.write(codes, to: y)
            if let alpha {
                for x in 0..<width { codes[x] = pixels[4 * x + 3] * alphaSpan }
                alpha.write(codes, to: y)
            }
            narrowRow(wideCb, &narrow[0], at: y * columns, columns)
            narrowRow(wideCr, &narrow[1], at: y * columns, columns)
        }
        for plane in 0..<2 { writeChroma(plane, narrow[plane], columns) }
    }

    private func narrowRow(_ wide: [Float], _ narrow: inout [Float], at start: Int, _ columns: Int) {
        narrow.withUnsafeMutableBufferPointer { narrow in
            guard let target = narrow.baseAddress.map({ $0 + start }) else { return }
            if halvesX {
                narrowHalf(wide, target, width, columns)
            } else {
                target.update(from: wide, count: columns)
            }
        }
    }

    private func writeChroma(_ plane: Int, _ rows: [Float], _ columns: Int) {
        var mixed = [Float](repeating: 0, count: columns)
        for y in 0..<chroma[plane].height {
            let first = halvesY ? 2 * y : y
            func start(_ row: Int) -> Int { min(max(row, 0), height - 1) * columns }
            let places = (start(first - 1), start(first), start(first + 1), start(first + 2))
            rows.withUnsafeBufferPointer { rows in
                guard let base = rows.baseAddress else { return }
                if halvesY {
                    mixRows(base + places.0, base + places.1, base + places.2, base + places.3, &mixed, columns)
                } else {
                    mixed.withUnsafeMutableBufferPointer {
                        $0.baseAddress?.update(from: base + places.1, count: columns)
                    }
                }
            }
            chroma[plane].write(mixed, to: y)
        }
    }
}

/// Between codes and R'G'B'.
private struct Conversion {
    let red: Float
    let green: Float
    let blue: Float
    let ofCr: Float
    let ofCb: Float
    let lumaZero: Float
    let lumaSpan: Float
    let chromaZero: Float
    let chromaSpan: Float
}

private func mixQuarter(_ near: UnsafeMutablePointer<Float>, _ far: UnsafePointer<Float>, _ count: Int) {
    for x in 0..<count { near[x] = near[x] * 0.75 + far[x] * 0.25 }
}

private func widenHalf(
    _ row: UnsafePointer<Float>, _ wide: UnsafeMutablePointer<Float>, _ width: Int, _ columns: Int
) {
    for column in 0..<(width / 2) {
        wide[2 * column] = row[column]
        wide[2 * column + 1] = (row[column] + row[min(column + 1, columns - 1)]) * 0.5
    }
    if width % 2 == 1 { wide[width - 1] = row[columns - 1] }
}

private func narrowHalf(
    _ wide: UnsafePointer<Float>, _ narrow: UnsafeMutablePointer<Float>, _ width: Int, _ columns: Int
) {
    for column in 0..<columns {
        let x = 2 * column
        narrow[column] = (wide[max(x - 1, 0)] + wide[min(x + 1, width - 1)]) * 0.25 + wide[x] * 0.5
    }
}

private func mixRows(
    _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, _ third: UnsafePointer<Float>,
    _ fourth: UnsafePointer<Float>, _ mixed: UnsafeMutablePointer<Float>, _ count: Int
) {
    for x in 0..<count { mixed[x] = ((second[x] + third[x]) * 3 + first[x] + fourth[x]) / 8 }
}

private func makeRGB(
    _ codes: UnsafePointer<Float>, _ cb: UnsafePointer<Float>, _ cr: UnsafePointer<Float>,
    _ pixels: UnsafeMutablePointer<Float>, _ width: Int, _ by: Conversion
) {
    let (ofLuma, ofChroma, ofGreen) = (1 / by.lumaSpan, 1 / by.chromaSpan, 1 / by.green)
    for x in 0..<width {
        let grey = (codes[x] - by.lumaZero) * ofLuma
        let r = grey + by.ofCr * ((cr[x] - by.chromaZero) * ofChroma)
        let b = grey + by.ofCb * ((cb[x] - by.chromaZero) * ofChroma)
        pixels[4 * x] = r
        pixels[4 * x + 1] = (grey - by.red * r - by.blue * b) * ofGreen
        pixels[4 * x + 2] = b
    }
}

private func splitRGB(
    _ pixels: UnsafePointer<Float>, _ codes: UnsafeMutablePointer<Float>, _ cb: UnsafeMutablePointer<Float>,
    _ cr: UnsafeMutablePointer<Float>, _ width: Int, _ by: Conversion
) {
    let (ofBlue, ofRed) = (by.chromaSpan / by.ofCb, by.chromaSpan / by.ofCr)
    for x in 0..<width {
        let (r, g, b) = (pixels[4 * x], pixels[4 * x + 1], pixels[4 * x + 2])
        let grey = by.red * r + by.green * g + by.blue * b
        codes[x] = grey * by.lumaSpan + by.lumaZero
        cb[x] = (b - grey) * ofBlue + by.chromaZero
        cr[x] = (r - grey) * ofRed + by.chromaZero
    }
}
