internal import CFFmpeg
internal import Diagnostics
internal import Libav
internal import Outputs
internal import Pictures

extension VideoSettings {
    /// The pixel format that the encoder is given.
    var encodedFormat: AVPixelFormat {
        switch codec.samples {
        case .rgb(let formats):
            AVPixelFormat(name: formats.name(hasAlpha: format.hasAlpha, isDeep: format.bitDepth > 8))
        case .light: format.hasAlpha ? AV_PIX_FMT_GBRAPF32LE : AV_PIX_FMT_GBRPF32LE
        case .limitedRange, .fullRange: AVPixelFormat(name: format.rawValue)
        }
    }

    /// The frame in R'G'B'(A) by its own matrix, or in light.
    func image(of frame: borrowing Frame) throws -> Frame {
        guard case .rgb(let formats) = codec.samples else { return try lightImage(of: frame, in: encodedFormat) }
        return try convertedToRGB(frame, size: size, as: formats)
    }
}

/// The light of a 4:4:4 frame as floats, 1 being reference white: R'G'B' by the frame's own matrix, then the inverse of
/// its transfer function, as sources in EXR are read. Light below 0 becomes 0, light above 1 is kept; alpha is
/// multiplied into the colours, as EXR has it.
func lightImage(of frame: borrowing Frame, in format: AVPixelFormat) throws -> Frame {
    guard let encoding = frame.pixelEncoding, encoding.chromaShiftX == 0 else {
        throw SplitreelError(
            .internalFault, operation: "encoding", subject: frame.pixelFormatName, reason: "light is made of 4:4:4")
    }
    let result = try Frame()
    try result.allocate(
        format, width: Int32(frame.width), height: Int32(frame.height), alignment: 0, subject: "picture")
    let table = LightTable(TransferCurve(encoding.colour.transfer))
    let scale = Double(1 << (encoding.bitDepth - 8))
    let (red, blue) = encoding.colour.matrix.weights
    let green = 1 - red - blue
    let isFull = encoding.isFullRange
    let (lumaRange, chromaRange) = isFull ? (255.0 * scale, 255.0 * scale) : (219 * scale, 224 * scale)
    let black = isFull ? 0 : 16 * scale
    let most = Double(1 << encoding.bitDepth) - 1
    // The planes are G, B and R, in that order.
    let planes = unsafe (result.fields.data, result.fields.linesize)
    guard let g = unsafe planes.0.0, let b = unsafe planes.0.1, let r = unsafe planes.0.2 else { return result }
    frame.withImage { image in
        let isDeep = encoding.bitDepth > 8
        let (luma, cb, cr) = (Codes(image.luma, isDeep), Codes(image.cb, isDeep), Codes(image.cr, isDeep))
        let alpha = image.alpha.map { Codes($0, isDeep) }
        for y in 0..<frame.height {
            let out = unsafe (
                floats(r, y, planes.1.2), floats(g, y, planes.1.0), floats(b, y, planes.1.1)
            )
            for x in 0..<frame.width {
                let l = (luma.code(x, y) - black) / lumaRange
                let u = (cb.code(x, y) - 128 * scale) / chromaRange
                let v = (cr.code(x, y) - 128 * scale) / chromaRange
                let (rr, bb) = (l + 2 * (1 - red) * v, l + 2 * (1 - blue) * u)
                let gg = (l - red * rr - blue * bb) / green
                let share = alpha.map { $0.code(x, y) / most } ?? 1
                unsafe out.0[x] = Float(table.light(rr) * share)
                unsafe out.1[x] = Float(table.light(gg) * share)
                unsafe out.2[x] = Float(table.light(bb) * share)
                guard alpha != nil, let a = unsafe planes.0.3 else { continue }
                unsafe floats(a, y, planes.1.3)[x] = Float(share)
            }
        }
    }
    result.update { $0.sample_aspect_ratio = AVRational(num: 1, den: 1) }
    return result
}

/// The codes of one plane's samples, by their places.
private struct Codes {
    let plane: Plane
    let isDeep: Bool

    init(_ plane: Plane, _ isDeep: Bool) { (self.plane, self.isDeep) = (plane, isDeep) }

    func code(_ x: Int, _ y: Int) -> Double {
        let row = unsafe plane.base + y * plane.stride
        return unsafe isDeep
            ? Double(row.load(fromByteOffset: 2 * x, as: UInt16.self))
            : Double(row.load(fromByteOffset: x, as: UInt8.self))
    }
}

private func floats(_ base: UnsafeMutablePointer<UInt8>, _ y: Int, _ stride: Int32) -> UnsafeMutablePointer<Float> {
    unsafe UnsafeMutableRawPointer(base + y * Int(stride)).assumingMemoryBound(to: Float.self)
}

/// A table of light by a component's value, interpolated evenly between two places, which are closer than halves of
/// floats are to one another.
private struct LightTable {
    private static let places = 1 << 14
    /// The largest component in the table: limited range reaches a little beyond white, and colours further.
    private static let most = 2.0
    private let values: [Double]

    init(_ curve: TransferCurve) {
        values = (0...(Int(Self.most) * Self.places + 1)).map { curve.light(Double($0) / Double(Self.places)) }
    }

    func light(_ component: Double) -> Double {
        guard component > 0 else { return 0 }
        let place = min(component, Self.most) * Double(Self.places)
        let whole = Int(place)
        return values[whole] + (values[whole + 1] - values[whole]) * (place - Double(whole))
    }
}
