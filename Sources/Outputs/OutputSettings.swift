package import MediaFacts
package import Pictures

/// The file type of an output; decided by its extension.
package enum Container: String, Codable, Sendable, CaseIterable {
    case mp4, mov, mkv, webm, mxf
    /// Sound alone.
    case m4a, wav, flac, ogg, mp3
    /// A stream: the document by which players begin, HLS's and DASH's; its films lie beside it.
    case m3u8, mpd
    /// Pictures alone, in one file.
    case gif, webp
    /// A file for each frame; the path is a pattern, see `ImagePattern`.
    case png, jpg, tiff, exr
    /// Raw frames, from the first byte to the last in order; NUT has sound, too.
    case y4m, nut
    /// A sound's peaks, as JSON or as audiowaveform's .dat.
    case waveform
}

package enum VideoCodec: String, Codable, Sendable, CaseIterable {
    case h264, hevc, av1, vp9, prores, dnxhr, ffv1, mjpeg, mpeg2
    /// Its segments are FFV1: the palette is made of all chunks, and the pictures after it.
    case gif
    /// Single pictures in R'G'B'; EXR in light.
    case webp, png, tiff, exr
    /// Frames as they are. Its segments are FFV1.
    case raw = "rawvideo"

    /// What the chunks are encoded with.
    package var ofSegments: VideoCodec { self == .gif || self == .raw ? .ffv1 : self }
    /// Encoded from R'G'B' or light.
    package var isOfImages: Bool { self == .webp || self == .png || self == .tiff || self == .exr }
}

package enum AudioCodec: String, Codable, Sendable, CaseIterable {
    case aac, flac, pcm, opus, alac, mp3, vorbis

    /// All of 24 bits come back.
    package var isLossless: Bool { self == .flac || self == .pcm || self == .alac }
}

/// The pixel formats that chunks are composed in and encoded from; raw values are libavutil's names.
package enum WorkingFormat: String, Codable, Sendable, CaseIterable {
    case yuv420p, yuv422p, yuv444p
    case yuv420p10 = "yuv420p10le"
    case yuv422p10 = "yuv422p10le"
    case yuv444p10 = "yuv444p10le"
    /// Only where the film has alpha: in ProRes 4444, in images and in raw films.
    case yuva444p10 = "yuva444p10le"
    /// In VP9 with alpha; else as those below.
    case yuva420p
    /// Only within a frame: pictures that let through what lies beneath them.
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

    /// The same with 10 bits.
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

    /// log2 of the horizontal and vertical chroma subsampling.
    package var chromaShift: (x: Int, y: Int) {
        switch self {
        case .yuv420p, .yuv420p10, .yuva420p, .yuva420p10: (1, 1)
        case .yuv422p, .yuv422p10, .yuva422p, .yuva422p10: (1, 0)
        case .yuv444p, .yuv444p10, .yuva444p, .yuva444p10: (0, 0)
        }
    }

    /// How many slices FFV1 cuts a picture into: two rows of two, more where those are larger than its encoder takes,
    /// or one where it is only a few pixels high or wide. nil: none, of libavcodec 5.1, whose slices of one row or
    /// column come back as zeros, which takes one only up to 352×288, none narrower than a colour sample, and fewer
    /// than twice as many across as down (`ffv1enc.c`). Such pictures are of FFV1's level 1, which has no slices.
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

/// A leaky bucket: of bits that come at the rate, as many as the buffer holds may be taken at once.
package struct RateLimit: Hashable, Codable, Sendable {
    /// Bits per second.
    package var rate: Int
    /// Bits.
    package var buffer: Int

    package init(rate: Int, buffer: Int) { (self.rate, self.buffer) = (rate, buffer) }
}

/// Everything that decides a segment's bytes beside the frames themselves; fixed in the plan, never taken from the
/// machine that renders.
package struct VideoSettings: Hashable, Codable, Sendable {
    package var codec: VideoCodec
    /// Of the output; renderSize × renderScale, unless another was asked for.
    package var size: PixelSize
    package var format: WorkingFormat
    package var colour: ColourTriple
    /// Constant rate factor, or the quantiser of MJPEG and MPEG-2; nil where a bit rate is given or the codec has no
    /// such thing.
    package var crf: Double?
    /// Bits per second.
    package var bitRate: Int?
    /// The encoder's preset, such as `medium`; for ProRes and DNxHR the profile, such as `hq`; for AV1 and VP9 a
    /// number, higher is faster; for EXR the samples, `half` or `float`.
    package var preset: String
    /// Longest distance between key frames, in frames.
    package var keyFrameInterval: Int
    /// H.264's, such as `high`; nil: by the pixel format.
    package var profile: String?
    /// Ten times the level that decoders must cope with; nil: the lowest that suffices.
    package var level: Int?
    /// What the encoder is to be good at, such as `film`.
    package var tune: String?
    /// What decoders' buffers can take; chunks have parts of it (`Chunk.rate`).
    package var rateLimit: RateLimit?
    /// Filler keeps a decoder's buffer of `rateLimit` from running over: the rate is the limit's, all the time. Absent
    /// counts as false.
    package var isConstantRate: Bool?
    /// Rate factors at which a film of two passes is measured before its bits are allotted; nil: one pass.
    package var analysisFactors: [Double]?
    /// Of a film of two passes whose file has a limit: what all its packets may take together. nil: no limit.
    package var mostBits: Int?
    /// nil: square.
    package var pixelAspect: PixelAspect?
    /// What its frames are composed in where that is not `colour` and `format`: they are tone mapped for this film.
    package var composedIn: CanvasPixels?
    /// Encoder threads: part of the plan since x264's and x265's output depends on it.
    package var threads: Int
    /// What the film says of its light from the beginning: in the codec's headers, where it has a place, and in the
    /// container.
    package var hdrMetadata: HDRMetadata?
    /// The frames' light is measured, and the film says it in its container alone: chunks are encoded before all of it
    /// is known. Absent counts as false.
    package var measuresLight: Bool?

    package init(
        codec: VideoCodec, size: PixelSize, format: WorkingFormat, colour: ColourTriple, crf: Double?, bitRate: Int?,
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
    /// The longest side of a picture, in pixels.
    package static let largestSide = 16384
}

/// What the pixels of a canvas are.
package struct CanvasPixels: Hashable, Codable, Sendable {
    package var colour: ColourTriple
    package var format: WorkingFormat

    package init(colour: ColourTriple, format: WorkingFormat) { (self.colour, self.format) = (colour, format) }
}

extension VideoSettings {
    /// As its canvas has them, of which encoding is to make the film.
    package var ofCanvas: VideoSettings {
        guard let composedIn else { return self }
        var settings = self
        (settings.colour, settings.format, settings.composedIn) = (composedIn.colour, composedIn.format, nil)
        // A canvas has limited range.
        if codec.isFullRange { settings.codec = .ffv1 }
        return settings
    }
}

package struct AudioSettings: Hashable, Codable, Sendable {
    package var codec: AudioCodec
    /// Bits per second for lossy codecs, else nil; Vorbis without one has a quality. PCM, FLAC and ALAC are 24-bit.
    package var bitRate: Int?
    package var sampleRate: Int
    package var channels: Int
    /// nil: libavutil's default layout for that count, which is 1, 2, 6 (5.1) or 8 (7.1).
    package var layout: ChannelLayout?
    /// Opus and Vorbis, whose rate is otherwise an average over all kinds of sound: no second of this takes more, as
    /// the file's length is limited. Absent where it is not.
    package var isHeldToRate: Bool?

    package init(codec: AudioCodec, bitRate: Int?, sampleRate: Int, channels: Int) {
        self.codec = codec
        self.bitRate = bitRate
        self.sampleRate = sampleRate
        self.channels = channels
    }

    /// Where each channel is played.
    package var channelLayout: ChannelLayout { layout ?? .usual(channels: channels) ?? .stereo }
}

/// One output file's resolved settings. `video` or `audio` is nil where the composition has none of it.
package struct OutputSettings: Hashable, Codable, Sendable {
    package var container: Container
    package var video: VideoSettings?
    /// Of the first sound stream; see `sounds`.
    package var audio: AudioSettings?
    /// Ids of the composition's tracks that are mixed into the first sound stream; nil: all of them.
    package var audioTracks: [Int]?
    /// The sound streams beside the first, of the same sample rate; nil for none.
    package var furtherAudio: [SoundProgram]?
    /// nil where the composition says nothing of the kind.
    package var tags: FilmTags?
    /// The tracks of text that the film carries; nil for none.
    package var texts: [FilmText]?
    /// By their starts, apart from each other; nil for none.
    package var chapters: [FilmChapter]?
    /// mp4 and mov in fragments, one from each key frame; absent counts as false.
    package var isFragmented: Bool?
    /// Somebody takes the film away while it grows, and nobody reads it again; absent counts as false.
    package var isPassedOn: Bool?
    /// The frame that is the film's cover, too; nil for none.
    package var posterFrame: Int?
    /// How often moving images play; nil: for ever.
    package var loopCount: Int?
    /// Of the whole file, where it must not be longer.
    package var mostBytes: Int?
    /// What a file without picture and sound says of a stream's films.
    package var stream: StreamDocument?
    /// Of a waveform.
    package var waveform: WaveformOutput?

    package init(container: Container, video: VideoSettings?, audio: AudioSettings?, tags: FilmTags? = nil) {
        self.container = container
        self.video = video
        self.audio = audio
        self.tags = tags
    }
}
