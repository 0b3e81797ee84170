package import CFFmpeg
internal import Diagnostics

/// One libavcodec decoder of one stream. Confined to one thread at a time.
@safe
package final class Decoder {
    package enum Output { case frame, needsPacket, finished, damaged }

    /// The aim of a decoder where there are two for one codec.
    package enum Aim {
        /// The decoder that finds damage.
        case noticing
        /// The decoder that shows as much as there is of damaged pictures.
        case showing
    }

    let context: UnsafeMutablePointer<AVCodecContext>
    private let subject: String
    private var pictures: ClearedPictures?

    /// Opens a decoder that works on the caller's thread alone: complaints are counted by thread, and a libavcodec with
    /// threads of its own (from version 60 on) asks for memory on them. With `clearsPictures` a part of a picture that
    /// damage leaves undecoded is grey and not what an earlier picture left in that memory.
    package init(
        stream: UnsafeMutablePointer<AVStream>, aim: Aim = .noticing, clearsPictures: Bool = false, subject: String
    ) throws {
        self.subject = subject
        guard let parameters = unsafe stream.pointee.codecpar else {
            throw SplitreelError(.decodeFailed, operation: "decoding", subject: subject, reason: "no codec parameters")
        }
        let name = unsafe parameters.pointee.codec_id.name
        guard let codec = unsafe Self.decoder(stream, aim) else {
            throw SplitreelError(
                .mediaUnsupported, operation: "avcodec_find_decoder", subject: subject,
                reason: unsafe Self.noDecoder(parameters.pointee),
                hint: "convert the track to a codec that is read")
        }
        try unsafe Self.allow(codec, subject: subject)
        unsafe context = try checkAllocated(avcodec_alloc_context3(codec), "avcodec_alloc_context3")
        try unsafe check(
            avcodec_parameters_to_context(context, parameters), "avcodec_parameters_to_context", subject: subject)
        let timeBase = unsafe stream.pointee.time_base
        update {
            $0.pkt_timebase = timeBase
            $0.thread_count = 1
            // Corrupt output would turn "late" into wrong pixels after a seek.
            $0.flags &= ~AV_CODEC_FLAG_OUTPUT_CORRUPT
            $0.max_pixels = Int64(ReadLimits.pixels)
            $0.max_samples = Int64(ReadLimits.samplesPerFrame)
        }
        if clearsPictures {
            pictures = ClearedPictures(.plain)
        } else if unsafe Self.mayLeaveGaps(parameters.pointee.codec_id) {
            pictures = ClearedPictures(.marked)
        }
        if let pictures { unsafe pictures.install(in: context) }
        unsafe sr_keep_subject(context, subject)
        try unsafe check(avcodec_open2(context, codec, nil), "avcodec_open2", subject: "\(subject) (\(name))")
    }

    /// Opens a decoder for data that comes without a stream; `describe` fills in the known parameters.
    package init(
        codec id: AVCodecID, subject: String, _ describe: (inout AVCodecParameters) throws -> Void = { _ in }
    ) throws {
        self.subject = subject
        let codec = try unsafe checkAllocated(avcodec_find_decoder(id), "avcodec_find_decoder")
        unsafe context = try checkAllocated(avcodec_alloc_context3(codec), "avcodec_alloc_context3")
        var parameters = unsafe avcodec_parameters_alloc()
        defer { unsafe avcodec_parameters_free(&parameters) }
        let known = try unsafe checkAllocated(parameters, "avcodec_parameters_alloc")
        unsafe (known.pointee.codec_type, known.pointee.codec_id) = (codec.pointee.type, id)
        try unsafe describe(&known.pointee)
        try unsafe check(
            avcodec_parameters_to_context(context, known), "avcodec_parameters_to_context", subject: subject)
        update {
            $0.thread_count = 1
            $0.max_pixels = Int64(ReadLimits.pixels)
        }
        unsafe sr_keep_subject(context, subject)
        try unsafe check(avcodec_open2(context, codec, nil), "avcodec_open2", subject: subject)
    }

    private static func noDecoder(_ parameters: AVCodecParameters) -> String {
        let name = ReadableMedia.codecName(parameters)
        return name.isEmpty ? "its codec is not known" : "there is no decoder here for its codec, \(name)"
    }

    private static func allow(_ codec: UnsafePointer<AVCodec>, subject: String) throws {
        let name = unsafe String(cString: codec.pointee.name)
        guard !ReadableMedia.isDecoder(name) else { return }
        throw SplitreelError(
            .mediaUnsupported, operation: "decoding", subject: subject,
            reason: "its codec, \(name), is not one that is read", hint: "convert the track to a codec that is read")
    }

    private func update(_ body: (inout AVCodecContext) -> Void) { unsafe body(&context.pointee) }

    deinit {
        unsafe sr_drop_kept(context)
        var owned: UnsafeMutablePointer<AVCodecContext>? = unsafe context
        unsafe avcodec_free_context(&owned)
    }

    /// Whether the codec's decoder leaves parts of a picture unwritten without a complaint. Others conceal them and
    /// complain.
    private static func mayLeaveGaps(_ id: AVCodecID) -> Bool {
        [AV_CODEC_ID_HEVC, AV_CODEC_ID_VP8, AV_CODEC_ID_MJPEG].contains(id)
    }

    /// The codecs whose decoders give the same after a flush as new ones, damaged or not, as far as tests have shown.
    private static let forgetful = [
        AV_CODEC_ID_H264, AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_MPEG4, AV_CODEC_ID_AV1,
    ]

    /// Whether a flushed decoder may keep something of earlier pictures, which shows where the next one is damaged:
    /// VP8's own decoder does, and libvpx's keep everything.
    package var mayRemember: Bool { unsafe !Self.forgetful.contains(context.pointee.codec_id) }

    /// Whether a picture with damaged tables is decoded with those of the picture before it, as JPEG's decoder does.
    package var keepsTables: Bool { unsafe context.pointee.codec_id == AV_CODEC_ID_MJPEG }

    /// Whether a part of a picture that was decoded since the last call was left unwritten, as far as that is known.
    package func takeUnwritten() -> Bool { pictures?.takeUnwritten() ?? false }

    /// The decoder for a stream. Pictures with alpha in VP8 and VP9 go to libvpx: the native decoders drop the alpha
    /// layer. VP9 that is not known to be damaged goes there too: the native decoder takes any bits for pictures
    /// without a complaint, but goes on where libvpx waits for a key. Both are as fast, and give the same pictures
    /// where nothing is damaged.
    package static func decoder(
        _ stream: UnsafeMutablePointer<AVStream>, _ aim: Aim = .noticing
    ) -> UnsafePointer<AVCodec>? {
        let id = unsafe stream.pointee.codecpar.pointee.codec_id
        if unsafe hasAlphaLayer(stream) || id == AV_CODEC_ID_VP9 && aim == .noticing {
            let name = id == AV_CODEC_ID_VP8 ? "libvpx" : "libvpx-vp9"
            if let codec = unsafe avcodec_find_decoder_by_name(name) { return unsafe codec }
        }
        return unsafe avcodec_find_decoder(id)
    }

    /// Whether one decoder notices damage to that stream and another one shows more of it.
    package static func hasTwo(for stream: UnsafeMutablePointer<AVStream>) -> Bool {
        unsafe decoder(stream, .noticing) != decoder(stream, .showing)
    }

    /// Whether the stream is VP8 or VP9 whose container says that packets carry a second, alpha bitstream.
    package static func hasAlphaLayer(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        let id = unsafe stream.pointee.codecpar.pointee.codec_id
        guard id == AV_CODEC_ID_VP8 || id == AV_CODEC_ID_VP9 else { return false }
        return unsafe entry("alpha_mode", of: stream.pointee.metadata) == "1"
    }

    /// Hands the decoder a packet; call only after `receive` said `needsPacket`. false where the data is damaged; the
    /// decoder goes on with the next packet.
    package func send(_ packet: borrowing Packet) throws -> Bool { try unsafe send(packet.pointer) }

    /// Tells the decoder that no packets come any more: it gives out the frames that it still has.
    package func drain() throws { _ = try unsafe send(nil) }

    private func send(_ packet: UnsafePointer<AVPacket>?) throws -> Bool {
        let result = unsafe avcodec_send_packet(context, packet)
        if result >= 0 || result == SR_ERROR_EOF { return true }
        if result == SR_ERROR_NOMEM { try check(result, "avcodec_send_packet", subject: subject) }
        return false
    }

    package func receive(into frame: borrowing Frame) throws -> Output {
        let result = unsafe avcodec_receive_frame(context, frame.pointer)
        if result >= 0 { return .frame }
        if result == SR_ERROR_AGAIN { return .needsPacket }
        if result == SR_ERROR_EOF { return .finished }
        if result == SR_ERROR_NOMEM { try check(result, "avcodec_receive_frame", subject: subject) }
        return .damaged
    }

    /// Makes the decoder begin anew; call after every seek, and before reuse after draining.
    package func flush() { unsafe avcodec_flush_buffers(context) }
}
