import Foundation

/// A picture in the film's own samples: what effects work on. Y' is 0…1, Cb and Cr are -0.5…0.5, alpha is 0…1;
/// what is beyond is kept until it is `rounded`.
struct Sheet {
    var width: Int
    var height: Int
    let format: PixelFormat
    let encoding: ReferenceEncoding
    /// Y', Cb, Cr.
    var planes: [[Double]]
    /// As large as Y'; nil for an opaque picture.
    var alpha: [Double]?

    /// One colour, red, green, blue and alpha; `isClear`: nothing.
    init(
        width: Int, height: Int, format: PixelFormat, encoding: ReferenceEncoding, colour: [Double] = [0, 0, 0, 1],
        isClear: Bool = false
    ) {
        (self.width, self.height, self.format, self.encoding) = (width, height, format, encoding)
        let values = Self.values(SIMD3(colour[0], colour[1], colour[2]), encoding)
        planes = (0..<3).map { plane in
            let size = Self.size(plane, width, height, format)
            return [Double](repeating: values[plane], count: size.width * size.height)
        }
        if isClear { alpha = [Double](repeating: 0, count: width * height) }
        round()
    }

    /// The same size and layout.
    func sheet(_ colour: [Double]) -> Sheet {
        Sheet(width: width, height: height, format: format, encoding: encoding, colour: colour)
    }

    static func size(_ plane: Int, _ width: Int, _ height: Int, _ format: PixelFormat) -> (width: Int, height: Int) {
        let cell = format.cell(plane)
        return ((width + cell.x - 1) / cell.x, (height + cell.y - 1) / cell.y)
    }

    func size(_ plane: Int) -> (width: Int, height: Int) { Self.size(plane, width, height, format) }
    var cell: (x: Int, y: Int) { format.cell(1) }
    var isOpaque: Bool { alpha.map { $0.allSatisfy { $0 >= 1 } } ?? true }

    // MARK: Colours

    static func values(_ rgb: SIMD3<Double>, _ encoding: ReferenceEncoding) -> SIMD3<Double> {
        let (kr, kb) = encoding.weights
        let y = kr * rgb[0] + (1 - kr - kb) * rgb[1] + kb * rgb[2]
        return SIMD3(y, (rgb[2] - y) / (2 * (1 - kb)), (rgb[0] - y) / (2 * (1 - kr)))
    }

    static func components(_ v: SIMD3<Double>, _ encoding: ReferenceEncoding) -> SIMD3<Double> {
        let (kr, kb) = encoding.weights
        let (red, blue) = (v[0] + 2 * (1 - kr) * v[2], v[0] + 2 * (1 - kb) * v[1])
        return SIMD3(red, (v[0] - kr * red - kb * blue) / (1 - kr - kb), blue)
    }

    /// The nearest codes.
    mutating func round() {
        let step = pow(2, Double(format.bits - 8))
        for plane in 0..<3 {
            let (zero, span) = plane == 0 ? (16 * step, 219 * step) : (128 * step, 224 * step)
            planes[plane] = planes[plane].map {
                (min(max(($0 * span + zero + 0.5).rounded(.down), 0), 256 * step - 1) - zero) / span
            }
        }
        let top = 256 * step - 1
        alpha = alpha?.map { (min(max($0, 0), 1) * top + 0.5).rounded(.down) / top }
    }

    var rounded: Sheet {
        var result = self
        result.round()
        return result
    }

    /// In 8-bit codes, with a fourth plane where there is alpha.
    var picture: Planes {
        let layout = alpha == nil ? format : PixelFormat("yuva" + format.name.dropFirst(format.hasAlpha ? 4 : 3))
        var shown = (0..<3).map { plane in
            let (zero, span) = plane == 0 ? (16.0, 219.0) : (128.0, 224.0)
            let size = size(plane)
            return Planes.Plane(
                width: size.width, height: size.height, values: planes[plane].map { Float($0 * span + zero) })
        }
        if let alpha {
            let top = Double(Planes(format: layout, planes: []).alphaTop)
            shown.append(Planes.Plane(width: width, height: height, values: alpha.map { Float($0 * top) }))
        }
        var picture = Planes(format: layout, planes: shown)
        picture.encoding = encoding
        return picture
    }

    // MARK: Chroma and luma

    /// How opaque each sample of a plane is: the mean of its pixels.
    func shares(_ plane: Int) -> [Double] {
        guard let alpha else {
            let size = size(plane)
            return [Double](repeating: 1, count: size.width * size.height)
        }
        return blocks(alpha, plane)
    }

    /// Means of values at pixels over each sample of a plane.
    func blocks(_ values: [Double], _ plane: Int) -> [Double] {
        let (size, cell) = (size(plane), format.cell(plane))
        return (0..<size.width * size.height).map { place in
            let (column, row) = (place % size.width * cell.x, place / size.width * cell.y)
            var (sum, count) = (0.0, 0.0)
            for y in row..<min(row + cell.y, height) {
                for x in column..<min(column + cell.x, width) {
                    sum += values[y * width + x]
                    count += 1
                }
            }
            return sum / count
        }
    }

    /// Chroma at each pixel, linearly between samples, sited left; each counts by `weights` if there are some.
    func spread(_ values: [Double], weights: [Double]? = nil) -> [Double] {
        let (size, cell) = (size(1), cell)
        return (0..<width * height).map { place in
            let (x, y) = (place % width, place / width)
            let (column, row) = (x / cell.x, y / cell.y)
            let next = cell.x > 1 && x % 2 == 1 ? min(column + 1, size.width - 1) : column
            let other = cell.y > 1 ? min(max(y % 2 == 0 ? row - 1 : row + 1, 0), size.height - 1) : row
            var (sum, total) = (0.0, 0.0)
            for (line, high) in [(row, 0.75), (other, 0.25)] {
                for sample in [column, next] {
                    let weight = high / 2 * (weights?[line * size.width + sample] ?? 1)
                    sum += values[line * size.width + sample] * weight
                    total += weight
                }
            }
            return total > 1e-9 ? sum / total : 0
        }
    }

    /// Values at pixels as those of chroma samples: 1-2-1 across where there are half as many, the mean of two rows.
    func gather(_ values: [Double]) -> [Double] {
        let (size, cell) = (size(1), cell)
        return (0..<size.width * size.height).map { place in
            let (x, y) = (place % size.width * cell.x, place / size.width * cell.y)
            var (sum, count) = (0.0, 0.0)
            for row in y..<min(y + cell.y, height) {
                func value(_ x: Int) -> Double { values[row * width + min(max(x, 0), width - 1)] }
                sum += cell.x > 1 ? (value(x - 1) + 2 * value(x) + value(x + 1)) / 4 : value(x)
                count += 1
            }
            return sum / count
        }
    }

    /// Y', Cb and Cr at each pixel.
    func pixels(weighed: Bool = false) -> [SIMD3<Double>] {
        let weights = weighed && alpha != nil ? shares(1) : nil
        let (cb, cr) = (spread(planes[1], weights: weights), spread(planes[2], weights: weights))
        return planes[0].indices.map { SIMD3(planes[0][$0], cb[$0], cr[$0]) }
    }
}
