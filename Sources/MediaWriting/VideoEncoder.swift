internal import CFFmpeg
internal import Diagnostics
package import Libav
package import MediaTime
package import Outputs
internal import Pictures

/// One encoder for one chunk: a fresh one per chunk, so that every chunk begins with a key frame and depends on nothing
/// but the settings and its frames. Where each packet depends on its own frame alone, an encoder may serve one chunk
/// after the other (`isReusable`). Confined to one thread at a time.
///
/// Packets leave with `pts` = the frame's index as it was sent; their DTS means nothing and is stamped anew by whoever
/// writes them.
package final class VideoEncoder {
    package let settings: VideoSettings
    package let frameDuration: MediaTime
    let context: CodecContext
    /// The unit that a segment counts in: 1 / frame rate, in lowest terms.
    let timeBase: AVRational
    /// The times of frames that are not even, as the encoder is told them; nil for even ones.
    private let clock: ChunkClock?
    private let rate: AVRational
    private let limit: RateLimit?
    private let pixelFormat: AVPixelFormat
    /// The other numbers of the encoder's parameter sets; nil where it has them itself.
    private var numbering: SetNumbering?
    private var isFinished = false
    /// Whether an encoder of SVT-AV1 has frames inside.
    private var isRunning = false

    /// Opens an encoder. `clock` has the times of the chunk's frames where they are not even; `rate` is the chunk's
    /// part of a limited rate. Throws `.settingsImpossible` and `.encoderUnavailable`.
    package init(
        settings: VideoSettings, frameDuration: MediaTime, clock: ChunkClock? = nil, rate limit: RateLimit? = nil
    ) throws {
        try settings.check()
        self.limit = limit
        self.clock = clock
        self.settings = settings
        self.frameDuration = frameDuration
        timeBase = try frameTimeBase(frameDuration)
        let frame = try frameTimeBase(clock?.pace ?? frameDuration)
        rate = AVRational(num: frame.den, den: frame.num)
        pixelFormat = AVPixelFormat(name: settings.format.rawValue)
        context = try CodecContext(encoder: settings.codec.ofSegments.encoderName)
        context.update { configure(&$0) }
        let pace = PictureCodec.EncoderPace(frameDuration: clock?.pace ?? frameDuration, isEven: clock == nil)
        try context.open(settings.codec.options(settings, pace), subject: settings.summary)
        numbering = try SetNumbering(settings, header: context.extradata)
    }

    /// The codec's global header: the same for every chunk of equal settings.
    package var extradata: [UInt8] { numbering?.header ?? context.extradata }

    private func configure(_ raw: inout AVCodecContext) {
        raw.width = Int32(settings.size.width)
        raw.height = Int32(settings.size.height)
        raw.pix_fmt = settings.encodedFormat
        raw.framerate = rate
        raw.time_base = AVRational(num: rate.den, den: rate.num)
        if knowsTimes, let clock { raw.time_base = AVRational(num: 1, den: Int32(clamping: clock.timescale)) }
        raw.sample_aspect_ratio = settings.sampleAspect
        raw.field_order = AV_FIELD_PROGRESSIVE
        if !settings.codec.isOfImages {
            let tags = ColourTags(settings.colour)
            raw.color_primaries = tags.primaries
            raw.color_trc = tags.transfer
            raw.colorspace = tags.matrix
            raw.color_range = settings.codec.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
            raw.chroma_sample_location = settings.chromaLocation
        }
        raw.flags |= AV_CODEC_FLAG_BITEXACT | AV_CODEC_FLAG_GLOBAL_HEADER
        if settings.codec.hasClosedGroups { raw.flags |= Int32(bitPattern: AV_CODEC_FLAG_CLOSED_GOP) }
        raw.thread_count = Int32(max(1, settings.threads))
        raw.gop_size = Int32(clamping: settings.isIntraOnly ? 1 : max(1, settings.keyFrameInterval))
        if let bitRate = settings.bitRate { raw.bit_rate = Int64(bitRate) }
        if let limit {
            raw.rc_max_rate = Int64(limit.rate)
            raw.rc_buffer_size = Int32(clamping: limit.buffer)
            raw.rc_initial_buffer_occupancy = Int32(clamping: limit.buffer)
            if raw.bit_rate > 0 { raw.bit_rate = min(raw.bit_rate, raw.rc_max_rate) }
        } else if let bitRate = settings.bitRate, settings.codec.overshootsInShort {
            raw.rc_max_rate = Int64(bitRate)
            raw.rc_buffer_size = Int32(clamping: bitRate)
            raw.rc_initial_buffer_occupancy = Int32(clamping: bitRate / 2)
        }
        let fields = settings.codec.fields(settings, clock?.pace ?? frameDuration)
        if let level = fields.level { raw.level = Int32(clamping: level) }
        if let references = fields.references { raw.refs = Int32(clamping: references) }
        if let slices = fields.slices { raw.slices = Int32(clamping: slices) }
        if settings.codec.bFrames != nil { raw.max_b_frames = Int32(clamping: settings.bFrames) }
        if let quantiser = settings.quantiser {
            raw.flags |= AV_CODEC_FLAG_QSCALE
            raw.global_quality = Int32((quantiser * Double(FF_QP2LAMBDA)).rounded())
        }
    }

    /// Sends the chunk's frame number `index`, counted from 0, and hands out the packets that are ready.
    ///
    /// With `isKey` it becomes a key frame, whatever the encoder would make of it.
    ///
    /// The encoder may keep a reference to the frame's buffers after this returns: do not write to them again.
    package func send(
        _ frame: borrowing Frame, index: Int, isKey: Bool = false, _ emit: (consuming Packet) throws -> Void
    ) throws {
        precondition(!isFinished, "an encoder takes no frames after finish()")
        let raw = frame.fields
        guard raw.width == Int32(settings.size.width), raw.height == Int32(settings.size.height),
            raw.format == pixelFormat.rawValue, unsafe raw.buf.0 != nil
        else {
            throw SplitreelError(
                .internalFault, operation: "encoding", subject: "frame \(index)",
                reason: "\(raw.width)x\(raw.height) \(frame.pixelFormatName) came, \(settings.summary) was promised")
        }
        let stripped = try prepared(frame, index: index)
        if isKey { stripped.update { $0.pict_type = AV_PICTURE_TYPE_I } }
        if context.isSVT, !isRunning {
            SVTGate.shared.begin()
            isRunning = true
        }
        try unsafe check(
            avcodec_send_frame(context.pointer, stripped.pointer), "avcodec_send_frame",
            subject: "\(settings.summary), frame \(index)", as: .encodeFailed)
        try handOut(emit)
    }

    /// Whether the encoder is told its frames' times; others are told numbers.
    private var knowsTimes: Bool { clock != nil && settings.codec.goesByTimes }

    private func handOut(_ emit: (consuming Packet) throws -> Void) throws {
        guard knowsTimes, let clock else {
            _ = try context.drain(subject: settings.summary) { packet in
                if settings.codec.limitedRate?.isToldInPackets == true, limit != nil {
                    try packet.tell(settings.rateLimit)
                }
                try emit(numbered(packet))
            }
            return
        }
        _ = try context.drain(subject: settings.summary) { packet in
            let time = packet.pts ?? -1
            packet.update { $0.pts = Int64(clock.ticks.partitionPoint { $0 < time }) }
            try emit(numbered(packet))
        }
    }

    private func numbered(_ packet: consuming Packet) throws -> Packet {
        guard let numbering else { return packet }
        return try numbering.renumbered(packet)
    }

    /// Whether `beginAgain` may follow `finish`: nothing of one chunk could show in the next one's packets.
    ///
    /// FFV1 begins each frame anew with a context of 0 and frames that are all keys, and its packets come at once.
    /// Opening its encoder clears `openingBytes`.
    package var isReusable: Bool {
        settings.codec.isReusable && clock == nil && limit == nil
    }

    /// The bytes that libavcodec's FFV1 sets aside for a packet, and fills with zeros, before its first frame.
    package var openingBytes: Int { settings.size.width * settings.size.height * 37 * 4 }

    /// Begins another chunk of the same settings, whose frames count from 0 again. Only where it `isReusable`.
    package func beginAgain() {
        precondition(isReusable && isFinished, "an encoder that keeps something of its frames serves one chunk")
        isFinished = false
    }

    /// Hands out the rest; the encoder takes no more frames, unless it is reusable and begins again.
    package func finish(_ emit: (consuming Packet) throws -> Void) throws {
        guard !isFinished else { return }
        isFinished = true
        // An encoder that is told of an end would have to be opened again.
        guard !isReusable else { return try handOut(emit) }
        defer {
            if isRunning { SVTGate.shared.end() }
            isRunning = false
        }
        try unsafe check(
            avcodec_send_frame(context.pointer, nil), "avcodec_send_frame", subject: settings.summary,
            as: .encodeFailed)
        try handOut(emit)
    }

    private func prepared(_ frame: borrowing Frame, index: Int) throws -> Frame {
        guard !settings.codec.isOfImages else {
            let image = try settings.image(of: frame)
            image.update { ($0.pts, $0.sample_aspect_ratio) = (Int64(index), settings.sampleAspect) }
            return image
        }
        return try settings.codec.isFullRange ? fullRange(frame, index: index) : strip(frame, index: index)
    }

    /// The same buffers without the side data of a source's decoder (captions, regions, picture types), which would end
    /// up in the film.
    private func strip(_ frame: borrowing Frame, index: Int) throws -> Frame {
        let bare = try frame.reference()
        while unsafe bare.pointer.pointee.nb_side_data > 0, let first = unsafe bare.pointer.pointee.side_data?[0] {
            unsafe av_frame_remove_side_data(bare.pointer, first.pointee.type)
        }
        bare.update { stamp(&$0, index: index) }
        return bare
    }

    /// A copy in full range of 8 bits, rounded to nearest; codes beyond black and white are cut off.
    private func fullRange(_ frame: borrowing Frame, index: Int) throws -> Frame {
        let copy = try Frame.make(format: settings.format, size: settings.size, colour: settings.colour)
        let shift = settings.format.chromaShift
        for plane in 0..<3 {
            let codes = plane == 0 ? FullRange.luma : FullRange.chroma
            let width = plane == 0 ? settings.size.width : (settings.size.width + (1 << shift.x) - 1) >> shift.x
            let height = plane == 0 ? settings.size.height : (settings.size.height + (1 << shift.y) - 1) >> shift.y
            FullRange.convert(frame, copy, plane: plane, width: width, height: height, codes)
        }
        copy.update { stamp(&$0, index: index) }
        return copy
    }

    /// Takes the frames out of SVT-AV1, which hangs where it is freed with frames inside.
    deinit {
        guard context.isSVT, !isFinished else { return }
        try? finish { _ in }
    }

    private func stamp(_ raw: inout AVFrame, index: Int) {
        unsafe av_dict_free(&raw.metadata)
        raw.pts = knowsTimes && clock?.ticks.indices.contains(index) == true ? clock?.ticks[index] ?? 0 : Int64(index)
        raw.pkt_dts = SR_NOPTS
        raw.pict_type = AV_PICTURE_TYPE_NONE
        raw.key_frame = 0
        raw.interlaced_frame = 0
        raw.top_field_first = 0
        raw.repeat_pict = 0
        raw.quality = 0
        unsafe raw.opaque = nil
        raw.crop_top = 0
        raw.crop_bottom = 0
        raw.crop_left = 0
        raw.crop_right = 0
        raw.sample_aspect_ratio = settings.sampleAspect
        let tags = ColourTags(settings.colour)
        raw.color_primaries = tags.primaries
        raw.color_trc = tags.transfer
        raw.colorspace = tags.matrix
        raw.color_range = settings.codec.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
        raw.chroma_location = settings.chromaLocation
    }
}
