package import CFFmpeg

/// The form of a track's stored packets, as its file states it. It never changes.
@safe
package final class StoredFormat: @unchecked Sendable {
    // @unchecked: the parameters are copied once and only read afterwards.
    package let parameters: UnsafeMutablePointer<AVCodecParameters>
    /// The unit of the packets' times in the file.
    package let timeBase: AVRational
    /// The usual number of frames in a second; 0/0 or 0/1 where the file tells none.
    package let frameRate: AVRational
    /// The width of a pixel over its height; a numerator of 0 stands for an unknown one.
    package let pixelAspect: AVRational
    /// The facts of the whole track beside its codec, as the file has them: the picture's turn, its light and more.
    package let sideData: [(type: AVPacketSideDataType, bytes: [UInt8])]
    /// The track's language as the file names it; nil where it names none.
    package let language: String?

    /// A copy of a stream's form.
    package init(of stream: AVStream) throws {
        unsafe parameters = try checkAllocated(avcodec_parameters_alloc(), "avcodec_parameters_alloc")
        timeBase = stream.time_base
        (frameRate, pixelAspect) = (stream.avg_frame_rate, stream.sample_aspect_ratio)
        language = unsafe entry("language", of: stream.metadata)
        sideData = (0..<max(0, Int(stream.nb_side_data))).compactMap { place in
            guard let data = unsafe stream.side_data?[place] else { return nil }
            return unsafe (data.type, bytes(data.data, count: Int32(clamping: data.size)))
        }
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
    package var isSound: Bool { unsafe parameters.pointee.codec_type == AVMEDIA_TYPE_AUDIO }
    /// The samples of each channel in a second; 0 for a picture.
    package var sampleRate: Int { unsafe Int(parameters.pointee.sample_rate) }
    /// The parts of a second that the file's clock counts, where its unit is one of them.
    package var timescale: Int32 { timeBase.den }
    /// The codec's global header.
    package var header: [UInt8] {
        unsafe bytes(parameters.pointee.extradata, count: parameters.pointee.extradata_size)
    }
}
