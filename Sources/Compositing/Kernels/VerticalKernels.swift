// Kernels of weighted sums of rows. They have one body, written out for each sample type in a function that is not
// generic.

/// A sample type that the kernels read.
protocol SampleValue {
    var value: Float { get }
}

extension UInt8: SampleValue {
    @inline(__always) var value: Float { Float(self) }
}

extension UInt16: SampleValue {
    @inline(__always) var value: Float { Float(self) }
}

extension Float: SampleValue {
    @inline(__always) var value: Float { self }
}

@inline(__always)
private func sum1<T: SampleValue>(
    _ a: UnsafePointer<T>, into out: UnsafeMutablePointer<Float>, count: Int
) {
    for i in 0..<count { out[i] = a[i].value }
}

@inline(__always)
private func sum2<T: SampleValue>(
    _ a: UnsafePointer<T>, _ b: UnsafePointer<T>, _ w: UnsafePointer<Float>,
    into out: UnsafeMutablePointer<Float>, count: Int
) {
    let (wa, wb) = (w[0], w[1])
    for i in 0..<count { out[i] = a[i].value * wa + b[i].value * wb }
}

@inline(__always)
private func sum4<T: SampleValue>(
    _ a: UnsafePointer<T>, _ b: UnsafePointer<T>, _ c: UnsafePointer<T>, _ d: UnsafePointer<T>,
    _ w: UnsafePointer<Float>, adds: Bool, into out: UnsafeMutablePointer<Float>, count: Int
) {
    let (wa, wb, wc, wd) = (w[0], w[1], w[2], w[3])
    if adds {
        for i in 0..<count {
            out[i] = out[i] + ((a[i].value * wa + b[i].value * wb) + (c[i].value * wc + d[i].value * wd))
        }
    } else {
        for i in 0..<count {
            out[i] = (a[i].value * wa + b[i].value * wb) + (c[i].value * wc + d[i].value * wd)
        }
    }
}

/// The rows of one plane: row k of the sum starts at `base + k·stride`, with k no larger than `last`.
package struct RowStack {
    var base: UnsafeRawPointer
    var stride: Int
    var last: Int

    /// - Parameter stride: The distance of two rows in bytes.
    package init(base: UnsafeRawPointer, stride: Int, last: Int) {
        (self.base, self.stride, self.last) = (base, stride, last)
    }

    @inline(__always) func row<T>(_ k: Int, as type: T.Type) -> UnsafePointer<T> {
        (base + min(k, last) &* stride).assumingMemoryBound(to: T.self)
    }
}

@inline(__always)
private func sumRows<T: SampleValue>(
    _ stack: RowStack, _ weights: UnsafePointer<Float>, taps: Int, as type: T.Type,
    into out: UnsafeMutablePointer<Float>, count: Int
) {
    switch taps {
    case 1: sum1(stack.row(0, as: T.self), into: out, count: count)
    case 2: sum2(stack.row(0, as: T.self), stack.row(1, as: T.self), weights, into: out, count: count)
    default:
        var k = 0
        while k < taps {
            sum4(
                stack.row(k, as: T.self), stack.row(k + 1, as: T.self), stack.row(k + 2, as: T.self),
                stack.row(k + 3, as: T.self), weights + k, adds: k > 0, into: out, count: count)
            k += 4
        }
    }
}

/// Sums rows of bytes by their weights, which are multiples of 2⁻¹⁶, none below zero, and 1 together; `taps` is 1, 2 or
/// a multiple of 4.
package func sumRows8(
    _ stack: RowStack, _ weights: UnsafePointer<Float>, taps: Int, into out: UnsafeMutablePointer<Float>, count: Int
) {
    let done = taps > 2 ? sumByteBlocks(stack, weights, taps: taps, into: out, count: count) : 0
    guard done < count else { return }
    var rest = stack
    rest.base += done
    sumRows(rest, weights, taps: taps, as: UInt8.self, into: out + done, count: count - done)
}

/// Sums rows of 16-bit samples by their weights; `taps` is 1 (the weight is 1), 2 or a multiple of 4.
package func sumRows16(
    _ stack: RowStack, _ weights: UnsafePointer<Float>, taps: Int, into out: UnsafeMutablePointer<Float>, count: Int
) {
    sumRows(stack, weights, taps: taps, as: UInt16.self, into: out, count: count)
}

/// Sums rows of floats by their weights; `taps` is 1 (the weight is 1), 2 or a multiple of 4.
package func sumRowsFloat(
    _ stack: RowStack, _ weights: UnsafePointer<Float>, taps: Int, into out: UnsafeMutablePointer<Float>, count: Int
) {
    sumRows(stack, weights, taps: taps, as: Float.self, into: out, count: count)
}

/// Sums two rows of floats, which may lie anywhere, by their weights.
func sumTwoRows(
    _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ weights: UnsafePointer<Float>,
    into out: UnsafeMutablePointer<Float>, count: Int
) {
    sum2(a, b, weights, into: out, count: count)
}

func sumFourRows(
    _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ c: UnsafePointer<Float>, _ d: UnsafePointer<Float>,
    _ weights: UnsafePointer<Float>, adds: Bool, into out: UnsafeMutablePointer<Float>, count: Int
) {
    sum4(a, b, c, d, weights, adds: adds, into: out, count: count)
}
