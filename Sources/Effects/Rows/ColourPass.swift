import Pictures

/// A row of a picture with a colour for each luma sample: codes, as floats. The places from `count` up to a multiple of
/// four are room.
struct ColourRow {
    let luma, cb, cr: UnsafeMutablePointer<Float>
    let count: Int
}

/// A pass over a picture that makes each pixel anew of its own colour.
///
/// Chroma that is subsampled is interpolated to the luma samples: linearly, from where it is sited (horizontally at
/// each second luma sample, vertically between two rows). The result is averaged back: each chroma sample is a quarter,
/// a half and a quarter of the luma samples beside, at and beside its place, and the mean of its two rows. There and
/// back, a picture's chroma is (1, 6, 1)/8 of itself each way; luma is itself.
struct ColourPass {
    private let memory: EffectMemory
    private let width, height: Int
    private let shiftX, shiftY: Int

    init(_ image: PlanarImage, _ memory: EffectMemory) {
        self.memory = memory
        (width, height) = (image.luma.width, image.luma.height)
        (shiftX, shiftY) = (image.encoding.chromaShiftX, image.encoding.chromaShiftY)
    }

    /// `change` is called for each row from the top on; it changes the row's values in place.
    func run(_ input: PlanarImage, _ output: PlanarImage, _ change: (ColourRow) -> Void) {
        run(input, output, addsToChroma: false) { row, _ in change(row) }
        copyAlpha(input, output)
    }

    /// Changes all planes but alpha. `change` takes the row's number too.
    ///
    /// - Parameter addsToChroma: the chroma that `change` leaves is added to the input's, which is as sharp as before.
    func run(
        _ input: PlanarImage, _ output: PlanarImage, addsToChroma: Bool, _ change: (ColourRow, Int) -> Void
    ) {
        let depth = input.encoding.bitDepth
        let luma = (from: SampleRows(input.luma, bitDepth: depth), to: SampleRows(output.luma, bitDepth: depth))
        let cb = (from: SampleRows(input.cb, bitDepth: depth), to: SampleRows(output.cb, bitDepth: depth))
        let cr = (from: SampleRows(input.cr, bitDepth: depth), to: SampleRows(output.cr, bitDepth: depth))
        let room = width + 24
        let lumaRow = memory.floats("colour.luma", room)
        let first = (cb: memory.floats("colour.cb", room) + 4, cr: memory.floats("colour.cr", room) + 4)
        let second = (cb: memory.floats("colour.cb2", room) + 4, cr: memory.floats("colour.cr2", room) + 4)
        let near = (cb: ChromaRows(cb.from, "cb", memory), cr: ChromaRows(cr.from, "cr", memory))
        let perChroma = 1 << shiftY
        for chromaRow in 0..<cb.from.height {
            let lines = min(perChroma, height - chromaRow * perChroma)
            near.cb.move(to: chromaRow)
            near.cr.move(to: chromaRow)
            for line in 0..<lines {
                let y = chromaRow * perChroma + line
                let chroma = line == 0 ? first : second
                luma.from.read(y, into: lumaRow)
                interpolate(near.cb, line, into: chroma.cb)
                interpolate(near.cr, line, into: chroma.cr)
                change(ColourRow(luma: lumaRow, cb: chroma.cb, cr: chroma.cr, count: width), y)
                luma.to.write(lumaRow, to: y)
            }
            for (rows, plane, upper, lower) in [
                (near.cb, cb.to, first.cb, second.cb), (near.cr, cr.to, first.cr, second.cr),
            ] {
                average(upper, lines > 1 ? lower : upper)
                if addsToChroma { addRow(rows.here, to: upper, plane.width) }
                plane.write(upper, to: chromaRow)
            }
        }
    }

    /// Makes a luma row's chroma, `line` being 0 for the upper one of a chroma row.
    private func interpolate(_ rows: ChromaRows, _ line: Int, into out: UnsafeMutablePointer<Float>) {
        guard shiftX > 0 || shiftY > 0 else { return out.update(from: rows.here, count: rows.width) }
        let other = shiftY == 0 ? rows.here : line == 0 ? rows.above : rows.below
        guard shiftX > 0 else { return mixRow(rows.here, other, into: out, rows.width) }
        mixRow(rows.here, other, into: rows.mixed, rows.width + 1)
        spreadRow(rows.mixed, into: out, rows.width)
    }

    /// Makes a chroma row of two rows of `width` values, in place of the first.
    private func average(_ upper: UnsafeMutablePointer<Float>, _ lower: UnsafeMutablePointer<Float>) {
        guard shiftX > 0 else { return shiftY > 0 ? halveRow(upper, lower, width) : () }
        for row in [upper, lower] { (row[-1], row[width]) = (row[0], row[width - 1]) }
        gatherRow(upper, lower, (width + 1) / 2)
    }
}

/// Three neighbouring rows of a chroma plane as floats, each read once; at the plane's ends the last row stands for the
/// next one, as the last sample of a row does.
private final class ChromaRows {
    private let plane: SampleRows
    private let rows: [UnsafeMutablePointer<Float>]
    /// The room for one more row.
    let mixed: UnsafeMutablePointer<Float>
    private var row = 0
    private var readCount = 0

    init(_ plane: SampleRows, _ name: String, _ memory: EffectMemory) {
        self.plane = plane
        rows = (0..<3).map { memory.floats("colour.\(name).\($0)", plane.width + 8) }
        mixed = memory.floats("colour.mixed", plane.width + 8)
    }

    var width: Int { plane.width }
    var above: UnsafePointer<Float> { UnsafePointer(rows[max(row - 1, 0) % 3]) }
    var here: UnsafePointer<Float> { UnsafePointer(rows[row % 3]) }
    var below: UnsafePointer<Float> { UnsafePointer(rows[min(row + 1, plane.height - 1) % 3]) }

    /// Moves to the next row, or to the first one.
    func move(to row: Int) {
        self.row = row
        while readCount < min(row + 2, plane.height) {
            let values = rows[readCount % 3]
            plane.read(readCount, into: values)
            values[plane.width] = values[plane.width - 1]
            readCount += 1
        }
    }
}

/// Gives the output the input's alpha, for an effect that leaves it alone; opaque where the input has none.
func copyAlpha(_ input: PlanarImage, _ output: PlanarImage) {
    guard let target = output.alpha else { return }
    let depth = output.encoding.bitDepth
    if let source = input.alpha {
        SampleRows(target, bitDepth: depth).copy(SampleRows(source, bitDepth: depth))
    } else {
        SampleRows(target, bitDepth: depth).fill(UInt16((1 << depth) - 1))
    }
}

/// Copies all planes as they are.
func copyPicture(_ input: PlanarImage, _ output: PlanarImage) {
    let depth = input.encoding.bitDepth
    for (from, to) in [(input.luma, output.luma), (input.cb, output.cb), (input.cr, output.cr)] {
        SampleRows(to, bitDepth: depth).copy(SampleRows(from, bitDepth: depth))
    }
    copyAlpha(input, output)
}

private func addRow(_ row: UnsafePointer<Float>, to sum: UnsafeMutablePointer<Float>, _ count: Int) {
    var i = 0
    while i < count {
        put(four(sum, i) + four(row, i), sum, i)
        i &+= 4
    }
}

private func halveRow(_ upper: UnsafeMutablePointer<Float>, _ lower: UnsafePointer<Float>, _ count: Int) {
    var i = 0
    while i < count {
        put((four(upper, i) + four(lower, i)) * 0.5, upper, i)
        i &+= 4
    }
}

private func mixRow(
    _ near: UnsafePointer<Float>, _ far: UnsafePointer<Float>, into out: UnsafeMutablePointer<Float>, _ count: Int
) {
    var i = 0
    while i < count {
        put(four(near, i) * 0.75 + four(far, i) * 0.25, out, i)
        i &+= 4
    }
}

/// Makes half as many values in place of the upper row, each of three of both rows.
private func gatherRow(_ upper: UnsafeMutablePointer<Float>, _ lower: UnsafePointer<Float>, _ count: Int) {
    var i = 0
    while i < count {
        let a = four(upper, 2 &* i) + four(lower, 2 &* i)
        let b = four(upper, 2 &* i &+ 4) + four(lower, 2 &* i &+ 4)
        let c = four(upper, 2 &* i &- 1) + four(lower, 2 &* i &- 1)
        let d = four(upper, 2 &* i &+ 3) + four(lower, 2 &* i &+ 3)
        let here = Four(a[0], a[2], b[0], b[2])
        let after = Four(a[1], a[3], b[1], b[3])
        let before = Four(c[0], c[2], d[0], d[2])
        put(((before + after) + here * 2) * 0.125, upper, i)
        i &+= 4
    }
}
