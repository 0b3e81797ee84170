import ExactMath
import Pictures

/// The path from a source's code values to light on the canvas: codes → R'G'B' → light (and HLG's OOTF) → tone mapping
/// from HDR to SDR → the canvas's primaries → the light that a film shows of a screen's.
///
/// Everything is by tables and matrices that are made here once, in doubles; components below black, and those that the
/// canvas's primaries cannot show, are brought to the nearest limit. The factors of OOTF and tone mapping are found
/// beside the three components, which they multiply once, at the end.
final class LightPath {
    /// The largest R'G'B' that counts, so that whites above 100 % keep their place.
    static let top = 1.125

    let decoding: RowDecoding
    /// The tables of light by component; nil for linear samples.
    let light: (red: EvenTable, green: EvenTable, blue: EvenTable)?
    /// The factors of HLG's OOTF by luminance; nil for other sources.
    let ootf: LightTable?
    /// The weights of luminance in the source's primaries.
    let luminance: (red: Float, green: Float, blue: Float)
    /// The factors of tone mapping by the largest of the source's components; nil where nothing is mapped.
    let toneMapping: LightLines?
    /// The matrix from the source's primaries to the canvas's; nil where they are the same.
    let matrix: LightMatrix?
    /// The light that a film shows of a screen's: sRGB's codes are BT.1886's. Only on a canvas in HDR; nil otherwise.
    let shown: LightLines?
    /// The curve by which the canvas encodes light.
    let curve: TransferCurve
    /// The brightest light; light beyond it is cut off.
    let brightest: Float

    init(from source: PixelEncoding, to canvas: PixelEncoding) {
        let (from, to) = Self.curves(source, canvas)
        curve = to
        let (own, others) = (source.primaries(on: canvas), canvas.colour.primaries)
        let tables = Self.tables(source, from)
        light = tables
        decoding = RowDecoding(source, scale: tables?.red.scale ?? 1)
        let white = TransferCurve.referenceWhite / TransferCurve.hdrPeak
        ootf = from == .hlg ? LightTable { power($0, TransferCurve.hlgSystemGamma - 1) / white } : nil
        luminance = own.luminance
        // HLG's display has a peak of its own.
        let peak = from == .pq ? source.peak.map { Double($0) } ?? TransferCurve.hdrPeak : TransferCurve.hdrPeak
        let isMapped = from.isHDR && !to.isHDR
        toneMapping = isMapped ? LightLines { TransferCurve.toneMapped($0, peak: peak) / $0 } : nil
        let mixed = source.profile.map { $0.toXYZ.then(others.toXYZ.inverse) } ?? own.matrix(to: others)
        matrix = source.profile == nil && own == others ? nil : LightMatrix(mixed)
        shown =
            from == .screen && to != .screen ? LightLines { TransferCurve.sdr.light(screenCode($0)) } : nil
        brightest = isMapped ? 1 : LightEncoder.brightest(to)
    }

    /// The tables' values, good while the path lives; nil for linear samples.
    var values: ValueTables? {
        light.map { ValueTables(red: $0.red.values, green: $0.green.values, blue: $0.blue.values) }
    }

    /// The curves of both sides. Between SDR transfers nothing is converted: the canvas's counts as the source's.
    private static func curves(
        _ source: PixelEncoding, _ canvas: PixelEncoding
    ) -> (from: TransferCurve, to: TransferCurve) {
        let from = source.profile == nil ? TransferCurve(source.colour.transfer) : .screen
        let to = TransferCurve(canvas.colour.transfer)
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

/// The path from light in the canvas's primaries to its code values: HLG's inverse OOTF → R'G'B' → codes.
final class LightEncoder {
    /// The factors of HLG's inverse OOTF by luminance; nil for other canvases.
    let inverseOOTF: LightLines?
    let luminance: (red: Float, green: Float, blue: Float)
    let encoded: LightTable
    let luma, cb, cr: CodeWeights

    init(_ canvas: PixelEncoding, _ to: TransferCurve) {
        let white = TransferCurve.referenceWhite / TransferCurve.hdrPeak
        inverseOOTF =
            to == .hlg ? LightLines { power($0 * white, 1 / TransferCurve.hlgSystemGamma - 1) * white } : nil
        luminance = canvas.colour.primaries.luminance
        encoded = LightTable { to.encoded($0) }
        let codes = CodeScale(canvas)
        let weights = canvas.matrix.weights
        let green = 1 - weights.red - weights.blue
        let step = codes.lumaStep
        luma = CodeWeights(weights.red * step, green * step, weights.blue * step, zero: codes.lumaZero)
        let ofCb = codes.chromaStep / (2 * (1 - weights.blue))
        let ofCr = codes.chromaStep / (2 * (1 - weights.red))
        let grey = codes.chromaZero
        cb = CodeWeights(-weights.red * ofCb, -green * ofCb, (1 - weights.blue) * ofCb, zero: grey)
        cr = CodeWeights((1 - weights.red) * ofCr, -green * ofCr, -weights.blue * ofCr, zero: grey)
    }

    static func brightest(_ curve: TransferCurve) -> Float {
        Float(curve == .pq ? 10_000 / TransferCurve.referenceWhite : curve.light(LightPath.top))
    }
}

/// The weights of R', G' and B' in a code; `zero` is the code of black, or of grey.
struct CodeWeights {
    let red, green, blue, zero: Float

    init(_ red: Double, _ green: Double, _ blue: Double, zero: Double) {
        (self.red, self.green, self.blue, self.zero) = (Float(red), Float(green), Float(blue), Float(zero))
    }
}

extension ColourPrimaries {
    /// The weights of luminance.
    fileprivate var luminance: (red: Float, green: Float, blue: Float) {
        let row = toXYZ.rows[1].map { Float($0) }
        return (row[0], row[1], row[2])
    }
}

/// The factors from code values to places of the table of light: `red = luma·Y + redFromCr·Cr + red` and so on.
struct RowDecoding {
    let luma, redFromCr, greenFromCb, greenFromCr, blueFromCb: Float
    let red, green, blue: Float

    /// - Parameter scale: The places that 1 of R'G'B' takes.
    init(_ source: PixelEncoding, scale: Double) {
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
