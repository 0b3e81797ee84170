/// The colour tags that stand in for a file's own; nil where the file's count.
package struct ColourOverrides: Hashable, Codable, Sendable {
    package var primaries: ColourPrimaries?
    package var transfer: ColourTransfer?
    package var matrix: ColourMatrix?
    package var isFullRange: Bool?
    /// Whether R'G'B' was multiplied by alpha.
    package var isPremultiplied: Bool?

    package init(
        primaries: ColourPrimaries? = nil, transfer: ColourTransfer? = nil, matrix: ColourMatrix? = nil,
        isFullRange: Bool? = nil, isPremultiplied: Bool? = nil
    ) {
        (self.primaries, self.transfer, self.matrix) = (primaries, transfer, matrix)
        (self.isFullRange, self.isPremultiplied) = (isFullRange, isPremultiplied)
    }

    /// The colour of a file with these tags, nil for a file without tags; nil where neither the tags nor the overrides
    /// say anything.
    ///
    /// - Parameter guessesPrimaries: whether the file itself does not name its primaries, so that they follow from what
    ///   is known now.
    package func colour(over tags: ColourTriple?, guessesPrimaries: Bool = false) -> ColourTriple? {
        ColourTriple(
            primaries: primaries ?? (guessesPrimaries ? nil : tags?.primaries), transfer: transfer ?? tags?.transfer,
            matrix: matrix ?? tags?.matrix)
    }
}

extension ColourTriple {
    /// Whether only BT.2020's matrix goes with these primaries and this transfer: for a file that does not name its
    /// own.
    package static func needsBT2020(_ primaries: ColourPrimaries?, _ transfer: ColourTransfer?) -> Bool {
        primaries == .bt2020 || transfer?.isHDR == true
    }

    /// Makes a triple whose missing parts follow from those that are there; nil where there are none. BT.601's matrix
    /// alone goes with SMPTE-C's primaries, or with EBU's where `isEBU`.
    package init?(
        primaries: ColourPrimaries?, transfer: ColourTransfer?, matrix: ColourMatrix?, isEBU: Bool = false
    ) {
        if primaries == nil && transfer == nil && matrix == nil { return nil }
        let isHDR = transfer?.isHDR ?? false
        let impliedMatrix: ColourMatrix =
            Self.needsBT2020(primaries, transfer)
            ? .bt2020 : [.ebu3213, .smpteC].contains(primaries) ? .bt601 : .bt709
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
