/// A sequence parameter set of H.264: size, samples and references of the pictures that it holds for.
package struct H264SPS: Hashable, Sendable {
    package private(set) var id = 0
    /// `profile_idc`: 66 Baseline, 77 Main, 88 Extended, 100 High, 110 High 10, 122 High 4:2:2, 244 High 4:4:4.
    package let profile: Int
    /// The eight bits behind `profile_idc`: `constraint_set0_flag` is the highest.
    package let constraints: Int
    /// `level_idc`: ten times the level.
    package let level: Int
    /// `chroma_format_idc`: 0 grey, 1 4:2:0, 2 4:2:2, 3 4:4:4.
    package private(set) var chromaFormat = 1
    package private(set) var hasSeparatePlanes = false
    package private(set) var lumaDepth = 8
    package private(set) var chromaDepth = 8
    /// Bits of `frame_num`, 4...16.
    package private(set) var frameNumberBits = 4
    /// `pic_order_cnt_type`, 0...2. With 2, pictures are shown in the order in which they are decoded.
    package private(set) var orderType = 0
    /// Bits of `pic_order_cnt_lsb` where the order's type is 0.
    package private(set) var orderBits = 4
    package private(set) var hasNoOrderDelta = false
    /// The steps from frame to frame where the order's type is 1.
    package private(set) var orderCycle = H264OrderCycle()
    /// `max_num_ref_frames`.
    package private(set) var referenceFrames = 0
    package private(set) var mayHaveGaps = false
    package private(set) var widthInBlocks = 0
    /// Rows of the map of slice groups: macroblocks of frames, or pairs of them where fields may be coded.
    package private(set) var heightInMapUnits = 0
    /// `frame_mbs_only_flag`: no picture is a field, and none has blocks of fields.
    package private(set) var hasFramesOnly = true
    /// `mb_adaptive_frame_field_flag`.
    package private(set) var mayMixFields = false
    package private(set) var crop = CroppedEdges()
    package private(set) var vui = H264VUI()
    /// The bit at which `vui_parameters_present_flag` stands; but for the statements that it tells of, the set ends
    /// there.
    private(set) var vuiPosition = 0

    /// The picture's size in samples of luma, edges cut off.
    package var width: Int { widthInBlocks * 16 - crop.left - crop.right }
    package var height: Int { heightInMapUnits * (hasFramesOnly ? 16 : 32) - crop.top - crop.bottom }

    /// 0 where planes are coded one by one, else the chroma's format.
    var chromaArrayType: Int { hasSeparatePlanes ? 0 : chromaFormat }

    /// Profiles whose sets state chroma and depths.
    static let highProfiles: Set = [100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135]

    /// The bits of an SPS in front of its id.
    static let bitsBeforeID = 32

    /// Reads the set of a NAL unit with its header and emulation prevention.
    package init(unit: some Collection<UInt8>) throws(BitstreamFault) {
        guard H264NAL(unit)?.kind == .sps else { throw .unsupported("a unit that is no SPS") }
        var reader = BitReader(EmulationPrevention.removed(from: unit))
        try reader.skip(8)
        profile = try reader.bits(8)
        constraints = try reader.bits(8)
        level = try reader.bits(8)
        id = try reader.ue("seq_parameter_set_id", upTo: 31)
        if Self.highProfiles.contains(profile) { try readSamples(&reader) }
        frameNumberBits = try reader.ue("log2_max_frame_num_minus4", upTo: 12) + 4
        try readOrder(&reader)
        referenceFrames = try reader.ue("max_num_ref_frames", upTo: 16)
        mayHaveGaps = try reader.flag()
        widthInBlocks = try reader.ue("pic_width_in_mbs_minus1", upTo: 4095) + 1
        heightInMapUnits = try reader.ue("pic_height_in_map_units_minus1", upTo: 4095) + 1
        hasFramesOnly = try reader.flag()
        if !hasFramesOnly { mayMixFields = try reader.flag() }
        try reader.skip(1)
        if try reader.flag() {
            let (across, down) = (
                chromaArrayType == 1 || chromaArrayType == 2 ? 2 : 1, chromaArrayType == 1 ? 2 : 1
            )
            crop = try CroppedEdges(
                &reader, width: across, height: down * (hasFramesOnly ? 1 : 2), "frame_crop_offset")
            guard width > 0, height > 0 else { throw .outOfRange("frame_crop_offset") }
        }
        vuiPosition = reader.position
        if try reader.flag() { vui = try H264VUI(&reader) }
    }

    private mutating func readSamples(_ reader: inout BitReader) throws(BitstreamFault) {
        chromaFormat = try reader.ue("chroma_format_idc", upTo: 3)
        if chromaFormat == 3 { hasSeparatePlanes = try reader.flag() }
        lumaDepth = try reader.ue("bit_depth_luma_minus8", upTo: 6) + 8
        chromaDepth = try reader.ue("bit_depth_chroma_minus8", upTo: 6) + 8
        try reader.skip(1)
        guard try reader.flag() else { return }
        for list in 0..<(chromaFormat == 3 ? 12 : 8) where try reader.flag() {
            try Self.skipScalingList(&reader, size: list < 6 ? 16 : 64)
        }
    }

    private static func skipScalingList(_ reader: inout BitReader, size: Int) throws(BitstreamFault) {
        var (last, next) = (8, 8)
        for _ in 0..<size where next != 0 {
            let delta = try reader.se("delta_scale")
            guard (-128...127).contains(delta) else { throw .outOfRange("delta_scale") }
            next = (last + delta + 256) % 256
            if next != 0 { last = next }
        }
    }

    private mutating func readOrder(_ reader: inout BitReader) throws(BitstreamFault) {
        orderType = try reader.ue("pic_order_cnt_type", upTo: 2)
        if orderType == 0 {
            orderBits = try reader.ue("log2_max_pic_order_cnt_lsb_minus4", upTo: 12) + 4
        } else if orderType == 1 {
            hasNoOrderDelta = try reader.flag()
            orderCycle = try H264OrderCycle(&reader)
        }
    }
}
