internal import CFFmpeg
internal import Libav
internal import Pictures

/// Converts R'G'B' of whole numbers in any layout to limited-range 4:4:4 Y'CbCr(A) of the same depth, rounded once from
/// exact arithmetic. libswscale is up to 0.9 of an 8-bit step off for deep pictures (it scales by 219/255 at any depth)
/// and moves alpha by a step.
struct RGBConversion {
    private let red: Double
    private let green: Double
    private let blue: Double

    init(matrix: ColourMatrix) {
        (red, blue) = matrix.weights
        green = 1 - red - blue
    }

    /// Whether the format is converted here: palettes are; Bayer mosaics and floats are not.
    static func handles(_ description: AVPixFmtDescriptor) -> Bool {
        let refused = UInt64(AV_PIX_FMT_FLAG_BAYER | AV_PIX_FMT_FLAG_FLOAT | AV_PIX_FMT_FLAG_HWACCEL)
        guard description.flags & refused == 0 else { return false }
        return description.flags & UInt64(AV_PIX_FMT_FLAG_PAL) != 0
            || (description.flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0 && description.nb_components >= 3)
    }

    /// Converts `source` into `target`, planar 4:4:4 of its size. With `spendsSource` the source's memory goes back
    /// while the target's is written, so that a large picture is not held twice; its samples are lost.
    func convert(_ source: borrowing Frame, into target: borrowing Frame, spendsSource: Bool = false) {
        let (planes, lines) = unsafe (target.fields.data, target.fields.linesize)
        guard let layout = PlanarLayout(target.pixelFormat), let rows = ComponentRows(source.pixelFormat),
            let luma = unsafe planes.0, let cb = unsafe planes.1, let cr = unsafe planes.2
        else { return }
        var components = [[UInt16]](repeating: [UInt16](repeating: 0, count: source.width), count: 3)
        let tables = [rows.tops.0, rows.tops.1, rows.tops.2].map { top in (0...top).map { Double($0) / Double(top) } }
        var (ys, us, vs) = (components[0], components[0], components[0])
        var alpha = AlphaCopy(from: source, to: target)
        var spent = SpentRows()
        for y in 0..<source.height {
            for component in 0..<3 { rows.read(component, y, of: source, into: &components[component]) }
            convert(components, tables, bitDepth: layout.bitDepth, &ys, &us, &vs)
            unsafe store(ys, to: luma + y * Int(lines.0), bitDepth: layout.bitDepth)
            unsafe store(us, to: cb + y * Int(lines.1), bitDepth: layout.bitDepth)
            unsafe store(vs, to: cr + y * Int(lines.2), bitDepth: layout.bitDepth)
            alpha?.copyRow(y, from: source, to: target)
            if spendsSource { spent.rows(before: y + 1, of: source) }
        }
    }

    /// Converts one row. `tables` give a component's value in 0…1, and have an entry for each number in the components.
    private func convert(
        _ components: [[UInt16]], _ tables: [[Double]], bitDepth: Int, _ ys: inout [UInt16], _ us: inout [UInt16],
        _ vs: inout [UInt16]
    ) {
        let scale = Double(1 << (bitDepth - 8))
        // 0.5 rounds to nearest, all values being positive.
        let (black, middle) = (16 * scale + 0.5, 128 * scale + 0.5)
        let (lumaSpan, cbSpan, crSpan) = (219 * scale, 112 * scale / (1 - blue), 112 * scale / (1 - red))
        let (reds, greens, blues) = (components[0], components[1], components[2])
        let (redTable, greenTable, blueTable) = (tables[0], tables[1], tables[2])
        for x in reds.indices {
            let (r, g, b) = (redTable[Int(reds[x])], greenTable[Int(greens[x])], blueTable[Int(blues[x])])
            let y = red * r + green * g + blue * b
            ys[x] = UInt16(truncatingIfNeeded: Int32(black + lumaSpan * y))
            us[x] = UInt16(truncatingIfNeeded: Int32(middle + cbSpan * (b - y)))
            vs[x] = UInt16(truncatingIfNeeded: Int32(middle + crSpan * (r - y)))
        }
    }

    private func store(_ row: [UInt16], to base: UnsafeMutablePointer<UInt8>, bitDepth: Int) {
        if bitDepth > 8 {
            unsafe UnsafeMutableRawPointer(base).withMemoryRebound(to: UInt16.self, capacity: row.count) { out in
                for x in row.indices { unsafe out[x] = row[x] }
            }
        } else {
            for x in row.indices { unsafe base[x] = UInt8(truncatingIfNeeded: row[x]) }
        }
    }
}

/// Reads one component of one row of any packed, planar or palette layout, as numbers.
struct ComponentRows {
    private let reader: ComponentReader
    private let description: AVPixFmtDescriptor
    private let isPalette: Bool

    init?(_ format: AVPixelFormat) {
        guard let reader = ComponentReader(format) else { return nil }
        self.reader = reader
        description = reader.description
        isPalette = description.flags & UInt64(AV_PIX_FMT_FLAG_PAL) != 0
    }

    /// The largest value of red, green and blue.
    var tops: (Int, Int, Int) {
        guard !isPalette else { return (255, 255, 255) }
        let components = description.comp
        return ((1 << components.0.depth) - 1, (1 << components.1.depth) - 1, (1 << components.2.depth) - 1)
    }

    var alphaDepth: Int {
        let components = description.comp
        return isPalette ? 8 : Int(description.nb_components == 2 ? components.1.depth : components.3.depth)
    }

    var lumaDepth: Int { Int(description.comp.0.depth) }

    /// The number of the alpha component: the last one, or 3 of a palette.
    var alpha: Int { isPalette ? 3 : Int(description.nb_components) - 1 }

    /// Reads row `y`, at most as wide as the picture, which has this format.
    func read(_ component: Int, _ y: Int, of frame: borrowing Frame, into row: inout [UInt16]) {
        if isPalette { return readPalette(component, y, of: frame, into: &row) }
        reader.read(component, y, of: frame, into: &row)
    }

    /// Reads a row through its palette: 256 native words of alpha, red, green and blue, alpha highest.
    private func readPalette(_ component: Int, _ y: Int, of frame: borrowing Frame, into row: inout [UInt16]) {
        precondition(y < frame.height && row.count <= frame.width, "no such row in the picture")
        guard let indexes = unsafe frame.fields.data.0, let palette = unsafe frame.fields.data.1 else { return }
        let line = unsafe indexes + y * Int(frame.fields.linesize.0)
        let shift = component == 3 ? 24 : 16 - 8 * component
        for x in row.indices {
            let word = unsafe UnsafeRawPointer(palette).loadUnaligned(fromByteOffset: 4 * Int(line[x]), as: UInt32.self)
            row[x] = UInt16(word >> shift & 255)
        }
    }
}
