internal import CFFmpeg
package import Planning

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

/// Those encoders of ours that this build of libavcodec has, by libavcodec's names.
package func availableEncoders() -> [String] {
    let names = VideoCodec.allCases.map { encoderName(for: $0) } + AudioCodec.allCases.map { encoderName(for: $0) }
    return names.filter { unsafe avcodec_find_encoder_by_name($0) != nil }
}

extension VideoCodec {
    var id: AVCodecID {
        switch self {
        case .h264: AV_CODEC_ID_H264
        case .hevc: AV_CODEC_ID_HEVC
        case .ffv1: AV_CODEC_ID_FFV1
        case .prores: AV_CODEC_ID_PRORES
        case .av1: AV_CODEC_ID_AV1
        case .vp9: AV_CODEC_ID_VP9
        case .dnxhr: AV_CODEC_ID_DNXHD
        case .mjpeg: AV_CODEC_ID_MJPEG
        case .mpeg2: AV_CODEC_ID_MPEG2VIDEO
        case .gif: AV_CODEC_ID_GIF
        case .webp: AV_CODEC_ID_WEBP
        case .png: AV_CODEC_ID_PNG
        case .tiff: AV_CODEC_ID_TIFF
        case .exr: AV_CODEC_ID_EXR
        case .raw: AV_CODEC_ID_RAWVIDEO
        }
    }
}

extension AudioCodec {
    var id: AVCodecID {
        switch self {
        case .aac: AV_CODEC_ID_AAC
        case .flac: AV_CODEC_ID_FLAC
        case .pcm: AV_CODEC_ID_PCM_S24LE
        case .opus: AV_CODEC_ID_OPUS
        case .alac: AV_CODEC_ID_ALAC
        case .mp3: AV_CODEC_ID_MP3
        case .vorbis: AV_CODEC_ID_VORBIS
        }
    }

    /// What the encoder takes.
    var sampleFormat: AVSampleFormat {
        switch self {
        case .aac, .mp3, .vorbis: AV_SAMPLE_FMT_FLTP
        case .alac: AV_SAMPLE_FMT_S32P
        case .flac, .pcm: AV_SAMPLE_FMT_S32
        case .opus: AV_SAMPLE_FMT_FLT
        }
    }
}

extension Container {
    /// One of the names that libavformat has for it when it reads it.
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
