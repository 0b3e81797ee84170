package import MediaFacts
package import Pictures

/// The file type of an output, decided by its extension; `kind` says what is in it.
public enum Container: String, Codable, Sendable, CaseIterable {
    /// Films.
    case mp4, mov, mkv, webm, mxf
    /// Sound alone.
    case m4a, wav, flac, ogg, mp3
    /// Streams in segments: HLS and MPEG-DASH.
    case m3u8, mpd
    /// Moving images.
    case gif, webp
    /// Sequences of images.
    case png, jpg, tiff, exr
    /// Films without compression, for pipes.
    case y4m, nut
    /// A sound's peaks, as JSON or as audiowaveform's .dat.
    case waveform
}

/// The pixel formats that chunks are composed in and encoded from; raw values are libavutil's names.
package enum WorkingFormat: String, Codable, Sendable, CaseIterable {
    case yuv420p, yuv422p, yuv444p
    case yuv420p10 = "yuv420p10le"
    case yuv422p10 = "yuv422p10le"
    case yuv444p10 = "yuv444p10le"
    /// The format of films with alpha: in ProRes 4444, in images and in raw films.
    case yuva444p10 = "yuva444p10le"
    /// The format of VP9 with alpha; besides, one of frames alone, as those below.
    case yuva420p
    /// The formats of frames alone: pictures that let through what lies beneath them.
    case yuva422p, yuva444p
    case yuva420p10 = "yuva420p10le"
    case yuva422p10 = "yuva422p10le"

    package var bitDepth: Int {
        switch self {
        case .yuv420p, .yuv422p, .yuv444p, .yuva420p, .yuva422p, .yuva444p: 8
        case .yuv420p10, .yuv422p10, .yuv444p10, .yuva444p10, .yuva420p10, .yuva422p10: 10
        }
    }

    package var hasAlpha: Bool { self == withAlpha }

    package var withAlpha: WorkingFormat {
        switch self {
        case .yuv420p, .yuva420p: .yuva420p
        case .yuv422p, .yuva422p: .yuva422p
        case .yuv444p, .yuva444p: .yuva444p
        case .yuv420p10, .yuva420p10: .yuva420p10
        case .yuv422p10, .yuva422p10: .yuva422p10
        case .yuv444p10, .yuva444p10: .yuva444p10
        }
    }

    package var withoutAlpha: WorkingFormat {
        switch self {
        case .yuv420p, .yuva420p: .yuv420p
        case .yuv422p, .yuva422p: .yuv422p
        case .yuv444p, .yuva444p: .yuv444p
        case .yuv420p10, .yuva420p10: .yuv420p10
        case .yuv422p10, .yuva422p10: .yuv422p10
        case .yuv444p10, .yuva444p10: .yuv444p10
        }
    }

    /// The same format with 10 bits.
    package var deep: WorkingFormat {
        switch self {
        case .yuv420p, .yuv420p10: .yuv420p10
        case .yuv422p, .yuv422p10: .yuv422p10
        case .yuv444p, .yuv444p10: .yuv444p10
        case .yuva420p, .yuva420p10: .yuva420p10
        case .yuva422p, .yuva422p10: .yuva422p10
        case .yuva444p, .yuva444p10: .yuva444p10
        }
    }

    /// The base-2 logarithms of the horizontal and vertical chroma subsampling.
    package var chromaShift: (x: Int, y: Int) {
        switch self {
        case .yuv420p, .yuv420p10, .yuva420p, .yuva420p10: (1, 1)
        case .yuv422p, .yuv422p10, .yuva422p, .yuva422p10: (1, 0)
        case .yuv444p, .yuv444p10, .yuva444p, .yuva444p10: (0, 0)
        }
    }

    /// The number of slices that FFV1 cuts a picture into: two rows of two, more where those are larger than its
    /// encoder takes, or one where it is only a few pixels high or wide. nil stands for FFV1's level 1, which has no
    /// slices. libavcodec 5.1 needs it: its slices of one row or column come back as zeros, and it takes one slice only
    /// up to 352×288, none narrower than a colour sample, and fewer than twice as many across as down (`ffv1enc.c`).
    package func slicesOfFFV1(_ size: PixelSize) -> Int? {
        guard min(size.width, size.height) >= 4 else { return nil }
        let isSmall = size.width <= 352 && size.height <= 288
        if min(size.width, size.height) < 16 && isSmall { return 1 }
        let columns = ((size.width - 1) >> chromaShift.x) + 1
        let rows = ((size.height - 1) >> chromaShift.y) + 1
        let (most, bits) = (8 << 24, (bitDepth + 1) * (hasAlpha ? 4 : 3))
        for down in 2..<32 where down <= rows {
            for across in down..<2 * down where across <= columns {
                let pixels = ((size.width - 1) / across + 1) * ((size.height - 1) / down + 1)
                if pixels * bits <= most { return across * down }
            }
        }
        return nil
    }
}

/// The limit of a leaky bucket: of bits that come at the rate, as many as the buffer holds may be taken at once.
package struct RateLimit: Hashable, Codable, Sendable {
    /// The rate in bits a second.
    package var rate: Int
    /// The bucket's size in bits.
    package var buffer: Int

    package init(rate: Int, buffer: Int) { (self.rate, self.buffer) = (rate, buffer) }
}

/// Everything that decides a segment's bytes beside the frames themselves; fixed in the plan, never taken from the
/// machine that renders.
package struct VideoSettings: Hashable, Codable, Sendable {
    package var codec: PictureCodec
    /// The output's size in pixels; renderSize × renderScale, unless another was asked for.
    package var size: PixelSize
    package var format: WorkingFormat
    package var colour: ColourTriple
    /// The constant rate factor, or the quantiser of MJPEG and MPEG-2; nil where a bit rate is given or the codec has
    /// no such thing.
    package var crf: Double?
    /// The average rate in bits a second; nil where none is given.
    package var bitRate: Int?
    /// The encoder's preset, such as `medium`; for ProRes and DNxHR the profile, such as `hq`; for AV1 and VP9 a
    /// number, higher is faster; for EXR the samples, `half` or `float`.
    package var preset: String
    /// The longest distance between key frames, in frames.
    package var keyFrameInterval: Int
    /// The profile of H.264, such as `high`; nil where the pixel format decides.
    package var profile: String?
    /// Ten times the level that decoders must cope with; nil for the lowest that suffices.
    package var level: Int?
    /// The kind of picture that the encoder is to be good at, such as `film`.
    package var tune: String?
    /// The limit that decoders' buffers can take; chunks have parts of it (`Chunk.rate`).
    package var rateLimit: RateLimit?
    /// Whether filler keeps a decoder's buffer of `rateLimit` from running over: the rate is the limit's, all the time.
    /// nil counts as false.
    package var isConstantRate: Bool?
    /// The rate factors at which a film of two passes is measured before its bits are allotted; nil for one pass.
    package var analysisFactors: [Double]?
    /// The most bits that all packets of a film of two passes may take together, where its file has a limit; nil for no
    /// limit.
    package var mostBits: Int?
    /// The width of a pixel over its height; nil for square pixels.
    package var pixelAspect: PixelAspect?
    /// The pixels that the frames are composed in where those are not of `colour` and `format`: they are tone mapped
    /// for this film. nil where they are.
    package var composedIn: CanvasPixels?
    /// The number of the encoder's threads: part of the plan since x264's and x265's output depends on it.
    package var threads: Int
    /// The light that the film says of itself from the beginning: in the codec's headers, where it has a place, and in
    /// the container.
    package var hdrMetadata: HDRMetadata?
    /// Whether the frames' light is measured, and the film says it in its container alone: chunks are encoded before
    /// all of it is known. nil counts as false.
    package var measuresLight: Bool?
    /// The number of the parameter sets that the encoder makes, from 1 to 31, of HEVC to 15: copied packets of the film
    /// go by sets of other numbers. nil for the encoder's own, 0.
    package var parameterSetID: Int?
    /// The most frames by which copied packets of the film come before their frame's place in time; nil where none is
    /// copied.
    package var copiedReorderDepth: Int?

    package init(
        codec: PictureCodec, size: PixelSize, format: WorkingFormat, colour: ColourTriple, crf: Double?, bitRate: Int?,
        preset: String, keyFrameInterval: Int, threads: Int = 1
    ) {
        self.codec = codec
        self.size = size
        self.format = format
        self.colour = colour
        self.crf = crf
        self.bitRate = bitRate
        self.preset = preset
        self.keyFrameInterval = keyFrameInterval
        self.threads = threads
    }
}

extension VideoSettings {
    /// The settings with which chunks of more threads than `threads` are encoded. They are these themselves where the
    /// codec has one thread alone, or where the rate is limited: what a frame has left follows from the others.
    package func having(threads wanted: Int?) -> VideoSettings {
        guard let wanted, wanted > threads, codec.ofSegments.hasFrameThreads, bitRate == nil, rateLimit == nil,
            analysisFactors == nil
        else { return self }
        var settings = self
        settings.threads = wanted
        return settings
    }

    /// The longest side of a picture, in pixels.
    package static let largestSide = 16384
}

/// The meaning of a canvas's pixels.
package struct CanvasPixels: Hashable, Codable, Sendable {
    package var colour: ColourTriple
    package var format: WorkingFormat

    package init(colour: ColourTriple, format: WorkingFormat) { (self.colour, self.format) = (colour, format) }
}

extension VideoSettings {
    /// The settings with the pixels of the canvas, of which encoding is to make the film.
    package var ofCanvas: VideoSettings {
        guard let composedIn else { return self }
        var settings = self
        settings.colour = composedIn.colour
        settings.format = composedIn.format
        settings.composedIn = nil
        // A canvas has limited range.
        if codec.isFullRange { settings.codec = .ffv1 }
        return settings
    }
}

package struct AudioSettings: Hashable, Codable, Sendable {
    package var codec: SoundCodec
    /// The rate in bits a second of a lossy codec, nil for others; Vorbis without one has a quality. PCM, FLAC and ALAC
    /// have 24 bits a sample.
    package var bitRate: Int?
    package var sampleRate: Int
    package var channels: Int
    /// The channel layout; nil for libavutil's default for that count, which is 1, 2, 6 (5.1) or 8 (7.1).
    package var layout: ChannelLayout?
    /// Whether no second takes more than the rate, as the file's length is limited: for Opus and Vorbis, whose rate is
    /// an average over all kinds of sound without it. nil counts as false.
    package var isHeldToRate: Bool?

    package init(codec: SoundCodec, bitRate: Int?, sampleRate: Int, channels: Int) {
        self.codec = codec
        self.bitRate = bitRate
        self.sampleRate = sampleRate
        self.channels = channels
    }

    /// The layout that says where each channel is played.
    package var channelLayout: ChannelLayout { layout ?? .usual(channels: channels) ?? .stereo }
}

/// One output file's resolved settings. `video` or `audio` is nil where the composition has none of it.
package struct OutputSettings: Hashable, Codable, Sendable {
    package var container: Container
    package var video: VideoSettings?
    /// The settings of the first sound stream; see `sounds`.
    package var audio: AudioSettings?
    /// The ids of the composition's tracks that are mixed into the first sound stream; nil for all of them.
    package var audioTracks: [Int]?
    /// The sound streams beside the first, of the same sample rate; nil for none.
    package var furtherAudio: [SoundProgram]?
    /// The tags of the film and its streams; nil where the composition says nothing of the kind.
    package var tags: FilmTags?
    /// The tracks of text that the film carries; nil for none.
    package var texts: [FilmText]?
    /// The chapters by their starts, apart from each other; nil for none.
    package var chapters: [FilmChapter]?
    /// Whether mp4 and mov are written in fragments, one from each key frame; nil counts as false.
    package var isFragmented: Bool?
    /// Whether somebody takes the film away while it grows, so that nobody reads it again; nil counts as false.
    package var isPassedOn: Bool?
    /// The index of the frame that is the film's cover, too; nil for none.
    package var posterFrame: Int?
    /// The number of times that moving images play; nil for ever.
    package var loopCount: Int?
    /// The most bytes of the whole file; nil for no limit.
    package var mostBytes: Int?
    /// The text about a stream's films, for a file without picture and sound.
    package var stream: StreamDocument?
    /// The waveform that the output is; nil for films.
    package var waveform: WaveformOutput?

    package init(container: Container, video: VideoSettings?, audio: AudioSettings?, tags: FilmTags? = nil) {
        self.container = container
        self.video = video
        self.audio = audio
        self.tags = tags
    }
}
