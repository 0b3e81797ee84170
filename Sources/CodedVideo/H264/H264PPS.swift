/// A picture parameter set of H.264: what a slice header needs of it.
package struct H264PPS: Hashable, Sendable {
    /// `pic_parameter_set_id`, 0...255.
    package let id: Int
    /// The id of the SPS that it belongs to, 0...31.
    package let spsID: Int
    /// `entropy_coding_mode_flag`: CABAC, whose data begin at a whole byte; else CAVLC.
    package let hasCABAC: Bool
    /// `bottom_field_pic_order_in_frame_present_flag`.
    package let hasBottomOrder: Bool
    package private(set) var groups = SliceGroups()
    /// How many pictures the two lists of references have where a slice does not say: 1...32.
    package let references: [Int]
    package let hasWeights: Bool
    /// `weighted_bipred_idc`: 0 none, 1 in the slice, 2 by distance.
    package let bipredWeights: Int
    /// `deblocking_filter_control_present_flag`.
    package let hasDeblocking: Bool
    package let hasRedundancy: Bool

    /// The groups into which the macroblocks of a picture are sorted.
    package struct SliceGroups: Hashable, Sendable {
        package var count = 1
        /// `slice_group_map_type`.
        package var type = 0
        /// `SliceGroupChangeRate`, for the types 3...5.
        package var changeRate = 1
    }

    /// Reads the set of a NAL unit with its header and emulation prevention.
    package init(unit: some Collection<UInt8>) throws(BitstreamFault) {
        guard H264NAL(unit)?.kind == .pps else { throw .unsupported("a unit that is no PPS") }
        var reader = BitReader(EmulationPrevention.removed(from: unit))
        try reader.skip(8)
        id = try reader.ue("pic_parameter_set_id", upTo: 255)
        spsID = try reader.ue("seq_parameter_set_id", upTo: 31)
        hasCABAC = try reader.flag()
        hasBottomOrder = try reader.flag()
        groups = try Self.groups(&reader)
        references = [
            try reader.ue("num_ref_idx_l0_default_active_minus1", upTo: 31) + 1,
            try reader.ue("num_ref_idx_l1_default_active_minus1", upTo: 31) + 1,
        ]
        hasWeights = try reader.flag()
        bipredWeights = try reader.bits(2)
        try reader.se("pic_init_qp_minus26")
        try reader.se("pic_init_qs_minus26")
        try reader.se("chroma_qp_index_offset")
        hasDeblocking = try reader.flag()
        try reader.skip(1)
        hasRedundancy = try reader.flag()
    }

    private static func groups(_ reader: inout BitReader) throws(BitstreamFault) -> SliceGroups {
        var groups = SliceGroups()
        groups.count = try reader.ue("num_slice_groups_minus1", upTo: 7) + 1
        guard groups.count > 1 else { return groups }
        groups.type = try reader.ue("slice_group_map_type", upTo: 6)
        switch groups.type {
        case 0:
            for _ in 0..<groups.count { _ = try reader.ue("run_length_minus1") }
        case 2:
            for _ in 0..<2 * (groups.count - 1) { _ = try reader.ue("top_left or bottom_right") }
        case 3, 4, 5:
            try reader.skip(1)
            groups.changeRate = try reader.ue("slice_group_change_rate_minus1", upTo: 1 << 24) + 1
        case 6:
            let count = try reader.ue("pic_size_in_map_units_minus1", upTo: 1 << 24) + 1
            try reader.skip(count * bitsNeeded(groups.count))
        default: break
        }
        return groups
    }
}
