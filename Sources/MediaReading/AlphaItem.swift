internal import CFFmpeg
internal import Diagnostics
internal import Libav
internal import SplitreelFiles

/// The decoded alpha picture of a still whose container stores it apart, to be joined to the colour picture.
/// Confined to one thread at a time.
final class AlphaItem {
    private let picture: Frame
    private let subject: String

    /// The file's alpha picture, or nil where the file has none. `codec` is the colour's: alpha is coded with the same.
    static func of(_ source: any MediaSource, codec: AVCodecID) throws -> AlphaItem? {
        guard codec == AV_CODEC_ID_AV1, let item = AvifAlpha(source) else { return nil }
        return try AlphaItem(item, source)
    }

    private init(_ item: AvifAlpha, _ source: any MediaSource) throws {
        let subject = "\(source.name), alpha"
        self.subject = subject
        picture = try Self.decode(item, source, subject: subject)
    }

    private static func decode(_ item: AvifAlpha, _ source: any MediaSource, subject: String) throws -> Frame {
        let picture = try Frame()
        guard let data = item.data(of: source), !data.isEmpty else {
            throw SplitreelError(
                .decodeFailed, operation: "reading", subject: subject, reason: "the alpha item is cut off")
        }
        let decoder = try Decoder(codec: AV_CODEC_ID_AV1, subject: subject)
        let packet = try Packet()
        try unsafe check(
            av_new_packet(packet.pointer, Int32(data.count)), "av_new_packet", subject: subject, as: .internalFault)
        unsafe data.withUnsafeBufferPointer { bytes in
            if let base = bytes.baseAddress { unsafe packet.fields.data.update(from: base, count: bytes.count) }
        }
        _ = try decoder.send(packet)
        try decoder.drain()
        guard case .frame = try decoder.receive(into: picture) else {
            throw SplitreelError(
                .decodeFailed, operation: "avcodec_receive_frame", subject: subject,
                reason: Libav.takeLogLine() ?? "the alpha item gives no picture")
        }
        return picture
    }

    /// The format of the joined picture, or nil where there is none for that layout.
    static func joined(_ format: AVPixelFormat) -> AVPixelFormat? {
        guard let layout = PlanarLayout(format), !layout.hasAlpha else { return nil }
        let name = layout.chromaShiftX == 0 ? "444" : layout.chromaShiftY == 0 ? "422" : "420"
        let joined = AVPixelFormat(name: "yuva\(name)p" + (layout.bitDepth > 8 ? "\(layout.bitDepth)le" : ""))
        return joined == AV_PIX_FMT_NONE ? nil : joined
    }

    /// Replaces `frame` by the same colours with the alpha plane.
    func join(to frame: borrowing Frame) throws {
        guard let format = Self.joined(frame.pixelFormat), frame.width == picture.width,
            frame.height == picture.height, let own = PlanarLayout(frame.pixelFormat),
            own.bitDepth == Int(picture.pixelFormat.descriptor?.comp.0.depth ?? 0)
        else {
            throw SplitreelError(
                .mediaUnsupported, operation: "joining alpha", subject: subject,
                reason: "colour and alpha differ in size or depth, or have no common layout")
        }
        let result = try Frame()
        try result.allocate(
            format, width: frame.fields.width, height: frame.fields.height, alignment: 64, subject: subject)
        try result.copyProperties(of: frame, subject: subject)
        let (colour, alpha, output) = (frame.fields, picture.fields, result.fields)
        let sampleBytes = own.bitDepth > 8 ? 2 : 1
        let (bytes, rows) = (Int32(frame.width * sampleBytes), Int32(frame.height))
        let chromaBytes = Int32(-(-frame.width >> own.chromaShiftX) * sampleBytes)
        let chromaRows = Int32(-(-frame.height >> own.chromaShiftY))
        unsafe av_image_copy_plane(output.data.0, output.linesize.0, colour.data.0, colour.linesize.0, bytes, rows)
        unsafe av_image_copy_plane(
            output.data.1, output.linesize.1, colour.data.1, colour.linesize.1, chromaBytes, chromaRows)
        unsafe av_image_copy_plane(
            output.data.2, output.linesize.2, colour.data.2, colour.linesize.2, chromaBytes, chromaRows)
        unsafe av_image_copy_plane(output.data.3, output.linesize.3, alpha.data.0, alpha.linesize.0, bytes, rows)
        if alpha.color_range != AVCOL_RANGE_JPEG { expandRange(result, own.bitDepth) }
        if own.isFullRangeByName { result.update { $0.color_range = AVCOL_RANGE_JPEG } }
        frame.take(from: result)
    }

    /// Spreads alpha stored in limited range, 16…235 times the depth's scale, over the whole range.
    private func expandRange(_ frame: borrowing Frame, _ depth: Int) {
        guard let base = unsafe frame.fields.data.3 else { return }
        let (low, span, top) = (16 << (depth - 8), 219 << (depth - 8), (1 << depth) - 1)
        let (width, stride) = (frame.width, Int(frame.fields.linesize.3))
        for y in 0..<frame.height {
            let row = unsafe UnsafeMutableRawPointer(base + y * stride)
            for x in 0..<width {
                let value =
                    depth > 8
                    ? unsafe Int(row.load(fromByteOffset: 2 * x, as: UInt16.self))
                    : unsafe Int(row.load(fromByteOffset: x, as: UInt8.self))
                let full = max(0, min(top, ((value - low) * top + span / 2) / span))
                if depth > 8 {
                    unsafe row.storeBytes(of: UInt16(full), toByteOffset: 2 * x, as: UInt16.self)
                } else {
                    unsafe row.storeBytes(of: UInt8(full), toByteOffset: x, as: UInt8.self)
                }
            }
        }
    }
}
