internal import CFFmpeg
internal import Composition
internal import Diagnostics
package import MediaTime
package import Planning

/// One encoder for one chunk: a fresh one per chunk, so that every chunk begins with a key frame and depends on nothing
/// but the settings and its frames. Confined to one thread at a time.
///
/// Packets leave with `pts` = the frame's index as it was sent; their DTS means nothing and is stamped anew by whoever
/// writes them.
package final class VideoEncoder {
    package let settings: VideoSettings
    package let frameDuration: MediaTime
    let context: CodecContext
    /// 1 / frame rate, in lowest terms.
    let timeBase: AVRational
    private let pixelFormat: AVPixelFormat
    private var isFinished = false

    package init(settings: VideoSettings, frameDuration: MediaTime) throws {
        try settings.check()
        self.settings = settings
        self.frameDuration = frameDuration
        timeBase = try Media.timeBase(frameDuration)
        pixelFormat = av_get_pix_fmt(settings.format.rawValue)
        context = try CodecContext(encoder: encoderName(for: settings.codec))
        configure()
        try context.open(settings.encoderOptions, subject: settings.summary)
    }

    /// The codec's global header: the same for every chunk of equal settings.
    package var extradata: [UInt8] { context.extradata }

    private func configure() {
        let raw = context.pointer
        raw.pointee.width = Int32(settings.size.width)
        raw.pointee.height = Int32(settings.size.height)
        raw.pointee.pix_fmt = pixelFormat
        raw.pointee.time_base = timeBase
        raw.pointee.framerate = AVRational(num: timeBase.den, den: timeBase.num)
        raw.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
        raw.pointee.field_order = AV_FIELD_PROGRESSIVE
        let tags = ColourTags(settings.colour)
        raw.pointee.color_primaries = tags.primaries
        raw.pointee.color_trc = tags.transfer
        raw.pointee.colorspace = tags.matrix
        raw.pointee.color_range = AVCOL_RANGE_MPEG
        raw.pointee.chroma_sample_location = settings.chromaLocation
        raw.pointee.flags |=
            AV_CODEC_FLAG_BITEXACT | AV_CODEC_FLAG_GLOBAL_HEADER | Int32(bitPattern: AV_CODEC_FLAG_CLOSED_GOP)
        raw.pointee.thread_count = Int32(max(1, settings.threads))
        raw.pointee.gop_size = Int32(clamping: settings.isIntraOnly ? 1 : max(1, settings.keyFrameInterval))
        if let bitRate = settings.bitRate { raw.pointee.bit_rate = Int64(bitRate) }
        switch settings.codec {
        case .h264:
            let level = H264Level.lowest(for: settings.size, frameDuration: frameDuration)
            raw.pointee.level = Int32(level.number)
            raw.pointee.refs = Int32(min(settings.referenceFrames, level.mostReferences(settings.size)))
            raw.pointee.max_b_frames = Int32(settings.bFrames)
        case .hevc:
            raw.pointee.max_b_frames = Int32(settings.bFrames)
        case .ffv1:
            raw.pointee.level = 3
            // Two rows of two; a picture of a few pixels cannot be cut.
            raw.pointee.slices = min(settings.size.width, settings.size.height) >= 16 ? 4 : 1
        case .prores:
            break
        }
    }

    /// Sends the chunk's frame number `index`, counted from 0, and hands out the packets that are ready.
    ///
    /// The encoder may keep a reference to the frame's buffers after this returns: do not write to them again.
    package func send(_ frame: borrowing Frame, index: Int, _ emit: (consuming Packet) throws -> Void) throws {
        precondition(!isFinished, "an encoder takes no frames after finish()")
        let raw = frame.pointer.pointee
        guard raw.width == Int32(settings.size.width), raw.height == Int32(settings.size.height),
            raw.format == pixelFormat.rawValue, raw.buf.0 != nil
        else {
            throw SplitreelError(
                .internalFault, operation: "encoding", subject: "frame \(index)",
                reason: "\(raw.width)x\(raw.height) \(frame.pixelFormatName) came, \(settings.summary) was promised")
        }
        let stripped = try strip(frame, index: index)
        try check(
            avcodec_send_frame(context.pointer, stripped.pointer), "avcodec_send_frame",
            subject: "\(settings.summary), frame \(index)", as: .encodeFailed)
        _ = try context.drain(subject: settings.summary, emit)
    }

    /// Hands out the rest; the encoder is of no further use.
    package func finish(_ emit: (consuming Packet) throws -> Void) throws {
        guard !isFinished else { return }
        isFinished = true
        try check(
            avcodec_send_frame(context.pointer, nil), "avcodec_send_frame", subject: settings.summary,
            as: .encodeFailed)
        _ = try context.drain(subject: settings.summary, emit)
    }

    /// The same buffers without what a source's decoder hung on them (captions, regions, picture types): it would end
    /// up in the film.
    private func strip(_ frame: borrowing Frame, index: Int) throws -> Frame {
        let bare = try frame.reference()
        let raw = bare.pointer
        while raw.pointee.nb_side_data > 0, let first = raw.pointee.side_data?[0] {
            av_frame_remove_side_data(raw, first.pointee.type)
        }
        av_dict_free(&raw.pointee.metadata)
        raw.pointee.pts = Int64(index)
        raw.pointee.pkt_dts = SR_NOPTS
        raw.pointee.pict_type = AV_PICTURE_TYPE_NONE
        raw.pointee.key_frame = 0
        raw.pointee.interlaced_frame = 0
        raw.pointee.top_field_first = 0
        raw.pointee.repeat_pict = 0
        raw.pointee.quality = 0
        raw.pointee.opaque = nil
        raw.pointee.crop_top = 0
        raw.pointee.crop_bottom = 0
        raw.pointee.crop_left = 0
        raw.pointee.crop_right = 0
        raw.pointee.sample_aspect_ratio = AVRational(num: 1, den: 1)
        let tags = ColourTags(settings.colour)
        raw.pointee.color_primaries = tags.primaries
        raw.pointee.color_trc = tags.transfer
        raw.pointee.colorspace = tags.matrix
        raw.pointee.color_range = AVCOL_RANGE_MPEG
        raw.pointee.chroma_location = settings.chromaLocation
        return bare
    }
}
