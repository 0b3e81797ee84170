import ExactMath

/// Cooley and Tukey's transform of a power of two of complex numbers, in place.
struct FourierTransform {
    let size: Int
    /// The cosines and sines of the turns of a whole transform.
    private let cosines: [Double]
    private let sines: [Double]
    private let swaps: [(Int, Int)]

    init(size: Int) {
        precondition(size.nonzeroBitCount == 1 && size >= 4, "a transform has a power of two of numbers")
        self.size = size
        cosines = (0..<size / 2).map { cosine(ofCycles: Double($0) / Double(size)) }
        sines = (0..<size / 2).map { -sine(ofCycles: Double($0) / Double(size)) }
        let bits = size.trailingZeroBitCount
        swaps = (0..<size).compactMap { index in
            let other = Int(UInt(bitPattern: index).bitReversed >> UInt(UInt.bitWidth - bits))
            return other > index ? (index, other) : nil
        }
    }

    /// Transforms forwards; with the planes exchanged backwards, `size` times too large.
    func transform(_ real: UnsafeMutablePointer<Double>, _ imaginary: UnsafeMutablePointer<Double>) {
        for (a, b) in swaps {
            (real[a], real[b]) = (real[b], real[a])
            (imaginary[a], imaginary[b]) = (imaginary[b], imaginary[a])
        }
        cosines.withUnsafeBufferPointer { cosines in
            sines.withUnsafeBufferPointer { sines in
                var half = 1
                while half < size {
                    let step = size / (2 * half)
                    var start = 0
                    while start < size {
                        for k in 0..<half {
                            let (c, s) = (cosines[k * step], sines[k * step])
                            let (a, b) = (start + k, start + k + half)
                            let re = real[b] * c - imaginary[b] * s
                            let im = real[b] * s + imaginary[b] * c
                            (real[b], imaginary[b]) = (real[a] - re, imaginary[a] - im)
                            (real[a], imaginary[a]) = (real[a] + re, imaginary[a] + im)
                        }
                        start += 2 * half
                    }
                    half *= 2
                }
            }
        }
    }
}

extension UInt {
    fileprivate var bitReversed: UInt {
        var (value, result) = (self, UInt(0))
        for _ in 0..<UInt.bitWidth {
            result = result << 1 | value & 1
            value >>= 1
        }
        return result
    }
}
