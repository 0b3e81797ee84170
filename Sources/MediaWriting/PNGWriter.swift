internal import CFFmpeg
internal import Diagnostics
package import Libav
internal import Outputs
package import Pictures

/// Writes a planar Y'CbCr(A) picture as a PNG of R'G'B'(A) with the frame's own matrix: 8 bits a channel for 8-bit
/// pictures, 16 for deeper ones.
///
/// `size` is that of the upright picture in pixels; nil leaves it as it is; `rotation` turns it clockwise by 0, 90, 180
/// or 270 degrees. An existing file is replaced; where writing fails, the unfinished file is removed.
package func writePNG(
    _ frame: borrowing Frame, to path: String, size: PixelSize? = nil, rotation: Int = 0
) throws {
    Libav.prepare()
    let isTurned = rotation % 180 != 0
    let upright =
        size
        ?? PixelSize(
            width: isTurned ? frame.height : frame.width, height: isTurned ? frame.width : frame.height)
    let lying = isTurned ? PixelSize(width: upright.height, height: upright.width) : upright
    let picture = try rotated(try convertedToRGB(frame, size: lying), by: rotation)
    try writeEncoded(picture, as: .png, to: path)
}

/// The frame scaled and converted by libswscale with its exact flags: the same bytes on every machine.
func convertedToRGB(
    _ frame: borrowing Frame, size: PixelSize, as formats: RGBFormats = PictureFormat.png.formats
) throws -> Frame {
    guard let encoding = frame.pixelEncoding, let layout = PlanarLayout(frame.pixelFormat) else {
        throw SplitreelError(
            .internalFault, operation: "writing a picture", subject: frame.pixelFormatName,
            reason: "only planar Y'CbCr pictures can be written")
    }
    let target = AVPixelFormat(name: formats.name(hasAlpha: layout.hasAlpha, isDeep: encoding.bitDepth > 8))
    let scaler = try Scaler(from: frame, to: target, size: size, encoding: encoding)
    let result = try Frame()
    try result.allocate(
        target, width: Int32(clamping: size.width), height: Int32(clamping: size.height), alignment: 0,
        subject: "picture")
    try unsafe check(
        sws_scale_frame(scaler.pointer, result.pointer, frame.pointer), "sws_scale_frame", subject: "picture",
        as: .encodeFailed)
    result.update { $0.sample_aspect_ratio = AVRational(num: 1, den: 1) }
    return result
}

/// Owns one SwsContext.
@safe
private final class Scaler {
    let pointer: OpaquePointer

    init(from source: borrowing Frame, to format: AVPixelFormat, size: PixelSize, encoding: PixelEncoding) throws {
        unsafe pointer = try checkAllocated(sws_alloc_context(), "sws_alloc_context")
        let flags = SWS_BICUBIC | SWS_ACCURATE_RND | SWS_BITEXACT | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP
        let options: [(String, Int64)] = [
            ("srcw", Int64(source.width)), ("srch", Int64(source.height)),
            ("src_format", Int64(source.pixelFormat.rawValue)), ("dstw", Int64(size.width)),
            ("dsth", Int64(size.height)),
            ("dst_format", Int64(format.rawValue)), ("sws_flags", Int64(flags)),
            // Positions are in 256ths of a luma sample, from the first one's centre where chroma is subsampled.
            ("src_h_chr_pos", encoding.chromaShiftX == 0 ? -513 : Int64(encoding.chromaOffsetX * 256)),
            ("src_v_chr_pos", encoding.chromaShiftY == 0 ? -513 : Int64(encoding.chromaOffsetY * 256)),
        ]
        for (name, value) in options {
            try unsafe check(
                av_opt_set_int(UnsafeMutableRawPointer(pointer), name, value, 0), "av_opt_set_int", subject: name,
                as: .internalFault)
        }
        let table =
            switch encoding.matrix {
            case .bt709: SWS_CS_ITU709
            case .bt601: SWS_CS_ITU601
            case .smpte240M: SWS_CS_SMPTE240M
            case .bt2020: SWS_CS_BT2020
            }
        try unsafe check(
            sws_setColorspaceDetails(
                pointer, sws_getCoefficients(table), encoding.isFullRange ? 1 : 0, sws_getCoefficients(table), 1, 0,
                1 << 16, 1 << 16),
            "sws_setColorspaceDetails", subject: "picture", as: .internalFault)
        try unsafe check(
            sws_init_context(pointer, nil, nil), "sws_init_context", subject: "picture", as: .internalFault)
    }

    deinit { unsafe sws_freeContext(pointer) }
}

/// The picture turned clockwise by `rotation` degrees; the picture itself for 0.
private func rotated(_ picture: consuming Frame, by rotation: Int) throws -> Frame {
    let quarter = ((rotation / 90) % 4 + 4) % 4
    guard quarter != 0 else { return picture }
    let source = picture.fields
    let isUpsideDown = quarter == 2
    let result = try Frame()
    try result.allocate(
        picture.pixelFormat, width: isUpsideDown ? source.width : source.height,
        height: isUpsideDown ? source.height : source.width, alignment: 0, subject: "picture")
    result.update { $0.sample_aspect_ratio = AVRational(num: 1, den: 1) }
    guard let description = picture.pixelFormat.descriptor, let from = unsafe source.data.0,
        let to = unsafe result.fields.data.0
    else { return picture }
    let pixelBytes = Int(description.comp.0.step)
    let (width, height) = (Int(source.width), Int(source.height))
    let (fromStride, toStride) = (Int(source.linesize.0), Int(result.fields.linesize.0))
    for y in 0..<height {
        for x in 0..<width {
            let (tx, ty) =
                switch quarter {
                case 1: (height - 1 - y, x)
                case 2: (width - 1 - x, height - 1 - y)
                default: (y, width - 1 - x)
                }
            unsafe (to + ty * toStride + tx * pixelBytes).update(
                from: from + y * fromStride + x * pixelBytes, count: pixelBytes)
        }
    }
    return result
}
