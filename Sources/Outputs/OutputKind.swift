package import MediaTime

/// The kind of an output: the things that its file, or its files, are made of.
package enum OutputKind: Hashable, Sendable {
    /// Pictures and sound, in tracks beside one another.
    case film
    /// Sound alone.
    case sound
    /// Moving pictures alone, in one file, whose times are rounded to its own unit.
    case movingImages(MovingImageFormat)
    /// A file for each frame; the path is a pattern, see `ImagePattern`.
    case images
    /// Frames as they are, from the first byte to the last in order.
    case rawFrames(RawFrameFormat)
    /// A text beside the films that it is about, by which players of a stream begin.
    case stream(StreamFormat)
    /// A sound's peaks.
    case waveform
}

package enum MovingImageFormat: Hashable, Sendable {
    case gif, webp

    /// The ticks of a GIF's delays and a WebP's durations: their number in a second, the least that players show, and
    /// the seconds that the most of them are, which 16 and 24 bits hold.
    package var ticks: (inSecond: Rational, least: Int, most: Rational) {
        switch self {
        case .gif: (Rational(100), 2, Rational(65_535, 100))
        case .webp: (Rational(1000), 11, Rational(16_777_215, 1000))
        }
    }

    /// The most even frames a second: players show shorter delays for a tenth of a second.
    package var mostRate: Int {
        switch self {
        case .gif: 50
        case .webp: 90
        }
    }
}

package enum RawFrameFormat: Hashable, Sendable {
    /// Y4M has pictures of one rate and no alpha.
    case y4m
    /// NUT has sound and times, too.
    case nut
}

package enum StreamFormat: Hashable, Sendable { case hls, dash }

extension Container {
    package var kind: OutputKind {
        switch self {
        case .mp4, .mov, .mkv, .webm, .mxf: .film
        case .m4a, .wav, .flac, .ogg, .mp3: .sound
        case .m3u8: .stream(.hls)
        case .mpd: .stream(.dash)
        case .gif: .movingImages(.gif)
        case .webp: .movingImages(.webp)
        case .png, .jpg, .tiff, .exr: .images
        case .y4m: .rawFrames(.y4m)
        case .nut: .rawFrames(.nut)
        case .waveform: .waveform
        }
    }

    /// The format of moving images; nil for other kinds.
    package var movingImages: MovingImageFormat? {
        if case .movingImages(let format) = kind { format } else { nil }
    }

    /// The format of raw frames; nil for other kinds.
    package var rawFrames: RawFrameFormat? {
        if case .rawFrames(let format) = kind { format } else { nil }
    }

    /// The format of a stream; nil for other kinds.
    package var stream: StreamFormat? {
        if case .stream(let format) = kind { format } else { nil }
    }
}
