/// The statements of an SPS of H.264 beyond decoding: shape and colours of samples, time, buffers.
package struct H264VUI: Hashable, Sendable {
    package private(set) var aspect = SampleAspect()
    package private(set) var signal = VideoSignal()
    /// A tick is one field: a frame lasts two.
    package private(set) var timing: VideoTiming?
    package private(set) var hasPictureStructure = false
    /// The buffers' models for NAL units and for the video alone; a buffering period states delays for each.
    package private(set) var nalBuffers: H264Buffers?
    package private(set) var videoBuffers: H264Buffers?
    /// `max_num_reorder_frames`: how many frames may be decoded before and shown after another; nil where it is not
    /// said.
    package private(set) var reorderFrames: Int?
    /// `max_dec_frame_buffering`; nil where it is not said.
    package private(set) var bufferedFrames: Int?
    /// The bit of the set at which `bitstream_restriction_flag` stands; nil for a set without these statements.
    private(set) var restrictionPosition: Int?
    /// The bit at which `max_num_reorder_frames` stands; nil where it is not said.
    private(set) var reorderPosition: Int?

    /// The values that hold for a set without one.
    init() {}

    init(_ reader: inout BitReader) throws(BitstreamFault) {
        aspect = try SampleAspect(&reader)
        signal = try VideoSignal(&reader)
        if try reader.flag() {
            _ = try reader.ue("chroma_sample_loc_type_top_field", upTo: 5)
            _ = try reader.ue("chroma_sample_loc_type_bottom_field", upTo: 5)
        }
        if try reader.flag() {
            timing = VideoTiming(units: try reader.bits(32), scale: try reader.bits(32), isFixed: try reader.flag())
        }
        if try reader.flag() { nalBuffers = try H264Buffers(&reader) }
        if try reader.flag() { videoBuffers = try H264Buffers(&reader) }
        if nalBuffers != nil || videoBuffers != nil { try reader.skip(1) }
        hasPictureStructure = try reader.flag()
        restrictionPosition = reader.position
        guard try reader.flag() else { return }
        try reader.skip(1)
        for name in [
            "max_bytes_per_pic_denom", "max_bits_per_mb_denom", "log2_max_mv_length_horizontal",
            "log2_max_mv_length_vertical",
        ] { _ = try reader.ue(name) }
        reorderPosition = reader.position
        reorderFrames = try reader.ue("max_num_reorder_frames", upTo: 16)
        bufferedFrames = try reader.ue("max_dec_frame_buffering", upTo: 16)
    }
}

/// The sizes of the delays in a buffering period: `hrd_parameters`.
package struct H264Buffers: Hashable, Sendable {
    /// The number of buffers, 1...32.
    package let count: Int
    /// Bits of `initial_cpb_removal_delay`, 1...32.
    package let delayBits: Int

    init(_ reader: inout BitReader) throws(BitstreamFault) {
        count = try reader.ue("cpb_cnt_minus1", upTo: 31) + 1
        try reader.skip(8)
        for _ in 0..<count {
            _ = try reader.ue("bit_rate_value_minus1")
            _ = try reader.ue("cpb_size_value_minus1")
            try reader.skip(1)
        }
        delayBits = try reader.bits(5) + 1
        try reader.skip(15)
    }
}
