internal import CFFmpeg
internal import Diagnostics

/// One libavcodec decoder of one stream. Confined to one thread at a time.
final class Decoder {
    enum Output { case frame, needsPacket, finished, damaged }

    let context: UnsafeMutablePointer<AVCodecContext>
    private let subject: String

    /// `threads` is set as given, never taken from the machine. Pictures with alpha in VP8 and VP9 go to libvpx: the
    /// native decoders drop the alpha layer.
    init(stream: UnsafeMutablePointer<AVStream>, threads: Int, subject: String) throws {
        self.subject = subject
        guard let parameters = stream.pointee.codecpar else {
            throw SplitreelError(.decodeFailed, operation: "decoding", subject: subject, reason: "no codec parameters")
        }
        let name = String(cString: avcodec_get_name(parameters.pointee.codec_id))
        guard let codec = Self.decoder(stream) else {
            throw SplitreelError(
                .decodeFailed, operation: "avcodec_find_decoder", subject: subject,
                reason: "this libavcodec has no decoder for \(name)")
        }
        context = try checkAllocated(avcodec_alloc_context3(codec), "avcodec_alloc_context3")
        try check(
            avcodec_parameters_to_context(context, parameters), "avcodec_parameters_to_context", subject: subject)
        context.pointee.pkt_timebase = stream.pointee.time_base
        context.pointee.thread_count = Int32(max(1, threads))
        context.pointee.thread_type = threads > 1 ? FF_THREAD_FRAME | FF_THREAD_SLICE : FF_THREAD_SLICE
        // Corrupt output would turn "late" into wrong pixels after a seek.
        context.pointee.flags &= ~AV_CODEC_FLAG_OUTPUT_CORRUPT
        context.pointee.max_pixels = Int64(ReadLimits.pixels)
        context.pointee.max_samples = Int64(ReadLimits.samplesPerFrame)
        try check(avcodec_open2(context, codec, nil), "avcodec_open2", subject: "\(subject) (\(name))")
    }

    /// For data that comes without a stream.
    init(codec id: AVCodecID, subject: String) throws {
        self.subject = subject
        let codec = try checkAllocated(avcodec_find_decoder(id), "avcodec_find_decoder")
        context = try checkAllocated(avcodec_alloc_context3(codec), "avcodec_alloc_context3")
        context.pointee.thread_count = 1
        context.pointee.max_pixels = Int64(ReadLimits.pixels)
        try check(avcodec_open2(context, codec, nil), "avcodec_open2", subject: subject)
    }

    deinit {
        var owned: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&owned)
    }

    static func decoder(_ stream: UnsafeMutablePointer<AVStream>) -> UnsafePointer<AVCodec>? {
        let id = stream.pointee.codecpar.pointee.codec_id
        if hasAlphaLayer(stream) {
            let name = id == AV_CODEC_ID_VP8 ? "libvpx" : "libvpx-vp9"
            if let codec = avcodec_find_decoder_by_name(name) { return codec }
        }
        return avcodec_find_decoder(id)
    }

    /// VP8 or VP9 whose container says that packets carry a second, alpha bitstream.
    static func hasAlphaLayer(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        let id = stream.pointee.codecpar.pointee.codec_id
        guard id == AV_CODEC_ID_VP8 || id == AV_CODEC_ID_VP9 else { return false }
        guard let entry = av_dict_get(stream.pointee.metadata, "alpha_mode", nil, 0) else { return false }
        return String(cString: entry.pointee.value) == "1"
    }

    /// nil starts draining. Call only after `receive` said `needsPacket`. false: the data is damaged; the decoder
    /// goes on with the next packet.
    func send(_ packet: UnsafePointer<AVPacket>?) throws -> Bool {
        let result = avcodec_send_packet(context, packet)
        if result >= 0 || result == SR_ERROR_EOF { return true }
        if result == SR_ERROR_NOMEM { try check(result, "avcodec_send_packet", subject: subject) }
        return false
    }

    func receive(into frame: borrowing Frame) throws -> Output {
        let result = avcodec_receive_frame(context, frame.pointer)
        if result >= 0 { return .frame }
        if result == SR_ERROR_AGAIN { return .needsPacket }
        if result == SR_ERROR_EOF { return .finished }
        if result == SR_ERROR_NOMEM { try check(result, "avcodec_receive_frame", subject: subject) }
        return .damaged
    }

    /// After every seek, and before reuse after draining.
    func flush() { avcodec_flush_buffers(context) }
}
