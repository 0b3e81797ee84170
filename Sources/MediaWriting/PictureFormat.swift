internal import CFFmpeg
internal import Diagnostics
internal import Foundation
package import Libav
package import Outputs
internal import Pictures
internal import SplitreelFiles

/// The kinds of files that single pictures are written as.
package enum PictureFormat: String, CaseIterable, Sendable {
    /// All but JPEG hold every sample as it is; PNG and TIFF with 16 bits a channel where the picture is deep.
    case png, jpeg, tiff, webp

    /// The kind by the name's extension; nil for others.
    package init?(path: String) {
        let name = path.lowercased()
        guard let format = Self.allCases.first(where: { $0.extensions.contains { name.hasSuffix("." + $0) } }) else {
            return nil
        }
        self = format
    }

    private var extensions: [String] {
        switch self {
        case .png: ["png"]
        case .jpeg: ["jpg", "jpeg"]
        case .tiff: ["tif", "tiff"]
        case .webp: ["webp"]
        }
    }

    /// The pixel formats that a picture is converted to first.
    var formats: RGBFormats {
        let codec: PictureCodec? =
            switch self {
            case .jpeg: nil
            case .png: .png
            case .tiff: .tiff
            case .webp: .webp
            }
        guard case .rgb(let formats) = codec?.samples else { return RGBFormats(always: "rgb24") }
        return formats
    }
}

/// Writes a planar Y'CbCr(A) picture with its own matrix as a file of that kind: R'G'B', or for JPEG full-range Y'CbCr
/// of BT.601 without subsampling, as JFIF wants it, of the best quality that libavcodec's encoder has.
///
/// An existing file is replaced; where writing fails, the unfinished file is removed.
package func writePicture(_ frame: borrowing Frame, as format: PictureFormat, to path: String) throws {
    Libav.prepare()
    let size = PixelSize(width: frame.width, height: frame.height)
    try writeEncoded(try convertedToRGB(frame, size: size, as: format.formats), as: format, to: path)
}

/// The bytes of a file of that kind, of a picture in one of the kind's own formats.
func encodedPicture(_ picture: borrowing Frame, as format: PictureFormat, subject: String) throws -> [UInt8] {
    switch format {
    case .png: try encoded(picture, by: "png", options: [], subject: subject)
    case .tiff: try encoded(picture, by: "tiff", options: [("compression_algo", "deflate")], subject: subject)
    case .webp: try encoded(picture, by: "libwebp", options: [("lossless", "1")], subject: subject)
    case .jpeg: try encoded(try convertedToJFIF(picture), by: "mjpeg", options: [], subject: subject)
    }
}

/// A film's cover: a JPEG of `posterSize`, of the best quality with which it is no longer than `mostPosterBytes`.
package func posterPicture(of frame: borrowing Frame, settings: VideoSettings) throws -> [UInt8] {
    let picture = try convertedToJFIF(
        try convertedToRGB(frame, size: settings.posterSize, as: PictureFormat.jpeg.formats))
    for quantiser: Int32 in [2, 4, 8, 16, 31] {
        let file = try encoded(picture, by: "mjpeg", options: [], quantiser: quantiser, subject: "poster")
        if file.count <= VideoSettings.mostPosterBytes { return file }
    }
    throw SplitreelError(
        .encodeFailed, operation: "making the poster", subject: "poster", reason: "it is too long at any quality",
        hint: "choose another \(.posterTime)")
}

/// Writes a picture in one of the kind's own formats, whole into a file.
func writeEncoded(_ picture: borrowing Frame, as format: PictureFormat, to path: String) throws {
    let file = try encodedPicture(picture, as: format, subject: path)
    try writeFile(file, to: path, permissions: 0o666, durably: false, followingLinks: true)
}

/// The bytes of the picture's file. `quantiser` is JPEG's, 2 the best.
private func encoded(
    _ picture: borrowing Frame, by encoderName: String, options: [(String, String)], quantiser: Int32 = 2,
    subject path: String
) throws -> [UInt8] {
    let encoder = try CodecContext(encoder: encoderName)
    encoder.update {
        ($0.width, $0.height) = (picture.fields.width, picture.fields.height)
        $0.pix_fmt = picture.pixelFormat
        $0.time_base = AVRational(num: 1, den: 1)
        // JPEG's header is JFIF's only where the aspect is known.
        $0.sample_aspect_ratio = AVRational(num: 1, den: 1)
        $0.thread_count = 1
        $0.flags |= AV_CODEC_FLAG_BITEXACT
        if encoderName == "mjpeg" {
            $0.flags |= AV_CODEC_FLAG_QSCALE
            $0.global_quality = quantiser * FF_QP2LAMBDA
            $0.color_range = AVCOL_RANGE_JPEG
        }
    }
    try encoder.open(options, subject: path)
    let raw = unsafe encoder.pointer
    if encoderName == "mjpeg" { picture.update { $0.quality = quantiser * FF_QP2LAMBDA } }
    try unsafe check(avcodec_send_frame(raw, picture.pointer), "avcodec_send_frame", subject: path, as: .encodeFailed)
    try unsafe check(avcodec_send_frame(raw, nil), "avcodec_send_frame", subject: path, as: .encodeFailed)
    var file: [UInt8] = []
    _ = try encoder.drain(subject: path) { packet in
        file += unsafe bytes(packet.fields.data, count: packet.fields.size)
    }
    return file
}

/// The picture of R'G'B' in 8 bits as full-range Y'CbCr of BT.601, 4:4:4.
private func convertedToJFIF(_ picture: borrowing Frame) throws -> Frame {
    let result = try Frame()
    try result.allocate(
        AV_PIX_FMT_YUVJ444P, width: picture.fields.width, height: picture.fields.height, alignment: 0,
        subject: "picture")
    let flags = SWS_POINT | SWS_ACCURATE_RND | SWS_BITEXACT | SWS_FULL_CHR_H_INP
    let scaler = unsafe sws_getContext(
        picture.fields.width, picture.fields.height, picture.pixelFormat, picture.fields.width, picture.fields.height,
        AV_PIX_FMT_YUVJ444P, flags, nil, nil, nil)
    guard let scaler = unsafe scaler else {
        throw SplitreelError(
            .internalFault, operation: "sws_getContext", subject: "picture", reason: "no conversion to JPEG's colours")
    }
    defer { unsafe sws_freeContext(scaler) }
    try unsafe check(
        sws_setColorspaceDetails(
            scaler, sws_getCoefficients(SWS_CS_ITU601), 1, sws_getCoefficients(SWS_CS_ITU601), 1, 0, 1 << 16, 1 << 16),
        "sws_setColorspaceDetails", subject: "picture", as: .internalFault)
    try unsafe check(
        sws_scale_frame(scaler, result.pointer, picture.pointer), "sws_scale_frame", subject: "picture",
        as: .encodeFailed)
    result.update {
        $0.sample_aspect_ratio = AVRational(num: 1, den: 1)
        $0.color_range = AVCOL_RANGE_JPEG
    }
    return result
}
