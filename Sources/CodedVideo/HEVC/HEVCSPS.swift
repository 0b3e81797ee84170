/// A sequence parameter set of HEVC: size, samples and references of the pictures that it holds for.
package struct HEVCSPS: Hashable, Sendable {
    /// `sps_seq_parameter_set_id`, 0...15.
    package let id: Int
    package let vpsID: Int
    /// Sub-layers of time, 1...7.
    package let subLayers: Int
    package let isTemporallyNested: Bool
    package let profile: HEVCProfile
    /// `chroma_format_idc`: 0 grey, 1 4:2:0, 2 4:2:2, 3 4:4:4.
    package let chromaFormat: Int
    package private(set) var hasSeparatePlanes = false
    package private(set) var codedWidth = 0
    package private(set) var codedHeight = 0
    /// The edges that the conformance window leaves out.
    package private(set) var crop = CroppedEdges()
    package private(set) var lumaDepth = 8
    package private(set) var chromaDepth = 8
    /// Bits of `slice_pic_order_cnt_lsb`, 4...16.
    package private(set) var orderBits = 4
    private(set) var ordering = HEVCOrdering()
    /// The number of coding tree blocks of a picture.
    package private(set) var blocks = 1
    package private(set) var hasOffsets = false
    package private(set) var referenceSets: [HEVCReferenceSet] = []
    package private(set) var hasLongTerm = false
    /// Whether the current picture refers to them, for each long-term picture that the set names.
    package private(set) var longTermUse: [Bool] = []
    package private(set) var hasTemporalVectors = false
    package private(set) var vui = HEVCVUI()
    /// `motion_vector_resolution_control_idc` of screen content.
    package private(set) var vectorResolution = 0

    package var width: Int { codedWidth - crop.left - crop.right }
    package var height: Int { codedHeight - crop.top - crop.bottom }
    /// The number of pictures that a decoder must hold for the highest sub-layer, 1...16.
    package var bufferedPictures: Int { ordering.buffered }
    /// The number of pictures of the highest sub-layer that may be decoded before and shown after another, 0...15.
    package var reorderPictures: Int { ordering.reordered }

    /// 0 where planes are coded one by one, else the chroma's format.
    var chromaArrayType: Int { hasSeparatePlanes ? 0 : chromaFormat }

    /// The bits in which `sps_seq_parameter_set_id` stands, without emulation prevention.
    let idBits: Range<Int>

    /// Reads the set of a NAL unit with its header and emulation prevention. Sets of other layers are `.unsupported`.
    package init(unit: some Collection<UInt8>) throws(BitstreamFault) {
        guard let nal = HEVCNAL(unit), nal.kind == .sps else { throw .unsupported("a unit that is no SPS") }
        guard nal.layer == 0 else { throw .unsupported("nuh_layer_id \(nal.layer)") }
        var reader = BitReader(EmulationPrevention.removed(from: unit))
        try reader.skip(16)
        vpsID = try reader.bits(4)
        subLayers = try reader.bits(3) + 1
        guard subLayers < 8 else { throw .outOfRange("sps_max_sub_layers_minus1") }
        isTemporallyNested = try reader.flag()
        profile = try HEVCProfile(&reader, subLayers: subLayers)
        let start = reader.position
        id = try reader.ue("sps_seq_parameter_set_id", upTo: 15)
        idBits = start..<reader.position
        chromaFormat = try reader.ue("chroma_format_idc", upTo: 3)
        if chromaFormat == 3 { hasSeparatePlanes = try reader.flag() }
        try readPicture(&reader)
        try readTools(&reader)
        try readReferences(&reader)
        if try reader.flag() { vui = try HEVCVUI(&reader, subLayers: subLayers) }
        if try reader.flag() { try readExtensions(&reader) }
    }

    private mutating func readPicture(_ reader: inout BitReader) throws(BitstreamFault) {
        codedWidth = try reader.ue("pic_width_in_luma_samples", upTo: 65535)
        codedHeight = try reader.ue("pic_height_in_luma_samples", upTo: 65535)
        if try reader.flag() {
            crop = try CroppedEdges(
                &reader, width: chromaFormat == 1 || chromaFormat == 2 ? 2 : 1, height: chromaFormat == 1 ? 2 : 1,
                "conf_win_offset")
        }
        guard width > 0, height > 0 else { throw .outOfRange("conf_win_offset") }
        lumaDepth = try reader.ue("bit_depth_luma_minus8", upTo: 8) + 8
        chromaDepth = try reader.ue("bit_depth_chroma_minus8", upTo: 8) + 8
        orderBits = try reader.ue("log2_max_pic_order_cnt_lsb_minus4", upTo: 12) + 4
        ordering = try HEVCOrdering(&reader, subLayers: subLayers)
        let smallest = try reader.ue("log2_min_luma_coding_block_size_minus3", upTo: 3) + 3
        let size = smallest + (try reader.ue("log2_diff_max_min_luma_coding_block_size", upTo: 3))
        guard size <= 6 else { throw .outOfRange("log2_diff_max_min_luma_coding_block_size") }
        let side = 1 << size
        blocks = ((codedWidth + side - 1) / side) * ((codedHeight + side - 1) / side)
    }

    private mutating func readTools(_ reader: inout BitReader) throws(BitstreamFault) {
        _ = try reader.ue("log2_min_luma_transform_block_size_minus2", upTo: 3)
        _ = try reader.ue("log2_diff_max_min_luma_transform_block_size", upTo: 3)
        _ = try reader.ue("max_transform_hierarchy_depth_inter", upTo: 4)
        _ = try reader.ue("max_transform_hierarchy_depth_intra", upTo: 4)
        if try reader.flag(), try reader.flag() { try Self.skipScalingLists(&reader) }
        try reader.skip(1)
        hasOffsets = try reader.flag()
        if try reader.flag() {
            try reader.skip(8)
            _ = try reader.ue("log2_min_pcm_luma_coding_block_size_minus3", upTo: 3)
            _ = try reader.ue("log2_diff_max_min_pcm_luma_coding_block_size", upTo: 3)
            try reader.skip(1)
        }
    }

    private mutating func readReferences(_ reader: inout BitReader) throws(BitstreamFault) {
        for index in 0..<(try reader.ue("num_short_term_ref_pic_sets", upTo: 64)) {
            referenceSets.append(
                try HEVCReferenceSet(&reader, index: index, sets: referenceSets, isSlice: false))
        }
        hasLongTerm = try reader.flag()
        if hasLongTerm {
            for _ in 0..<(try reader.ue("num_long_term_ref_pics_sps", upTo: 32)) {
                try reader.skip(orderBits)
                longTermUse.append(try reader.flag())
            }
        }
        hasTemporalVectors = try reader.flag()
        try reader.skip(1)
    }

    private mutating func readExtensions(_ reader: inout BitReader) throws(BitstreamFault) {
        let (range, layers, depth, screen) = (
            try reader.flag(), try reader.flag(), try reader.flag(), try reader.flag()
        )
        try reader.skip(4)
        if range { try reader.skip(9) }
        if layers { try reader.skip(1) }
        guard screen else { return }
        guard !depth else { throw .unsupported("sps_3d_extension") }
        try reader.skip(1)
        if try reader.flag() {
            _ = try reader.ue("palette_max_size", upTo: 64)
            _ = try reader.ue("delta_palette_max_predictor_size", upTo: 128)
            if try reader.flag() {
                let count = try reader.ue("sps_num_palette_predictor_initializers_minus1", upTo: 128) + 1
                let bits = lumaDepth + (chromaFormat == 0 ? 0 : 2 * chromaDepth)
                try reader.skip(count * bits)
            }
        }
        vectorResolution = try reader.bits(2)
    }

    /// Skips `scaling_list_data`, which an SPS and a PPS may have.
    static func skipScalingLists(_ reader: inout BitReader) throws(BitstreamFault) {
        for size in 0..<4 {
            for _ in stride(from: 0, to: 6, by: size == 3 ? 3 : 1) {
                guard try reader.flag() else {
                    _ = try reader.ue("scaling_list_pred_matrix_id_delta", upTo: 5)
                    continue
                }
                if size > 1 { try reader.se("scaling_list_dc_coef_minus8") }
                for _ in 0..<min(64, 16 << (2 * size)) { try reader.se("scaling_list_delta_coef") }
            }
        }
    }
}
