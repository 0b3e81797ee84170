import Effects
import Pictures

extension VideoFrame {
    /// An empty frame. In the film's own format it has the planes of the encoding.
    static func make(
        width: Int, height: Int, _ format: PixelFormat, like encoding: PixelEncoding, hasAlpha: Bool,
        _ pool: FrameMemoryPool
    ) -> VideoFrame {
        if format == .film { return film(width, height, encoding, hasAlpha: hasAlpha, pool) }
        if format == .nv12 { return nv12(width, height, encoding.matrix, pool) }
        let stride = (width * (format == .rgbaFloat ? 16 : 4) + 63) & ~63
        let memory = FrameMemory(stride * height, from: pool)
        let plane = FramePlane(base: memory.base, bytesPerRow: stride, width: width, height: height)
        return VideoFrame(
            width: width, height: height, format: format, planes: [plane], owner: memory, image: nil)
    }

    /// A frame of a program's own, all of whose bytes are 0: `rgba8` or `rgbaFloat`.
    static func blank(width: Int, height: Int, _ format: PixelFormat) -> VideoFrame {
        let encoding = PixelEncoding(
            bitDepth: 8, chromaShiftX: 0, chromaShiftY: 0, chromaOffsetX: 0, chromaOffsetY: 0, colour: .bt709,
            isFullRange: false)
        let frame = make(width: width, height: height, format, like: encoding, hasAlpha: true, FrameMemoryPool())
        frame.withPlanes { planes in
            for plane in planes {
                plane.base.initializeMemory(as: UInt8.self, repeating: 0, count: plane.bytesPerRow * plane.height)
            }
        }
        return frame
    }

    /// An empty frame of the planes of the encoding.
    static func film(
        _ width: Int, _ height: Int, _ encoding: PixelEncoding, hasAlpha: Bool, _ pool: FrameMemoryPool
    ) -> VideoFrame {
        let bytes = encoding.bitDepth > 8 ? 2 : 1
        let columns = -(-width >> encoding.chromaShiftX)
        let rows = -(-height >> encoding.chromaShiftY)
        let sizes = [(width, height), (columns, rows), (columns, rows)] + (hasAlpha ? [(width, height)] : [])
        let strides = sizes.map { ($0.0 * bytes + 63) & ~63 }
        let memory = FrameMemory(zip(sizes, strides).reduce(0) { $0 + $1.0.1 * $1.1 }, from: pool)
        var start = memory.base
        var planes: [Plane] = []
        for (size, stride) in zip(sizes, strides) {
            planes.append(Plane(base: start, stride: stride, width: size.0, height: size.1))
            start += stride * size.1
        }
        let image = PlanarImage(
            luma: planes[0], cb: planes[1], cr: planes[2], alpha: hasAlpha ? planes[3] : nil, encoding: encoding)
        return VideoFrame(showing: image, owner: memory)
    }

    /// A frame that is the picture itself, in the film's own format. Without an owner it is good as long as the
    /// picture's memory is.
    convenience init(showing image: PlanarImage, owner: AnyObject?) {
        let planes = [image.luma, image.cb, image.cr] + [image.alpha].compactMap { $0 }
        self.init(
            width: image.luma.width, height: image.luma.height, format: .film,
            planes: planes.map {
                FramePlane(base: $0.base, bytesPerRow: $0.stride, width: $0.width, height: $0.height)
            }, owner: owner, image: image)
    }

    /// A frame of the picture in that format, converted where it must be.
    static func reading(
        _ image: PlanarImage, owner: AnyObject?, as format: PixelFormat, _ pool: FrameMemoryPool
    ) -> VideoFrame {
        if format == .film { return VideoFrame(showing: image, owner: owner) }
        if format == .nv12 { return nv12(of: image, pool) }
        let frame = make(
            width: image.luma.width, height: image.luma.height, format, like: image.encoding, hasAlpha: true, pool)
        let count = 4 * frame.width
        frame.withPlanes { planes in
            InterleavedRows(image).read { y, pixels in
                let row = planes[0].base + y * planes[0].bytesPerRow
                guard let order = format.byteOrder else {
                    row.assumingMemoryBound(to: Float.self).update(from: pixels, count: count)
                    return
                }
                let bytes = row.assumingMemoryBound(to: UInt8.self)
                storeShares(pixels, bytes, count)
                if format != .rgba8 { reorder(bytes, count, to: order) }
            }
        }
        return frame
    }

    /// Writes the frame's picture into planes of its size.
    func write(into output: PlanarImage) {
        if let image { return copy(image, into: output) }
        if format == .nv12 { return writeNV12(into: output) }
        let count = 4 * width
        withPlanes { planes in
            InterleavedRows(output).write { y, pixels in
                let row = planes[0].base + y * planes[0].bytesPerRow
                if let order = format.byteOrder {
                    expandBytes(row.assumingMemoryBound(to: UInt8.self), pixels, count, order)
                } else {
                    pixels.update(from: row.assumingMemoryBound(to: Float.self), count: count)
                }
            }
        }
    }

    private func copy(_ image: PlanarImage, into output: PlanarImage) {
        let depth = output.encoding.bitDepth
        let pairs = [(image.luma, output.luma), (image.cb, output.cb), (image.cr, output.cr)]
        for (from, to) in pairs { SampleRows(to, bitDepth: depth).copy(SampleRows(from, bitDepth: depth)) }
        guard let alpha = output.alpha else { return }
        let rows = SampleRows(alpha, bitDepth: depth)
        if let own = image.alpha {
            rows.copy(SampleRows(own, bitDepth: depth))
        } else {
            rows.fill(UInt16((1 << depth) - 1))
        }
    }
}

typealias ByteOrder = (red: Int, green: Int, blue: Int, alpha: Int)

/// Writes bytes in that order as red, green, blue and alpha, 1 being white and opaque.
func expandBytes(
    _ row: UnsafePointer<UInt8>, _ values: UnsafeMutablePointer<Float>, _ count: Int, _ order: ByteOrder
) {
    for x in stride(from: 0, to: count, by: 4) {
        values[x] = Float(row[x + order.red]) / 255
        values[x + 1] = Float(row[x + order.green]) / 255
        values[x + 2] = Float(row[x + order.blue]) / 255
        values[x + 3] = Float(row[x + order.alpha]) / 255
    }
}

/// Puts pixels of red, green, blue and alpha into another order, in place.
private func reorder(_ row: UnsafeMutablePointer<UInt8>, _ count: Int, to order: ByteOrder) {
    for x in stride(from: 0, to: count, by: 4) {
        let (red, green, blue, alpha) = (row[x], row[x + 1], row[x + 2], row[x + 3])
        row[x + order.red] = red
        row[x + order.green] = green
        row[x + order.blue] = blue
        row[x + order.alpha] = alpha
    }
}
