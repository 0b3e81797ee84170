package import CFFmpeg

// Entries of libav's own tables, which live as long as the process.

extension AVPixelFormat {
    /// The format of a name; `AV_PIX_FMT_NONE` for a name that libavutil does not know.
    package init(name: String) { self = unsafe av_get_pix_fmt(name) }

    /// libavutil's name, such as `yuv420p10le`; nil where it has none.
    package var name: String? { unsafe av_get_pix_fmt_name(self).map { unsafe String(cString: $0) } }

    package var descriptor: AVPixFmtDescriptor? { unsafe av_pix_fmt_desc_get(self)?.pointee }
}

extension AVCodecID {
    /// The codec of a name; `AV_CODEC_ID_NONE` for a name that libavcodec does not know.
    package init(name: String) { self = unsafe avcodec_descriptor_get_by_name(name)?.pointee.id ?? AV_CODEC_ID_NONE }

    /// libavcodec's name, as ffprobe prints it.
    package var name: String { unsafe String(cString: avcodec_get_name(self)) }
}
