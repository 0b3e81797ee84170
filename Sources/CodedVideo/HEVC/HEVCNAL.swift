/// The header of an HEVC NAL unit.
package struct HEVCNAL: Hashable, Sendable {
    /// Kinds of units that this module acts on beyond slices, by `nal_unit_type`.
    package enum Kind: Int, Sendable {
        case vps = 32
        case sps
        case pps
        case delimiter
        case endOfSequence
        case endOfStream
        case filler
        case prefixSEI
        case suffixSEI
    }

    /// The part that a picture plays for those around it.
    package enum PictureKind: Hashable, Sendable {
        /// Neither a place to begin nor tied to one.
        case trailing
        /// A picture of a sub-layer that may be switched to.
        case temporalSwitch
        /// A leading picture that can be decoded where decoding begins at its IRAP picture: RADL.
        case decodableLeading
        /// A leading picture that cannot: RASL. It refers to what stands before its IRAP picture.
        case skippedLeading
        /// Decoding may begin here; leading pictures are lost: BLA, behind which the standard says so.
        case brokenLink
        /// Nothing behind it in the order of decoding refers to what is before it.
        case idr
        /// Decoding may begin here, without the skipped leading pictures behind it: CRA.
        case cleanRandomAccess
        /// A type that the standard keeps back.
        case reserved
    }

    /// `nal_unit_type`, 0...63; 0...31 are slices.
    package let type: Int
    /// `nuh_layer_id`: 0 for the picture itself; others hold further views and layers.
    package let layer: Int
    /// `TemporalId`, 0...6.
    package let temporalID: Int

    package var kind: Kind? { Kind(rawValue: type) }
    package var isSlice: Bool { type < 32 }
    /// Whether a slice belongs to an intra random access point: BLA, IDR, CRA. Types 22 and 23 are kept back as such.
    package var isIRAP: Bool { (16...23).contains(type) }
    package var isIDR: Bool { type == 19 || type == 20 }
    /// Whether no picture of the same sub-layer refers to it.
    package var isSubLayerNonReference: Bool { type < 16 && type & 1 == 0 }

    package var pictureKind: PictureKind? {
        switch type {
        case 0, 1: .trailing
        case 2...5: .temporalSwitch
        case 6, 7: .decodableLeading
        case 8, 9: .skippedLeading
        case 16...18: .brokenLink
        case 19, 20: .idr
        case 21: .cleanRandomAccess
        case 10...15, 22...31: .reserved
        default: nil
        }
    }

    /// The header of a unit; nil for one of less than two bytes, and where `forbidden_zero_bit` or no `TemporalId` is
    /// set.
    package init?(_ unit: some Collection<UInt8>) {
        let head = Array(unit.prefix(2))
        guard head.count == 2, head[0] & 0x80 == 0, head[1] & 7 != 0 else { return nil }
        type = Int(head[0] >> 1)
        layer = Int(head[0] & 1) << 5 | Int(head[1] >> 3)
        temporalID = Int(head[1] & 7) - 1
    }

    /// The slice of a CRA picture as one of a BLA picture, so that a decoder lets its skipped leading pictures go and
    /// counts its order anew wherever it stands. The slice's header has the same form. Other units come back as they
    /// are.
    package static func brokenLink(_ unit: ArraySlice<UInt8>) -> [UInt8] {
        var bytes = Array(unit)
        if HEVCNAL(unit)?.type == 21 { bytes[0] = bytes[0] & 1 | 16 << 1 }
        return bytes
    }
}
