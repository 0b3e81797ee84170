import Foundation
import TestSupport

/// ffmpeg's layouts of 8 and 10 bits, known by their names.
struct PixelFormat {
    var name: String

    init(_ name: String) { self.name = name }

    var bits: Int { name.hasSuffix("10le") ? 10 : 8 }
    var isRGB: Bool { name.contains("rgb") || name.hasPrefix("gbr") }
    var hasAlpha: Bool { name.hasPrefix("yuva") || name.hasPrefix("gbrap") || name.contains("rgba") }
    /// The same samples in planes of their own.
    var planar: PixelFormat { isRGB ? PixelFormat(hasAlpha ? "gbrap" : "gbrp") : self }

    /// Pixels to a sample of a plane, each way.
    func cell(_ plane: Int) -> (x: Int, y: Int) {
        guard plane == 1 || plane == 2 else { return (1, 1) }
        return name.contains("420") ? (2, 2) : name.contains("422") ? (2, 1) : (1, 1)
    }
}

/// A picture: Y', Cb, Cr (or G, B, R) and perhaps alpha, in units of 8-bit codes.
struct Planes {
    struct Plane {
        var width: Int
        var height: Int
        var values: [Float]
    }

    var format: PixelFormat
    var planes: [Plane]
    /// Where the first sample of subsampled chroma sits from the first pixel, in pixels.
    var chromaOffset = (x: 0.0, y: 0.5)

    /// Raw frames of a file, one after the other.
    static func split(_ data: Data, width: Int, height: Int, format: PixelFormat) throws -> [Planes] {
        let sizes = (0..<(format.hasAlpha ? 4 : 3)).map { plane in
            let cell = format.cell(plane)
            return ((width + cell.x - 1) / cell.x, (height + cell.y - 1) / cell.y)
        }
        let bytes = format.bits > 8 ? 2 : 1
        let length = sizes.reduce(0) { $0 + $1.0 * $1.1 } * bytes
        guard length > 0, data.count % length == 0 else { throw ToolFailure("\(data.count) bytes of \(format.name)") }
        let data = [UInt8](data)
        let unit = Float(1 << (format.bits - 8))
        return stride(from: 0, to: data.count, by: length).map { start in
            var position = start
            let planes = sizes.map { width, height in
                let values = (0..<(width * height)).map { sample in
                    let place = position + sample * bytes
                    return bytes == 1 ? Float(data[place]) : Float(Int(data[place]) | Int(data[place + 1]) << 8) / unit
                }
                position += width * height * bytes
                return Plane(width: width, height: height, values: values)
            }
            return Planes(format: format, planes: planes)
        }
    }

    /// Where the middle of a plane's first sample lies from the picture's corner, in samples.
    func place(ofPlane plane: Int) -> (x: Double, y: Double) {
        let cell = format.cell(plane)
        return (
            cell.x > 1 ? (0.5 + chromaOffset.x) / Double(cell.x) : 0.5,
            cell.y > 1 ? (0.5 + chromaOffset.y) / Double(cell.y) : 0.5
        )
    }

    /// The same picture after a matrix of three rows over its planes; chroma between samples is interpolated for Y'.
    /// - Parameter black: where each plane's values begin, before; afterwards 16, 128, 128.
    func converted(by matrix: [[Double]], black: [Double]) -> Planes {
        var (result, opaque) = (self, self)
        opaque.planes.removeLast(planes.count - 3)
        let samplers = (0..<3).map { Sampler(opaque, $0, 1, (1, 1)) }
        for plane in 0..<3 where matrix[plane] != (0..<3).map({ $0 == plane ? 1 : 0 }) {
            let (cell, place) = (format.cell(plane), place(ofPlane: plane))
            let width = planes[plane].width
            for position in planes[plane].values.indices {
                let x = (Double(position % width) + place.x) * Double(cell.x)
                let y = (Double(position / width) + place.y) * Double(cell.y)
                var value = plane == 0 ? 16.0 : 128.0
                for source in 0..<3 where matrix[plane][source] != 0 {
                    value += matrix[plane][source] * (samplers[source].sample(x, y).value - black[source])
                }
                result.planes[plane].values[position] = Float(value)
            }
        }
        return result
    }

    /// Peak signal to noise of one plane against another's, in decibels, 99 where they are equal: of the whole plane,
    /// and of the one of its squares of 16 samples that is least alike.
    func likeness(_ plane: Int, _ other: Planes) -> (whole: Double, worst: Double) {
        let (a, b) = (planes[plane], other.planes[plane])
        guard a.width == b.width, a.height == b.height else { return (0, 0) }
        let columns = (a.width + 15) / 16
        var squares = [(sum: Double, count: Int)](repeating: (0, 0), count: columns * ((a.height + 15) / 16))
        for position in a.values.indices {
            let difference = Double(a.values[position] - b.values[position])
            let square = position / a.width / 16 * columns + position % a.width / 16
            squares[square].sum += difference * difference
            squares[square].count += 1
        }
        func decibels(_ sum: Double, _ count: Int) -> Double {
            sum > 0 ? min(99, 10 * log10(255 * 255 * Double(count) / sum)) : 99
        }
        return (
            decibels(squares.reduce(0) { $0 + $1.sum }, a.values.count),
            squares.map { decibels($0.sum, $0.count) }.min() ?? 0
        )
    }
}
