import Foundation

/// What samples stand for; words are the project file's.
struct ReferenceEncoding: Equatable {
    /// nil: nobody says.
    var primaries: String?
    var transfer = "ITU_R_709_2"
    var matrix = "ITU_R_709_2"
    var isFull = false
    var isRGB = false
    var bits = 8

    static let ordinary = ["ITU_R_709_2", "EBU_3213", "SMPTE_C"]

    static func isHDR(_ transfer: String) -> Bool { transfer == "SMPTE_ST_2084_PQ" || transfer == "ITU_R_2100_HLG" }

    /// Where a plane's values begin and what 1 is, in units of 8-bit codes; 1 of colour difference is from -0.5 to 0.5.
    func levels(_ plane: Int) -> (zero: Double, span: Double) {
        let top = (pow(2, Double(bits)) - 1) / pow(2, Double(bits - 8))
        if isRGB { return (0, top) }
        if plane == 0 { return isFull ? (0, top) : (16, 219) }
        return (128, isFull ? top : 224)
    }

    var weights: (red: Double, blue: Double) {
        switch matrix {
        case "ITU_R_601_4": (0.299, 0.114)
        case "SMPTE_240M_1995": (0.212, 0.087)
        case "ITU_R_2020": (0.2627, 0.0593)
        default: (0.2126, 0.0722)
        }
    }

    /// R'G'B' of a picture's values, in the order of its planes.
    func components(_ v: SIMD3<Double>) -> SIMD3<Double> {
        let (first, second) = (levels(0), levels(1))
        if isRGB { return SIMD3(v[2], v[0], v[1]) / first.span }
        let y = (v[0] - first.zero) / first.span
        let (kr, kb) = weights
        let red = y + 2 * (1 - kr) * (v[2] - second.zero) / second.span
        let blue = y + 2 * (1 - kb) * (v[1] - second.zero) / second.span
        return SIMD3(red, (y - kr * red - kb * blue) / (1 - kr - kb), blue)
    }

    /// The values of a picture in Y'CbCr.
    func values(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
        let (kr, kb) = weights
        let y = kr * rgb[0] + (1 - kr - kb) * rgb[1] + kb * rgb[2]
        let (luma, chroma) = (levels(0), levels(1))
        return SIMD3(
            luma.zero + luma.span * y, chroma.zero + chroma.span * (rgb[2] - y) / (2 * (1 - kb)),
            chroma.zero + chroma.span * (rgb[0] - y) / (2 * (1 - kr)))
    }
}

/// From one encoding to another: BT.1886, BT.2100, BT.2390 and BT.2408 in plain doubles.
struct ReferenceColour {
    private let from, to: ReferenceEncoding
    private let own, others: String
    private let isSameLight: Bool
    private let primaries: Matrix
    /// Of luminance.
    private let ownWeights, otherWeights: SIMD3<Double>
    static let white = 203.0
    static let peak = 1000.0

    /// `to` names its primaries.
    init(from: ReferenceEncoding, to: ReferenceEncoding) {
        (self.from, self.to) = (from, to)
        others = to.primaries ?? "ITU_R_709_2"
        own = from.primaries ?? Self.guess(from, others)
        let hdr = [from, to].map { ReferenceEncoding.isHDR($0.transfer) ? $0.transfer : "SDR" }
        isSameLight = hdr[0] == hdr[1] && own == others
        let (inner, outer) = (Matrix(toXYZ: own), Matrix(toXYZ: others))
        primaries = outer.inverse.times(inner)
        (ownWeights, otherWeights) = (inner.rows[1], outer.rows[1])
    }

    /// Whether each plane is made of its own values alone.
    var isPlanar: Bool { isSameLight && !from.isRGB && from.matrix == to.matrix }

    /// One plane's value where `isPlanar`.
    func value(_ value: Double, plane: Int) -> Double {
        let (inner, outer) = (from.levels(plane), to.levels(plane))
        return (value - inner.zero) / inner.span * outer.span + outer.zero
    }

    /// All planes' values, not rounded.
    func values(_ values: SIMD3<Double>) -> SIMD3<Double> {
        let rgb = from.components(values)
        if isSameLight { return to.values(rgb) }
        guard from.transfer == "IEC_sRGB", own != others else { return to.values(signal(light(rgb))) }
        // Primaries by sRGB's own curve, there and back.
        let linear = primaries.times(each(limited(rgb), Self.screen))
        let codes = each(linear) { min(Self.screenInverse(max(0, $0)), 1.125) }
        return to.values(
            ReferenceEncoding.isHDR(to.transfer) ? signal(each(codes) { pow($0, 2.4) } * Self.white) : codes)
    }

    private func limited(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
        rgb.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: from.transfer == "SMPTE_ST_2084_PQ" ? 1 : 1.125))
    }

    private static func screen(_ code: Double) -> Double {
        code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4)
    }

    private static func screenInverse(_ light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }

    /// An untagged source is as the film where both are of standard or high definition.
    private static func guess(_ from: ReferenceEncoding, _ film: String) -> String {
        let isWide = ReferenceEncoding.isHDR(from.transfer) || (from.matrix == "ITU_R_2020" && !from.isRGB)
        if isWide { return "ITU_R_2020" }
        return ReferenceEncoding.ordinary.contains(film) ? film : "ITU_R_709_2"
    }

    /// cd/m² in the film's primaries; SDR's white is at 203.
    private func light(_ encoded: SIMD3<Double>) -> SIMD3<Double> {
        let rgb = limited(encoded)
        var light: SIMD3<Double>
        switch from.transfer {
        case "SMPTE_ST_2084_PQ": light = each(rgb, Self.pq)
        case "ITU_R_2100_HLG":
            let scene = each(rgb) { $0 <= 0.5 ? $0 * $0 / 3 : (exp(($0 - Self.c) / Self.a) + Self.b) / 12 }
            light = scene * Self.peak * pow((scene * ownWeights).sum(), 0.2)
        default: light = each(rgb) { pow($0, 2.4) } * Self.white
        }
        let mapsTones = ReferenceEncoding.isHDR(from.transfer) && !ReferenceEncoding.isHDR(to.transfer)
        if mapsTones { light *= Self.toneFactor(light.max()) }
        if own != others {
            light = primaries.times(light).clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 1e9))
        }
        return mapsTones ? light.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: Self.white)) : light
    }

    private func signal(_ light: SIMD3<Double>) -> SIMD3<Double> {
        switch to.transfer {
        case "SMPTE_ST_2084_PQ": return each(light, Self.pqInverse)
        case "ITU_R_2100_HLG":
            let y = (light * otherWeights).sum() / Self.peak
            guard y > 0 else { return .zero }
            let scene = light / Self.peak * pow(y, 1 / 1.2 - 1)
            return each(scene) {
                min($0 <= 1.0 / 12 ? (3 * $0).squareRoot() : Self.a * log(12 * $0 - Self.b) + Self.c, 1.125)
            }
        default: return each(light) { min(pow($0 / Self.white, 1 / 2.4), 1.125) }
        }
    }

    private func each(_ v: SIMD3<Double>, _ change: (Double) -> Double) -> SIMD3<Double> {
        SIMD3(change(v[0]), change(v[1]), change(v[2]))
    }

    private static let a = 0.17883277
    private static let b = 1 - 4 * 0.17883277
    private static let c = 0.5 - 0.17883277 * log(4 * 0.17883277)

    private static func pq(_ code: Double) -> Double {
        let p = pow(code, 1 / 78.84375)
        return 10_000 * pow(max(p - 0.8359375, 0) / (18.8515625 - 18.6875 * p), 1 / 0.1593017578125)
    }

    private static func pqInverse(_ light: Double) -> Double {
        let p = pow(min(light, 10_000) / 10_000, 0.1593017578125)
        return pow((0.8359375 + 18.8515625 * p) / (1 + 18.6875 * p), 78.84375)
    }

    /// BT.2390's EETF from 1,000 to 203 cd/m² for the largest component.
    private static func toneFactor(_ largest: Double) -> Double {
        guard largest > 0 else { return 1 }
        let top = pqInverse(peak)
        let most = pqInverse(white) / top
        let knee = 1.5 * most - 0.5
        let value = min(pqInverse(largest) / top, 1)
        guard value > knee else { return 1 }
        let t = (value - knee) / (1 - knee)
        let mapped =
            (2 * t * t * t - 3 * t * t + 1) * knee + (t * t * t - 2 * t * t + t) * (1 - knee)
            + (3 * t * t - 2 * t * t * t) * most
        return pq(mapped * top) / largest
    }
}

/// Three rows of three.
private struct Matrix {
    var rows: [SIMD3<Double>]

    init(rows: [SIMD3<Double>]) { self.rows = rows }

    /// By SMPTE RP 177; white is D65.
    init(toXYZ primaries: String) {
        let xy: [(Double, Double)] =
            switch primaries {
            case "EBU_3213": [(0.64, 0.33), (0.29, 0.60), (0.15, 0.06)]
            case "SMPTE_C": [(0.63, 0.34), (0.31, 0.595), (0.155, 0.07)]
            case "P3_D65": [(0.68, 0.32), (0.265, 0.69), (0.15, 0.06)]
            case "ITU_R_2020": [(0.708, 0.292), (0.17, 0.797), (0.131, 0.046)]
            default: [(0.64, 0.33), (0.30, 0.60), (0.15, 0.06)]
            }
        let plain = Matrix(
            rows: [
                SIMD3(xy[0].0, xy[1].0, xy[2].0), SIMD3(xy[0].1, xy[1].1, xy[2].1),
                SIMD3(1 - xy[0].0 - xy[0].1, 1 - xy[1].0 - xy[1].1, 1 - xy[2].0 - xy[2].1),
            ])
        let scale = plain.inverse.times(SIMD3(0.3127 / 0.329, 1, (1 - 0.3127 - 0.329) / 0.329))
        rows = plain.rows.map { $0 * scale }
    }

    func times(_ v: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3((rows[0] * v).sum(), (rows[1] * v).sum(), (rows[2] * v).sum())
    }

    func times(_ other: Matrix) -> Matrix {
        Matrix(rows: rows.map { row in row[0] * other.rows[0] + row[1] * other.rows[1] + row[2] * other.rows[2] })
    }

    /// By Gauss and Jordan.
    var inverse: Matrix {
        var left = rows
        var right: [SIMD3<Double>] = [SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)]
        for i in 0..<3 {
            let pivot = left[i][i]
            left[i] /= pivot
            right[i] /= pivot
            for j in 0..<3 where j != i {
                let factor = left[j][i]
                left[j] -= left[i] * factor
                right[j] -= right[i] * factor
            }
        }
        return Matrix(rows: right)
    }
}
