/// What stands in for a file's own tags; nil where these count.
package struct ColourOverrides: Hashable, Codable, Sendable {
    package var primaries: ColourPrimaries?
    package var transfer: ColourTransfer?
    package var matrix: ColourMatrix?
    package var isFullRange: Bool?

    package init(
        primaries: ColourPrimaries? = nil, transfer: ColourTransfer? = nil, matrix: ColourMatrix? = nil,
        isFullRange: Bool? = nil
    ) {
        (self.primaries, self.transfer, self.matrix) = (primaries, transfer, matrix)
        self.isFullRange = isFullRange
    }

    /// What a file that is tagged so (nil: not at all) counts as; nil where neither says anything.
    package func colour(over tags: ColourTriple?) -> ColourTriple? {
        ColourTriple(
            primaries: primaries ?? tags?.primaries, transfer: transfer ?? tags?.transfer,
            matrix: matrix ?? tags?.matrix)
    }
}

extension ColourTriple {
    /// Missing parts follow from those that are there; nil where there are none. BT.601's matrix alone goes with
    /// SMPTE-C's primaries, or with EBU's.
    package init?(
        primaries: ColourPrimaries?, transfer: ColourTransfer?, matrix: ColourMatrix?, isEBU: Bool = false
    ) {
        if primaries == nil && transfer == nil && matrix == nil { return nil }
        let isHDR = transfer?.isHDR ?? false
        let impliedMatrix: ColourMatrix =
            switch primaries {
            case .bt2020: .bt2020
            case .ebu3213, .smpteC: .bt601
            case .bt709, .p3D65: .bt709
            case nil: isHDR ? .bt2020 : .bt709
            }
        let impliedPrimaries: ColourPrimaries =
            switch matrix ?? impliedMatrix {
            case .bt709: isHDR ? .bt2020 : .bt709
            case .bt601: isEBU ? .ebu3213 : .smpteC
            case .smpte240M: .smpteC
            case .bt2020: .bt2020
            }
        self.init(
            primaries: primaries ?? impliedPrimaries, transfer: transfer ?? .bt709, matrix: matrix ?? impliedMatrix)
    }
}
