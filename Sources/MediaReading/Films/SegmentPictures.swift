internal import CFFmpeg
internal import Diagnostics
package import Libav
internal import Outputs
internal import Pictures

/// The pictures of segments without loss, one from each packet. Confined to one thread at a time.
package final class SegmentPictures {
    /// The picture that was decoded last; its buffers are the decoder's.
    package let picture: Frame
    private let track: FilmVideoTrack
    private let path: String
    private let decoder: Decoder

    /// Opens a decoder for the track's segments. `path` is the film's, for messages.
    package init(track: FilmVideoTrack, path: String) throws {
        (self.track, self.path) = (track, path)
        picture = try Frame()
        decoder = try Decoder(codec: track.settings.codec.ofSegments.id, subject: path) { parameters in
            parameters.width = Int32(track.settings.size.width)
            parameters.height = Int32(track.settings.size.height)
            try setExtradata(track.extradata, of: &parameters)
        }
    }

    /// Decodes the packet's picture into `picture`. Throws `.segmentInvalid` where it is no picture of the film.
    package func decode(_ packet: borrowing Packet, frame: Int) throws {
        let settings = track.settings
        guard try decoder.send(packet), try decoder.receive(into: picture) == .frame,
            picture.width == settings.size.width, picture.height == settings.size.height,
            picture.pixelFormatName == settings.format.rawValue
        else { throw invalidSegment(path, "frame \(frame) cannot be decoded") }
        // Segments do not say what their samples stand for.
        let tags = ColourTags(settings.colour)
        picture.update {
            ($0.color_range, $0.chroma_location) = (AVCOL_RANGE_MPEG, settings.chromaLocation)
            ($0.color_primaries, $0.color_trc, $0.colorspace) = (tags.primaries, tags.transfer, tags.matrix)
        }
    }

    /// A packet that holds the picture's samples alone, plane after plane, row after row, without gaps.
    package func rawPacket() throws -> Packet {
        let (format, fields) = (picture.pixelFormat, picture.fields)
        let size = av_image_get_buffer_size(format, fields.width, fields.height, 1)
        let packet = try Packet()
        try unsafe check(av_new_packet(packet.pointer, max(0, size)), "av_new_packet", subject: path, as: .muxFailed)
        let (data, lines) = unsafe (fields.data, fields.linesize)
        let planes: [UnsafePointer<UInt8>?] = unsafe [
            UnsafePointer(data.0), UnsafePointer(data.1), UnsafePointer(data.2), UnsafePointer(data.3),
        ]
        let strides = [lines.0, lines.1, lines.2, lines.3]
        let copied = unsafe av_image_copy_to_buffer(
            packet.fields.data, size, planes, strides, format, fields.width, fields.height, 1)
        try check(copied, "av_image_copy_to_buffer", subject: path, as: .muxFailed)
        packet.update { $0.flags |= AV_PKT_FLAG_KEY }
        return packet
    }
}
