package import CFFmpeg
package import Pictures

/// libav's three colour tags, and their meaning as our `ColourTriple`.
package struct ColourTags {
    package var primaries: AVColorPrimaries
    package var transfer: AVColorTransferCharacteristic
    package var matrix: AVColorSpace

    package init(primaries: AVColorPrimaries, transfer: AVColorTransferCharacteristic, matrix: AVColorSpace) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
    }

    package init(_ colour: ColourTriple) {
        primaries = Self.tag(colour.primaries)
        transfer = Self.tag(colour.transfer)
        matrix = Self.tag(colour.matrix)
    }

    static func tag(_ primaries: ColourPrimaries) -> AVColorPrimaries {
        switch primaries {
        case .bt709: AVCOL_PRI_BT709
        case .ebu3213: AVCOL_PRI_BT470BG
        case .smpteC: AVCOL_PRI_SMPTE170M
        case .p3D65: AVCOL_PRI_SMPTE432
        case .bt2020: AVCOL_PRI_BT2020
        }
    }

    static func tag(_ transfer: ColourTransfer) -> AVColorTransferCharacteristic {
        switch transfer {
        case .bt709: AVCOL_TRC_BT709
        case .smpte240M: AVCOL_TRC_SMPTE240M
        case .srgb: AVCOL_TRC_IEC61966_2_1
        case .linear: AVCOL_TRC_LINEAR
        case .pq: AVCOL_TRC_SMPTE2084
        case .hlg: AVCOL_TRC_ARIB_STD_B67
        }
    }

    static func tag(_ matrix: ColourMatrix) -> AVColorSpace {
        switch matrix {
        case .bt709: AVCOL_SPC_BT709
        case .bt601: AVCOL_SPC_SMPTE170M
        case .smpte240M: AVCOL_SPC_SMPTE240M
        case .bt2020: AVCOL_SPC_BT2020_NCL
        }
    }

    /// The tagged colours, the missing parts filled from those that are there; nil where nothing is tagged.
    package var triple: ColourTriple? {
        ColourTriple(
            primaries: knownPrimaries, transfer: knownTransfer, matrix: knownMatrix,
            isEBU: matrix == AVCOL_SPC_BT470BG)
    }

    package var namesPrimaries: Bool { knownPrimaries != nil }
    var needsBT2020: Bool { ColourTriple.needsBT2020(knownPrimaries, knownTransfer) }

    private var knownPrimaries: ColourPrimaries? {
        switch primaries {
        case AVCOL_PRI_BT709: .bt709
        case AVCOL_PRI_BT470BG, AVCOL_PRI_EBU3213: .ebu3213
        case AVCOL_PRI_SMPTE170M, AVCOL_PRI_SMPTE240M: .smpteC
        case AVCOL_PRI_SMPTE432, AVCOL_PRI_SMPTE431: .p3D65
        case AVCOL_PRI_BT2020: .bt2020
        default: nil
        }
    }

    private var knownTransfer: ColourTransfer? {
        switch transfer {
        case AVCOL_TRC_BT709, AVCOL_TRC_SMPTE170M, AVCOL_TRC_BT2020_10, AVCOL_TRC_BT2020_12,
            AVCOL_TRC_IEC61966_2_4, AVCOL_TRC_BT1361_ECG, AVCOL_TRC_GAMMA22, AVCOL_TRC_GAMMA28:
            .bt709
        case AVCOL_TRC_SMPTE240M: .smpte240M
        case AVCOL_TRC_IEC61966_2_1: .srgb
        case AVCOL_TRC_LINEAR: .linear
        case AVCOL_TRC_SMPTE2084: .pq
        case AVCOL_TRC_ARIB_STD_B67: .hlg
        default: nil
        }
    }

    /// The matrix that is tagged; nil for RGB, for no tag, and for matrices that nothing else here knows.
    var knownMatrix: ColourMatrix? {
        switch matrix {
        case AVCOL_SPC_BT709: .bt709
        case AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M, AVCOL_SPC_FCC: .bt601
        case AVCOL_SPC_SMPTE240M: .smpte240M
        case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: .bt2020
        default: nil
        }
    }
}
