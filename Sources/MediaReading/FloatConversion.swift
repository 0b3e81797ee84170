internal import CFFmpeg
internal import Libav
internal import Pictures

/// Converts pictures of floats (EXR, PFM) to limited-range 4:4:4 Y'CbCr(A) of 16 bits.
///
/// Their samples are linear light unless their tags say otherwise; 1 is reference white, and alpha is multiplied in
/// already, as EXR has it. They are encoded by the power of SDR, where light above 1 becomes 1; or, to keep highlights,
/// by PQ, in which 1 is 203 cd/m².
struct FloatConversion {
    private let matrix: ColourMatrix
    private let keepsHighlights: Bool

    init(matrix: ColourMatrix, keepsHighlights: Bool) {
        (self.matrix, self.keepsHighlights) = (matrix, keepsHighlights)
    }

    static func handles(_ description: AVPixFmtDescriptor) -> Bool {
        let components = Int(description.nb_components)
        return description.flags & UInt64(AV_PIX_FMT_FLAG_FLOAT) != 0 && description.comp.0.depth == 32
            && (components == 1 || components == 3 || components == 4)
    }

    /// The curves for linear light by whether highlights are kept; colours that are encoded already keep their tags.
    private static let curves: [Bool: EncodingTable] = [
        false: EncodingTable(.bt709, top: 1), true: EncodingTable(.pq, top: 10_000.0 / 203),
    ]

    func convert(_ source: borrowing Frame, into target: borrowing Frame) {
        let transfer = source.fields.color_trc
        let isLight = transfer == AVCOL_TRC_UNSPECIFIED || transfer == AVCOL_TRC_LINEAR
        let curve = isLight ? Self.curves[keepsHighlights] : nil
        if isLight {
            target.update {
                $0.color_trc = keepsHighlights ? AVCOL_TRC_SMPTE2084 : AVCOL_TRC_BT709
                if keepsHighlights, $0.color_primaries == AVCOL_PRI_UNSPECIFIED {
                    $0.color_primaries = AVCOL_PRI_BT709
                }
            }
        }
        let (planes, lines) = unsafe (target.fields.data, target.fields.linesize)
        guard let rows = ComponentReader(source.pixelFormat), let luma = unsafe planes.0, let cb = unsafe planes.1,
            let cr = unsafe planes.2
        else { return }
        let outputs = unsafe [luma, cb, cr]
        let strides = [lines.0, lines.1, lines.2].map { Int($0) }
        var values = [[Float]](repeating: [Float](repeating: 0, count: source.width), count: rows.count)
        var codes = [[UInt16]](repeating: [UInt16](repeating: 0, count: source.width), count: 3)
        for y in 0..<source.height {
            for component in 0..<rows.count { rows.read(component, y, of: source, into: &values[component]) }
            encode(values, curve, into: &codes)
            for plane in 0..<3 { unsafe Self.store(codes[plane], to: outputs[plane] + y * strides[plane]) }
            guard rows.count == 4, let alpha = unsafe planes.3 else { continue }
            let whole = values[3].map { UInt16(Double(Self.limited($0)) * 65535 + 0.5) }
            unsafe Self.store(whole, to: alpha + y * Int(lines.3))
        }
    }

    private func encode(_ values: [[Float]], _ curve: EncodingTable?, into codes: inout [[UInt16]]) {
        let (red, blue) = matrix.weights
        let green = 1 - red - blue
        let hasAlpha = values.count == 4
        for x in values[0].indices {
            var colour =
                values.count == 1
                ? (values[0][x], values[0][x], values[0][x]) : (values[0][x], values[1][x], values[2][x])
            if hasAlpha, values[3][x] > 0, values[3][x] < 1 {
                let alpha = values[3][x]
                colour = (colour.0 / alpha, colour.1 / alpha, colour.2 / alpha)
            }
            func encoded(_ value: Float) -> Double { curve?.encoded(value) ?? Double(Self.limited(value)) }
            let (r, g, b) = (encoded(colour.0), encoded(colour.1), encoded(colour.2))
            let y = red * r + green * g + blue * b
            codes[0][x] = UInt16(truncatingIfNeeded: Int32(256 * (16 + 219 * y) + 0.5))
            codes[1][x] = UInt16(truncatingIfNeeded: Int32(256 * (128 + 112 * (b - y) / (1 - blue)) + 0.5))
            codes[2][x] = UInt16(truncatingIfNeeded: Int32(256 * (128 + 112 * (r - y) / (1 - red)) + 0.5))
        }
    }

    /// The value limited to 0…1; 0 where it is not a number.
    private static func limited(_ value: Float) -> Float { value > 0 ? min(value, 1) : 0 }

    private static func store(_ row: [UInt16], to base: UnsafeMutablePointer<UInt8>) {
        unsafe UnsafeMutableRawPointer(base).withMemoryRebound(to: UInt16.self, capacity: row.count) { out in
            for x in row.indices { unsafe out[x] = row[x] }
        }
    }
}

/// A table of the codes of light, 0…1, at places that lie as the floats themselves do, interpolated evenly between two.
private struct EncodingTable {
    private static let (bits, exponents) = (9, -60..<6)
    private let top: Float
    private let values: [Double]

    init(_ transfer: ColourTransfer, top: Double) {
        self.top = Float(top)
        values = (0...(Self.exponents.count << Self.bits)).map { place in
            let part = 1 + Double(place & ((1 << Self.bits) - 1)) / Double(1 << Self.bits)
            let exponent = Self.exponents.lowerBound + place >> Self.bits
            return encodedComponent(of: Double(sign: .plus, exponent: exponent, significand: part), transfer)
        }
    }

    /// The code of light up to the top, 0…1; black for a light that is not a number.
    func encoded(_ light: Float) -> Double {
        let lowest = Float(sign: .plus, exponent: Self.exponents.lowerBound, significand: 1)
        guard light > 0 else { return 0 }
        // The power of SDR makes less than a hundredth of a code of such a light.
        guard light >= lowest else { return 0 }
        let word = min(light, top).bitPattern
        let rest = UInt32(23 - Self.bits)
        let place = Int(word >> rest) - Int(lowest.bitPattern >> rest)
        let share = Double(word & ((1 << rest) - 1)) / Double(UInt32(1) << rest)
        return values[place] + (values[place + 1] - values[place]) * share
    }
}
