/// The header of an H.264 NAL unit.
package struct H264NAL: Hashable, Sendable {
    /// Kinds of NAL units that this module acts on, by `nal_unit_type`.
    package enum Kind: Int, Sendable {
        case slice = 1
        case partitionA, partitionB, partitionC
        case idrSlice
        case sei
        case sps
        case pps
        case delimiter
        case endOfSequence
        case endOfStream
        case filler
        case spsExtension
        case prefix
        case subsetSPS
        case depthParameters
        case auxiliarySlice = 19
        case extensionSlice
        case depthSlice
    }

    /// `nal_unit_type`, 0...31.
    package let type: Int
    /// `nal_ref_idc`: 0 where no other picture refers to this one.
    package let referenceIDC: Int

    /// The unit's kind; nil for reserved and unspecified types, which pass as they are.
    package var kind: Kind? { Kind(rawValue: type) }

    /// The header of a unit; nil for an empty one and where `forbidden_zero_bit` is set.
    package init?(_ unit: some Collection<UInt8>) {
        guard let first = unit.first, first & 0x80 == 0 else { return nil }
        type = Int(first & 31)
        referenceIDC = Int(first >> 5)
    }

    /// Whether a slice of the primary picture follows the header.
    package var isSlice: Bool { kind == .slice || kind == .idrSlice }

    /// Whether the unit belongs to a picture in a way that this module does not know: partitions of a slice, an alpha
    /// channel, further layers and views.
    var isForeign: Bool {
        switch kind {
        case .partitionA, .partitionB, .partitionC, .subsetSPS, .depthParameters, .auxiliarySlice, .extensionSlice,
            .depthSlice:
            true
        default: false
        }
    }
}
