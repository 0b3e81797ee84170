internal import CFFmpeg
internal import Libav

/// Converts 8-bit samples of limited range to full range.
enum FullRange {
    /// The full-range luma by its limited-range code: 16…235 becomes 0…255.
    static let luma: [UInt8] = (0..<256).map { code in held((code - 16) * 255, over: 219) }
    /// The full-range chroma by its limited-range code: 16…240 becomes 0…255, about 128.
    static let chroma: [UInt8] = (0..<256).map { code in held((code - 128) * 255 + 128 * 224, over: 224) }

    /// The quotient within 0…255, rounded to nearest, halves upwards.
    private static func held(_ value: Int, over divisor: Int) -> UInt8 {
        let doubled = 2 * value + divisor
        return UInt8(max(0, min(255, doubled < 0 ? 0 : doubled / (2 * divisor))))
    }

    /// Converts one plane of frames of 8 bits by a table of codes; both planes have at least that size.
    static func convert(
        _ source: borrowing Frame, _ target: borrowing Frame, plane: Int, width: Int, height: Int, _ codes: [UInt8]
    ) {
        let from = unsafe [source.fields.data.0, source.fields.data.1, source.fields.data.2][plane]
        let to = unsafe [target.fields.data.0, target.fields.data.1, target.fields.data.2][plane]
        let (read, write) = (source.fields.linesize, target.fields.linesize)
        let readStride = Int([read.0, read.1, read.2][plane])
        let writeStride = Int([write.0, write.1, write.2][plane])
        guard let from = unsafe from, let to = unsafe to else { return }
        unsafe codes.withUnsafeBufferPointer { table in
            for y in 0..<height {
                let (input, output) = unsafe (from + y * readStride, to + y * writeStride)
                for x in 0..<width { unsafe output[x] = table[Int(input[x])] }
            }
        }
    }
}
