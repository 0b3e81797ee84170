internal import CFFmpeg
internal import Libav
package import Outputs

/// libavcodec's name of the encoder that makes that codec here.
package func encoderName(for codec: VideoCodec) -> String {
    switch codec {
    case .h264: "libx264"
    case .hevc: "libx265"
    case .ffv1: "ffv1"
    case .prores: "prores_ks"
    case .av1: "libsvtav1"
    case .vp9: "libvpx-vp9"
    case .dnxhr: "dnxhd"
    case .mjpeg: "mjpeg"
    case .mpeg2: "mpeg2video"
    case .gif: "gif"
    case .webp: "libwebp"
    case .png: "png"
    case .tiff: "tiff"
    case .exr: "exr"
    case .raw: "rawvideo"
    }
}

/// libavcodec's name of the encoder that makes that codec here.
package func encoderName(for codec: AudioCodec) -> String {
    switch codec {
    case .aac: "aac"
    case .flac: "flac"
    case .pcm: "pcm_s24le"
    case .opus: "libopus"
    case .alac: "alac"
    case .mp3: "libmp3lame"
    case .vorbis: "libvorbis"
    }
}

/// The encoders of ours that this build of libavcodec has, by libavcodec's names.
package func availableEncoders() -> [String] {
    let names = VideoCodec.allCases.map { encoderName(for: $0) } + AudioCodec.allCases.map { encoderName(for: $0) }
    return names.filter { unsafe avcodec_find_encoder_by_name($0) != nil }
}

extension Container {
    /// One of libavformat's names of the container when it is read.
    package var demuxerName: String {
        switch self {
        case .mkv: "matroska"
        case .y4m: "yuv4mpegpipe"
        default: rawValue
        }
    }
}

/// libavcodec's name of a codec, as `splitreel probe` and ffprobe print it.
package func libavName(of codec: VideoCodec) -> String { codec.id.name }

/// libavcodec's name of a codec, as `splitreel probe` and ffprobe print it.
package func libavName(of codec: AudioCodec) -> String { codec.id.name }
