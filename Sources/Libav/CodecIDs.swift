package import CFFmpeg
package import Outputs

extension PictureCodec {
    package var id: AVCodecID { AVCodecID(name: libavName) }
}

extension SoundCodec {
    package var id: AVCodecID { AVCodecID(name: libavName) }
}

extension SoundCodec.SampleFormat {
    /// The format in libavutil's terms.
    package var raw: AVSampleFormat {
        switch self {
        case .floats: AV_SAMPLE_FMT_FLT
        case .planarFloats: AV_SAMPLE_FMT_FLTP
        case .integers: AV_SAMPLE_FMT_S32
        case .planarIntegers: AV_SAMPLE_FMT_S32P
        }
    }
}
