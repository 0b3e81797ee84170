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

    private func setSideData(
        _ type: AVPacketSideDataType, _ bytes: UnsafeRawBufferPointer, ofStream place: Int
    ) throws {
        guard unsafe place < context.pointee.nb_streams, let stream = unsafe context.pointee.streams[place] else {
            preconditionFailure("a file has no stream at that place")
        }
        let data = try unsafe checkAllocated(av_stream_new_side_data(stream, type, bytes.count), "side data")
        unsafe UnsafeMutableRawBufferPointer(start: data, count: bytes.count).copyMemory(from: bytes)
    }
}

extension VideoSettings {
    /// The options of SVT-AV1 for HDR: chromaticities in parts of one, luminance in candela per square metre.
    var svtParamsOfHDR: String {
        var text = ""
        if let display = hdrMetadata?.mastering {
            func point(_ name: String, _ point: MasteringDisplay.Point) -> String {
                "\(name)(\(Double(point.x) / 50000),\(Double(point.y) / 50000))"
            }
            text += ":mastering-display=" + point("G", display.green) + point("B", display.blue)
            text += point("R", display.red) + point("WP", display.white)
            text += "L(\(Double(display.most) / 10000),\(Double(display.least) / 10000))"
        }
        if let light = hdrMetadata?.light { text += ":content-light=\(light.most),\(light.average)" }
        return text
    }

    /// The options of x265 for HDR, which x265 writes into the header that all chunks share; empty without HDR
    /// metadata.
    var paramsOfHDR: String {
        var text = ""
        if let display = hdrMetadata?.mastering {
            func point(_ name: String, _ point: MasteringDisplay.Point) -> String { "\(name)(\(point.x),\(point.y))" }
            text += ":master-display=" + point("G", display.green) + point("B", display.blue)
            text += point("R", display.red) + point("WP", display.white) + "L(\(display.most),\(display.least))"
        }
        // With a display and no light x265 would say a light of 0.
        if let light = hdrMetadata?.light {
            text += ":max-cll=\(light.most),\(light.average)"
        } else if !text.isEmpty {
            text += ":cll=0"
        }
        return text
    }
}
