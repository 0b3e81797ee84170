/// A picture parameter set of HEVC: what a slice segment's header needs of it.
package struct HEVCPPS: Hashable, Sendable {
    /// `pps_pic_parameter_set_id`, 0...63.
    package let id: Int
    /// The id of the SPS that it belongs to, 0...15.
    package let spsID: Int
    package let hasDependentSlices: Bool
    package let hasOutputFlag: Bool
    package let extraBits: Int
    package let hasCABACInit: Bool
    /// How many pictures the two lists of references have where a slice does not say: 1...15.
    package let references: [Int]
    package private(set) var hasSliceChromaOffsets = false
    package private(set) var hasWeights = false
    package private(set) var hasBipredWeights = false
    /// Whether slices have entry points: tiles, or rows that are decoded at once.
    package private(set) var hasEntryPoints = false
    package private(set) var filtersAcrossSlices = false
    package private(set) var mayOverrideDeblocking = false
    package private(set) var isDeblockingOff = false
    package private(set) var mayModifyLists = false
    package private(set) var hasHeaderExtension = false
    package private(set) var hasChromaOffsetLists = false
    /// `pps_curr_pic_ref_enabled_flag` of screen content: a picture refers to itself.
    package private(set) var refersToItself = false
    package private(set) var hasActOffsets = false

    /// Reads the set of a NAL unit with its header and emulation prevention. Sets of other layers are `.unsupported`.
    package init(unit: some Collection<UInt8>) throws(BitstreamFault) {
        guard let nal = HEVCNAL(unit), nal.kind == .pps else { throw .unsupported("a unit that is no PPS") }
        guard nal.layer == 0 else { throw .unsupported("nuh_layer_id \(nal.layer)") }
        var reader = BitReader(EmulationPrevention.removed(from: unit))
        try reader.skip(16)
        id = try reader.ue("pps_pic_parameter_set_id", upTo: 63)
        spsID = try reader.ue("pps_seq_parameter_set_id", upTo: 15)
        hasDependentSlices = try reader.flag()
        hasOutputFlag = try reader.flag()
        extraBits = try reader.bits(3)
        try reader.skip(1)
        hasCABACInit = try reader.flag()
        references = [
            try reader.ue("num_ref_idx_l0_default_active_minus1", upTo: 14) + 1,
            try reader.ue("num_ref_idx_l1_default_active_minus1", upTo: 14) + 1,
        ]
        try reader.se("init_qp_minus26")
        try reader.skip(1)
        let hasTransformSkip = try reader.flag()
        if try reader.flag() { _ = try reader.ue("diff_cu_qp_delta_depth", upTo: 3) }
        try reader.se("pps_cb_qp_offset")
        try reader.se("pps_cr_qp_offset")
        try readTools(&reader)
        if try reader.flag() { try readExtensions(&reader, hasTransformSkip: hasTransformSkip) }
    }

    private mutating func readTools(_ reader: inout BitReader) throws(BitstreamFault) {
        hasSliceChromaOffsets = try reader.flag()
        hasWeights = try reader.flag()
        hasBipredWeights = try reader.flag()
        try reader.skip(1)
        let (hasTiles, hasWavefronts) = (try reader.flag(), try reader.flag())
        hasEntryPoints = hasTiles || hasWavefronts
        if hasTiles {
            let edges =
                try reader.ue("num_tile_columns_minus1", upTo: 1023) + reader.ue("num_tile_rows_minus1", upTo: 1023)
            if try !reader.flag() { for _ in 0..<edges { _ = try reader.ue("column_width_minus1", upTo: 65535) } }
            try reader.skip(1)
        }
        filtersAcrossSlices = try reader.flag()
        if try reader.flag() {
            mayOverrideDeblocking = try reader.flag()
            isDeblockingOff = try reader.flag()
            if !isDeblockingOff {
                try reader.se("pps_beta_offset_div2")
                try reader.se("pps_tc_offset_div2")
            }
        }
        if try reader.flag() { try HEVCSPS.skipScalingLists(&reader) }
        mayModifyLists = try reader.flag()
        _ = try reader.ue("log2_parallel_merge_level_minus2", upTo: 4)
        hasHeaderExtension = try reader.flag()
    }

    private mutating func readExtensions(
        _ reader: inout BitReader, hasTransformSkip: Bool
    ) throws(BitstreamFault) {
        let (range, layers, depth, screen) = (
            try reader.flag(), try reader.flag(), try reader.flag(), try reader.flag()
        )
        try reader.skip(4)
        if range {
            if hasTransformSkip { _ = try reader.ue("log2_max_transform_skip_block_size_minus2", upTo: 3) }
            try reader.skip(1)
            hasChromaOffsetLists = try reader.flag()
            if hasChromaOffsetLists {
                _ = try reader.ue("diff_cu_chroma_qp_offset_depth", upTo: 3)
                for _ in 0...(try reader.ue("chroma_qp_offset_list_len_minus1", upTo: 5)) {
                    try reader.se("cb_qp_offset_list")
                    try reader.se("cr_qp_offset_list")
                }
            }
            _ = try reader.ue("log2_sao_offset_scale_luma", upTo: 8)
            _ = try reader.ue("log2_sao_offset_scale_chroma", upTo: 8)
        }
        guard screen else { return }
        guard !layers, !depth else { throw .unsupported("pps_multilayer_extension") }
        refersToItself = try reader.flag()
        if try reader.flag() { hasActOffsets = try reader.flag() }
    }
}
