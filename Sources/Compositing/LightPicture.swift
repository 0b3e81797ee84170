import Pictures

/// A source as light, row by row, for sampling of scaled pictures in linear light.
///
/// Red, green and blue stand at the luma's places, in the source's primaries, times the source's alpha where it has
/// one. All three components of a row are made at once and kept for a while, as each is asked for alone.
final class LightPicture {
    private let light: LightPaths
    private let grid = SamplingGrid()
    private var geometry: GridGeometry?
    private let chroma = [RowSampler(), RowSampler()]
    private let chromaAlpha = RowSampler()
    private let ring = [Scratch(), Scratch(), Scratch()]
    private let tags = Scratch()
    private let codeRows = [Scratch(), Scratch(), Scratch()]
    private let alphaRow = Scratch()
    private let alphaLine = Scratch()
    private var sources: SourceSet?
    private var encoding: PixelEncoding?
    private var columns = 0..<0
    private var ringRows = 1

    /// The bytes of all rows that are kept.
    private static let ringBytes = 16 << 20

    init(light: LightPaths) { self.light = light }

    /// The planes of red, green and blue of a source, good until the next source.
    func planes(_ sources: SourceSet, _ encoding: PixelEncoding) -> [SampledPlane] {
        self.sources = sources
        self.encoding = encoding
        columns = 0..<0
        return (0..<3).map { SampledPlane(plane: sources.luma.plane, light: (self, $0)) }
    }

    func expand(_ component: Int, _ y: Int, from x: Int, count: Int, into out: UnsafeMutablePointer<Float>) {
        if columns != x..<x + count { begin(x..<x + count) }
        let slot = y % ringRows
        let made = tags.int32s(ringRows)
        if made[slot] != Int32(y) {
            made[slot] = Int32(y)
            make(y, slot)
        }
        out.update(from: ring[component].floats(ringRows * count) + slot * count, count: count)
    }

    private func begin(_ columns: Range<Int>) {
        guard let sources, let encoding else { return }
        self.columns = columns
        let height = sources.luma.plane.height
        ringRows = min(height, max(8, Self.ringBytes / (12 * columns.count)))
        let made = tags.int32s(ringRows)
        for slot in 0..<ringRows { made[slot] = -1 }
        let map = PreparedLayer.map(encoding, isChroma: false, through: .identity, to: encoding, isChroma: true)
        let wanted = GridGeometry(
            map: map, columns: columns, rows: 0..<height, width: sources.cb.plane.width,
            height: sources.cb.plane.height, isAligned: true)
        if geometry != wanted { grid.configure(wanted) }
        geometry = wanted
        for (sampler, plane) in zip(chroma, [sources.cb, sources.cr]) {
            sampler.configure(plane, grid: grid, ringBytes: 1 << 20)
        }
        if let alpha = sources.chromaAlpha { chromaAlpha.configure(alpha, grid: grid, ringBytes: 1 << 20) }
    }

    private func make(_ y: Int, _ slot: Int) {
        guard let sources, let encoding else { return }
        let (start, count) = (columns.lowerBound, columns.count)
        let codes = codeRows.map { $0.floats(count) }
        sources.luma.plane.expand(y, from: start, count: count, into: codes[0])
        for (row, sampler) in zip(codes[1...], chroma) {
            sampler.sample(row: y, start: start, end: columns.upperBound, origin: start, into: row)
        }
        if sources.chromaAlpha != nil {
            let alpha = alphaRow.floats(count)
            chromaAlpha.sample(row: y, start: start, end: columns.upperBound, origin: start, into: alpha)
            for row in codes[1...] { unpremultiplyRow(row, alpha: alpha, count: count) }
        }
        let rows = ring.map { $0.floats(ringRows * count) + slot * count }
        light.decode(
            CodeRows(luma: codes[0], cb: codes[1], cr: codes[2]), of: encoding,
            into: LightRows(red: codes[0], green: codes[1], blue: codes[2]), count: count)
        for (row, made) in zip(rows, codes) { row.update(from: made, count: count) }
        guard let plane = sources.alpha else { return }
        let alpha = alphaRow.floats(count)
        plane.expand(y, from: start, count: count, into: alpha, line: alphaLine)
        for row in rows { multiplyRow(row, by: alpha, count: count) }
    }
}
