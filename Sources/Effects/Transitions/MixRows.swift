// Rows of two pictures mixed by weights: elementwise, in a fixed order, multiply then add.

/// The nearest code, halves upwards, for a value in 0…4095: with 4096 added its mantissa has 11 binary places, and
/// integers do the rest. It needs no check of its range, so loops over it vectorise.
@inline(__always)
private func nearest(_ value: Float) -> UInt32 {
    (((value + 4096).bitPattern & 0x7F_FFFF) &+ 1024) >> 11
}

/// Mixes codes: out = from + (to − from)·weight, weights from 0 to 1: those of 0 and 1 give the codes as they are.
func mixBytes(
    _ from: UnsafePointer<UInt8>, _ to: UnsafePointer<UInt8>, _ weights: UnsafePointer<Float>,
    into out: UnsafeMutablePointer<UInt8>, count: Int
) {
    for i in 0..<count {
        let first = Float(from[i])
        out[i] = UInt8(truncatingIfNeeded: nearest(first + (Float(to[i]) - first) * weights[i]))
    }
}

func mixWords(
    _ from: UnsafePointer<UInt16>, _ to: UnsafePointer<UInt16>, _ weights: UnsafePointer<Float>,
    into out: UnsafeMutablePointer<UInt16>, count: Int
) {
    for i in 0..<count {
        let first = Float(from[i])
        out[i] = UInt16(truncatingIfNeeded: nearest(first + (Float(to[i]) - first) * weights[i]))
    }
}

func mixBytesEvenly(
    _ from: UnsafePointer<UInt8>, _ to: UnsafePointer<UInt8>, _ weight: Float, into out: UnsafeMutablePointer<UInt8>,
    count: Int
) {
    for i in 0..<count {
        let first = Float(from[i])
        out[i] = UInt8(truncatingIfNeeded: nearest(first + (Float(to[i]) - first) * weight))
    }
}

func mixWordsEvenly(
    _ from: UnsafePointer<UInt16>, _ to: UnsafePointer<UInt16>, _ weight: Float,
    into out: UnsafeMutablePointer<UInt16>, count: Int
) {
    for i in 0..<count {
        let first = Float(from[i])
        out[i] = UInt16(truncatingIfNeeded: nearest(first + (Float(to[i]) - first) * weight))
    }
}

/// Makes of alpha 0…1 and weights the second picture's part of the result (`parts`), and the result's alpha (`totals`).
func alphaParts(
    _ from: UnsafePointer<Float>, _ to: UnsafePointer<Float>, _ weights: UnsafePointer<Float>,
    parts: UnsafeMutablePointer<Float>, totals: UnsafeMutablePointer<Float>, count: Int
) {
    for i in 0..<count {
        let part = to[i] * weights[i]
        parts[i] = part
        totals[i] = part + from[i] * (1 - weights[i])
    }
}

/// Makes the second colour's shares of the result; where nothing is opaque its weights.
func shares(
    _ parts: UnsafePointer<Float>, of totals: UnsafePointer<Float>, _ weights: UnsafePointer<Float>,
    into out: UnsafeMutablePointer<Float>, count: Int
) {
    for i in 0..<count {
        let total = totals[i]
        let share = parts[i] / (total > 1e-6 ? total : 1)
        out[i] = total > 1e-6 ? min(share, 1) : weights[i]
    }
}

func scale(_ row: UnsafeMutablePointer<Float>, by factor: Float, count: Int) {
    for i in 0..<count { row[i] = row[i] * factor }
}

func average(
    _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, into out: UnsafeMutablePointer<Float>,
    _ range: Range<Int>
) {
    for i in range { out[i] = (first[i] + second[i]) * 0.5 }
}

/// Filters pairs of columns: ¼ of the one before, ½ of the first, ¼ of the second; `count` is the row's.
func filterCosited(
    _ row: UnsafePointer<Float>, count: Int, into out: UnsafeMutablePointer<Float>, _ columns: Range<Int>
) {
    func value(_ x: Int) -> Float {
        let sides = row[max(2 * x - 1, 0)] + row[min(2 * x + 1, count - 1)]
        return row[min(2 * x, count - 1)] * 0.5 + sides * 0.25
    }
    let inner = columns.clamped(to: 1..<max(1, count / 2))
    for x in columns.lowerBound..<max(columns.lowerBound, inner.lowerBound) { out[x] = value(x) }
    for x in inner { out[x] = row[2 * x] * 0.5 + (row[2 * x - 1] + row[2 * x + 1]) * 0.25 }
    for x in max(columns.lowerBound, inner.upperBound)..<columns.upperBound { out[x] = value(x) }
}

/// Makes the mean of pairs of columns.
func filterCentred(
    _ row: UnsafePointer<Float>, count: Int, into out: UnsafeMutablePointer<Float>, _ columns: Range<Int>
) {
    for x in columns { out[x] = (row[min(2 * x, count - 1)] + row[min(2 * x + 1, count - 1)]) * 0.5 }
}
