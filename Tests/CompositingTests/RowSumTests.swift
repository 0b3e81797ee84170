import Compositing
import Testing

@Suite("Weighted sums against plain ones in the fixed order, bit by bit")
struct RowSumTests {
    /// Multiples of 2⁻¹⁶ that are 1 together, with as many zeros behind them as sources have.
    private func weights(_ taps: Int, zeros: Int, heaviest: Int, _ random: inout Random) -> [Float] {
        let used = taps - zeros
        var units = [Int](repeating: 0, count: taps)
        units[random.int(in: 0..<used)] = heaviest
        for _ in 0..<(65536 - heaviest) / 16 { units[random.int(in: 0..<used)] += 16 }
        units[used - 1] += 65536 - units.reduce(0, +)
        return units.map { Float($0) / 65536 }
    }

    /// (a + b) + (c + d), then the next four, added to what there is.
    private func plainSum(_ values: [Float], _ weights: [Float]) -> Float {
        if values.count == 1 { return values[0] }
        if values.count == 2 { return values[0] * weights[0] + values[1] * weights[1] }
        var sum: Float = 0
        for k in stride(from: 0, to: values.count, by: 4) {
            let four = (0..<4).map { values[k + $0] * weights[k + $0] }
            let group = (four[0] + four[1]) + (four[2] + four[3])
            sum = k == 0 ? group : sum + group
        }
        return sum
    }

    private func expectPlainSums<T>(
        _ taps: Int, rows height: Int, count: Int, _ weights: [Float],
        _ kernel: (RowStack, UnsafePointer<Float>, Int, UnsafeMutablePointer<Float>, Int) -> Void,
        sample: () -> T, value: (T) -> Float
    ) {
        // Rows lie at odd places, as a crop has them, and the last one ends where the memory does.
        let stride = count + 3
        let samples = (0..<stride * height - 2).map { _ in sample() }
        var out = [Float](repeating: -7, count: count + 8)
        samples.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            let size = MemoryLayout<T>.stride
            let stack = RowStack(base: base + size, stride: stride * size, last: height - 1)
            out.withUnsafeMutableBufferPointer { out in
                guard let start = out.baseAddress else { return }
                kernel(stack, weights, taps, start, count)
            }
        }
        let wanted = (0..<count).map { x in
            plainSum((0..<taps).map { value(samples[1 + min($0, height - 1) * stride + x]) }, weights).bitPattern
        }
        #expect(out[..<count].map(\.bitPattern) == wanted, "\(T.self), \(taps) taps, \(count) columns")
        #expect(out[count...].allSatisfy { $0 == -7 }, "\(T.self), \(taps) taps, \(count) columns: written behind")
    }

    @Test("Rows of bytes, words and floats", arguments: [1, 2, 4, 8, 12, 16, 20])
    func rows(taps: Int) {
        var random = Random(seed: UInt64(taps))
        for count in [1, 3, 15, 16, 17, 31, 33, 97, 160] {
            for (zeros, heaviest) in [(0, 0), (1, 32767), (2, 32768), (3, 50000), (taps - 1, 0), (0, 65536)] {
                let weights = weights(taps, zeros: min(zeros, taps - 1), heaviest: heaviest, &random)
                for height in [taps, max(1, taps - 3)] {
                    expectPlainSums(
                        taps, rows: height, count: count, weights,
                        { sumRows8($0, $1, taps: $2, into: $3, count: $4) },
                        sample: { UInt8(random.int(in: -64..<320).clamped(to: 255)) }, value: { Float($0) })
                    expectPlainSums(
                        taps, rows: height, count: count, weights,
                        { sumRows16($0, $1, taps: $2, into: $3, count: $4) },
                        sample: { UInt16(random.int(in: 0..<65536)) }, value: { Float($0) })
                    expectPlainSums(
                        taps, rows: height, count: count, weights,
                        { sumRowsFloat($0, $1, taps: $2, into: $3, count: $4) },
                        sample: { Float(random.double(in: -2...1025)) }, value: { $0 })
                }
            }
        }
    }

    @Test("All that bytes and weights can be: the largest sum, and the smallest steps")
    func extremes() {
        for value in [UInt8(0), 1, 127, 128, 254, 255] {
            for heaviest in [1, 32766, 32767, 32768, 65534, 65535, 65536] {
                let weights = [65536 - heaviest, heaviest, 0, 0].map { Float($0) / 65536 }
                expectPlainSums(
                    4, rows: 2, count: 37, weights, { sumRows8($0, $1, taps: $2, into: $3, count: $4) },
                    sample: { value }, value: { Float($0) })
            }
        }
    }

    @Test("Columns", arguments: [4, 8, 12, 16, 20])
    func columns(taps: Int) {
        var random = Random(seed: UInt64(taps) + 50)
        for count in [1, 2, 7, 64, 101] {
            let source = (0..<4 * count + taps).map { _ in Float(random.double(in: -2...300)) }
            let starts = (0..<count).map { Int32(5 + $0 * 3 + random.int(in: 0..<2)) }
            let all = (0..<count).flatMap { weights(taps, zeros: $0 % 3, heaviest: 0, &random) }
            var out = [Float](repeating: -7, count: count + 8)
            out.withUnsafeMutableBufferPointer { out in
                guard let start = out.baseAddress else { return }
                convolveRow4(source, starts: starts, first: 5, weights: all, taps: taps, into: start, count: count)
            }
            for i in 0..<count {
                var lanes: [Float] = [0, 0, 0, 0]
                for k in 0..<taps {
                    let product = source[Int(starts[i]) - 5 + k] * all[i * taps + k]
                    lanes[k % 4] = k < 4 ? product : lanes[k % 4] + product
                }
                let wanted = (lanes[0] + lanes[2]) + (lanes[1] + lanes[3])
                #expect(out[i].bitPattern == wanted.bitPattern, "\(taps) taps, output \(i) of \(count)")
            }
            #expect(out[count...].allSatisfy { $0 == -7 })
        }
    }
}

extension Int {
    /// The nearest number that is not below zero and not above `most`.
    fileprivate func clamped(to most: Int) -> Int { Swift.min(Swift.max(self, 0), most) }
}
