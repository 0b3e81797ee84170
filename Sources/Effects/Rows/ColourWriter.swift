package import Pictures

/// A writer of rows of R'G'B' into a picture. Chroma is the mean of its block's rows, filtered by 1-2-1 across where it
/// has half of the columns (a triangle about its siting); each pixel has its alpha as weight.
///
/// The picture beneath is changed by differences only: where the difference is 0, its codes stay as they are.
package final class ColourWriter {
    private let rows: (luma: SampleRows, cb: SampleRows, cr: SampleRows, alpha: SampleRows?)
    private let under: (luma: SampleRows, cb: SampleRows, cr: SampleRows, alpha: SampleRows?)
    private let encoding: PixelEncoding
    private let scale: ColourScale
    private let width, height: Int
    /// Whether chroma is made of differences; false where it is made of the colours alone, since a picture beneath with
    /// alpha may show nothing.
    private let addsDifferences: Bool
    private let luma, cb, cr, sumCb, sumCr, sumWeight, sumTouched, chroma: UnsafeMutablePointer<Float>
    private var count = 0

    /// - Parameters:
    ///   - under: the picture beneath, of which rows are read before they are put.
    ///   - keepsAlpha: the result has the alpha of the picture beneath.
    package init(_ output: PlanarImage, under: PlanarImage, keepsAlpha: Bool, _ memory: EffectMemory) {
        func rows(_ image: PlanarImage) -> (SampleRows, SampleRows, SampleRows, SampleRows?) {
            let depth = image.encoding.bitDepth
            return (
                SampleRows(image.luma, bitDepth: depth), SampleRows(image.cb, bitDepth: depth),
                SampleRows(image.cr, bitDepth: depth), image.alpha.map { SampleRows($0, bitDepth: depth) }
            )
        }
        (self.rows, self.under) = (rows(output), rows(under))
        (encoding, scale) = (output.encoding, ColourScale(output.encoding))
        (width, height) = (output.luma.width, output.luma.height)
        addsDifferences = keepsAlpha || under.alpha == nil
        let stride = (width + 32) & ~7
        let all = memory.floats("writer", 8 * stride)
        (luma, cb, cr) = (all, all + stride, all + 2 * stride)
        // The sums have a place before the first and one after the last.
        (sumCb, sumCr, sumWeight) = (all + 3 * stride + 8, all + 4 * stride + 8, all + 5 * stride + 8)
        (sumTouched, chroma) = (all + 6 * stride + 8, all + 7 * stride)
    }

    /// The ranges of luma rows, one for each row of chroma.
    package var blocks: [Range<Int>] {
        let step = 1 << encoding.chromaShiftY
        return stride(from: 0, to: height, by: step).map { $0..<min($0 + step, height) }
    }

    /// Copies the rows of a block from the picture beneath.
    package func copy(_ block: Range<Int>) {
        for y in block {
            rows.luma.copy(y, from: 0, count: width, of: under.luma)
            guard let alpha = rows.alpha else { continue }
            if let below = under.alpha {
                alpha.copy(y, from: 0, count: width, of: below)
            } else {
                alpha.fill(row: y, encoding)
            }
        }
        let row = block.lowerBound >> encoding.chromaShiftY
        rows.cb.copy(row, from: 0, count: rows.cb.width, of: under.cb)
        rows.cr.copy(row, from: 0, count: rows.cr.width, of: under.cr)
    }

    package func begin(_ block: Range<Int>) {
        count = 0
        for sum in [sumCb, sumCr, sumWeight, sumTouched] { sum.update(repeating: 0, count: width) }
    }

    /// Writes one row of the block.
    ///
    /// - Parameters:
    ///   - below: the reader of the picture beneath, at the same row.
    ///   - alpha: the result's alpha, 0…1; nil for an opaque one.
    ///   - touched: numbers above 0 where something was changed; nil for everywhere.
    package func put(
        _ y: Int, _ red: UnsafePointer<Float>, _ green: UnsafePointer<Float>, _ blue: UnsafePointer<Float>,
        alpha: UnsafePointer<Float>?, touched: UnsafePointer<Float>?, below: ColourReader
    ) {
        encodeColours(red, green, blue, scale, luma, cb, cr, width)
        rows.luma.write(luma, to: y)
        if addsDifferences { subtractRows(cb, cr, below.cb, below.cr, width) }
        addRow(cb, alpha, into: sumCb, width)
        addRow(cr, alpha, into: sumCr, width)
        addRow(nil, alpha, into: sumWeight, width)
        addRow(nil, touched, into: sumTouched, width)
        count += 1
        guard let plane = rows.alpha else { return }
        guard let alpha else { return plane.fill(row: y, encoding) }
        let whole = Float((1 << encoding.bitDepth) - 1)
        for x in 0..<width { luma[x] = alpha[x] * whole }
        plane.write(luma, to: y)
    }

    /// Writes the chroma of a block, after its rows.
    package func end(_ block: Range<Int>) {
        let row = block.lowerBound >> encoding.chromaShiftY
        let shift = encoding.chromaShiftX
        for sum in [sumCb, sumCr, sumWeight, sumTouched] {
            sum[-1] = sum[0]
            sum[width] = sum[width - 1]
        }
        for (sum, plane, beneath) in [(sumCb, rows.cb, under.cb), (sumCr, rows.cr, under.cr)] {
            beneath.read(row, into: chroma)
            settleChroma(
                sum, sumWeight, sumTouched, scale, addsDifferences, into: chroma, shift, plane.width)
            plane.write(chroma, to: row)
        }
    }
}

extension SampleRows {
    /// Makes a row of alpha opaque.
    func fill(row y: Int, _ encoding: PixelEncoding) {
        let row = address(0, y)
        if encoding.bitDepth > 8 {
            row.assumingMemoryBound(to: UInt16.self).update(
                repeating: UInt16((1 << encoding.bitDepth) - 1), count: width)
        } else {
            row.assumingMemoryBound(to: UInt8.self).update(repeating: 255, count: width)
        }
    }
}

private func subtractRows(
    _ cb: UnsafeMutablePointer<Float>, _ cr: UnsafeMutablePointer<Float>, _ ofCb: UnsafePointer<Float>,
    _ ofCr: UnsafePointer<Float>, _ count: Int
) {
    var x = 0
    while x < count {
        put(four(cb, x) - four(ofCb, x), cb, x)
        put(four(cr, x) - four(ofCr, x), cr, x)
        x &+= 4
    }
}

/// Adds a row times weights to sums; nil stands for ones.
private func addRow(
    _ row: UnsafePointer<Float>?, _ weights: UnsafePointer<Float>?, into sum: UnsafeMutablePointer<Float>, _ count: Int
) {
    switch (row, weights) {
    case (let row?, let weights?): for x in 0..<count { sum[x] += row[x] * weights[x] }
    case (let row?, nil): for x in 0..<count { sum[x] += row[x] }
    case (nil, let weights?): for x in 0..<count { sum[x] += weights[x] }
    case (nil, nil): for x in 0..<count { sum[x] += 1 }
    }
}

/// Makes chroma codes of sums: `chroma` holds the codes beneath, and then the result's.
private func settleChroma(
    _ sum: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, _ touched: UnsafePointer<Float>,
    _ scale: ColourScale, _ addsDifferences: Bool, into chroma: UnsafeMutablePointer<Float>, _ shift: Int, _ count: Int
) {
    var i = 0
    while i < count {
        let (value, weight) = (gathered(sum, i, shift), gathered(weights, i, shift))
        let changed = gathered(touched, i, shift)
        let old = four(chroma, i)
        let mean = value / weight * scale.chromaStep
        let new = mean + (addsDifferences ? old : Four(repeating: scale.chromaZero))
        put(old.replacing(with: new, where: (changed .> 0) .& (weight .> 1e-6)), chroma, i)
        i &+= 4
    }
}

/// The sums of four places of chroma: of each two of luma's, one and half of both beside it.
@inline(__always)
private func gathered(_ row: UnsafePointer<Float>, _ i: Int, _ shift: Int) -> Four {
    guard shift > 0 else { return four(row, i) }
    let (a, b) = (four(row, 2 &* i), four(row, 2 &* i &+ 4))
    let (c, d) = (four(row, 2 &* i &- 1), four(row, 2 &* i &+ 3))
    let (here, after) = (Four(a[0], a[2], b[0], b[2]), Four(a[1], a[3], b[1], b[3]))
    let before = Four(c[0], c[2], d[0], d[2])
    return here * 2 + (before + after)
}
