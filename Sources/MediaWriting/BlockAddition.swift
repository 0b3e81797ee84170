internal import CFFmpeg
internal import Diagnostics
package import Libav
internal import MediaReading
package import Outputs

/// VP9's alpha is a second stream whose packets stand beside the picture's, in Matroska's additions to blocks. NUT has
/// no place for them: in segments they follow the picture's bytes, and their number of bytes follows them in four
/// bytes.
extension Packet {
    /// Makes the encoder's packet one for a segment: the alpha's bytes and their number follow the picture's.
    borrowing func joinBlockAddition() throws {
        var size = 0
        let data = unsafe av_packet_get_side_data(pointer, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, &size)
        let addition = unsafe bytes(data, count: data == nil ? 0 : Int32(clamping: size))
        try append(addition + (0..<4).map { UInt8(truncatingIfNeeded: addition.count >> (8 * $0)) })
    }

    /// The number of bytes of a segment's packet that are the picture's, and of those that are alpha's; nil where the
    /// packet is not such a one.
    private var partsOfBlock: (picture: Int, addition: Int)? {
        guard let data = unsafe fields.data, byteCount > 4 else { return nil }
        let count = (1...4).reduce(0) { unsafe $0 << 8 | Int(data[byteCount - $1]) }
        let picture = byteCount - 4 - count
        return picture > 0 ? (picture, count) : nil
    }

    /// Throws `.segmentInvalid` where the packet cannot be split.
    package borrowing func requireBlockAddition(of path: String) throws {
        guard partsOfBlock != nil else { throw invalidSegment(path, "a packet's alpha cannot be") }
    }

    /// Makes a segment's packet the encoder's again. Throws `.segmentInvalid` where it cannot be split.
    borrowing func splitBlockAddition(of path: String) throws {
        guard let (length, count) = partsOfBlock else { throw invalidSegment(path, "a packet's alpha cannot be") }
        let whole = unsafe bytes(fields.data, count: fields.size)
        unsafe av_shrink_packet(pointer, Int32(clamping: length))
        guard count > 0 else { return }
        let data = unsafe av_packet_new_side_data(pointer, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, count)
        let memory = try unsafe checkAllocated(data, "av_packet_new_side_data")
        let addition = whole[length..<(length + count)]
        unsafe UnsafeMutableRawBufferPointer(start: memory, count: count).copyBytes(from: addition)
    }
}

extension VideoSettings {
    /// Whether packets of pictures come with others of alpha.
    package var hasBlockAdditions: Bool { codec == .vp9 && format.hasAlpha }
}
