package import CFFmpeg

/// Headers of the codec among a stream's packets: libavformat hands out those that begin a later link of a chained Ogg
/// file, as if they were sound.
package enum OggHeader {
    /// Whether the packet is such a header of that codec.
    package static func isHeader(_ packet: AVPacket, codec: AVCodecID) -> Bool {
        guard let data = unsafe packet.data, packet.size >= 4 else { return false }
        func begins(_ text: String) -> Bool {
            packet.size >= text.utf8.count
                && text.utf8.enumerated().allSatisfy { unsafe data[$0.offset] == $0.element }
        }
        switch codec {
        // RFC 7845 §5.
        case AV_CODEC_ID_OPUS: return begins("OpusHead") || begins("OpusTags")
        // The Ogg mapping of FLAC: a header, then blocks of metadata, which say their kind and their length.
        case AV_CODEC_ID_FLAC:
            if begins("\u{7f}FLAC") { return true }
            let length = unsafe Int32(data[1]) << 16 | Int32(data[2]) << 8 | Int32(data[3])
            return unsafe data[0] & 0x7f <= 6 && packet.size == length + 4
        default: return false
        }
    }
}
