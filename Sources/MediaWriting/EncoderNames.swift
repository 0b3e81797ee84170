internal import CFFmpeg
package import Outputs

/// The encoders of ours that this build of libavcodec has, by libavcodec's names.
package func availableEncoders() -> [String] {
    let names = PictureCodec.all.map(\.encoderName) + SoundCodec.all.map(\.encoderName)
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
