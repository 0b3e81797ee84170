/// The statements of an SPS of HEVC beyond decoding: shape and colours of samples, fields, time.
package struct HEVCVUI: Hashable, Sendable {
    package private(set) var aspect = SampleAspect()
    package private(set) var signal = VideoSignal()
    /// `field_seq_flag`: each picture is a field.
    package private(set) var hasFields = false
    /// A tick is one picture.
    package private(set) var timing: VideoTiming?
    package private(set) var hasBuffers = false

    /// The values that hold for a set without one.
    init() {}

    init(_ reader: inout BitReader, subLayers: Int) throws(BitstreamFault) {
        aspect = try SampleAspect(&reader)
        signal = try VideoSignal(&reader)
        if try reader.flag() {
            _ = try reader.ue("chroma_sample_loc_type_top_field", upTo: 5)
            _ = try reader.ue("chroma_sample_loc_type_bottom_field", upTo: 5)
        }
        try reader.skip(1)
        hasFields = try reader.flag()
        try reader.skip(1)
        if try reader.flag() { for _ in 0..<4 { _ = try reader.ue("def_disp_win_offset") } }
        if try reader.flag() {
            timing = VideoTiming(units: try reader.bits(32), scale: try reader.bits(32))
            if try reader.flag() { _ = try reader.ue("vui_num_ticks_poc_diff_one_minus1") }
            hasBuffers = try reader.flag()
            if hasBuffers { try Self.skipBuffers(&reader, subLayers: subLayers) }
        }
        guard try reader.flag() else { return }
        try reader.skip(3)
        for name in [
            "min_spatial_segmentation_idc", "max_bytes_per_pic_denom", "max_bits_per_min_cu_denom",
            "log2_max_mv_length_horizontal", "log2_max_mv_length_vertical",
        ] { _ = try reader.ue(name) }
    }

    /// Skips `hrd_parameters`.
    private static func skipBuffers(_ reader: inout BitReader, subLayers: Int) throws(BitstreamFault) {
        let kinds = [try reader.flag(), try reader.flag()].count { $0 }
        var hasParts = false
        if kinds > 0 {
            hasParts = try reader.flag()
            if hasParts { try reader.skip(19) }
            try reader.skip(hasParts ? 12 : 8)
            try reader.skip(15)
        }
        for _ in 0..<subLayers {
            let isFixed = try reader.flag()
            let isFixedWithin = isFixed ? true : try reader.flag()
            var isLowDelay = false
            if isFixedWithin {
                _ = try reader.ue("elemental_duration_in_tc_minus1", upTo: 2047)
            } else {
                isLowDelay = try reader.flag()
            }
            let count = isLowDelay ? 1 : try reader.ue("cpb_cnt_minus1", upTo: 31) + 1
            for _ in 0..<kinds * count {
                for _ in 0..<(hasParts ? 4 : 2) { _ = try reader.ue("bit_rate_value_minus1") }
                try reader.skip(1)
            }
        }
    }
}
