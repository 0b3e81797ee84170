import Pictures

/// The properties of a picture's plane, for a filter of it.
struct FilteredPlane {
    let width, height: Int
    /// The columns and rows of luma for one of its own, as powers of 2.
    let shiftX, shiftY: Int
    let outside: OutsideOfPicture
    /// The name of its memory: no other plane of the picture has it.
    let name: String
}

/// Fills a row with samples.
typealias RowReader = (_ y: Int, _ row: UnsafeMutablePointer<Float>) -> Void

extension PlanarImage {
    var isTransparentSomewhere: Bool {
        guard let alpha else { return false }
        let isWide = encoding.bitDepth > 8
        let whole = UInt16((1 << encoding.bitDepth) - 1)
        return (0..<alpha.height).contains { y in
            let row = alpha.base + y * alpha.stride
            if isWide { return hasOther(than: whole, row.assumingMemoryBound(to: UInt16.self), alpha.width) }
            return hasOther(than: 255, row.assumingMemoryBound(to: UInt8.self), alpha.width)
        }
    }

    func copyAlpha(_ other: PlanarImage) {
        guard let alpha else { return }
        let rows = SampleRows(alpha, bitDepth: encoding.bitDepth)
        if let theirs = other.alpha {
            rows.copy(SampleRows(theirs, bitDepth: encoding.bitDepth))
        } else {
            rows.fill(UInt16((1 << encoding.bitDepth) - 1))
        }
    }
}

/// Works on a picture's planes with a filter that mixes samples: the colours of a picture with alpha are multiplied by
/// it before, and divided by the filtered alpha after. Edges clamp in opaque pictures; the outside of others is empty.
///
/// - Parameters:
///   - clears: the outside of an opaque picture is empty too.
///   - filter: the filtered rows of a plane. Its memory is used until the plane's last row was read.
func filterPicture(
    _ source: PlanarImage, into output: PlanarImage, _ memory: EffectMemory, clears: Bool = false,
    _ filter: (_ plane: FilteredPlane, _ read: RowReader) -> RowReader
) {
    let encoding = source.encoding
    let depth = encoding.bitDepth
    let row = memory.floats("picture.row", source.luma.width + 16)
    let chroma = (encoding.chromaShiftX, encoding.chromaShiftY)
    guard clears || source.isTransparentSomewhere else {
        for (input, result, name) in [
            (source.luma, output.luma, "luma"), (source.cb, output.cb, "cb"), (source.cr, output.cr, "cr"),
        ] {
            let rows = SampleRows(input, bitDepth: depth)
            let (x, y) = name == "luma" ? (0, 0) : chroma
            let plane = FilteredPlane(
                width: input.width, height: input.height, shiftX: x, shiftY: y, outside: .edge, name: "filter")
            let filtered = filter(plane) { rows.read($0, into: $1) }
            let target = SampleRows(result, bitDepth: depth)
            for y in 0..<input.height {
                filtered(y, row)
                target.write(row, to: y)
            }
        }
        return output.copyAlpha(source)
    }
    let scale = ColourScale(encoding)
    filterWeighed([(source.luma, output.luma, scale.lumaZero)], (0, 0), source, output, memory, filter)
    filterWeighed(
        [(source.cb, output.cb, scale.chromaZero), (source.cr, output.cr, scale.chromaZero)], chroma, source, output,
        memory, filter)
}

private func filterWeighed(
    _ planes: [(input: Plane, output: Plane, zero: Float)], _ shift: (x: Int, y: Int), _ source: PlanarImage,
    _ output: PlanarImage, _ memory: EffectMemory, _ filter: (FilteredPlane, RowReader) -> RowReader
) {
    let depth = source.encoding.bitDepth
    let whole = Float((1 << depth) - 1)
    let shares = BlockShares(source, shift.x, shift.y, memory)
    let (width, height) = (planes[0].input.width, planes[0].input.height)
    func plane(_ name: String) -> FilteredPlane {
        FilteredPlane(
            width: width, height: height, shiftX: shift.x, shiftY: shift.y, outside: .clear, name: "filter." + name)
    }
    let alpha = filter(plane("alpha")) { shares.read($0, into: $1) }
    let length = width + 24
    let room = memory.floats("picture.weighed", (planes.count + 2) * length)
    let (share, result) = (room + planes.count * length, room + (planes.count + 1) * length)
    // The alpha's rows are made once for all planes.
    let colours = planes.enumerated().map { number, one in
        let rows = SampleRows(one.input, bitDepth: depth)
        return (
            filtered: filter(plane("colour\(number)")) { y, out in
                rows.read(y, into: out)
                shares.read(y, into: share)
                multiplyRow(out, one.zero, share, width)
            }, row: room + number * length, target: SampleRows(one.output, bitDepth: depth), zero: one.zero
        )
    }
    // Luma comes with the alpha's own rows.
    let written = planes.count == 1 ? output.alpha.map { SampleRows($0, bitDepth: depth) } : nil
    for y in 0..<height {
        for colour in colours { colour.filtered(y, colour.row) }
        alpha(y, share)
        for colour in colours {
            divideRow(colour.row, share, colour.zero, into: result, width)
            colour.target.write(result, to: y)
        }
        guard let written else { continue }
        multiplyRow(share, by: whole, width)
        written.write(share, to: y)
    }
}

/// The alpha of a plane's samples, 0…1: the mean of the pixels that each belongs to.
struct BlockShares {
    private let alpha: SampleRows?
    private let shiftX, shiftY: Int
    private let factor: Float
    private let count: Int
    private let row: UnsafeMutablePointer<Float>

    init(_ image: PlanarImage, _ shiftX: Int, _ shiftY: Int, _ memory: EffectMemory) {
        alpha = image.alpha.map { SampleRows($0, bitDepth: image.encoding.bitDepth) }
        (self.shiftX, self.shiftY) = (shiftX, shiftY)
        factor = 1 / Float((1 << image.encoding.bitDepth) - 1)
        count = (image.luma.width + (1 << shiftX) - 1) >> shiftX
        row = memory.floats("shares", image.luma.width + 16)
    }

    /// Reads the alpha of a row of samples; ones where the picture has no alpha.
    func read(_ y: Int, into out: UnsafeMutablePointer<Float>) {
        guard let alpha else { return out.update(repeating: 1, count: count) }
        guard shiftX + shiftY > 0 else {
            alpha.read(y, into: out)
            return multiplyRow(out, by: factor, alpha.width)
        }
        out.update(repeating: 0, count: count)
        let first = y << shiftY
        let last = min(first + (1 << shiftY), alpha.height) - 1
        for line in first...max(first, last) {
            alpha.read(min(line, alpha.height - 1), into: row)
            addBlocks(row, into: out, shiftX, alpha.width, count)
        }
        multiplyRow(out, by: factor / Float(max(1, last - first + 1)), count)
    }
}

func multiplyRow(_ row: UnsafeMutablePointer<Float>, by factor: Float, _ count: Int) {
    for x in 0..<count { row[x] *= factor }
}

/// Adds the mean of each block's columns; columns outside of the picture do not count.
func addBlocks(
    _ row: UnsafePointer<Float>, into out: UnsafeMutablePointer<Float>, _ shift: Int, _ width: Int, _ count: Int
) {
    guard shift > 0 else {
        for x in 0..<count { out[x] += row[x] }
        return
    }
    let pairs = width / 2
    for x in 0..<pairs { out[x] += (row[2 * x] + row[2 * x + 1]) * 0.5 }
    if pairs < count { out[pairs] += row[width - 1] }
}

private func multiplyRow(
    _ row: UnsafeMutablePointer<Float>, _ zero: Float, _ shares: UnsafePointer<Float>, _ count: Int
) {
    for x in 0..<count { row[x] = (row[x] - zero) * shares[x] }
}

private func divideRow(
    _ row: UnsafePointer<Float>, _ shares: UnsafePointer<Float>, _ zero: Float,
    into out: UnsafeMutablePointer<Float>, _ count: Int
) {
    for x in 0..<count { out[x] = zero + (shares[x] > 1e-4 ? row[x] / shares[x] : 0) }
}

private func hasOther(than value: UInt8, _ row: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    var all = value
    for x in 0..<count { all &= row[x] }
    return all != value
}

private func hasOther(than value: UInt16, _ row: UnsafePointer<UInt16>, _ count: Int) -> Bool {
    var all = value
    for x in 0..<count { all &= row[x] }
    return all != value
}
