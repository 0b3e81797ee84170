import ExactMath
import Pictures
import SplitreelProject

/// Effects that need no other plane's samples: luma is a line of luma, chroma a turn and a scale of chroma. They keep
/// chroma as sharp as it is.
struct PlaneEffect: EffectKernel {
    /// The change of Y' in 0…1 and of Cb and Cr in −0.5…0.5: Y' · scale + offset; Cb and Cr by a matrix.
    struct Change: Equatable {
        var scale = 1.0
        var offset = 0.0
        /// The rows of the matrix of Cb and Cr.
        var chroma = SIMD4(1.0, 0, 0, 1)
    }

    let change: @Sendable (EffectCall) -> Change

    func render(_ call: EffectCall, _ inputs: [PlanarImage], into output: PlanarImage, _ memory: EffectMemory) {
        let (input, change) = (inputs[0], change(call))
        let codes = ColourCodes(input.encoding)
        let depth = input.encoding.bitDepth
        let rows = (memory.floats("plane.a", input.luma.width + 8), memory.floats("plane.b", input.luma.width + 8))
        let luma = (from: SampleRows(input.luma, bitDepth: depth), to: SampleRows(output.luma, bitDepth: depth))
        if change.scale == 1, change.offset == 0 {
            luma.to.copy(luma.from)
        } else {
            let offset = codes.lumaOffset * (1 - change.scale) + codes.lumaRange * change.offset
            for y in 0..<luma.from.height {
                luma.from.read(y, into: rows.0)
                lineRow(rows.0, Float(change.scale), Float(offset), luma.from.width)
                luma.to.write(rows.0, to: y)
            }
        }
        let cb = (from: SampleRows(input.cb, bitDepth: depth), to: SampleRows(output.cb, bitDepth: depth))
        let cr = (from: SampleRows(input.cr, bitDepth: depth), to: SampleRows(output.cr, bitDepth: depth))
        for y in 0..<cb.from.height where change.chroma != SIMD4(1, 0, 0, 1) {
            cb.from.read(y, into: rows.0)
            cr.from.read(y, into: rows.1)
            turnRows(rows.0, rows.1, change.chroma, codes.chromaOffset, cb.from.width)
            cb.to.write(rows.0, to: y)
            cr.to.write(rows.1, to: y)
        }
        if change.chroma == SIMD4(1, 0, 0, 1) {
            cb.to.copy(cb.from)
            cr.to.copy(cr.from)
        }
        copyAlpha(input, output)
    }
}

private func lineRow(_ row: UnsafeMutablePointer<Float>, _ scale: Float, _ offset: Float, _ count: Int) {
    var i = 0
    while i < count {
        put(four(row, i) * scale + offset, row, i)
        i &+= 4
    }
}

private func turnRows(
    _ cb: UnsafeMutablePointer<Float>, _ cr: UnsafeMutablePointer<Float>, _ matrix: SIMD4<Double>, _ middle: Double,
    _ count: Int
) {
    let (m, grey) = (Four(matrix), Float(middle))
    var i = 0
    while i < count {
        let (x, y) = (four(cb, i) - grey, four(cr, i) - grey)
        put((x * m[0] + y * m[1]) + grey, cb, i)
        put((x * m[2] + y * m[3]) + grey, cr, i)
        i &+= 4
    }
}

extension PlaneEffect {
    static let brightness = PlaneEffect { Change(offset: $0.number("amount")) }

    static let contrast = PlaneEffect { call in
        let (amount, pivot) = (call.number("amount"), call.number("pivot"))
        return Change(scale: amount, offset: pivot * (1 - amount), chroma: SIMD4(amount, 0, 0, amount))
    }

    static let saturation = PlaneEffect { call in
        let amount = call.number("amount")
        return Change(chroma: SIMD4(amount, 0, 0, amount))
    }

    static let hue = PlaneEffect { call in
        let angle = ExactAngle(degrees: call.number("degrees"))
        return Change(chroma: SIMD4(angle.cosine, -angle.sine, angle.sine, angle.cosine))
    }

    static let invert = PlaneEffect { _ in Change(scale: -1, offset: 1, chroma: SIMD4(-1, 0, 0, -1)) }
}
