internal import CFFmpeg
internal import Diagnostics
package import Libav
internal import MediaTime
internal import Pictures
package import SplitreelFiles

/// Reads all of a film's packets, and decodes them strictly where asked: a damaged frame is a problem, not a guess.
///
/// Throws only where the file cannot be opened or read as a film at all. Costs one pass over the file.
package func inspectFilm(_ source: any MediaSource, decoding: Bool = false) throws -> FilmFacts {
    var facts = try packetFacts(source, decoding: decoding)
    facts.end = FilmEnd.find(source, facts)
    return facts
}

private func packetFacts(_ source: any MediaSource, decoding: Bool) throws -> FilmFacts {
    if AnimatedWebP.begins(with: source.head(30)) { return try webPFacts(source) }
    let file = try InputFile(source, failure: .mediaCannotOpen)
    try unsafe check(
        avformat_find_stream_info(file.context, nil), "avformat_find_stream_info", subject: source.name,
        as: .mediaCannotOpen)
    var probes: [StreamProbe?] = []
    let damage = FilmDamage()
    let streamCount = unsafe Int(file.context.pointee.nb_streams)
    for index in 0..<streamCount {
        guard let stream = unsafe file.context.pointee.streams[index] else {
            probes.append(nil)
            continue
        }
        let type = unsafe stream.pointee.codecpar.pointee.codec_type
        let isPicture = unsafe stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0
        let counts = !isPicture && (type == AVMEDIA_TYPE_VIDEO || type == AVMEDIA_TYPE_AUDIO)
        probes.append(counts ? try unsafe StreamProbe(file, stream, damage, decoding: decoding) : nil)
    }
    let packet = try Packet()
    // A WAV file's short last packet is no loss where its length is left open; `FilmEnd` tells where it is.
    let isWAV = unsafe String(cString: file.context.pointee.iformat.pointee.name) == "wav"
    _ = Libav.takeComplaints()
    while try file.read(into: packet) {
        let isCut = !isWAV && packet.fields.flags & AV_PKT_FLAG_CORRUPT != 0
        let isLoss = Libav.takeComplaints() > 0 || isCut
        if packet.streamIndex < probes.count { probes[packet.streamIndex]?.take(packet, afterLoss: isLoss) }
        packet.clear()
        _ = Libav.takeComplaints()
    }
    for probe in probes { probe?.finish() }
    return FilmFacts(
        container: unsafe String(cString: file.context.pointee.iformat.pointee.name),
        video: probes.compactMap { $0?.videoFacts() }, audio: probes.compactMap { $0?.audioFacts() },
        otherStreams: probes.count { $0 == nil }, chapters: chapters(of: file), damage: damage.notices)
}

private func chapters(of file: InputFile) -> [FilmFacts.Chapter] {
    let count = unsafe Int(file.context.pointee.nb_chapters)
    return (0..<count).compactMap { place in
        guard let chapter = unsafe file.context.pointee.chapters?[place]?.pointee,
            let tick = unsafe rational(chapter.time_base)
        else { return nil }
        let title = unsafe av_dict_get(chapter.metadata, "title", nil, 0)
        let text: String? = unsafe title.flatMap { unsafe String(validatingCString: $0.pointee.value) }
        return unsafe FilmFacts.Chapter(
            start: Rational(Int(chapter.start)) * tick, end: Rational(Int(chapter.end)) * tick, tick: tick,
            title: text ?? "")
    }
}

/// The facts of an animated WebP; libavformat knows only single pictures. Nothing is decoded.
private func webPFacts(_ source: any MediaSource) throws -> FilmFacts {
    let film = try AnimatedWebP(source)
    let video = FilmFacts.Video(
        codec: AV_CODEC_ID_WEBP.name, tag: "", size: PixelSize(width: film.canvas.width, height: film.canvas.height),
        pixelFormat: "", isInterlaced: false, timeBase: film.timeBase, startsWithKeyFrame: true,
        presentations: film.packets.entries.map(\.pts), misorderedPackets: 0, untimedPackets: 0)
    return FilmFacts(container: AnimatedWebP.name.container, video: [video], audio: [], otherStreams: 0, damage: [])
}

/// Gathers one stream's packets.
@safe
private final class StreamProbe {
    /// Keeps `stream` alive.
    private let file: InputFile
    private let stream: UnsafeMutablePointer<AVStream>
    private let decoder: StrictDecoder?
    private let damage: FilmDamage
    private let subject: String
    private let isVideo: Bool
    /// Whether the container tells how long packets are. Ogg tells where a page of packets ends; libavformat guesses
    /// the packets' lengths, wrongly for Vorbis whose blocks change their length.
    private let tellsDurations: Bool
    private var presentations: [Int64] = []
    private var keyFrames: Set<Int64> = []
    private var untimed = 0
    private var misordered = 0
    private var lastDecode: Int64?
    private var firstIsKey: Bool?
    private var packetCount = 0
    private var start: Int64?
    private var end: Int64 = 0
    private var longest: Int64 = 0
    private var gaps = 0
    private var isOpenEnded = false

    init(
        _ file: InputFile, _ stream: UnsafeMutablePointer<AVStream>, _ damage: FilmDamage, decoding: Bool
    ) throws {
        self.file = file
        unsafe self.stream = stream
        self.damage = damage
        subject = unsafe "\(file.name), track \(stream.pointee.index + 1)"
        isVideo = unsafe stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO
        tellsDurations = unsafe String(cString: file.context.pointee.iformat.pointee.name) != "ogg"
        decoder = decoding ? try unsafe StrictDecoder(stream) : nil
    }

    func take(_ packet: borrowing Packet, afterLoss: Bool) {
        let time = (packet.pts ?? packet.dts).map { (Rational(Int($0)) * tick).double }
        if afterLoss { damage.add(.lost, subject, at: time) }
        if let fault = decoder?.decode(packet) { damage.add(fault, subject, at: time) }
        packetCount += 1
        if firstIsKey == nil { firstIsKey = packet.isKey }
        guard let pts = packet.pts else {
            untimed += 1
            return
        }
        if isVideo {
            presentations.append(pts)
            if packet.isKey { keyFrames.insert(pts) }
            if let dts = packet.dts, dts <= pts, lastDecode.map({ dts > $0 }) ?? true {
                lastDecode = dts
            } else {
                misordered += 1
                lastDecode = packet.dts ?? lastDecode
            }
        } else {
            // libavformat does not know how long the first packet of a fragmented film is.
            if start == nil { start = pts } else if abs(pts - end) > 1 && !isOpenEnded && tellsDurations { gaps += 1 }
            isOpenEnded = packet.duration == 0
            end = pts + packet.duration
            longest = max(longest, packet.duration)
        }
    }

    func finish() { if let fault = decoder?.finish() { damage.add(fault, subject, at: nil) } }

    private var fields: AVStream { unsafe stream.pointee }
    private var parameters: AVCodecParameters? { unsafe fields.codecpar?.pointee }
    /// The width of a pixel over its height as the container states it, or else as the pictures do; nil where neither
    /// does.
    private var pixelAspect: Rational? {
        unsafe rational(av_guess_sample_aspect_ratio(file.context, stream, nil))
    }

    private var tick: Rational { rational(fields.time_base) ?? Rational(1) }

    func videoFacts() -> FilmFacts.Video? {
        guard isVideo, let parameters else { return nil }
        let tags = ColourTags(
            primaries: parameters.color_primaries, transfer: parameters.color_trc, matrix: parameters.color_space)
        let range: Bool? =
            switch parameters.color_range {
            case AVCOL_RANGE_JPEG: true
            case AVCOL_RANGE_MPEG: false
            default: nil
            }
        var facts = FilmFacts.Video(
            codec: parameters.codec_id.name, tag: tagText(parameters.codec_tag),
            size: PixelSize(width: Int(parameters.width), height: Int(parameters.height)),
            pixelFormat: AVPixelFormat(parameters.format).name ?? "",
            colour: tags.triple, hdrMetadata: unsafe HDRMetadata(stream: stream), isFullRange: range,
            pixelAspect: pixelAspect,
            isInterlaced: parameters.field_order != AV_FIELD_PROGRESSIVE
                && parameters.field_order != AV_FIELD_UNKNOWN,
            timeBase: tick, averageRate: rational(fields.avg_frame_rate),
            nominalRate: rational(fields.r_frame_rate), startsWithKeyFrame: firstIsKey ?? false,
            presentations: presentations.sorted(), misorderedPackets: misordered, untimedPackets: untimed,
            decodedFrames: decoder?.count, decodeProblem: decoder?.problem)
        facts.keyFrames = keyFrames
        return facts
    }

    func audioFacts() -> FilmFacts.Audio? {
        guard !isVideo, let parameters else { return nil }
        var facts = FilmFacts.Audio(
            codec: parameters.codec_id.name, sampleRate: Int(parameters.sample_rate),
            channels: Int(parameters.ch_layout.nb_channels), packetCount: packetCount,
            start: Rational(Int(start ?? 0)) * tick, end: Rational(Int(end)) * tick,
            longestPacket: Rational(Int(longest)) * tick, gaps: gaps, decodedSamples: decoder?.count,
            decodeProblem: decoder?.problem)
        facts.header = unsafe bytes(parameters.extradata, count: parameters.extradata_size)
        return facts
    }
}

/// Decodes everything, and keeps the first fault that it meets.
@safe
private final class StrictDecoder {
    private var context: UnsafeMutablePointer<AVCodecContext>?
    private let frame: Frame
    /// The number of frames, or of samples, that were decoded.
    private(set) var count = 0
    private(set) var problem: String?

    init(_ stream: UnsafeMutablePointer<AVStream>) throws {
        frame = try Frame()
        guard let parameters = unsafe stream.pointee.codecpar, let codec = unsafe Decoder.decoder(stream),
            unsafe ReadableMedia.isDecoder(String(cString: codec.pointee.name)),
            let made = unsafe avcodec_alloc_context3(codec)
        else {
            problem = "there is no decoder for it"
            return
        }
        unsafe context = made
        unsafe avcodec_parameters_to_context(made, parameters)
        unsafe made.pointee.pkt_timebase = stream.pointee.time_base
        unsafe made.pointee.err_recognition = AV_EF_CRCCHECK | AV_EF_BITSTREAM | AV_EF_BUFFER | AV_EF_EXPLODE
        unsafe made.pointee.thread_count = 1
        unsafe made.pointee.max_pixels = Int64(ReadLimits.pixels)
        unsafe made.pointee.max_samples = Int64(ReadLimits.samplesPerFrame)
        _ = unsafe note(avcodec_open2(made, codec, nil))
    }

    deinit { unsafe avcodec_free_context(&context) }

    /// Decodes a packet; returns the kind of fault that it met, nil where all is well.
    func decode(_ packet: borrowing Packet) -> FilmDamage.Kind? { unsafe send(packet.pointer) }

    func finish() -> FilmDamage.Kind? { unsafe send(nil) }

    private func send(_ packet: UnsafeMutablePointer<AVPacket>?) -> FilmDamage.Kind? {
        guard let context = unsafe context else { return nil }
        _ = Libav.takeComplaints()
        var result = unsafe avcodec_send_packet(context, packet)
        var fault: FilmDamage.Kind?
        if result == SR_ERROR_AGAIN {
            // An error kept it from handing out all that it had.
            fault = receive()
            result = unsafe avcodec_send_packet(context, packet)
        }
        if result != SR_ERROR_EOF, !note(result) { fault = .undecodable }
        fault = receive() ?? fault
        return fault ?? (Libav.takeComplaints() > 0 ? .faulty : nil)
    }

    private func receive() -> FilmDamage.Kind? {
        guard let context = unsafe context else { return nil }
        var fault: FilmDamage.Kind?
        while true {
            let result = unsafe avcodec_receive_frame(context, frame.pointer)
            if result == SR_ERROR_AGAIN || result == SR_ERROR_EOF { return fault }
            guard note(result) else { return .undecodable }
            count += frame.sampleCount > 0 ? frame.sampleCount : 1
            if frame.fields.decode_error_flags != 0 || frame.fields.flags & AV_FRAME_FLAG_CORRUPT != 0 {
                if problem == nil { problem = "frame \(count) is damaged" }
                fault = .faulty
            }
        }
    }

    private func note(_ result: Int32) -> Bool {
        if result < 0 && problem == nil {
            let line = Libav.takeLogLine()
            problem = "after \(count) decoded: " + (line ?? Libav.text(result))
        }
        return result >= 0
    }
}

/// The fraction as a rational number; nil where libav says 0 or unknown.
private func rational(_ value: AVRational) -> Rational? {
    value.num > 0 && value.den > 0 ? Rational(Int(value.num), Int(value.den)) : nil
}

private func tagText(_ tag: UInt32) -> String {
    let characters = (0..<4).map { UInt8(truncatingIfNeeded: tag >> (8 * $0)) }
    return characters.allSatisfy { (32...126).contains($0) } ? String(decoding: characters, as: UTF8.self) : ""
}
