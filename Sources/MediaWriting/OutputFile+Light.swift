internal import CFFmpeg
internal import Libav
internal import Outputs
internal import Pictures

extension OutputFile {
    /// Sets the light that a stream states, in place of an earlier one; the muxer writes it with its header, or with
    /// its index.
    func setHDRMetadata(_ metadata: HDRMetadata, ofStream place: Int) throws {
        if var raw = metadata.mastering?.raw {
            try unsafe withUnsafeBytes(of: &raw) {
                try unsafe setSideData(AV_PKT_DATA_MASTERING_DISPLAY_METADATA, $0, ofStream: place)
            }
        }
        if let light = metadata.light {
            var raw = AVContentLightMetadata()
            (raw.MaxCLL, raw.MaxFALL) = (UInt32(clamping: light.most), UInt32(clamping: light.average))
            try unsafe withUnsafeBytes(of: &raw) {
                try unsafe setSideData(AV_PKT_DATA_CONTENT_LIGHT_LEVEL, $0, ofStream: place)
            }
        }
    }

    /// Sets what a stream says beside its codec; comes before the header, or before the index of MP4.
    func setSideData(
        _ type: AVPacketSideDataType, _ bytes: UnsafeRawBufferPointer, ofStream place: Int
    ) throws {
        guard unsafe place < context.pointee.nb_streams, let stream = unsafe context.pointee.streams[place] else {
            preconditionFailure("a file has no stream at that place")
        }
        let data = try unsafe checkAllocated(av_stream_new_side_data(stream, type, bytes.count), "side data")
        unsafe UnsafeMutableRawBufferPointer(start: data, count: bytes.count).copyMemory(from: bytes)
    }
}
