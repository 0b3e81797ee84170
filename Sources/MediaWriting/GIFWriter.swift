internal import CFFmpeg
internal import Diagnostics
internal import Glibc
package import Libav
internal import MediaReading
internal import Outputs
package import Pictures

/// A GIF with one palette for the whole film. Its packets are FFV1 and come twice: first to be looked at for the
/// palette, then to be encoded by it. Nothing is dithered, so that a picture depends on its own frame and the palette
/// alone. Times are in hundredths of a second.
package final class GIFWriter: FilmSink {
    package let passCount = 2
    private let path: String
    private let track: FilmVideoTrack
    /// The number of times that it is played; 0 for ever.
    private let loopCount: Int
    private let pictures: SegmentPictures
    private var colours: ColourCount? = ColourCount()
    private var encoding: (encoder: CodecContext, file: OutputFile, palette: Palette)?

    init(path: String, track: FilmVideoTrack, loopCount: Int = 0) throws {
        self.path = path
        self.track = track
        self.loopCount = loopCount
        pictures = try SegmentPictures(track: track, path: path)
    }

    package func appendVideo(_ packet: consuming Packet, frame: Int) throws {
        try pictures.decode(packet, frame: frame)
        let rgb = try convertedToRGB(pictures.picture, size: track.settings.size)
        guard encoding != nil else {
            colours?.add(rgb)
            return
        }
        try encode(rgb, frame)
    }

    package func endPass() throws {
        guard let found = colours else { return }
        colours = nil
        let palette = Palette(colours: found.palette(of: Palette.size))
        let encoder = try CodecContext(encoder: track.settings.codec.encoderName)
        encoder.update {
            $0.width = Int32(track.settings.size.width)
            $0.height = Int32(track.settings.size.height)
            $0.pix_fmt = AV_PIX_FMT_PAL8
            $0.time_base = AVRational(num: 1, den: Int32(Self.unitsPerSecond))
            $0.thread_count = 1
            $0.flags |= AV_CODEC_FLAG_BITEXACT
        }
        try encoder.open([], subject: path)
        let file = try OutputFile(path: path, muxer: Container.gif.muxerName)
        _ = try file.addStream { stream, parameters in
            try unsafe check(
                avcodec_parameters_from_context(&parameters, encoder.pointer), "avcodec_parameters_from_context",
                subject: path, as: .internalFault)
            stream.time_base = AVRational(num: 1, den: Int32(Self.unitsPerSecond))
        }
        let last = track.frameCount - 1
        // The number of times that it begins again; -1 leaves it out for a film that plays once.
        let repeats = loopCount == 1 ? "-1" : "\(max(0, loopCount - 1))"
        try file.writeHeader([("loop", repeats), ("final_delay", "\(min(time(last + 1) - time(last), 65535))")])
        encoding = (encoder, file, palette)
    }

    package func finish(light: ContentLight?) throws {
        guard let encoding else { throw invalidSegment(path, "the film was not encoded") }
        try unsafe check(
            avcodec_send_frame(encoding.encoder.pointer, nil), "avcodec_send_frame", subject: path, as: .encodeFailed)
        try drain(encoding.encoder, into: encoding.file)
        try encoding.file.finish()
    }

    package func remove() { _ = unsafe unlink(path) }

    private static let unitsPerSecond = 100

    private func time(_ frame: Int) -> Int { track.time(ofFrame: frame, unitsPerSecond: Self.unitsPerSecond) }

    private func encode(_ rgb: borrowing Frame, _ frame: Int) throws {
        guard let encoding else { return }
        let picture = try encoding.palette.picture(of: rgb)
        picture.update { $0.pts = Int64(time(frame)) }
        try unsafe check(
            avcodec_send_frame(encoding.encoder.pointer, picture.pointer), "avcodec_send_frame",
            subject: "\(path), frame \(frame)", as: .encodeFailed)
        try drain(encoding.encoder, into: encoding.file)
    }

    private func drain(_ encoder: CodecContext, into file: OutputFile) throws {
        _ = try encoder.drain(subject: path) { packet in
            packet.update { ($0.stream_index, $0.dts) = (0, $0.pts) }
            try file.write(packet)
        }
    }
}
