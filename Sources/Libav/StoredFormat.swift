package import CFFmpeg

/// The form of a track's stored packets, as its file states it. It never changes.
@safe
package final class StoredFormat: @unchecked Sendable {
    // @unchecked: the parameters are copied once and only read afterwards.
    package let parameters: UnsafeMutablePointer<AVCodecParameters>
    /// The unit of the packets' times in the file.
    package let timeBase: AVRational

    /// A copy of a stream's form.
    package init(of stream: AVStream) throws {
        unsafe parameters = try checkAllocated(avcodec_parameters_alloc(), "avcodec_parameters_alloc")
        timeBase = stream.time_base
        do {
            try unsafe check(
                avcodec_parameters_copy(parameters, stream.codecpar), "avcodec_parameters_copy", subject: "a track")
        } catch {
            free()
            throw error
        }
    }

    deinit { free() }

    private func free() {
        var owned: UnsafeMutablePointer<AVCodecParameters>? = unsafe parameters
        unsafe avcodec_parameters_free(&owned)
    }

    /// The codec's name in libavcodec.
    package var codec: String { unsafe parameters.pointee.codec_id.name }
    package var isPicture: Bool { unsafe parameters.pointee.codec_type == AVMEDIA_TYPE_VIDEO }
    /// The parts of a second that the file's clock counts, where its unit is one of them.
    package var timescale: Int32 { timeBase.den }
    /// The codec's global header.
    package var header: [UInt8] {
        unsafe bytes(parameters.pointee.extradata, count: parameters.pointee.extradata_size)
    }
}
