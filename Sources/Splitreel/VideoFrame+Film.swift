import Effects
import Pictures

extension VideoFrame {
    /// An empty frame. In the film's own format it has the planes of the encoding.
    static func make(
        width: Int, height: Int, _ format: PixelFormat, like encoding: PixelEncoding, hasAlpha: Bool,
        _ pool: FrameMemoryPool
    ) -> VideoFrame {
        if format == .film { return film(width, height, encoding, hasAlpha: hasAlpha, pool) }
        let stride = (width * (format == .rgba8 ? 4 : 16) + 63) & ~63
        let memory = FrameMemory(stride * height, from: pool)
        let plane = FramePlane(base: memory.base, bytesPerRow: stride, width: width, height: height)
        return VideoFrame(
            width: width, height: height, format: format, planes: [plane], owner: memory, image: nil)
    }

    private static func film(
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
        let frame = make(
            width: image.luma.width, height: image.luma.height, format, like: image.encoding, hasAlpha: true, pool)
        let count = 4 * frame.width
        frame.withPlanes { planes in
            InterleavedRows(image).read { y, pixels in
                let row = planes[0].base + y * planes[0].bytesPerRow
                if format == .rgba8 {
                    storeShares(pixels, row.assumingMemoryBound(to: UInt8.self), count)
                } else {
                    row.assumingMemoryBound(to: Float.self).update(from: pixels, count: count)
                }
            }
        }
        return frame
    }

    /// Writes the frame's picture into planes of its size.
    func write(into output: PlanarImage) {
        if let image { return copy(image, into: output) }
        let count = 4 * width
        withPlanes { planes in
            InterleavedRows(output).write { y, pixels in
                let row = planes[0].base + y * planes[0].bytesPerRow
                if format == .rgba8 {
                    expandBytes(row.assumingMemoryBound(to: UInt8.self), pixels, count)
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

private func expandBytes(_ row: UnsafePointer<UInt8>, _ values: UnsafeMutablePointer<Float>, _ count: Int) {
    for x in 0..<count { values[x] = Float(row[x]) / 255 }
}
