package import Pictures

/// The rows of a planar picture as R'G'B' and alpha, four numbers a pixel, 1 being white and opaque, and back.
///
/// Chroma is interpolated to luma places on the way there: evenly between its two neighbours each way. On the way back
/// each chroma sample is the mean of the pixels around it by a triangle of two pixels to each side: 1 2 1 across, where
/// it lies on a pixel, 1 3 3 1 down, where it lies between two.
package struct InterleavedRows {
    private let image: PlanarImage
    private let luma: SampleRows
    private let chroma: [SampleRows]
    private let alpha: SampleRows?
    /// The codes of black and of no colour, and for each plane the number of codes from none to all.
    private let lumaZero: Float
    private let lumaSpan: Float
    private let chromaZero: Float
    private let chromaSpan: Float
    private let alphaSpan: Float
    private let red: Float
    private let green: Float
    private let blue: Float

    /// The rows of a picture of left siting, as film's pictures are, and of the range that its encoding says.
    package init(_ image: PlanarImage) {
        let depth = image.encoding.bitDepth
        let unit = Float(1 << (depth - 8))
        self.image = image
        luma = SampleRows(image.luma, bitDepth: depth)
        chroma = [image.cb, image.cr].map { SampleRows($0, bitDepth: depth) }
        alpha = image.alpha.map { SampleRows($0, bitDepth: depth) }
        alphaSpan = Float((1 << depth) - 1)
        let isFull = image.encoding.isFullRange
        (lumaZero, lumaSpan) = isFull ? (0, alphaSpan) : (16 * unit, 219 * unit)
        (chromaZero, chromaSpan) = (128 * unit, isFull ? alphaSpan : 224 * unit)
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
        let room = RowRoom(width: width, rows: 9)
        let (codes, cb, cr, cover, mixed) = (room[0], room[1], room[2], room[3], room[4])
        let pixels = room.pixels
        // Three neighbouring rows of each plane of chroma, each read once: row r is in slot r mod 3.
        let kept = RowRoom(width: columns, rows: 6)
        var known = [-1, -1, -1]
        cover.update(repeating: 1, count: width)
        func slot(_ number: Int) -> Int {
            guard known[number % 3] != number else { return number % 3 }
            known[number % 3] = number
            for plane in 0..<2 { chroma[plane].read(number, into: kept[2 * (number % 3) + plane]) }
            return number % 3
        }
        for y in 0..<height {
            let near = halvesY ? y / 2 : y
            let far = halvesY ? min(max(y % 2 == 0 ? near - 1 : near + 1, 0), chroma[0].height - 1) : near
            let (here, there) = (slot(near), slot(far))
            for (plane, out) in [cb, cr].enumerated() {
                var values = kept[2 * here + plane]
                if halvesY {
                    mixQuarter(values, kept[2 * there + plane], into: mixed, columns)
                    values = mixed
                }
                if halvesX {
                    values[columns] = values[columns - 1]
                    spreadRow(values, into: out, columns)
                } else {
                    out.update(from: values, count: width)
                }
            }
            luma.read(y, into: codes)
            if let alpha {
                alpha.read(y, into: cover)
                for x in 0..<width { cover[x] /= alphaSpan }
            }
            makeRGB(codes, cb, cr, cover, pixels, width, numbers)
            row(y, pixels)
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
        let room = RowRoom(width: width, rows: 5)
        let (codes, cover, mixed) = (room[0], room[1], room[2])
        // They have a place before the first and one after the last.
        let wide = [room[3], room[4]]
        let pixels = room.pixels
        // Four rows of each plane of chroma, as narrow as it is: row y is in slot y mod 4.
        let kept = RowRoom(width: columns, rows: 8)
        var written = 0
        for y in 0..<height {
            row(y, pixels)
            splitRGB(pixels, codes, wide[0], wide[1], cover, width, numbers)
            luma.write(codes, to: y)
            if let alpha {
                multiplyRow(cover, by: alphaSpan, width)
                alpha.write(cover, to: y)
            }
            for plane in 0..<2 {
                let narrow = kept[2 * (y & 3) + plane]
                if halvesX {
                    (wide[plane][-1], wide[plane][width]) = (wide[plane][0], wide[plane][width - 1])
                    narrowHalf(wide[plane], narrow, columns)
                } else {
                    narrow.update(from: wide[plane], count: columns)
                }
            }
            // A row of chroma is of two rows of luma and one on both sides of these.
            while written < chroma[0].height, min(halvesY ? 2 * written + 2 : written, height - 1) <= y {
                for plane in 0..<2 { writeChroma(plane, written, kept, mixed, columns) }
                written += 1
            }
        }
    }

    private func writeChroma(
        _ plane: Int, _ y: Int, _ kept: RowRoom, _ mixed: UnsafeMutablePointer<Float>, _ columns: Int
    ) {
        func narrow(_ row: Int) -> UnsafeMutablePointer<Float> {
            kept[2 * (min(max(row, 0), height - 1) & 3) + plane]
        }
        guard halvesY else { return chroma[plane].write(narrow(y), to: y) }
        let first = 2 * y
        mixRows(narrow(first - 1), narrow(first), narrow(first + 1), narrow(first + 2), mixed, columns)
        chroma[plane].write(mixed, to: y)
    }
}

/// Rows of floats with room before and after each, and one of pixels.
private final class RowRoom {
    private let stride: Int
    private let start: UnsafeMutablePointer<Float>
    private let rows: Int

    init(width: Int, rows: Int) {
        stride = (width + 40) & ~7
        self.rows = rows
        start = .allocate(capacity: stride * (rows + 4))
        start.initialize(repeating: 0, count: stride * (rows + 4))
    }

    deinit { start.deallocate() }

    subscript(_ row: Int) -> UnsafeMutablePointer<Float> { start + row * stride + 8 }
    /// The row of pixels, four numbers each.
    var pixels: UnsafeMutablePointer<Float> { start + rows * stride }
}

/// The numbers for the way between codes and R'G'B'.
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

private func mixQuarter(
    _ near: UnsafePointer<Float>, _ far: UnsafePointer<Float>, into out: UnsafeMutablePointer<Float>, _ count: Int
) {
    for x in 0..<count { out[x] = near[x] * 0.75 + far[x] * 0.25 }
}

/// Halves a row of chroma; `wide` has a place before the first one.
private func narrowHalf(_ wide: UnsafePointer<Float>, _ narrow: UnsafeMutablePointer<Float>, _ columns: Int) {
    var i = 0
    while i < columns {
        let (a, b) = (four(wide, 2 &* i), four(wide, 2 &* i &+ 4))
        let (c, d) = (four(wide, 2 &* i &- 1), four(wide, 2 &* i &+ 3))
        let before = Four(c[0], c[2], d[0], d[2])
        let after = Four(a[1], a[3], b[1], b[3])
        put((before + after) * 0.25 + Four(a[0], a[2], b[0], b[2]) * 0.5, narrow, i)
        i &+= 4
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
    _ alpha: UnsafePointer<Float>, _ pixels: UnsafeMutablePointer<Float>, _ width: Int, _ by: Conversion
) {
    let (ofLuma, ofChroma, ofGreen) = (1 / by.lumaSpan, 1 / by.chromaSpan, 1 / by.green)
    var x = 0
    while x < width {
        let grey = (four(codes, x) - by.lumaZero) * ofLuma
        let r = grey + by.ofCr * ((four(cr, x) - by.chromaZero) * ofChroma)
        let b = grey + by.ofCb * ((four(cb, x) - by.chromaZero) * ofChroma)
        let g = (grey - by.red * r - by.blue * b) * ofGreen
        let (first, second, third, fourth) = turned(r, g, b, four(alpha, x))
        put(first, pixels, 4 &* x)
        put(second, pixels, 4 &* x &+ 4)
        put(third, pixels, 4 &* x &+ 8)
        put(fourth, pixels, 4 &* x &+ 12)
        x &+= 4
    }
}

private func splitRGB(
    _ pixels: UnsafePointer<Float>, _ codes: UnsafeMutablePointer<Float>, _ cb: UnsafeMutablePointer<Float>,
    _ cr: UnsafeMutablePointer<Float>, _ alpha: UnsafeMutablePointer<Float>, _ width: Int, _ by: Conversion
) {
    let (ofBlue, ofRed) = (by.chromaSpan / by.ofCb, by.chromaSpan / by.ofCr)
    var x = 0
    while x < width {
        let (r, g, b, a) = turned(
            four(pixels, 4 &* x), four(pixels, 4 &* x &+ 4), four(pixels, 4 &* x &+ 8), four(pixels, 4 &* x &+ 12))
        let grey = by.red * r + by.green * g + by.blue * b
        put(grey * by.lumaSpan + by.lumaZero, codes, x)
        put((b - grey) * ofBlue + by.chromaZero, cb, x)
        put((r - grey) * ofRed + by.chromaZero, cr, x)
        put(a, alpha, x)
        x &+= 4
    }
}

/// Turns values of 0…1 into the nearest codes of 0…255, halves upwards; values out of range are cut off. It works on
/// four at a time: `count` is a multiple of four.
package func storeShares(_ values: UnsafePointer<Float>, _ codes: UnsafeMutablePointer<UInt8>, _ count: Int) {
    var x = 0
    while x < count {
        let held = largest(least(four(values, x) * 255 + 0.5, 255), 0)
        let whole = indexes(floors(held))
        for k in 0..<4 { codes[x &+ k] = UInt8(truncatingIfNeeded: whole[k]) }
        x &+= 4
    }
}
