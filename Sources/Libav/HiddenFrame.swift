package import CFFmpeg

/// Packets of VP8 and VP9 that only refresh references and show nothing; old files store them on their own.
package enum HiddenFrame {
    /// Whether the packet, of that codec, is such a one; those of other codecs are not.
    package static func isHidden(_ packet: AVPacket, codec: AVCodecID) -> Bool {
        guard codec == AV_CODEC_ID_VP8 || codec == AV_CODEC_ID_VP9, packet.size > 0,
            let data = unsafe packet.data
        else { return false }
        // RFC 6386 §9.1: bit 4 of the frame tag is show_frame.
        if codec == AV_CODEC_ID_VP8 { return unsafe data[0] >> 4 & 1 == 0 }
        // VP9 bitstream, annex B: a superframe's last byte begins with 110; it ends with a frame that is shown.
        if unsafe data[Int(packet.size) - 1] & 0xe0 == 0xc0 { return false }
        // §6.2: frame_marker(2), profile_low, profile_high, [reserved_zero], show_existing_frame, frame_type,
        // show_frame.
        guard unsafe data[0] >> 6 == 2 else { return false }
        let isProfile3 = unsafe data[0] >> 4 & 3 == 3
        let flags = unsafe isProfile3 ? data[0] << 5 : data[0] << 4
        let showsExisting = flags & 0x80 != 0
        return !showsExisting && flags & 0x20 == 0
    }
}
