internal import CFFmpeg
internal import Pictures

/// Divides planar Y'CbCr, whose R'G'B' was multiplied by alpha over black, by that alpha; clear pixels become black.
///
/// Subsampled colour is divided by the mean of the alpha that it lies among. Quotients are rounded to the nearest code.
/// A quotient beyond the codes stays at their end: such a picture was not multiplied by its alpha.
package enum AlphaDivision {
    /// Whether the frame's format has alpha, or a palette, and integer samples. Floats are divided where they are
    /// converted.
    package static func isPossible(_ frame: borrowing Frame) -> Bool {
        guard let description = frame.pixelFormat.descriptor else { return false }
        let flags = description.flags
        return flags & UInt64(AV_PIX_FMT_FLAG_FLOAT) == 0
            && flags & UInt64(AV_PIX_FMT_FLAG_ALPHA | AV_PIX_FMT_FLAG_PAL) != 0
    }

    /// Divides the frame in place; nobody else may hold the frame's memory.
    package static func divide(_ frame: borrowing Frame) {
        frame.withImage { image in
            guard let alpha = image.alpha else { return }
            if image.encoding.bitDepth > 8 {
                divide(image, alpha, UInt16.self)
            } else {
                divide(image, alpha, UInt8.self)
            }
        }
    }

    private static func divide<Sample: FixedWidthInteger & UnsignedInteger>(
        _ image: PlanarImage, _ alpha: Plane, _: Sample.Type
    ) {
        let encoding = image.encoding
        let scale = 1 << (encoding.bitDepth - 8)
        let (top, black) = ((256 * scale) - 1, encoding.isFullRange ? 0 : 16 * scale)
        func quotient(_ sample: Int, _ zero: Int, _ parts: Int, of whole: Int) -> Sample {
            guard parts > 0 else { return Sample(zero) }
            let value = zero + Int((Double((sample - zero) * whole) / Double(parts)).rounded())
            return Sample(min(max(value, 0), top))
        }
        for y in 0..<image.luma.height {
            let row = unsafe image.luma.base.advanced(by: y * image.luma.stride).assumingMemoryBound(to: Sample.self)
            let own = unsafe alpha.base.advanced(by: y * alpha.stride).assumingMemoryBound(to: Sample.self)
            for x in 0..<image.luma.width {
                unsafe row[x] = unsafe quotient(Int(row[x]), black, Int(own[x]), of: top)
            }
        }
        let (shiftX, shiftY) = (encoding.chromaShiftX, encoding.chromaShiftY)
        for plane in [image.cb, image.cr] {
            for y in 0..<plane.height {
                let row = unsafe plane.base.advanced(by: y * plane.stride).assumingMemoryBound(to: Sample.self)
                for x in 0..<plane.width {
                    var (parts, count) = (0, 0)
                    for line in y << shiftY..<min(alpha.height, (y + 1) << shiftY) {
                        let own = unsafe alpha.base.advanced(by: line * alpha.stride)
                            .assumingMemoryBound(to: Sample.self)
                        for place in x << shiftX..<min(alpha.width, (x + 1) << shiftX) {
                            parts += unsafe Int(own[place])
                            count += 1
                        }
                    }
                    unsafe row[x] = unsafe quotient(Int(row[x]), 128 * scale, parts, of: top * count)
                }
            }
        }
    }
}
