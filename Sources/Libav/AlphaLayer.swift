package import CFFmpeg

/// The second bitstream that WebM's VP8 and VP9 packets carry for alpha. It has key frames of its own: the container's
/// flag speaks of the colour only.
package enum AlphaLayer {
    /// Whether the packet's alpha can be decoded without what came before.
    package static func isKey(_ packet: borrowing Packet, codec: AVCodecID) -> Bool {
        var size = 0
        let data = unsafe av_packet_get_side_data(packet.pointer, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, &size)
        // Eight bytes say what the addition is; 1 is alpha.
        guard let data = unsafe data, size > 8, unsafe data[7] == 1 else { return false }
        return unsafe isKey(UnsafeBufferPointer(start: data + 8, count: size - 8), codec: codec)
    }

    private static func isKey(_ frame: UnsafeBufferPointer<UInt8>, codec: AVCodecID) -> Bool {
        guard let first = unsafe frame.first else { return false }
        // RFC 6386 §9.1: bit 0 of the frame tag is 0 in key frames.
        if codec == AV_CODEC_ID_VP8 { return first & 1 == 0 }
        // VP9 §6.2: frame_marker(2), profile_low, profile_high, [reserved_zero], show_existing_frame, frame_type.
        guard first >> 6 == 2 else { return false }
        let flags = first >> 4 & 3 == 3 ? first << 5 : first << 4
        return flags & 0x80 == 0 && flags & 0x40 == 0
    }
}
