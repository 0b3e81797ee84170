import MediaTime
import Pictures
import SplitreelProject

/// Noise of its own for each composition time: a function of the seed, the time and the place alone.
///
/// Each cell of `size` pixels gets the sum of four even numbers, which is nearly a gaussian, of a deviation of `amount`
/// of white; in luma, and as much of it as `color` says in Cb and Cr.
struct Grain: EffectKernel {
    func render(_ call: EffectCall, _ inputs: [PlanarImage], into output: PlanarImage, _ memory: EffectMemory) {
        let source = inputs[0]
        let (amount, colour) = (call.number("amount"), call.number("color"))
        guard amount > 0 else { return output.copy(source) }
        output.copyAlpha(source)
        let encoding = source.encoding
        let scale = ColourScale(encoding)
        let size = max(0.01, call.number("size"))
        let seed = Self.seed(call)
        for (number, (input, result)) in [
            (source.luma, output.luma), (source.cb, output.cb), (source.cr, output.cr),
        ].enumerated() {
            let depth = encoding.bitDepth
            let (rows, target) = (SampleRows(input, bitDepth: depth), SampleRows(result, bitDepth: depth))
            let strength = Float(amount) * (number == 0 ? scale.lumaStep : scale.chromaStep * Float(colour))
            guard strength > 0 else {
                target.copy(rows)
                continue
            }
            let shift = number == 0 ? (0, 0) : (encoding.chromaShiftX, encoding.chromaShiftY)
            let cells = (size * call.scaleX, size * call.scaleY)
            let columns = memory.table(Columns(width: input.width, shift: shift.0, size: cells.0)) {
                (0..<input.width).map { UInt32(Double($0 << shift.0) / max(1, cells.0)) }
            }
            let row = memory.floats("grain", input.width)
            for y in 0..<input.height {
                rows.read(y, into: row)
                let line = UInt32(Double(y << shift.1) / max(1, cells.1))
                grainRow(row, columns, mixed(mixed(seed &+ UInt32(number)) ^ line), strength, input.width)
                target.write(row, to: y)
            }
        }
    }

    private struct Columns: Hashable {
        let width, shift: Int
        let size: Double
    }

    /// The seed of a frame's noise, with its exact time: equal times are equal fractions.
    static func seed(_ call: EffectCall) -> UInt32 {
        var seed = mixed(UInt32(truncatingIfNeeded: Int64(call.number("seed"))))
        guard let time = call.time else { return seed }
        for number in [time.numerator, time.denominator] {
            seed = mixed(seed ^ UInt32(truncatingIfNeeded: number))
            seed = mixed(seed ^ UInt32(truncatingIfNeeded: number >> 32))
        }
        return seed
    }
}

/// Spreads a word's bits over all of it (lowbias32 of Chris Wellons).
@inline(__always)
private func mixed(_ word: UInt32) -> UInt32 {
    var x = word
    x = (x ^ (x >> 16)) &* 0x7feb_352d
    x = (x ^ (x >> 15)) &* 0x846c_a68b
    return x ^ (x >> 16)
}

private func grainRow(
    _ row: UnsafeMutablePointer<Float>, _ columns: [UInt32], _ seed: UInt32, _ strength: Float, _ count: Int
) {
    // Four bytes have a mean of 510 and a deviation of 147.8.
    let factor = strength / 147.8
    columns.withUnsafeBufferPointer { columns in
        for x in 0..<count {
            let word = mixed(seed ^ (columns[x] &* 0x9e37_79b9))
            let pairs = (word & 0xff_00ff) &+ ((word >> 8) & 0xff_00ff)
            let sum = Int32(truncatingIfNeeded: (pairs &+ (pairs >> 16)) & 0xffff)
            row[x] += Float(sum &- 510) * factor
        }
    }
}
