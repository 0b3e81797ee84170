/// The triangle kernel's weights along one axis for a run of outputs, where the axes do not mix.
///
/// Weights are multiples of 2⁻¹⁶ that sum to exactly 1, so flat areas stay flat. Taps that fell outside the source have
/// been added to the edge sample.
final class AxisTaps {
    private let startMemory = Scratch()
    private let weightMemory = Scratch()
    private let exactMemory = Scratch()
    /// The number of weights for each output: 1, 2 or a multiple of 4, the surplus zero.
    private(set) var taps = 1
    private(set) var starts: UnsafeMutablePointer<Int32>
    private(set) var weights: UnsafeMutablePointer<Float>
    /// The first of the source samples that are read with a weight above zero; `end` is behind the last one.
    private(set) var first = 0
    private(set) var end = 0
    /// Whether each output has one tap, on neighbouring samples: a plain copy.
    private(set) var isRun = false
    /// The outputs whose weights repeat; the others are made one by one.
    private(set) var run = TapRun()

    init() {
        starts = startMemory.int32s(1)
        weights = weightMemory.floats(1)
    }

    /// Makes the weights of outputs of which output i lies at source index `scale·i + offset`.
    func build(scale: Double, offset: Double, outputs: Range<Int>, sourceCount: Int) {
        let reach = AxisTaps.reach(scale, sourceCount: sourceCount)
        let limit = sourceCount - 1
        var widest = 1
        for i in outputs {
            let span = Self.span(scale, offset, i, reach, sourceCount)
            widest = max(widest, min(span.last, limit) - max(span.first, 0) + 1)
        }
        taps = widest <= 2 ? widest : (widest + 3) & ~3
        starts = startMemory.int32s(outputs.count)
        weights = weightMemory.floats(outputs.count * taps)
        let exact = exactMemory.doubles(widest)
        (first, end) = (limit, 0)
        for i in outputs {
            let span = Self.span(scale, offset, i, reach, sourceCount)
            let low = min(max(span.first, 0), limit)
            let high = min(max(span.last, 0), limit)
            let row = weights + (i - outputs.lowerBound) * taps
            starts[i - outputs.lowerBound] = Int32(low)
            (first, end) = (min(first, low), max(end, high + 1))
            for k in 0..<widest { exact[k] = 0 }
            var total = 0.0
            for k in span.first...span.last {
                let weight = max(0, 1 - abs(Double(k) - span.position) / reach)
                exact[min(max(k, 0), limit) - low] += weight
                total += weight
            }
            Self.quantise(exact, count: high - low + 1, total: total, into: row, taps: taps)
        }
        isRun = taps == 1 && (0..<outputs.count).allSatisfy { Int(starts[$0]) == Int(starts[0]) + $0 }
        run = TapRun(starts, weights, taps: taps, count: outputs.count)
    }

    /// The kernel's half-width. Where a picture is less than a quarter of an output wide the kernel stops growing.
    private static func reach(_ scale: Double, sourceCount: Int) -> Double {
        let reach = abs(scale) < 1 + 1e-7 ? 1 : abs(scale)
        return min(reach, 4 * Double(sourceCount) + 1)
    }

    /// The source position of output i, to 2⁻¹⁶, and the samples within the kernel's reach of it.
    private static func span(
        _ scale: Double, _ offset: Double, _ i: Int, _ reach: Double, _ sourceCount: Int
    ) -> (position: Double, first: Int, last: Int) {
        let exact = scale * Double(i) + offset
        let held = min(max(exact, -(reach + 2)), Double(sourceCount) + reach + 2)
        let position = (held * 65536).rounded() / 65536
        return (position, Int((position - reach).rounded(.down)) + 1, Int((position + reach).rounded(.up)) - 1)
    }

    /// Writes the weights of an output. It rounds the running sum, not each weight: the sum comes out exact and no tap
    /// gathers the errors.
    private static func quantise(
        _ exact: UnsafePointer<Double>, count: Int, total: Double, into row: UnsafeMutablePointer<Float>, taps: Int
    ) {
        var (sum, before) = (0.0, 0.0)
        for k in 0..<taps {
            guard k < count else {
                row[k] = 0
                continue
            }
            sum += exact[k]
            let now = k == count - 1 ? 65536 : (sum / total * 65536).rounded()
            row[k] = Float((now - before) / 65536)
            before = now
        }
    }
}

/// Outputs with the same weights again and again, as chroma has at the luma's places and luma at the chroma's: two
/// outputs for each source sample, of two taps, or one for each two samples, of four.
struct TapRun {
    /// The first such output; those before it are a picture's edge.
    private(set) var first = 0
    /// The number of pairs of outputs where there are two taps, or else of outputs.
    private(set) var count = 0
    private(set) var outputs = 0

    init() {}

    init(_ starts: UnsafePointer<Int32>, _ weights: UnsafePointer<Float>, taps: Int, count: Int) {
        guard taps == 2 || taps == 4 else { return }
        let (group, step) = taps == 2 ? (2, 1) : (1, 2)
        for first in 0..<min(4, count) {
            func repeats(_ number: Int) -> Bool {
                let at = first + number * group
                return at + group <= count
                    && (0..<group).allSatisfy { starts[at + $0] == starts[first] &+ Int32(number * step) }
                    && (0..<group * taps).allSatisfy { weights[taps * at + $0] == weights[taps * first + $0] }
            }
            var number = 0
            while repeats(number) { number += 1 }
            if number > self.count {
                self.first = first
                self.count = number
                outputs = number * group
            }
        }
    }

    var end: Int { first + outputs }
}
