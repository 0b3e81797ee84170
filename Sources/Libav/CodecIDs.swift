package import CFFmpeg
package import Outputs

extension VideoCodec {
    package var id: AVCodecID {
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
    package var id: AVCodecID {
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

    /// The sample format that the encoder takes.
    package var sampleFormat: AVSampleFormat {
        switch self {
        case .aac, .mp3, .vorbis: AV_SAMPLE_FMT_FLTP
        case .alac: AV_SAMPLE_FMT_S32P
        case .flac, .pcm: AV_SAMPLE_FMT_S32
        case .opus: AV_SAMPLE_FMT_FLT
        }
    }
}
