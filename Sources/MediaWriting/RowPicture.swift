internal import CFFmpeg
internal import Diagnostics
internal import Libav
internal import Outputs
package import Pictures

/// A picture file of rows of R'G'B' and alpha as somebody has them, with no Y'CbCr between: what is lossless keeps each
/// sample. JPEG is as `writePicture` makes it.
///
/// - Parameters:
///   - hasAlpha: whether the file tells alpha; JPEG never does, and WebP always.
///   - isDeep: whether the file has 16 bits a channel, where it may: PNG and TIFF.
///   - rows: hands over each row of the picture, in any order: its number from the top, and four numbers a pixel, 1
///     being white and opaque. They are rounded to the nearest and held at both ends; what is no number is 0.
/// - Returns: the file's bytes. Throws `SplitreelError` where the picture is too large for such a file.
package func pictureFile(
    size: PixelSize, hasAlpha: Bool, isDeep: Bool, as format: PictureFormat,
    rows: (_ set: (_ y: Int, _ pixels: UnsafePointer<Float>) -> Void) -> Void
) throws -> [UInt8] {
    Libav.prepare()
    let picture = try Frame()
    try picture.allocate(
        AVPixelFormat(name: format.formats.name(hasAlpha: hasAlpha, isDeep: isDeep)),
        width: Int32(clamping: size.width), height: Int32(clamping: size.height), alignment: 0, subject: "picture")
    picture.update { $0.sample_aspect_ratio = AVRational(num: 1, den: 1) }
    guard let layout = picture.pixelFormat.descriptor, let base = unsafe picture.fields.data.0 else {
        throw SplitreelError(
            .internalFault, operation: "writing a picture", subject: picture.pixelFormatName, reason: "unknown layout")
    }
    let stride = Int(picture.fields.linesize.0)
    let parts = [layout.comp.0, layout.comp.1, layout.comp.2, layout.comp.3].prefix(Int(layout.nb_components))
    let isBigEndian = layout.flags & UInt64(AV_PIX_FMT_FLAG_BE) != 0
    unsafe rows { y, pixels in
        precondition((0..<size.height).contains(y), "the picture has \(size.height) rows")
        for (channel, part) in parts.enumerated() {
            let top = Float((1 << Int(part.depth)) - 1)
            var place = unsafe base + y * stride + Int(part.offset)
            for x in 0..<size.width {
                let sample = unsafe UInt16(shareOf: pixels[4 * x + channel], top)
                if part.depth > 8 {
                    let word = isBigEndian ? sample.bigEndian : sample.littleEndian
                    unsafe UnsafeMutableRawPointer(place).storeBytes(of: word, as: UInt16.self)
                } else {
                    unsafe place.pointee = UInt8(truncatingIfNeeded: sample)
                }
                unsafe place += Int(part.step)
            }
        }
    }
    return try encodedPicture(picture, as: format, subject: "picture")
}

extension UInt16 {
    /// The nearest of the codes from 0 to `top`.
    fileprivate init(shareOf value: Float, _ top: Float) {
        self = value > 0 ? UInt16(Swift.min(value, 1) * top + 0.5) : 0
    }
}
