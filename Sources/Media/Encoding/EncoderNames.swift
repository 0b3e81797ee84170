internal import CFFmpeg
package import Planning

/// libavcodec's name of the encoder that makes that codec here.
package func encoderName(for codec: VideoCodec) -> String {
    switch codec {
    case .h264: "libx264"
    case .hevc: "libx265"
    case .ffv1: "ffv1"
    case .prores: "prores_ks"
    }
}

/// libavcodec's name of the encoder that makes that codec here.
package func encoderName(for codec: AudioCodec) -> String {
    switch codec {
    case .aac: "aac"
    case .flac: "flac"
    case .pcm: "pcm_s24le"
    case .opus: "libopus"
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
        }
    }

    /// What the encoder takes.
    var sampleFormat: AVSampleFormat {
        switch self {
        case .aac: AV_SAMPLE_FMT_FLTP
        case .flac, .pcm: AV_SAMPLE_FMT_S32
        case .opus: AV_SAMPLE_FMT_FLT
        }
    }
}

/// libavcodec's name of a codec, as `splitreel probe` and ffprobe print it.
package func libavName(of codec: VideoCodec) -> String { codec.id.name }

/// libavcodec's name of a codec, as `splitreel probe` and ffprobe print it.
package func libavName(of codec: AudioCodec) -> String { codec.id.name }
