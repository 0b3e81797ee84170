internal import CFFmpeg
internal import Diagnostics
internal import Libav
internal import MediaReading
internal import MediaTime
internal import Outputs
internal import Pictures

/// The muxer's options beside the streams. `tagRoom` is the number of bytes that tags, texts, chapters and the cover
/// take in the index.
func headerOptions(
    container: Container, video: FilmVideoTrack?, audio: [FilmAudioTrack], stored: [StoredTrack] = [], tagRoom: Int,
    isFragmented: Bool = false, chapters: [FilmChapter] = []
) throws -> [(String, String)] {
    switch container {
    case .mkv, .webm, .mxf, .ogg, .gif, .webp, .png, .jpg, .tiff, .exr, .m3u8, .mpd, .y4m, .nut,
        .waveform:
        return []
    // A file beyond 4 GiB becomes RF64.
    case .wav: return [("rf64", "auto")]
    // libavformat writes the sizes of chapters as ID3v2.3 has them, whatever the version: those of 128 bytes and more
    // are wrong in 2.4.
    case .mp3: return [("id3v2_version", chapters.contains { $0.title.utf8.count > 80 } ? "3" : "4")]
    case .flac: return []
    case .mp4, .mov, .m4a: break
    }
    var options: [(String, String)] = []
    let pictureScale = try video.map { Int64(try $0.tick().den) }
    let storedScale = stored.first(where: \.format.isPicture).map { Int64($0.clock) }
    // A film has one track of pictures.
    if let scale = try video?.scale() ?? storedScale { options.append(("video_track_timescale", "\(scale)")) }
    let others = stored.map { $0.format.isPicture ? Int64($0.clock) : Int64(max(1, $0.format.sampleRate)) }
    let each = [audio.first.map { Int64($0.settings.sampleRate) }, pictureScale].compactMap { $0 } + others
    let common = each.reduce(1) { $0 > Int32.max ? $0 : $0 / Int64(av_gcd($0, $1)) * $1 }
    let scales = [common] + each
    // The default, 1000, would round the film's length to milliseconds. The track of chapters counts so, too, in 31
    // bits for each of them.
    let longest = chapters.map { (Rational($0.end) - Rational($0.start)).double }.max() ?? 0
    let movieScale = scales.first { $0 <= Int64(Int32.max) && Double($0) * longest < 2_147_000_000 } ?? 1000
    options.append(("movie_timescale", "\(movieScale)"))
    if isFragmented {
        // The index waits for the first fragment, which knows the delays that edit lists tell.
        options.append(("movflags", "frag_keyframe+delay_moov+default_base_moof"))
        // Every packet of sound is a key: without a picture a fragment lasts a second.
        if pictureScale == nil, storedScale == nil { options.append(("frag_duration", "1000000")) }
        return options
    }
    if let size = reservedIndexSize(video: video, audio: audio, stored: stored, tagRoom: tagRoom) {
        options.append(("moov_size", "\(size)"))
    }
    return options
}

/// The bytes of room for the index in front of the media; nil where it would be absurd: the index then goes to the end.
private func reservedIndexSize(
    video: FilmVideoTrack?, audio: [FilmAudioTrack], stored: [StoredTrack], tagRoom: Int
) -> Int? {
    let own = MovieIndex.room(
        frames: video?.frameCount, packets: audio.reduce(0) { $0 + $1.record.packetCount }, sounds: audio.count,
        words: tagRoom, extradata: video?.extradata.count ?? 0)
    // A chunk of sound may begin at each packet of another track.
    let breaks = stored.isEmpty ? 0 : 20 * audio.reduce(0) { $0 + $1.record.packetCount }
    let size = own + breaks + stored.reduce(0) { $0 + $1.roomInIndex }
    return size < 1 << 29 ? size : nil
}

extension FilmVideoTrack {
    /// The ticks in a second of the track. Frames of one rate have a multiple of it, doubled until there are ten
    /// thousand, as ffmpeg does: Chromium looks for a key frame by a time that it rounds to ticks. Where a frame is one
    /// tick, it shows the next frame for the second half of one.
    func scale() throws -> Int64 {
        var scale = Int64(max(1, try tick().den))
        guard case .even = timing else { return scale }
        while scale < 10_000 { scale *= 2 }
        return scale
    }

    func describe(_ stream: inout AVStream, _ parameters: inout AVCodecParameters, container: Container) throws {
        let tick = try tick()
        stream.time_base = tick
        if case .even = timing {
            let rate = AVRational(num: tick.den, den: tick.num)
            (stream.avg_frame_rate, stream.r_frame_rate) = (rate, rate)
        }
        stream.sample_aspect_ratio = settings.sampleAspect
        parameters.codec_type = AVMEDIA_TYPE_VIDEO
        parameters.codec_id = settings.codec.id
        let facts = settings.codec.stream(settings, container)
        parameters.codec_tag = number(of: facts.tag)
        parameters.format = AVPixelFormat(name: settings.format.rawValue).rawValue
        parameters.width = Int32(settings.size.width)
        parameters.height = Int32(settings.size.height)
        parameters.sample_aspect_ratio = settings.sampleAspect
        parameters.field_order = AV_FIELD_PROGRESSIVE
        parameters.video_delay = Int32(settings.reorderDepth)
        let tags = ColourTags(settings.colour)
        parameters.color_primaries = tags.primaries
        parameters.color_trc = tags.transfer
        parameters.color_space = tags.matrix
        parameters.color_range = settings.codec.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
        parameters.chroma_location = settings.chromaLocation
        if let profile = facts.profile { parameters.profile = Int32(clamping: profile) }
        if let bits = facts.codedBits { parameters.bits_per_coded_sample = Int32(clamping: bits) }
        try setExtradata(extradata, of: &parameters)
    }

    /// The number of a four-character code; 0 lets the muxer choose.
    private func number(of tag: PictureCodec.StreamFacts.Tag) -> UInt32 {
        switch tag {
        case .ofMuxer: 0
        case .code(let code): fourCC(code)
        case .ofPixelFormat: avcodec_pix_fmt_to_codec_tag(AVPixelFormat(name: settings.format.rawValue))
        }
    }
}
