import Pictures

/// From a source's code values through linear light to the canvas's, where transfers or primaries differ.
///
/// Codes → R'G'B' → light (and HLG's OOTF) → tone mapping from HDR to SDR → the canvas's primaries → what a film shows
/// of a screen's light → HLG's inverse OOTF → R'G'B' → codes. Everything is by tables and matrices that are made here once, in doubles; components below
/// black, and what the canvas's primaries cannot show, are brought to the nearest limit.
final class LightPath {
    /// R'G'B' up to here count, so that whites above 100 % keep their place.
    private static let top = 1.125

    struct Pair: Hashable {
        var source, canvas: PixelEncoding
    }

    let decoding: RowDecoding
    let encoding: RowEncoding
    /// nil for linear samples.
    let light: (red: EvenTable, green: EvenTable, blue: EvenTable)?
    /// HLG's OOTF.
    let ootf: LightFactor?
    let toneMapping: LightFactor?
    /// Rows of red, green and blue; nil where primaries are the same.
    let primaries: [Float]?
    /// What a film shows of a screen's light: sRGB's codes are BT.1886's. Only on a canvas in HDR.
    let shown: LightTable?
    let inverseOOTF: LightFactor?
    /// Light beyond this is cut off.
    let brightest: Float
    let encoded: LightTable

    init(_ pair: Pair) {
        let (source, canvas) = (pair.source, pair.canvas)
        let (from, to) = Self.curves(pair)
        let (own, others) = (source.primaries(on: canvas), canvas.colour.primaries)
        let tables = Self.tables(source, from)
        light = tables
        decoding = RowDecoding(
            source, scale: tables?.red.scale ?? 1, top: tables.map { _ in EvenTable.last } ?? Self.top)
        encoding = RowEncoding(canvas)
        let white = TransferCurve.referenceWhite / TransferCurve.hdrPeak
        let gamma = TransferCurve.hlgSystemGamma
        func luminance(_ primaries: ColourPrimaries) -> LightFactor.Argument {
            let weights = primaries.toXYZ.rows[1]
            return .luminance(red: Float(weights[0]), green: Float(weights[1]), blue: Float(weights[2]))
        }
        ootf = from == .hlg ? LightFactor(luminance(own)) { power($0, gamma - 1) / white } : nil
        // HLG's display has a peak of its own.
        let peak = from == .pq ? source.peak.map { Double($0) } ?? TransferCurve.hdrPeak : TransferCurve.hdrPeak
        toneMapping =
            from.isHDR && !to.isHDR ? LightFactor(.largest) { TransferCurve.toneMapped($0, peak: peak) / $0 } : nil
        let matrix = source.profile.map { $0.toXYZ.then(others.toXYZ.inverse) } ?? own.matrix(to: others)
        let isSame = source.profile == nil && own == others
        primaries = isSame ? nil : matrix.rows.flatMap { $0 }.map { Float($0) }
        shown =
            from == .screen && to != .screen
            ? LightTable(bits: 6, isInterpolated: true) { TransferCurve.sdr.light(screenCode($0)) } : nil
        inverseOOTF =
            to == .hlg ? LightFactor(luminance(others)) { power($0 * white, 1 / gamma - 1) * white } : nil
        brightest = Float(from.isHDR && !to.isHDR ? 1 : to == .pq ? 10_000 / 203 : to.light(Self.top))
        encoded = LightTable(bits: 9, isInterpolated: false) { to.encoded($0) }
    }

    /// Between SDR transfers nothing is converted: the canvas's counts as the source's.
    private static func curves(_ pair: Pair) -> (from: TransferCurve, to: TransferCurve) {
        let from = pair.source.profile == nil ? TransferCurve(pair.source.colour.transfer) : .screen
        let to = TransferCurve(pair.canvas.colour.transfer)
        return (from, to == .sdr || to == .screen ? (from == .screen ? .screen : .sdr) : to)
    }

    private static func tables(
        _ source: PixelEncoding, _ curve: TransferCurve
    ) -> (red: EvenTable, green: EvenTable, blue: EvenTable)? {
        if let profile = source.profile {
            func table(_ curve: ToneCurve) -> EvenTable { EvenTable(top: 1) { curve.light($0) } }
            let red = table(profile.red)
            return (
                red, profile.green == profile.red ? red : table(profile.green),
                profile.blue == profile.red ? red : table(profile.blue)
            )
        }
        if curve == .linear { return nil }
        let table = EvenTable(top: curve == .pq ? 1 : Self.top) { curve.light($0) }
        return (table, table, table)
    }
}

/// Code values to places of the table of light: `red = luma·Y + redFromCr·Cr + red` and so on.
struct RowDecoding {
    let luma, redFromCr, greenFromCb, greenFromCr, blueFromCb: Float
    let red, green, blue: Float
    /// The highest place.
    let top: Float

    /// - Parameter scale: what 1 of R'G'B' is.
    init(_ source: PixelEncoding, scale: Double, top: Double) {
        self.top = Float(top)
        let codes = CodeScale(source)
        let weights = source.matrix.weights
        let green = 1 - weights.red - weights.blue
        let ofLuma = scale / codes.lumaStep
        let ofCr = 2 * (1 - weights.red) * scale / codes.chromaStep
        let ofCb = 2 * (1 - weights.blue) * scale / codes.chromaStep
        let (gb, gr) = (-weights.blue / green * ofCb, -weights.red / green * ofCr)
        luma = Float(ofLuma)
        (redFromCr, blueFromCb) = (Float(ofCr), Float(ofCb))
        (greenFromCb, greenFromCr) = (Float(gb), Float(gr))
        let black = -ofLuma * codes.lumaZero
        red = Float(black - ofCr * codes.chromaZero)
        self.green = Float(black - (gb + gr) * codes.chromaZero)
        blue = Float(black - ofCb * codes.chromaZero)
    }
}

/// R'G'B' to code values.
struct RowEncoding {
    /// Of red, green, blue; then the code of black, or of grey.
    let luma, cb, cr: (red: Float, green: Float, blue: Float, zero: Float)

    init(_ canvas: PixelEncoding) {
        let codes = CodeScale(canvas)
        let weights = canvas.matrix.weights
        let green = 1 - weights.red - weights.blue
        let step = codes.lumaStep
        luma = (
            Float(weights.red * step), Float(green * step), Float(weights.blue * step), Float(codes.lumaZero)
        )
        let ofCb = codes.chromaStep / (2 * (1 - weights.blue))
        let ofCr = codes.chromaStep / (2 * (1 - weights.red))
        let grey = Float(codes.chromaZero)
        cb = (Float(-weights.red * ofCb), Float(-green * ofCb), Float((1 - weights.blue) * ofCb), grey)
        cr = (Float((1 - weights.red) * ofCr), Float(-green * ofCr), Float(-weights.blue * ofCr), grey)
    }
}

/// The paths that were used last, with the rows that they work in. One compositor's.
final class LightPaths {
    private static let capacity = 8
    /// Pixels that go through all steps together: their rows stay in the first-level cache.
    static let block = 256

    private var paths: [(pair: LightPath.Pair, path: LightPath)] = []
    private let memory = Scratch()
    private let places = Scratch()

    /// nil where samples show the same light on the canvas as they are.
    func path(from source: PixelEncoding, to canvas: PixelEncoding) -> LightPath? {
        if source.hasSameLight(on: canvas) { return nil }
        let pair = LightPath.Pair(source: source, canvas: canvas)
        if let index = paths.lastIndex(where: { $0.pair == pair }) {
            let found = paths.remove(at: index)
            paths.append(found)
            return found.path
        }
        if paths.count == Self.capacity { paths.removeFirst() }
        let path = LightPath(pair)
        paths.append((pair, path))
        return path
    }

    /// A row's Y' of samples that stand at its places, in place.
    func convertLuma(
        _ path: LightPath, _ luma: UnsafeMutablePointer<Float>, _ cb: UnsafePointer<Float>,
        _ cr: UnsafePointer<Float>, count: Int
    ) {
        for start in stride(from: 0, to: count, by: Self.block) {
            let size = min(Self.block, count - start)
            let rows = rows(path, luma + start, cb + start, cr + start, count: size)
            encodeRow(rows, path.encoded.values, path.encoding.luma, into: luma + start, count: size)
        }
    }

    /// A row's Cb and Cr of samples that stand at its places, in place.
    func convertChroma(
        _ path: LightPath, _ luma: UnsafePointer<Float>, _ cb: UnsafeMutablePointer<Float>,
        _ cr: UnsafeMutablePointer<Float>, count: Int
    ) {
        for start in stride(from: 0, to: count, by: Self.block) {
            let size = min(Self.block, count - start)
            let rows = rows(path, luma + start, cb + start, cr + start, count: size)
            encodeRow(rows, path.encoded.values, path.encoding.cb, into: cb + start, count: size)
            encodeRow(rows, path.encoded.values, path.encoding.cr, into: cr + start, count: size)
        }
    }

    /// The places of a block's components in the table of encoded ones.
    private func rows(
        _ path: LightPath, _ luma: UnsafePointer<Float>, _ cb: UnsafePointer<Float>, _ cr: UnsafePointer<Float>,
        count: Int
    ) -> PlaceRows {
        let floats = memory.floats(4 * Self.block)
        let light = LightRows(
            red: floats, green: floats + Self.block, blue: floats + 2 * Self.block, sum: floats + 3 * Self.block)
        let words = places.bytes(3 * Self.block * 4).assumingMemoryBound(to: UInt32.self)
        let rows = PlaceRows(red: words, green: words + Self.block, blue: words + 2 * Self.block)
        decodeRow(luma, cb, cr, path.decoding, into: light, count: count)
        if let tables = path.light {
            for (values, table) in [(light.red, tables.red), (light.green, tables.green), (light.blue, tables.blue)] {
                roundRow(values, into: words, count: count)
                lookUpRow(words, table.values, into: values, count: count)
            }
        }
        if let ootf = path.ootf { multiplyRows(light, by: ootf, words, count: count) }
        if let toneMapping = path.toneMapping { multiplyRows(light, by: toneMapping, words, count: count) }
        if let primaries = path.primaries {
            primaries.withUnsafeBufferPointer { matrix in
                if let base = matrix.baseAddress { mixLightRows(light, base, count: count) }
            }
        }
        if let shown = path.shown {
            for values in [light.red, light.green, light.blue] { factorRow(values, shown, places: words, count: count) }
        }
        if let inverseOOTF = path.inverseOOTF { multiplyRows(light, by: inverseOOTF, words, count: count) }
        for (values, places) in [(light.red, rows.red), (light.green, rows.green), (light.blue, rows.blue)] {
            placeRow(values, path.encoded, brightest: path.brightest, into: places, count: count)
        }
        return rows
    }

    private func multiplyRows(
        _ light: LightRows, by factor: LightFactor, _ places: UnsafeMutablePointer<UInt32>, count: Int
    ) {
        switch factor.argument {
        case .luminance(let red, let green, let blue):
            luminanceRow(light, red: red, green: green, blue: blue, count: count)
        case .largest: largestRow(light, count: count)
        }
        factorRow(light.sum, factor.table, places: places, count: count)
        for row in [light.red, light.green, light.blue] { multiplyRow(row, by: light.sum, count: count) }
    }
}
