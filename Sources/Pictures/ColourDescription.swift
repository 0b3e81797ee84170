/// Colour primaries; raw values are AVFoundation's names.
public enum ColourPrimaries: String, Codable, Sendable, CaseIterable {
    /// The primaries of high definition and of sRGB (BT.709).
    case bt709 = "ITU_R_709_2"
    /// The primaries of European standard definition (EBU Tech. 3213).
    case ebu3213 = "EBU_3213"
    /// The primaries of American standard definition (SMPTE-C).
    case smpteC = "SMPTE_C"
    /// The primaries of Display P3, with the white D65.
    case p3D65 = "P3_D65"
    /// The primaries of ultra-high definition and HDR (BT.2020).
    case bt2020 = "ITU_R_2020"
}

/// Transfer functions; raw values are AVFoundation's names.
public enum ColourTransfer: String, Codable, Sendable, CaseIterable {
    /// The curve of films in SDR (BT.709).
    case bt709 = "ITU_R_709_2"
    /// The curve of early high definition (SMPTE 240M).
    case smpte240M = "SMPTE_240M_1995"
    /// The curve of screens and still pictures (sRGB).
    case srgb = "IEC_sRGB"
    /// The identity: components are light.
    case linear = "Linear"
    /// The curve of HDR by absolute light, up to 10,000 cd/m² (SMPTE ST 2084).
    case pq = "SMPTE_ST_2084_PQ"
    /// The curve of HDR that screens in SDR can show too (BT.2100, hybrid log-gamma).
    case hlg = "ITU_R_2100_HLG"

    /// Whether this is a curve of HDR: `pq` or `hlg`.
    public var isHDR: Bool { self == .pq || self == .hlg }

    /// Whether this is one of the curves of SDR films: nothing is converted between them.
    package var isGamma: Bool { self == .bt709 || self == .smpte240M || self == .srgb }
}

/// Y'CbCr matrices; raw values are AVFoundation's names.
public enum ColourMatrix: String, Codable, Sendable, CaseIterable {
    /// The matrix of high definition (BT.709).
    case bt709 = "ITU_R_709_2"
    /// The matrix of standard definition (BT.601).
    case bt601 = "ITU_R_601_4"
    /// The matrix of early high definition (SMPTE 240M).
    case smpte240M = "SMPTE_240M_1995"
    /// The matrix of ultra-high definition and HDR (BT.2020, non-constant luminance).
    case bt2020 = "ITU_R_2020"

    /// The matrix of a picture of so many lines that does not say its own.
    package static func ofUntagged(lines: Int) -> ColourMatrix { lines >= 720 ? .bt709 : .bt601 }

    /// The luma weights of red and blue.
    package var weights: (red: Double, blue: Double) {
        switch self {
        case .bt709: (0.2126, 0.0722)
        case .bt601: (0.299, 0.114)
        case .smpte240M: (0.212, 0.087)
        case .bt2020: (0.2627, 0.0593)
        }
    }
}

/// The colour triple of a picture, as AVVideoColorPropertiesKey has it.
public struct ColourTriple: Hashable, Codable, Sendable {
    /// The colours of pure red, green and blue.
    public var primaries: ColourPrimaries
    /// The curve between encoded components and light.
    public var transfer: ColourTransfer
    /// The matrix between R'G'B' and Y'CbCr.
    public var matrix: ColourMatrix

    /// Makes a triple of its parts; any three go together.
    public init(primaries: ColourPrimaries, transfer: ColourTransfer, matrix: ColourMatrix) {
        (self.primaries, self.transfer, self.matrix) = (primaries, transfer, matrix)
    }

    /// The triple of high definition in SDR.
    public static let bt709 = ColourTriple(primaries: .bt709, transfer: .bt709, matrix: .bt709)
}
