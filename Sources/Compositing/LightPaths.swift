import Pictures

/// The code values of one row of places, or light in their stead.
struct CodeRows {
    let luma, cb, cr: UnsafePointer<Float>

    func from(_ place: Int) -> CodeRows { CodeRows(luma: luma + place, cb: cb + place, cr: cr + place) }
}

/// The rows that codes are written to; nil where nobody wants them. They may be the rows that the codes are made of.
struct CodeOutputs {
    var luma, cb, cr: UnsafeMutablePointer<Float>?

    func from(_ place: Int) -> CodeOutputs {
        CodeOutputs(luma: luma.map { $0 + place }, cb: cb.map { $0 + place }, cr: cr.map { $0 + place })
    }
}

/// The paths onto one canvas that were used last, with the rows that they work in. They belong to one compositor.
final class LightPaths {
    private static let capacity = 8
    /// The number of places that go through all steps together: their rows stay in the first-level cache.
    private static let block = 256

    private let canvas: PixelEncoding
    private var paths: [(source: PixelEncoding, path: LightPath)] = []
    private var encoders: [TransferCurve: LightEncoder] = [:]
    private let memory = Scratch()
    private let places = Scratch()

    init(canvas: PixelEncoding) { self.canvas = canvas }

    /// The path from a source; nil where its samples show the same light on the canvas as they are.
    func path(from source: PixelEncoding) -> LightPath? {
        source.hasSameLight(on: canvas) ? nil : lightPath(from: source)
    }

    private func lightPath(from source: PixelEncoding) -> LightPath {
        if let index = paths.lastIndex(where: { $0.source == source }) {
            let found = paths.remove(at: index)
            paths.append(found)
            return found.path
        }
        if paths.count == Self.capacity { paths.removeFirst() }
        let path = LightPath(from: source, to: canvas)
        paths.append((source, path))
        return path
    }

    private func encoder(_ curve: TransferCurve) -> LightEncoder {
        if let encoder = encoders[curve] { return encoder }
        let made = LightEncoder(canvas, curve)
        encoders[curve] = made
        return made
    }

    /// Converts a source's codes to the canvas's.
    func convert(_ path: LightPath, _ codes: CodeRows, into out: CodeOutputs, count: Int) {
        let (rows, encoder) = (workRows(), encoder(path.curve))
        inBlocks(count) { start, size in
            let lit = decode(path, codes.from(start), rows, count: size)
            let change = LightChange(matrix: path.matrix, factor: toneMapped(path, rows, lit, count: size))
            encode(path, encoder, rows, change, into: out.from(start), count: size)
        }
    }

    /// Decodes a source's codes to light in its own primaries and before tone mapping; `out` may be the same rows.
    func decode(_ codes: CodeRows, of source: PixelEncoding, into out: LightRows, count: Int) {
        let (path, rows) = (lightPath(from: source), workRows())
        inBlocks(count) { start, size in
            let lit = decode(path, codes.from(start), rows, count: size)
            changeLight(rows.light, LightChange(factor: lit.factor), count: size)
            copy(rows.light, to: out.from(start), count: size)
        }
    }

    /// Encodes a source's light, which is overwritten, in the canvas's codes.
    func encode(_ light: LightRows, of source: PixelEncoding, into out: CodeOutputs, count: Int) {
        let (path, rows) = (lightPath(from: source), workRows())
        let encoder = encoder(path.curve)
        inBlocks(count) { start, size in
            copy(light.from(start), to: rows.light, count: size)
            let largest = path.toneMapping == nil ? 0 : largestRow(rows.light, into: rows.largest, count: size)
            let factor = toneMapped(path, rows, Lit(largest: largest), count: size)
            let change = LightChange(matrix: path.matrix, factor: factor)
            encode(path, encoder, rows, change, into: out.from(start), count: size)
        }
    }

    private func copy(_ light: LightRows, to out: LightRows, count: Int) {
        out.red.update(from: light.red, count: count)
        out.green.update(from: light.green, count: count)
        out.blue.update(from: light.blue, count: count)
    }

    /// Puts one row in the canvas's codes over another in linear light; `shares` are the upper one's.
    func blend(
        _ codes: CodeRows, over under: CodeRows, shares: UnsafePointer<Float>, into out: CodeOutputs, count: Int
    ) {
        let path = lightPath(from: canvas)
        let (encoder, rows, upper) = (encoder(path.curve), workRows(), workRows(1))
        inBlocks(count) { start, size in
            let below = decode(path, under.from(start), rows, count: size)
            changeLight(rows.light, LightChange(factor: below.factor), count: size)
            let above = decode(path, codes.from(start), upper, count: size)
            changeLight(upper.light, LightChange(factor: above.factor), count: size)
            blendLight(upper.light, over: rows.light, shares: shares + start, count: size)
            encode(path, encoder, rows, LightChange(), into: out.from(start), count: size)
        }
    }

    // MARK: Blocks

    private func inBlocks(_ count: Int, _ body: (Int, Int) -> Void) {
        for start in stride(from: 0, to: count, by: Self.block) { body(start, min(Self.block, count - start)) }
    }

    private struct WorkRows {
        let light: LightRows
        /// The largest component before tone mapping, where there is any.
        let factor, largest: UnsafeMutablePointer<Float>
        let places: PlaceRows
        let words: UnsafeMutablePointer<UInt32>
    }

    /// The rows for a block: two sets, which share their places.
    private func workRows(_ number: Int = 0) -> WorkRows {
        let block = Self.block
        let floats = memory.floats(2 * 5 * block) + number * 5 * block
        let words = places.bytes(4 * block * 4).assumingMemoryBound(to: UInt32.self)
        return WorkRows(
            light: LightRows(red: floats, green: floats + block, blue: floats + 2 * block),
            factor: floats + 3 * block, largest: floats + 4 * block,
            places: PlaceRows(red: words, green: words + block, blue: words + 2 * block), words: words + 3 * block)
    }

    /// The values that light in a block's rows still lacks.
    private struct Lit {
        /// The factors that all components are to be multiplied by; nil where there are none.
        var factor: UnsafeMutablePointer<Float>?
        /// The largest component in the block; known where there is tone mapping.
        var largest: Float = 0
    }

    /// Decodes a block to light in the source's primaries before tone mapping.
    private func decode(_ path: LightPath, _ codes: CodeRows, _ rows: WorkRows, count: Int) -> Lit {
        let (light, isMapped) = (rows.light, path.toneMapping != nil)
        guard let tables = path.values else {
            decodeRow(codes, path.decoding, into: light, count: count)
            return Lit()
        }
        placeCodes(codes, path.decoding, into: rows.places, count: count)
        switch (path.ootf, isMapped) {
        case (nil, false):
            lookUpLight(rows.places, tables, into: light, count: count)
            return Lit()
        case (nil, true):
            return Lit(
                largest: lookUpLight(rows.places, tables, into: light, largest: rows.largest, count: count))
        case (let ootf?, false):
            lookUpLight(rows.places, tables, into: light, path.luminance, luminance: rows.words, count: count)
            lookUpFactors(rows.words, ootf, into: rows.factor, count: count)
            return Lit(factor: rows.factor)
        case (let ootf?, true):
            lookUpLight(rows.places, tables, into: light, path.luminance, luminance: rows.words, count: count)
            let largest = lookUpFactors(
                rows.words, ootf, into: rows.factor, of: light, largest: rows.largest, count: count)
            return Lit(factor: rows.factor, largest: largest)
        }
    }

    /// The factors with those of tone mapping; nil where there are none.
    private func toneMapped(
        _ path: LightPath, _ rows: WorkRows, _ lit: Lit, count: Int
    ) -> UnsafeMutablePointer<Float>? {
        // All lines would say 1 where nothing is to be mapped.
        guard let lines = path.toneMapping, lit.largest > lines.flatUpTo else { return lit.factor }
        placeLines(rows.largest, into: rows.words, count: count)
        guard let factor = lit.factor else {
            lookUpLines(rows.largest, lines, at: rows.words, count: count)
            return rows.largest
        }
        lookUpLines(rows.largest, lines, at: rows.words, into: factor, count: count)
        return factor
    }

    private func encode(
        _ path: LightPath, _ encoder: LightEncoder, _ rows: WorkRows, _ change: LightChange, into out: CodeOutputs,
        count: Int
    ) {
        let (light, places) = (rows.light, rows.places)
        var change = change
        if let shown = path.shown {
            changeLight(light, change, count: count)
            for row in [light.red, light.green, light.blue] {
                placeLines(row, into: rows.words, count: count)
                lookUpLines(row, shown, at: rows.words, count: count)
            }
            change = LightChange()
        }
        if let lines = encoder.inverseOOTF {
            let weights = encoder.luminance
            if change.isNone {
                luminanceRow(light, weights, into: rows.factor, at: rows.words, count: count)
            } else {
                changeLight(light, change, weights, luminance: rows.factor, at: rows.words, count: count)
            }
            lookUpLines(rows.factor, lines, at: rows.words, count: count)
            change = LightChange(factor: rows.factor)
        }
        placeLight(light, change, brightest: path.brightest, into: places, count: count)
        let table = encoder.encoded.values
        if let luma = out.luma { encodeRow(places, table, encoder.luma, into: luma, count: count) }
        if let cb = out.cb, let cr = out.cr {
            encodeRows(places, table, encoder.cb, encoder.cr, into: cb, cr, count: count)
        }
    }
}
