internal import CFFmpeg
internal import Libav

extension MatroskaCover {
    /// Adds the stream that becomes the attachment; returns its place in the file.
    static func keepRoom(in file: OutputFile) throws -> Int {
        let stream = try file.addStream { _, parameters in
            parameters.codec_type = AVMEDIA_TYPE_ATTACHMENT
            parameters.codec_id = AV_CODEC_ID_MJPEG
            try setExtradata([UInt8](repeating: 0, count: room), of: &parameters)
        }
        try file.setTags([("filename", name), ("mimetype", "image/jpeg")], ofStream: stream)
        return stream
    }
}
