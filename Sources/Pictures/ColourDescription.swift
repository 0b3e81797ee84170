/// Colour primaries; raw values are AVFoundation's names.
public enum ColourPrimaries: String, Codable, Sendable, CaseIterable {
    case bt709 = "ITU_R_709_2"
    case ebu3213 = "EBU_3213"
    case smpteC = "SMPTE_C"
    case p3D65 = "P3_D65"
    case bt2020 = "ITU_R_2020"
}

/// Transfer functions; raw values are AVFoundation's names.
public enum ColourTransfer: String, Codable, Sendable, CaseIterable {
    case bt709 = "ITU_R_709_2"
    case smpte240M = "SMPTE_240M_1995"
    case srgb = "IEC_sRGB"
    case linear = "Linear"
    case pq = "SMPTE_ST_2084_PQ"
    case hlg = "ITU_R_2100_HLG"

    public var isHDR: Bool { self == .pq || self == .hlg }

    /// Whether this is one of the curves of SDR films: nothing is converted between them.
    public var isGamma: Bool { self == .bt709 || self == .smpte240M || self == .srgb }
}

/// Y'CbCr matrices; raw values are AVFoundation's names.
public enum ColourMatrix: String, Codable, Sendable, CaseIterable {
    case bt709 = "ITU_R_709_2"
    case bt601 = "ITU_R_601_4"
    case smpte240M = "SMPTE_240M_1995"
    case bt2020 = "ITU_R_2020"

    /// The matrix of a picture of so many lines that does not say its own.
    public static func ofUntagged(lines: Int) -> ColourMatrix { lines >= 720 ? .bt709 : .bt601 }

    /// The luma weights of red and blue.
    public var weights: (red: Double, blue: Double) {
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
    public var primaries: ColourPrimaries
    public var transfer: ColourTransfer
    public var matrix: ColourMatrix

    public init(primaries: ColourPrimaries, transfer: ColourTransfer, matrix: ColourMatrix) {
        (self.primaries, self.transfer, self.matrix) = (primaries, transfer, matrix)
    }

    public static let bt709 = ColourTriple(primaries: .bt709, transfer: .bt709, matrix: .bt709)
}
