package import Pictures

/// The pixels of a drawing, over the part of a raster in which there is something.
package struct InkedRaster {
    enum Layer {
        /// A coverage in one colour.
        case coverage(Surface, Colour)
        /// A picture with colours of its own.
        case colours(Surface)
        /// A coverage in one colour, over a part of the raster.
        case bitmap(Bitmap)
    }

    struct Bitmap {
        /// The bitmap's place and size in pixels of the raster that the drawing's `x` and `y` count in.
        var x, y, width, height: Int
        var coverage: [UInt8]
        var colour: Colour
    }

    /// The place of its top left in the raster, in pixels.
    package let x: Int
    package let y: Int
    package let size: PixelSize
    /// The layers, the bottom-most first.
    let layers: [Layer]

    /// Writes all samples of a picture of its size in 4:4:4 of limited range with alpha.
    package func write(into image: PlanarImage) throws {
        guard let alpha = image.alpha else { preconditionFailure("a drawing has alpha") }
        precondition(
            image.luma.width == size.width && image.luma.height == size.height && image.cb.width == size.width
                && image.encoding.chromaShiftY == 0, "a drawing is written in 4:4:4 of its own size")
        let codes = DrawnCodes(image.encoding)
        if layers.count == 1, case .coverage(let surface, let colour) = layers[0] {
            let code = codes.code(colour)
            for (plane, value) in [(image.luma, code.y), (image.cb, code.cb), (image.cr, code.cr)] {
                for y in 0..<size.height { store(value, in: plane, y, wide: codes.isWide) }
            }
            try unsafe surface.withRows { base, stride in
                let table = (0...255).map { UInt16(Float($0) / 255 * Float(colour.alpha) * codes.top + 0.5) }
                for y in 0..<size.height {
                    let row = unsafe (base + y * stride).assumingMemoryBound(to: UInt8.self)
                    unsafe storeAlpha(row, table, alpha.base + y * alpha.stride, size.width, codes.isWide)
                }
            }
        } else {
            try writeBlended(into: image, alpha, codes)
        }
    }

    private func store(_ value: UInt16, in plane: Plane, _ y: Int, wide: Bool) {
        let row = unsafe plane.base + y * plane.stride
        if wide {
            unsafe row.assumingMemoryBound(to: UInt16.self).update(repeating: value, count: size.width)
        } else {
            unsafe row.assumingMemoryBound(to: UInt8.self).update(
                repeating: UInt8(truncatingIfNeeded: value), count: size.width)
        }
    }

    /// Blends the layers row by row in premultiplied colours, and writes them as straight ones.
    private func writeBlended(into image: PlanarImage, _ alpha: Plane, _ codes: DrawnCodes) throws {
        let width = size.width
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 4 * width)
        defer { unsafe memory.deallocate() }
        for y in 0..<size.height {
            unsafe memory.update(repeating: 0, count: 4 * width)
            for layer in layers {
                switch layer {
                case .coverage(let surface, let colour):
                    let part = ColourPart(colour)
                    try unsafe surface.withRows { base, stride in
                        let row = unsafe (base + y * stride).assumingMemoryBound(to: UInt8.self)
                        unsafe blendCoverage(row, part, memory, width)
                    }
                case .colours(let surface):
                    try unsafe surface.withRows { base, stride in
                        let row = unsafe (base + y * stride).assumingMemoryBound(to: UInt32.self)
                        unsafe blendColours(row, memory, width)
                    }
                case .bitmap(let bitmap):
                    let line = y + self.y - bitmap.y
                    guard line >= 0, line < bitmap.height else { continue }
                    unsafe bitmap.coverage.withUnsafeBufferPointer { bytes in
                        guard let base = bytes.baseAddress else { return }
                        let pixels = unsafe memory + 4 * (bitmap.x - self.x)
                        unsafe blendCoverage(
                            base + line * bitmap.width, ColourPart(bitmap.colour), pixels, bitmap.width)
                    }
                }
            }
            let rows = unsafe [image.luma, image.cb, image.cr, alpha].map { unsafe $0.base + y * $0.stride }
            if codes.isWide {
                unsafe storeWords(memory, codes, rows[0], rows[1], rows[2], rows[3], width)
            } else {
                unsafe storeBytes(memory, codes, rows[0], rows[1], rows[2], rows[3], width)
            }
        }
    }
}

extension InkedRaster {
    /// A raster as large as the bitmaps are together, the first one bottom-most; one clear pixel without any.
    init(bitmaps: [Bitmap]) throws {
        guard let left = bitmaps.map(\.x).min(), let top = bitmaps.map(\.y).min(),
            let right = bitmaps.map({ $0.x + $0.width }).max(), let bottom = bitmaps.map({ $0.y + $0.height }).max()
        else {
            self = try .empty
            return
        }
        self.init(
            x: left, y: top, size: PixelSize(width: right - left, height: bottom - top),
            layers: bitmaps.map { .bitmap($0) })
    }
}

/// A colour, and the part of its alpha that each of 255 steps of coverage adds.
private struct ColourPart {
    let red, green, blue, alpha: Float

    init(_ colour: Colour) {
        (red, green, blue) = (Float(colour.red), Float(colour.green), Float(colour.blue))
        alpha = Float(colour.alpha) / 255
    }
}

/// The conversion from R'G'B' to codes of limited range.
private struct DrawnCodes {
    let red, green, blue: Float
    let black, middle, lumaSpan, cbSpan, crSpan, top: Float
    let isWide: Bool

    init(_ encoding: PixelEncoding) {
        let weights = encoding.matrix.weights
        (red, blue) = (Float(weights.red), Float(weights.blue))
        green = Float(1 - weights.red - weights.blue)
        let scale = Double(1 << (encoding.bitDepth - 8))
        // The codes' fraction is cut off: halves go upwards.
        (black, middle, lumaSpan) = (Float(16 * scale + 0.5), Float(128 * scale + 0.5), Float(219 * scale))
        cbSpan = Float(112 * scale / (1 - weights.blue))
        crSpan = Float(112 * scale / (1 - weights.red))
        top = Float((1 << encoding.bitDepth) - 1)
        isWide = encoding.bitDepth > 8
    }

    func code(_ colour: Colour) -> (y: UInt16, cb: UInt16, cr: UInt16) {
        let code = code(Float(colour.red), Float(colour.green), Float(colour.blue))
        return (UInt16(code.y), UInt16(code.cb), UInt16(code.cr))
    }

    @inline(__always)
    func code(_ r: Float, _ g: Float, _ b: Float) -> (y: Float, cb: Float, cr: Float) {
        let y = red * r + green * g + blue * b
        return (black + lumaSpan * y, middle + cbSpan * (b - y), middle + crSpan * (r - y))
    }
}

private func storeAlpha(
    _ row: UnsafePointer<UInt8>, _ table: [UInt16], _ out: UnsafeMutableRawPointer, _ count: Int, _ isWide: Bool
) {
    if isWide {
        let words = unsafe out.assumingMemoryBound(to: UInt16.self)
        for x in 0..<count { unsafe words[x] = table[Int(row[x])] }
    } else {
        let bytes = unsafe out.assumingMemoryBound(to: UInt8.self)
        for x in 0..<count { unsafe bytes[x] = UInt8(truncatingIfNeeded: table[Int(row[x])]) }
    }
}

private func blendCoverage(
    _ row: UnsafePointer<UInt8>, _ part: ColourPart, _ pixels: UnsafeMutablePointer<Float>, _ count: Int
) {
    for x in 0..<count {
        let weight = unsafe Float(row[x]) * part.alpha
        if weight == 0 { continue }
        let keep = 1 - weight
        let pixel = unsafe pixels + 4 * x
        unsafe pixel[0] = pixel[0] * keep + part.red * weight
        unsafe pixel[1] = pixel[1] * keep + part.green * weight
        unsafe pixel[2] = pixel[2] * keep + part.blue * weight
        unsafe pixel[3] = pixel[3] * keep + weight
    }
}

private func blendColours(_ row: UnsafePointer<UInt32>, _ pixels: UnsafeMutablePointer<Float>, _ count: Int) {
    let step: Float = 1.0 / 255
    for x in 0..<count {
        let word = unsafe row[x]
        if word == 0 { continue }
        let keep = 1 - Float(word >> 24) * step
        let pixel = unsafe pixels + 4 * x
        unsafe pixel[0] = pixel[0] * keep + Float(word >> 16 & 0xFF) * step
        unsafe pixel[1] = pixel[1] * keep + Float(word >> 8 & 0xFF) * step
        unsafe pixel[2] = pixel[2] * keep + Float(word & 0xFF) * step
        unsafe pixel[3] = pixel[3] * keep + Float(word >> 24) * step
    }
}

private func storeBytes(
    _ pixels: UnsafePointer<Float>, _ codes: DrawnCodes, _ luma: UnsafeMutableRawPointer,
    _ cb: UnsafeMutableRawPointer, _ cr: UnsafeMutableRawPointer, _ alpha: UnsafeMutableRawPointer, _ count: Int
) {
    for x in 0..<count {
        let (code, a) = unsafe straight(pixels + 4 * x, codes)
        unsafe luma.storeBytes(of: UInt8(code.y), toByteOffset: x, as: UInt8.self)
        unsafe cb.storeBytes(of: UInt8(code.cb), toByteOffset: x, as: UInt8.self)
        unsafe cr.storeBytes(of: UInt8(code.cr), toByteOffset: x, as: UInt8.self)
        unsafe alpha.storeBytes(of: UInt8(a), toByteOffset: x, as: UInt8.self)
    }
}

private func storeWords(
    _ pixels: UnsafePointer<Float>, _ codes: DrawnCodes, _ luma: UnsafeMutableRawPointer,
    _ cb: UnsafeMutableRawPointer, _ cr: UnsafeMutableRawPointer, _ alpha: UnsafeMutableRawPointer, _ count: Int
) {
    for x in 0..<count {
        let (code, a) = unsafe straight(pixels + 4 * x, codes)
        unsafe luma.storeBytes(of: UInt16(code.y), toByteOffset: 2 * x, as: UInt16.self)
        unsafe cb.storeBytes(of: UInt16(code.cb), toByteOffset: 2 * x, as: UInt16.self)
        unsafe cr.storeBytes(of: UInt16(code.cr), toByteOffset: 2 * x, as: UInt16.self)
        unsafe alpha.storeBytes(of: UInt16(a), toByteOffset: 2 * x, as: UInt16.self)
    }
}

/// The straight codes of one premultiplied pixel, still with their fraction; black where it is clear.
@inline(__always)
private func straight(
    _ pixel: UnsafePointer<Float>, _ codes: DrawnCodes
) -> (code: (y: Float, cb: Float, cr: Float), alpha: Float) {
    let alpha = unsafe min(pixel[3], 1)
    guard alpha > 0 else { return ((codes.black, codes.middle, codes.middle), 0) }
    let scale = unsafe 1 / pixel[3]
    func part(_ value: Float) -> Float { min(max(value * scale, 0), 1) }
    return unsafe (codes.code(part(pixel[0]), part(pixel[1]), part(pixel[2])), alpha * codes.top + 0.5)
}
