package import Pictures

/// The rows of a picture as R'G'B' at the luma's places. Subsampled chroma is interpolated linearly at its siting:
/// left, and between two rows where it has half of them; in a picture with alpha each sample has the weight of its
/// block's alpha.
package final class ColourReader {
    package let image: PlanarImage
    package let scale: ColourScale
    package let width, height: Int
    /// The values of the row that was read last; R'G'B' was made of `cb` and `cr`, which go from -0.5 to 0.5.
    package let red, green, blue, cb, cr: UnsafeMutablePointer<Float>
    /// The alpha of that row, 0…1; nil for an opaque picture.
    package let alpha: UnsafeMutablePointer<Float>?

    private let rows: (luma: SampleRows, cb: SampleRows, cr: SampleRows, alpha: SampleRows?)
    private let luma: UnsafeMutablePointer<Float>
    /// Three neighbouring rows of chroma and of the alpha of their blocks, read once; row r is in slot r mod 3.
    private let slots: [Slot]
    private var kept = [-1, -1, -1]
    private let mixed, mixedShare: UnsafeMutablePointer<Float>
    private let shares: BlockShares
    private let whole: Float

    /// - Parameter name: the name of its memory; readers that are used together have names of their own.
    package init(_ image: PlanarImage, _ memory: EffectMemory, _ name: String) {
        (self.image, scale) = (image, ColourScale(image.encoding))
        (width, height) = (image.luma.width, image.luma.height)
        let depth = image.encoding.bitDepth
        whole = Float((1 << depth) - 1)
        rows = (
            SampleRows(image.luma, bitDepth: depth), SampleRows(image.cb, bitDepth: depth),
            SampleRows(image.cr, bitDepth: depth), image.alpha.map { SampleRows($0, bitDepth: depth) }
        )
        shares = BlockShares(image, image.encoding.chromaShiftX, image.encoding.chromaShiftY, memory)
        let stride = (width + 24) & ~7
        let all = memory.floats("reader." + name, 18 * stride)
        (red, green, blue, cb, cr) = (all, all + stride, all + 2 * stride, all + 3 * stride, all + 4 * stride)
        luma = all + 5 * stride
        (mixed, mixedShare) = (all + 6 * stride, all + 7 * stride)
        alpha = image.alpha == nil ? nil : all + 8 * stride
        slots = (0..<3).map { slot in
            let start = all + (9 + 3 * slot) * stride
            return Slot(cb: start, cr: start + stride, share: start + 2 * stride)
        }
    }

    package func read(_ y: Int) {
        rows.luma.read(y, into: luma)
        readChroma(y)
        decodeColours(luma, cb, cr, scale, red, green, blue, width)
        readAlpha(y)
    }

    package func readAlpha(_ y: Int) {
        guard let alpha, let plane = rows.alpha else { return }
        plane.read(y, into: alpha)
        multiplyRow(alpha, by: 1 / whole, width)
    }

    /// Whether these rows are wholly transparent.
    package func isClear(_ range: Range<Int>) -> Bool {
        guard let alpha, let plane = rows.alpha else { return false }
        return range.allSatisfy { y in
            plane.read(y, into: alpha)
            return isZero(alpha, width)
        }
    }

    private func readChroma(_ y: Int) {
        let (shiftX, shiftY) = (image.encoding.chromaShiftX, image.encoding.chromaShiftY)
        let row = min(y >> shiftY, image.cb.height - 1)
        let other = shiftY == 0 ? row : min(max(y & 1 == 0 ? row - 1 : row + 1, 0), image.cb.height - 1)
        let count = image.cb.width
        let isWeighed = rows.alpha != nil && shiftX + shiftY > 0
        let near = slot(row, isWeighed)
        let far = other == row ? near : slot(other, isWeighed)
        if isWeighed { mixRow(near.share, far.share, into: mixedShare, count) }
        for (here, there, out) in [(near.cb, far.cb, cb), (near.cr, far.cr, cr)] {
            var values = here
            if other != row {
                mixRow(here, there, into: mixed, count)
                values = mixed
            }
            if isWeighed {
                widenWeighed(values, mixedShare, into: out, shiftX, width, count)
            } else if shiftX == 0 {
                out.update(from: values, count: width)
            } else {
                values[count] = values[count - 1]
                spreadRow(values, into: out, count)
            }
        }
    }

    private struct Slot {
        let cb, cr, share: UnsafeMutablePointer<Float>
    }

    private func slot(_ row: Int, _ isWeighed: Bool) -> Slot {
        let slot = slots[row % 3]
        guard kept[row % 3] != row else { return slot }
        kept[row % 3] = row
        if isWeighed { shares.read(row, into: slot.share) }
        for (plane, out) in [(rows.cb, slot.cb), (rows.cr, slot.cr)] {
            readCentred(plane, row, into: out)
            if isWeighed { weighRow(out, slot.share, image.cb.width) }
        }
        return slot
    }

    private func readCentred(_ plane: SampleRows, _ row: Int, into out: UnsafeMutablePointer<Float>) {
        plane.read(row, into: out)
        centreRow(out, scale.chromaZero, 1 / scale.chromaStep, plane.width)
    }
}

private func isZero(_ row: UnsafePointer<Float>, _ count: Int) -> Bool {
    for x in 0..<count where row[x] != 0 { return false }
    return true
}

private func centreRow(_ row: UnsafeMutablePointer<Float>, _ zero: Float, _ factor: Float, _ count: Int) {
    for x in 0..<count { row[x] = (row[x] - zero) * factor }
}

private func weighRow(_ row: UnsafeMutablePointer<Float>, _ shares: UnsafePointer<Float>, _ count: Int) {
    for x in 0..<count { row[x] *= shares[x] }
}

/// Mixes two rows: three quarters of the nearer one.
private func mixRow(
    _ near: UnsafePointer<Float>, _ far: UnsafePointer<Float>, into out: UnsafeMutablePointer<Float>, _ count: Int
) {
    for x in 0..<count { out[x] = near[x] * 0.75 + far[x] * 0.25 }
}

/// Spreads samples that were multiplied by their shares: every second place is a sample's own, the others are between
/// two.
private func widenWeighed(
    _ row: UnsafePointer<Float>, _ shares: UnsafePointer<Float>, into out: UnsafeMutablePointer<Float>, _ shift: Int,
    _ width: Int, _ count: Int
) {
    func quotient(_ value: Float, _ share: Float) -> Float { share > 1e-6 ? value / share : 0 }
    for x in 0..<width {
        let left = x >> shift
        let right = shift > 0 && x & 1 == 1 ? min(left + 1, count - 1) : left
        out[x] = quotient(row[left] + row[right], shares[left] + shares[right])
    }
}
