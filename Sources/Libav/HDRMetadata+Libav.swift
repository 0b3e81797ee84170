package import CFFmpeg
internal import Pictures

extension HDRMetadata {
    /// The HDR metadata that a container's stream states; nil without any.
    package init?(stream: UnsafeMutablePointer<AVStream>) {
        func bytes(_ type: AVPacketSideDataType) -> UnsafeRawBufferPointer? {
            var size = 0
            guard let data = unsafe av_stream_get_side_data(stream, type, &size) else { return nil }
            return unsafe UnsafeRawBufferPointer(start: data, count: size)
        }
        unsafe self.init(
            display: bytes(AV_PKT_DATA_MASTERING_DISPLAY_METADATA), light: bytes(AV_PKT_DATA_CONTENT_LIGHT_LEVEL))
    }

    /// The HDR metadata that a codec states for a decoded frame; nil without any.
    package init?(frame: borrowing Frame) {
        let pointer = unsafe frame.pointer
        func bytes(_ type: AVFrameSideDataType) -> UnsafeRawBufferPointer? {
            guard let side = unsafe av_frame_get_side_data(pointer, type)?.pointee else { return nil }
            return unsafe UnsafeRawBufferPointer(start: side.data, count: side.size)
        }
        unsafe self.init(
            display: bytes(AV_FRAME_DATA_MASTERING_DISPLAY_METADATA), light: bytes(AV_FRAME_DATA_CONTENT_LIGHT_LEVEL))
    }

    /// The metadata in side data; impossible parts are left out.
    private init?(display: UnsafeRawBufferPointer?, light: UnsafeRawBufferPointer?) {
        let raw = unsafe display.flatMap { bytes -> AVMasteringDisplayMetadata? in
            guard bytes.count >= MemoryLayout<AVMasteringDisplayMetadata>.size else { return nil }
            return unsafe bytes.loadUnaligned(as: AVMasteringDisplayMetadata.self)
        }
        let level = unsafe light.flatMap { bytes -> AVContentLightMetadata? in
            guard bytes.count >= MemoryLayout<AVContentLightMetadata>.size else { return nil }
            return unsafe bytes.loadUnaligned(as: AVContentLightMetadata.self)
        }
        let said = level.map { ContentLight(most: Int($0.MaxCLL), average: Int($0.MaxFALL)) }
        self.init(
            mastering: raw.flatMap(MasteringDisplay.init), light: said.flatMap { $0.isPossible ? $0 : nil })
    }
}

extension MasteringDisplay {
    /// The mastering display of libav's numbers; nil where some are missing or impossible.
    fileprivate init?(_ raw: AVMasteringDisplayMetadata) {
        guard raw.has_primaries != 0, raw.has_luminance != 0 else { return nil }
        func point(_ pair: (AVRational, AVRational)) -> Point {
            Point(x: units(pair.0, Self.chromaticityUnits), y: units(pair.1, Self.chromaticityUnits))
        }
        let primaries = raw.display_primaries
        self.init(
            red: point(primaries.0), green: point(primaries.1), blue: point(primaries.2),
            white: point(raw.white_point), most: units(raw.max_luminance, Self.luminanceUnits),
            least: units(raw.min_luminance, Self.luminanceUnits))
        guard isPossible else { return nil }
    }

    fileprivate static let chromaticityUnits: Int32 = 50_000
    fileprivate static let luminanceUnits: Int32 = 10_000

    package var raw: AVMasteringDisplayMetadata {
        func pair(_ point: Point) -> (AVRational, AVRational) {
            (
                AVRational(num: Int32(clamping: point.x), den: Self.chromaticityUnits),
                AVRational(num: Int32(clamping: point.y), den: Self.chromaticityUnits)
            )
        }
        var raw = AVMasteringDisplayMetadata()
        raw.display_primaries = (pair(red), pair(green), pair(blue))
        raw.white_point = pair(white)
        raw.max_luminance = AVRational(num: Int32(clamping: most), den: Self.luminanceUnits)
        raw.min_luminance = AVRational(num: Int32(clamping: least), den: Self.luminanceUnits)
        (raw.has_primaries, raw.has_luminance) = (1, 1)
        return raw
    }
}

/// The fraction in units of 1 ÷ `scale`, rounded; -1 where it is negative or has no value.
private func units(_ value: AVRational, _ scale: Int32) -> Int {
    guard value.num >= 0, value.den > 0 else { return -1 }
    return (Int(value.num) * Int(scale) + Int(value.den) / 2) / Int(value.den)
}
