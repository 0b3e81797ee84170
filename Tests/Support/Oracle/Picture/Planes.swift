import Foundation
import TestTools

/// ffmpeg's layouts, known by their names.
package struct PixelFormat {
    package var name: String

    package init(_ name: String) { self.name = name }

    /// The bits of a sample. They stand before `le`, or are common to all components of a packed layout.
    package var bits: Int {
        for bits in [9, 10, 12, 14, 16] where name.hasSuffix("\(bits)le") || name.hasSuffix("\(bits)be") { return bits }
        return name.hasPrefix("rgb48") || name.hasPrefix("rgba64") ? 16 : 8
    }
    /// Whether samples are floats of 32 bits; 1.0 counts as 255.
    var isFloat: Bool { name.hasSuffix("f32le") || name.hasSuffix("f32be") }
    var isRGB: Bool { ["rgb", "bgr", "gbr", "pal8", "argb", "abgr"].contains { name.contains($0) } }
    var isGray: Bool { name.hasPrefix("gray") || name.hasPrefix("ya") }
    var hasAlpha: Bool { ["yuva", "gbrap", "rgba", "bgra", "argb", "abgr", "pal8"].contains { name.hasPrefix($0) } }
    /// The same samples in planes of their own.
    var planar: PixelFormat {
        guard isRGB else { return self }
        return PixelFormat((hasAlpha ? "gbrap" : "gbrp") + (isFloat ? "f32le" : bits > 8 ? "\(bits)le" : ""))
    }
    /// The count of planes in a file.
    var planeCount: Int { isGray ? 1 : hasAlpha ? 4 : 3 }

    /// Pixels to a sample of a plane, each way.
    func cell(_ plane: Int) -> (x: Int, y: Int) {
        guard plane == 1 || plane == 2 else { return (1, 1) }
        return name.contains("420") ? (2, 2) : name.contains("422") ? (2, 1) : (1, 1)
    }
}

/// A picture: Y', Cb, Cr (or G, B, R) and perhaps alpha, in units of 8-bit codes.
package struct Planes {
    struct Plane {
        var width: Int
        var height: Int
        var values: [Float]
    }

    var format: PixelFormat
    var planes: [Plane]
    /// Where the first sample of subsampled chroma sits from the first pixel, in pixels.
    var chromaOffset = (x: 0.0, y: 0.5)
    var encoding = ReferenceEncoding()

    /// One colour in a layout.
    init(width: Int, height: Int, format: PixelFormat, encoding: ReferenceEncoding, values: SIMD3<Double>) {
        (self.format, self.encoding) = (format, encoding)
        planes = (0..<3).map { plane in
            let cell = format.cell(plane)
            let (columns, rows) = ((width + cell.x - 1) / cell.x, (height + cell.y - 1) / cell.y)
            return Plane(
                width: columns, height: rows, values: [Float](repeating: Float(values[plane]), count: columns * rows))
        }
    }

    init(format: PixelFormat, planes: [Plane]) { (self.format, self.planes) = (format, planes) }

    /// Opaque, in 8-bit codes.
    var alphaTop: Float { Float((1 << format.bits) - 1) / Float(1 << (format.bits - 8)) }

    /// Raw frames of a file, one after the other.
    static func split(_ data: Data, width: Int, height: Int, format: PixelFormat) throws -> [Planes] {
        let sizes = (0..<format.planeCount).map { plane in
            let cell = format.cell(plane)
            return ((width + cell.x - 1) / cell.x, (height + cell.y - 1) / cell.y)
        }
        let bytes = format.isFloat ? 4 : format.bits > 8 ? 2 : 1
        let length = sizes.reduce(0) { $0 + $1.0 * $1.1 } * bytes
        guard length > 0, data.count % length == 0 else { throw ToolFailure("\(data.count) bytes of \(format.name)") }
        let data = [UInt8](data)
        let unit = Float(1 << (format.bits - 8))
        return stride(from: 0, to: data.count, by: length).map { start in
            var position = start
            let planes = sizes.map { width, height in
                let values = (0..<(width * height)).map { sample in
                    let place = position + sample * bytes
                    if bytes == 1 { return Float(data[place]) }
                    let low = Int(data[place]) | Int(data[place + 1]) << 8
                    if bytes == 2 { return Float(low) / unit }
                    let high = UInt32(data[place + 2]) << 16 | UInt32(data[place + 3]) << 24
                    return Float(bitPattern: high | UInt32(low)) * 255
                }
                position += width * height * bytes
                return Plane(width: width, height: height, values: values)
            }
            return Planes(format: format, planes: format.isGray ? grey(planes[0]) : planes)
        }
    }

    /// With planes without colour.
    private static func grey(_ luma: Plane) -> [Plane] {
        let none = Plane(width: luma.width, height: luma.height, values: luma.values.map { _ in 128 })
        return [luma, none, none]
    }

    /// Floats in linear light as a film in SDR or HDR has them.
    func encodedLight(isHDR: Bool) -> Planes {
        var made = self
        for plane in 0..<3 {
            made.planes[plane].values = planes[plane].values.map {
                Float(255 * ReferenceColour.encoded(Double($0) / 255, isHDR: isHDR))
            }
        }
        made.encoding.transfer = isHDR ? "SMPTE_ST_2084_PQ" : "ITU_R_709_2"
        if isHDR { made.encoding.primaries = encoding.primaries ?? "ITU_R_709_2" }
        return made
    }

    /// The mean of two pictures of one kind, of which the other has `share` 256ths; colours count by their alpha.
    func mixed(with other: Planes, share: Int) -> Planes {
        let part = Float(share) / 256
        var made = self
        for plane in planes.indices {
            let cell = format.cell(plane)
            for position in planes[plane].values.indices {
                var weight = part
                if plane < 3, planes.count > 3 {
                    let (row, column) = position.quotientAndRemainder(dividingBy: planes[plane].width)
                    let pixel = row * cell.y * planes[3].width + column * cell.x
                    let first = planes[3].values[pixel] * (1 - part)
                    let second = other.planes[3].values[pixel] * part
                    if first + second > 0 { weight = second / (first + second) }
                }
                let own = planes[plane].values[position]
                made.planes[plane].values[position] = own + (other.planes[plane].values[position] - own) * weight
            }
        }
        return made
    }

    /// With whole codes of its bits.
    var inCodes: Planes {
        var made = self
        let unit = Float(1 << (format.bits - 8))
        for plane in planes.indices {
            made.planes[plane].values = planes[plane].values.map { ($0 * unit).rounded() / unit }
        }
        return made
    }

    /// Colours that were multiplied by alpha, over black, divided by it; each sample has an alpha of its own.
    var straight: Planes {
        guard planes.count > 3 else { return self }
        var made = self
        for plane in 0..<3 {
            let black: Float = format.isRGB ? 0 : plane > 0 ? 128 : encoding.isFull ? 0 : 16
            for position in planes[plane].values.indices {
                let alpha = planes[3].values[position] / alphaTop
                let value = planes[plane].values[position] - black
                made.planes[plane].values[position] = black + (alpha > 0 ? value / alpha : 0)
            }
        }
        return made
    }

    /// Where the middle of a plane's first sample lies from the picture's corner, in samples.
    func place(ofPlane plane: Int) -> (x: Double, y: Double) {
        let cell = format.cell(plane)
        return (
            cell.x > 1 ? (0.5 + chromaOffset.x) / Double(cell.x) : 0.5,
            cell.y > 1 ? (0.5 + chromaOffset.y) / Double(cell.y) : 0.5
        )
    }

    /// How alike one plane is to another's; 255 is the peak.
    func likeness(_ plane: Int, _ other: Planes) -> Likeness {
        let (a, b) = (planes[plane], other.planes[plane])
        guard a.width == b.width, a.height == b.height else { return Likeness(whole: 0, worst: 0, largest: 255) }
        let columns = (a.width + 15) / 16
        var squares = [(sum: Double, count: Int)](repeating: (0, 0), count: columns * ((a.height + 15) / 16))
        var largest = 0.0
        for position in a.values.indices {
            let difference = Double(a.values[position] - b.values[position])
            let square = position / a.width / 16 * columns + position % a.width / 16
            squares[square].sum += difference * difference
            squares[square].count += 1
            largest = max(largest, abs(difference))
        }
        func decibels(_ sum: Double, _ count: Int) -> Double {
            sum > 0 ? min(99, 10 * log10(255 * 255 * Double(count) / sum)) : 99
        }
        return Likeness(
            whole: decibels(squares.reduce(0) { $0 + $1.sum }, a.values.count),
            worst: squares.map { decibels($0.sum, $0.count) }.min() ?? 0, largest: largest)
    }
}

/// Peak signal to noise in decibels, 99 where planes are equal.
package struct Likeness {
    package var whole: Double
    /// The peak signal to noise in decibels of the square of 16 × 16 samples that is least alike.
    package var worst: Double
    /// The largest difference, in 8-bit codes.
    package var largest: Double
}
