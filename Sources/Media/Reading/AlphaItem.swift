internal import CFFmpeg
internal import Diagnostics

/// The decoded alpha picture of a still whose container stores it apart, to be joined to the colour picture.
/// Confined to one thread at a time.
final class AlphaItem {
    private let picture: Frame
    private let subject: String

    /// nil where the file has no such item. The stream is the colour's: alpha is coded with the same codec.
    static func of(path: String, stream: UnsafeMutablePointer<AVStream>) throws -> AlphaItem? {
        guard stream.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_AV1, let item = AvifAlpha(path: path) else {
            return nil
        }
        return try AlphaItem(item, path: path)
    }

    private init(_ item: AvifAlpha, path: String) throws {
        let subject = "\(path), alpha"
        self.subject = subject
        picture = try Self.decode(item, path: path, subject: subject)
    }

    private static func decode(_ item: AvifAlpha, path: String, subject: String) throws -> Frame {
        let picture = try Frame()
        guard let data = item.data(path: path), !data.isEmpty else {
            throw SplitreelError(
                .decodeFailed, operation: "reading", subject: subject, reason: "the alpha item is cut off")
        }
        let decoder = try Decoder(codec: AV_CODEC_ID_AV1, subject: subject)
        let packet = try Packet()
        try check(
            av_new_packet(packet.pointer, Int32(data.count)), "av_new_packet", subject: subject, as: .internalFault)
        data.withUnsafeBufferPointer { bytes in
            if let base = bytes.baseAddress { packet.pointer.pointee.data.update(from: base, count: bytes.count) }
        }
        _ = try decoder.send(packet.pointer)
        _ = try decoder.send(nil)
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
        let joined = av_get_pix_fmt("yuva\(name)p" + (layout.bitDepth > 8 ? "\(layout.bitDepth)le" : ""))
        return joined == AV_PIX_FMT_NONE ? nil : joined
    }

    /// Replaces `frame` by the same colours with the alpha plane.
    func join(to frame: borrowing Frame) throws {
        let (colour, alpha) = (frame.pointer, picture.pointer)
        guard let format = Self.joined(AVPixelFormat(colour.pointee.format)), frame.width == picture.width,
            frame.height == picture.height, let own = PlanarLayout(AVPixelFormat(colour.pointee.format)),
            own.bitDepth == Self.depth(alpha.pointee.format)
        else {
            throw SplitreelError(
                .mediaUnsupported, operation: "joining alpha", subject: subject,
                reason: "colour and alpha differ in size or depth, or have no common layout")
        }
        let result = try Frame()
        let output = result.pointer
        output.pointee.format = format.rawValue
        (output.pointee.width, output.pointee.height) = (colour.pointee.width, colour.pointee.height)
        try check(av_frame_get_buffer(output, 64), "av_frame_get_buffer", subject: subject, as: .internalFault)
        try check(av_frame_copy_props(output, colour), "av_frame_copy_props", subject: subject, as: .internalFault)
        let bytes = own.bitDepth > 8 ? 2 : 1
        copy(
            colour.pointee.data.0, colour.pointee.linesize.0, output.pointee.data.0, output.pointee.linesize.0,
            frame.width * bytes, frame.height)
        let chroma = (-(-frame.width >> own.chromaShiftX) * bytes, -(-frame.height >> own.chromaShiftY))
        copy(
            colour.pointee.data.1, colour.pointee.linesize.1, output.pointee.data.1, output.pointee.linesize.1,
            chroma.0, chroma.1)
        copy(
            colour.pointee.data.2, colour.pointee.linesize.2, output.pointee.data.2, output.pointee.linesize.2,
            chroma.0, chroma.1)
        copy(
            alpha.pointee.data.0, alpha.pointee.linesize.0, output.pointee.data.3, output.pointee.linesize.3,
            frame.width * bytes, frame.height)
        if alpha.pointee.color_range != AVCOL_RANGE_JPEG { expandRange(output, own.bitDepth) }
        if own.isFullRangeByName { output.pointee.color_range = AVCOL_RANGE_JPEG }
        frame.take(from: result)
    }

    private static func depth(_ format: Int32) -> Int {
        Int(av_pix_fmt_desc_get(AVPixelFormat(format))?.pointee.comp.0.depth ?? 0)
    }

    private func copy(
        _ from: UnsafeMutablePointer<UInt8>?, _ fromStride: Int32, _ to: UnsafeMutablePointer<UInt8>?,
        _ toStride: Int32,
        _ bytes: Int, _ rows: Int
    ) {
        av_image_copy_plane(to, toStride, from, fromStride, Int32(bytes), Int32(rows))
    }

    /// Alpha stored in limited range: 16…235 (times the depth's scale) becomes the whole range.
    private func expandRange(_ frame: UnsafeMutablePointer<AVFrame>, _ depth: Int) {
        guard let base = frame.pointee.data.3 else { return }
        let (low, span, top) = (16 << (depth - 8), 219 << (depth - 8), (1 << depth) - 1)
        for y in 0..<Int(frame.pointee.height) {
            let row = UnsafeMutableRawPointer(base + y * Int(frame.pointee.linesize.3))
            for x in 0..<Int(frame.pointee.width) {
                let value =
                    depth > 8
                    ? Int(row.load(fromByteOffset: 2 * x, as: UInt16.self))
                    : Int(row.load(fromByteOffset: x, as: UInt8.self))
                let full = max(0, min(top, ((value - low) * top + span / 2) / span))
                if depth > 8 {
                    row.storeBytes(of: UInt16(full), toByteOffset: 2 * x, as: UInt16.self)
                } else {
                    row.storeBytes(of: UInt8(full), toByteOffset: x, as: UInt8.self)
                }
            }
        }
    }
}
