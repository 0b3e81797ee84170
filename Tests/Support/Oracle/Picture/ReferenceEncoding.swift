import Foundation

/// The encoding by which samples stand for colours; words are the project file's.
struct ReferenceEncoding: Equatable {
    /// nil: nobody says.
    var primaries: String?
    var transfer = "ITU_R_709_2"
    var matrix = "ITU_R_709_2"
    var isFull = false
    var isRGB = false
    var bits = 8
    /// The peak of a source in PQ, as tone mapping counts it, in cd/m².
    var peak = 1000.0
    /// The profile of a still, which stands in for primaries and transfer.
    var profile: ReferenceProfile?

    static let ordinary = ["ITU_R_709_2", "EBU_3213", "SMPTE_C"]

    static func isHDR(_ transfer: String) -> Bool { transfer == "SMPTE_ST_2084_PQ" || transfer == "ITU_R_2100_HLG" }

    /// The encoding of colours that a file writes, in a film of this one: in HDR they mean BT.709's SDR.
    var ofWrittenColours: ReferenceEncoding {
        guard Self.isHDR(transfer) else { return self }
        return ReferenceEncoding(primaries: "ITU_R_709_2", bits: bits)
    }

    /// The values of a colour that a file writes.
    func values(ofWritten rgb: [Double]) -> SIMD3<Double> {
        let written = ofWrittenColours
        let values = written.values(SIMD3(rgb[0], rgb[1], rgb[2]))
        return written == self ? values : ReferenceColour(from: written, to: self).values(values)
    }

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
