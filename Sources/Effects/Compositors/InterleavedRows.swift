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
                makeRGB(codes, wide[0], wide[1], target)
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
        for x in 0..<chroma[plane].width { own[x] = own[x] * 0.75 + other[x] * 0.25 }
    }

    private func widen(_ row: [Float], _ wide: inout [Float], _ columns: Int) {
        for x in 0..<width {
            let near = halvesX ? x / 2 : x
            let next = halvesX && x % 2 == 1 ? min(near + 1, columns - 1) : near
            wide[x] = (row[near] + row[next]) * 0.5
        }
    }

    private func makeRGB(_ codes: [Float], _ cb: [Float], _ cr: [Float], _ pixels: UnsafeMutablePointer<Float>) {
        let (ofCr, ofCb) = (2 * (1 - red), 2 * (1 - blue))
        for x in 0..<width {
            let grey = (codes[x] - lumaZero) / lumaSpan
            let r = grey + ofCr * ((cr[x] - chromaZero) / chromaSpan)
            let b = grey + ofCb * ((cb[x] - chromaZero) / chromaSpan)
            pixels[4 * x] = r
            pixels[4 * x + 1] = (grey - red * r - blue * b) / green
            pixels[4 * x + 2] = b
        }
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
            splitRGB(pixels, &codes, &wideCb, &wideCr)
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

    private func splitRGB(_ pixels: [Float], _ codes: inout [Float], _ cb: inout [Float], _ cr: inout [Float]) {
        let (ofCr, ofCb) = (2 * (1 - red), 2 * (1 - blue))
        for x in 0..<width {
            let (r, g, b) = (pixels[4 * x], pixels[4 * x + 1], pixels[4 * x + 2])
            let grey = red * r + green * g + blue * b
            codes[x] = grey * lumaSpan + lumaZero
            cb[x] = (b - grey) / ofCb * chromaSpan + chromaZero
            cr[x] = (r - grey) / ofCr * chromaSpan + chromaZero
        }
    }

    private func narrowRow(_ wide: [Float], _ narrow: inout [Float], at start: Int, _ columns: Int) {
        for column in 0..<columns {
            let x = halvesX ? 2 * column : column
            guard halvesX else {
                narrow[start + column] = wide[x]
                continue
            }
            let (left, right) = (wide[max(x - 1, 0)], wide[min(x + 1, width - 1)])
            narrow[start + column] = (left + right) * 0.25 + wide[x] * 0.5
        }
    }

    private func writeChroma(_ plane: Int, _ rows: [Float], _ columns: Int) {
        var mixed = [Float](repeating: 0, count: columns)
        for y in 0..<chroma[plane].height {
            let first = halvesY ? 2 * y : y
            func start(_ row: Int) -> Int { min(max(row, 0), height - 1) * columns }
            let places = (start(first - 1), start(first), start(first + 1), start(first + 2))
            for x in 0..<columns {
                let inner = rows[places.1 + x] + rows[places.2 + x]
                mixed[x] = halvesY ? (inner * 3 + rows[places.0 + x] + rows[places.3 + x]) / 8 : rows[places.1 + x]
            }
            chroma[plane].write(mixed, to: y)
        }
    }
}
