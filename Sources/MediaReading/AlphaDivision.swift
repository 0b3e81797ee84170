internal import CFFmpeg
internal import Libav
internal import Pictures
internal import SplitreelFiles

/// Divides planar Y'CbCr, whose R'G'B' was multiplied by alpha over black, by that alpha; clear pixels become black.
///
/// Subsampled colour is divided by the mean of the alpha that it lies among. Quotients are rounded to the nearest code.
/// A quotient beyond the codes stays at their end: such a picture was not multiplied by its alpha.
enum AlphaDivision {
    /// Whether the frame's format has alpha, or a palette, and integer samples. Floats are divided where they are
    /// converted.
    static func isPossible(_ frame: borrowing Frame) -> Bool {
        guard let description = frame.pixelFormat.descriptor else { return false }
        let flags = description.flags
        return flags & UInt64(AV_PIX_FMT_FLAG_FLOAT) == 0
            && flags & UInt64(AV_PIX_FMT_FLAG_ALPHA | AV_PIX_FMT_FLAG_PAL) != 0
    }

    /// Divides the frame in place; nobody else may hold the frame's memory.
    static func divide(_ frame: borrowing Frame) {
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

/// The TIFF tag that says how alpha and colours belong together.
enum TIFFAlpha {
    private static let extraSamples = 338
    private static let mostEntries = 4096

    /// Whether the first picture's colours are multiplied by its alpha; false for all other files.
    static func isAssociated(_ source: any MediaSource) -> Bool {
        guard let head = bytes(source, at: 0, 8), head[0] == head[1],
            head[0] == UInt8(ascii: "I") || head[0] == UInt8(ascii: "M")
        else { return false }
        let isLittle = head[0] == UInt8(ascii: "I")
        func number(_ bytes: ArraySlice<UInt8>) -> Int {
            (isLittle ? Array(bytes.reversed()) : Array(bytes)).reduce(0) { $0 << 8 | Int($1) }
        }
        let start = number(head[4..<8])
        guard number(head[2..<4]) == 42, let counted = bytes(source, at: start, 2) else { return false }
        let count = min(number(counted[...]), mostEntries)
        guard let table = bytes(source, at: start + 2, 12 * count) else { return false }
        for entry in stride(from: 0, to: 12 * count, by: 12)
        where number(table[entry..<entry + 2]) == extraSamples && number(table[entry + 2..<entry + 4]) == 3 {
            // One or two short numbers stand in the entry itself.
            let isHere = number(table[entry + 4..<entry + 8]) <= 2
            let value =
                isHere
                ? Array(table[entry + 8..<entry + 10]) : bytes(source, at: number(table[entry + 8..<entry + 12]), 2)
            return value.map { number($0[...]) } == 1
        }
        return false
    }

    private static func bytes(_ source: any MediaSource, at place: Int, _ count: Int) -> [UInt8]? {
        guard let bytes = try? source.read(at: place, count: count), bytes.count == count else { return nil }
        return bytes
    }
}
