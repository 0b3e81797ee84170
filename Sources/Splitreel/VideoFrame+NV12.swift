import Effects
import Pictures

extension VideoFrame {
    /// An empty frame of a plane of Y' and one of Cb and Cr by turns.
    static func nv12(_ width: Int, _ height: Int, _ matrix: ColourMatrix, _ pool: FrameMemoryPool) -> VideoFrame {
        let (columns, rows) = ((width + 1) / 2, (height + 1) / 2)
        let strides = [(width + 63) & ~63, (2 * columns + 63) & ~63]
        let memory = FrameMemory(strides[0] * height + strides[1] * rows, from: pool)
        let planes = [
            FramePlane(base: memory.base, bytesPerRow: strides[0], width: width, height: height),
            FramePlane(
                base: memory.base + strides[0] * height, bytesPerRow: strides[1], width: columns, height: rows),
        ]
        return VideoFrame(
            width: width, height: height, format: .nv12, planes: planes, owner: memory, image: nil, matrix: matrix)
    }

    /// The picture in 8 bits and 4:2:0.
    static func nv12(of image: PlanarImage, _ pool: FrameMemoryPool) -> VideoFrame {
        let encoding = image.encoding
        let frame = nv12(image.luma.width, image.luma.height, encoding.matrix, pool)
        frame.withPlanes { planes in
            means(of: image.luma, .luma(encoding), by: (1, 1), into: planes[0], at: 0, of: 1)
            let share = (encoding.chromaShiftX > 0 ? 1 : 2, encoding.chromaShiftY > 0 ? 1 : 2)
            for (place, plane) in [image.cb, image.cr].enumerated() {
                means(of: plane, .chroma(encoding), by: share, into: planes[1], at: place, of: 2)
            }
        }
        return frame
    }

    /// Writes a frame of this format into planes of its size; a colour sample stands for all of its pixels.
    func writeNV12(into output: PlanarImage) {
        let encoding = output.encoding
        withPlanes { planes in
            spread(planes[0], at: 0, of: 1, by: (1, 1), into: output.luma, .luma(encoding))
            let share = (encoding.chromaShiftX > 0 ? 1 : 2, encoding.chromaShiftY > 0 ? 1 : 2)
            for (place, plane) in [output.cb, output.cr].enumerated() {
                spread(planes[1], at: place, of: 2, by: share, into: plane, .chroma(encoding))
            }
        }
        if let alpha = output.alpha {
            SampleRows(alpha, bitDepth: encoding.bitDepth).fill(UInt16((1 << encoding.bitDepth) - 1))
        }
    }
}

/// The way from a picture's codes to those of 8 bits and limited range.
private struct Codes {
    let bitDepth: Int
    /// The codes of 8 bits for each of the picture's, and the one for its 0.
    let scale: Float
    let zero: Float

    static func luma(_ encoding: PixelEncoding) -> Codes { Codes(encoding, span: 219, middle: 0, limitedZero: 16) }
    static func chroma(_ encoding: PixelEncoding) -> Codes { Codes(encoding, span: 224, middle: 128, limitedZero: 128) }

    private init(_ encoding: PixelEncoding, span: Float, middle: Float, limitedZero: Float) {
        bitDepth = encoding.bitDepth
        let unit = Float(1 << (bitDepth - 8))
        scale = encoding.isFullRange ? span / Float((1 << bitDepth) - 1) : 1 / unit
        zero = encoding.isFullRange ? limitedZero - middle * unit * scale : 0
    }
}

/// Writes the mean of each block of samples as 8 bits, to every `step`th byte.
private func means(
    of plane: Plane, _ codes: Codes, by share: (x: Int, y: Int), into output: FramePlane, at place: Int, of step: Int
) {
    let rows = SampleRows(plane, bitDepth: codes.bitDepth)
    var lines = Array(repeating: [Float](repeating: 0, count: plane.width), count: share.y)
    for y in 0..<output.height {
        for line in 0..<share.y {
            lines[line].withUnsafeMutableBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return }
                rows.read(min(y * share.y + line, plane.height - 1), into: base)
            }
        }
        let bytes = (output.base + y * output.bytesPerRow).assumingMemoryBound(to: UInt8.self)
        for x in 0..<output.width {
            var sum: Float = 0
            for line in lines { for column in 0..<share.x { sum += line[min(x * share.x + column, plane.width - 1)] } }
            let mean = sum * codes.scale / Float(share.x * share.y) + codes.zero
            bytes[x * step + place] = UInt8(min(max(mean + 0.5, 0), 255))
        }
    }
}

/// Writes every `step`th byte as the samples of a block.
private func spread(
    _ input: FramePlane, at place: Int, of step: Int, by share: (x: Int, y: Int), into plane: Plane, _ codes: Codes
) {
    let rows = SampleRows(plane, bitDepth: codes.bitDepth)
    let scale = 1 / codes.scale
    var line = [Float](repeating: 0, count: plane.width)
    for y in 0..<plane.height {
        let bytes = (input.base + min(y / share.y, input.height - 1) * input.bytesPerRow)
            .assumingMemoryBound(to: UInt8.self)
        for x in 0..<plane.width {
            line[x] = (Float(bytes[min(x / share.x, input.width - 1) * step + place]) - codes.zero) * scale
        }
        line.withUnsafeBufferPointer { buffer in
            if let base = buffer.baseAddress { rows.write(base, to: y) }
        }
    }
}
