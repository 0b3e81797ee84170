import Foundation
import Pictures

/// BT.1886, BT.2100, BT.2390 and BT.2408 once more, in plain doubles, from the texts alone: no code shared with the
/// module.
enum LightReference {
    static let white = 203.0

    /// The codes on a canvas for the codes of a picture, not rounded.
    static func convert(_ codes: [Double], _ from: PixelEncoding, _ to: PixelEncoding) -> [Double] {
        if from.colour.transfer == .srgb { return convertScreen(codes, from, to) }
        let shown = display(components(codes, from), from.colour)
        var light = shown
        if from.colour.transfer.isHDR && !to.colour.transfer.isHDR {
            light = toneMapped(light, peak: from.colour.transfer == .pq ? Double(from.peak ?? 1000) : 1000)
        }
        let xyz = multiply(toXYZ(from.colour.primaries), light)
        light = multiply(inverse(toXYZ(to.colour.primaries)), xyz).map { max(0, $0) }
        if !to.colour.transfer.isHDR, from.colour.transfer.isHDR { light = light.map { min($0, white) } }
        return self.codes(signal(light, to.colour), to)
    }

    /// The codes on a canvas for the codes of a picture in sRGB. They go by sRGB's own curve, whose codes are those of
    /// a film in SDR.
    private static func convertScreen(_ codes: [Double], _ from: PixelEncoding, _ to: PixelEncoding) -> [Double] {
        let light = components(codes, from).map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
        let mixed = multiply(inverse(toXYZ(to.colour.primaries)), multiply(toXYZ(from.colour.primaries), light))
        let shown = mixed.map { $0 <= 0.0031308 ? 12.92 * max($0, 0) : 1.055 * pow($0, 1 / 2.4) - 0.055 }
        if to.colour.transfer.isGamma { return self.codes(shown.map { min($0, 1.125) }, to) }
        return self.codes(signal(shown.map { pow($0, 2.4) * white }, to.colour), to)
    }

    static func components(_ codes: [Double], _ e: PixelEncoding) -> [Double] {
        let l = levels(e)
        let (kr, kb) = e.matrix.weights
        let y = (codes[0] - l.black) / l.luma
        let red = y + 2 * (1 - kr) * (codes[2] - l.grey) / l.chroma
        let blue = y + 2 * (1 - kb) * (codes[1] - l.grey) / l.chroma
        let green = (y - kr * red - kb * blue) / (1 - kr - kb)
        let top = e.colour.transfer == .pq ? 1 : 1.125
        return [red, green, blue].map { min(max($0, 0), top) }
    }

    static func codes(_ rgb: [Double], _ e: PixelEncoding) -> [Double] {
        let l = levels(e)
        let (kr, kb) = e.matrix.weights
        let y = kr * rgb[0] + (1 - kr - kb) * rgb[1] + kb * rgb[2]
        let top = Double((1 << e.bitDepth) - 1)
        return [
            l.black + l.luma * y, l.grey + l.chroma * (rgb[2] - y) / (2 * (1 - kb)),
            l.grey + l.chroma * (rgb[0] - y) / (2 * (1 - kr)),
        ].map { min(max($0, 0), top) }
    }

    private static func levels(_ e: PixelEncoding) -> (black: Double, luma: Double, grey: Double, chroma: Double) {
        let unit = Double(1 << (e.bitDepth - 8))
        let top = Double((1 << e.bitDepth) - 1)
        return e.isFullRange ? (0, top, 128 * unit, top) : (16 * unit, 219 * unit, 128 * unit, 224 * unit)
    }

    // MARK: Signals and cd/m²

    /// R, G, B in cd/m², white of SDR being at 203.
    static func display(_ rgb: [Double], _ colour: ColourTriple) -> [Double] {
        switch colour.transfer {
        case .pq: return rgb.map(pq)
        case .hlg:
            let scene = rgb.map { $0 <= 0.5 ? $0 * $0 / 3 : (exp(($0 - c) / a) + b) / 12 }
            let weights = toXYZ(colour.primaries)[1]
            let y = zip(weights, scene).reduce(0) { $0 + $1.0 * $1.1 }
            return scene.map { 1000 * pow(y, 0.2) * $0 }
        case .linear: return rgb.map { $0 * white }
        default: return rgb.map { pow($0, 2.4) * white }
        }
    }

    static func signal(_ light: [Double], _ colour: ColourTriple) -> [Double] {
        switch colour.transfer {
        case .pq: return light.map(pqInverse)
        case .hlg:
            let weights = toXYZ(colour.primaries)[1]
            let y = zip(weights, light).reduce(0) { $0 + $1.0 * $1.1 } / 1000
            return light.map {
                let e = y > 0 ? $0 / 1000 * pow(y, (1 - 1.2) / 1.2) : 0
                return min(e <= 1.0 / 12 ? (3 * e).squareRoot() : a * log(12 * e - b) + c, 1.125)
            }
        case .linear: return light.map { $0 / white }
        default: return light.map { min(pow($0 / white, 1 / 2.4), 1.125) }
        }
    }

    private static let a = 0.17883277
    private static let b = 1 - 4 * 0.17883277
    private static let c = 0.5 - 0.17883277 * log(4 * 0.17883277)

    static func pq(_ e: Double) -> Double {
        let p = pow(e, 1 / 78.84375)
        return 10000 * pow(max(p - 0.8359375, 0) / (18.8515625 - 18.6875 * p), 1 / 0.1593017578125)
    }

    static func pqInverse(_ light: Double) -> Double {
        let p = pow(min(light, 10000) / 10000, 0.1593017578125)
        return pow((0.8359375 + 18.8515625 * p) / (1 + 18.6875 * p), 78.84375)
    }

    /// BT.2390's EETF, `peak` to 203 cd/m², on the largest component; the others keep their share of it.
    static func toneMapped(_ rgb: [Double], peak: Double) -> [Double] {
        let largest = max(rgb[0], rgb[1], rgb[2])
        guard largest > 0 else { return rgb }
        let e1 = min(pqInverse(largest) / pqInverse(peak), 1)
        let maxLum = pqInverse(white) / pqInverse(peak)
        let ks = 1.5 * maxLum - 0.5
        guard e1 >= ks else { return rgb }
        let t = (e1 - ks) / (1 - ks)
        let e2 =
            (2 * pow(t, 3) - 3 * pow(t, 2) + 1) * ks + (pow(t, 3) - 2 * pow(t, 2) + t) * (1 - ks)
            + (-2 * pow(t, 3) + 3 * pow(t, 2)) * maxLum
        let mapped = pq(e2 * pqInverse(peak))
        return rgb.map { $0 * mapped / largest }
    }

    // MARK: Primaries

    /// The matrix from linear red, green and blue of these primaries to XYZ, by SMPTE RP 177.
    private static func toXYZ(_ primaries: ColourPrimaries) -> [[Double]] {
        let xy: [[Double]] =
            switch primaries {
            case .bt709: [[0.64, 0.33], [0.30, 0.60], [0.15, 0.06]]
            case .ebu3213: [[0.64, 0.33], [0.29, 0.60], [0.15, 0.06]]
            case .smpteC: [[0.63, 0.34], [0.31, 0.595], [0.155, 0.07]]
            case .p3D65: [[0.68, 0.32], [0.265, 0.69], [0.15, 0.06]]
            case .bt2020: [[0.708, 0.292], [0.17, 0.797], [0.131, 0.046]]
            }
        let p = (0..<3).map { row in xy.map { [$0[0], $0[1], 1 - $0[0] - $0[1]][row] } }
        let w = [0.3127 / 0.329, 1, (1 - 0.3127 - 0.329) / 0.329]
        let s = multiply(inverse(p), w)
        return p.map { row in zip(row, s).map { $0 * $1 } }
    }

    private static func multiply(_ m: [[Double]], _ v: [Double]) -> [Double] {
        m.map { zip($0, v).reduce(0) { $0 + $1.0 * $1.1 } }
    }

    /// The inverse of a matrix of three rows, by Gauss and Jordan.
    private static func inverse(_ m: [[Double]]) -> [[Double]] {
        var rows = m.enumerated().map { index, row in row + (0..<3).map { $0 == index ? 1 : 0 } }
        for i in 0..<3 {
            let pivot = rows[i][i]
            rows[i] = rows[i].map { $0 / pivot }
            for j in 0..<3 where j != i {
                let factor = rows[j][i]
                rows[j] = zip(rows[j], rows[i]).map { $0 - factor * $1 }
            }
        }
        return rows.map { Array($0[3...]) }
    }
}
