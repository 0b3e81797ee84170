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
    /// Whether the standard keeps the type back for slices to come.
    package var isReservedSlice: Bool { (10...15).contains(type) || (22...31).contains(type) }

    /// The header of a unit; nil for one of less than two bytes, and where `forbidden_zero_bit` or no `TemporalId` is
    /// set.
    package init?(_ unit: some Collection<UInt8>) {
        let head = Array(unit.prefix(2))
        guard head.count == 2, head[0] & 0x80 == 0, head[1] & 7 != 0 else { return nil }
        type = Int(head[0] >> 1)
        layer = Int(head[0] & 1) << 5 | Int(head[1] >> 3)
        temporalID = Int(head[1] & 7) - 1
    }
}
