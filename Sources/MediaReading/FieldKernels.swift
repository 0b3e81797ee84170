/// Comparisons of fields, in integers only: samples of 8 bits, by rows of 16.
enum FieldKernels {
    /// A luma plane of 8-bit samples that somebody else owns.
    @safe
    struct Luma {
        var base: UnsafePointer<UInt8>
        var stride: Int
        var width: Int
        var height: Int

        @inline(__always) func row(_ number: Int) -> UnsafePointer<UInt8> { unsafe base + number * stride }
    }

    /// A measure of how two fields fit between the rows of a third.
    struct Contest {
        /// Each field's sum of distances from the middle of the rows around, over the samples where the two differ.
        var energies = (Int64(0), Int64(0))
        /// Each field's most samples, in any block of 8 rows of 16, that stand out of the rows around where the two
        /// differ.
        var combed = (Int32(0), Int32(0))
    }

    /// The largest difference of samples that counts as noise.
    private static let noise: Int16 = 3
    /// The steps by more than which a comb's sample lies above or below both of its neighbours.
    private static let tooth: Int16 = 10

    /// The greatest sum of differences in a block of 16 rows of the top fields, 16 samples wide.
    static func worstBlock(_ one: Luma, _ other: Luma) -> Int32 {
        let blocks = one.width / 16
        var sums = [Int32](repeating: 0, count: blocks + 1)
        var worst: Int32 = 0
        for (number, y) in stride(from: 0, to: one.height, by: 2).enumerated() {
            if number % 16 == 0 {
                worst = max(worst, sums.max() ?? 0)
                for block in sums.indices { sums[block] = 0 }
            }
            let (a, b) = unsafe (one.row(y), other.row(y))
            for block in 0..<blocks {
                let (p, q) = unsafe (samples(a, block * 16), samples(b, block * 16))
                sums[block] &+= Int32(distance(p, q).wrappedSum())
            }
            for x in blocks * 16..<one.width { sums[blocks] &+= unsafe Int32(abs(Int(a[x]) - Int(b[x]))) }
        }
        return max(worst, sums.max() ?? 0)
    }

    /// Compares how the bottom fields of two pictures fit in the top field of a third, all of one size.
    static func contest(top: Luma, _ one: Luma, _ other: Luma) -> Contest {
        var result = Contest()
        let blocks = top.width / 16
        var counts = [Int32](repeating: 0, count: 2 * (blocks + 1))
        func close() {
            for block in 0...blocks {
                result.combed.0 = max(result.combed.0, counts[2 * block])
                result.combed.1 = max(result.combed.1, counts[2 * block + 1])
                (counts[2 * block], counts[2 * block + 1]) = (0, 0)
            }
        }
        for (number, y) in stride(from: 1, to: top.height, by: 2).enumerated() {
            if number % 8 == 0 { close() }
            let (above, below) = unsafe (top.row(y - 1), top.row(y + 1 < top.height ? y + 1 : y - 1))
            let (a, b) = unsafe (one.row(y), other.row(y))
            for block in 0...blocks {
                let part = unsafe compare(above, below, a, b, from: block * 16, to: min(block * 16 + 16, top.width))
                result.energies.0 &+= Int64(part.energies.0)
                result.energies.1 &+= Int64(part.energies.1)
                counts[2 * block] &+= Int32(part.teeth.0)
                counts[2 * block + 1] &+= Int32(part.teeth.1)
            }
        }
        close()
        return result
    }

    private typealias Row = UnsafePointer<UInt8>
    private typealias Sixteen = SIMD16<Int16>

    /// The sums of distances, and the counts of samples that stand out, of at most sixteen samples of two rows.
    @inline(__always)
    private static func compare(
        _ above: Row, _ below: Row, _ a: Row, _ b: Row, from: Int, to: Int
    ) -> (energies: (Int16, Int16), teeth: (Int16, Int16)) {
        if to - from < 16, to == from { return ((0, 0), (0, 0)) }
        let whole = to - from == 16
        let (p, q) = unsafe whole ? (samples(a, from), samples(b, from)) : (part(a, from, to), part(b, from, to))
        let difference = distance(p, q)
        if difference == .zero { return ((0, 0), (0, 0)) }
        let (u, w) =
            unsafe whole ? (samples(above, from), samples(below, from)) : (part(above, from, to), part(below, from, to))
        let (low, high) = (pointwiseMin(u, w) &- tooth, pointwiseMax(u, w) &+ tooth)
        let isStill = difference .<= Sixteen(repeating: noise)
        let isNear = difference .<= Sixteen(repeating: tooth)
        func energy(_ x: Sixteen) -> Int16 {
            distance(u &+ w, x &+ x).replacing(with: 0, where: isStill).wrappedSum()
        }
        func teeth(_ x: Sixteen) -> Int16 {
            let isInside = (x .>= low) .& (x .<= high)
            return Sixteen(repeating: 1).replacing(with: 0, where: isInside .| isNear).wrappedSum()
        }
        return ((energy(p), energy(q)), (teeth(p), teeth(q)))
    }

    @inline(__always) private static func distance(_ a: Sixteen, _ b: Sixteen) -> Sixteen {
        pointwiseMax(a &- b, b &- a)
    }

    @inline(__always) private static func samples(_ row: Row, _ x: Int) -> Sixteen {
        unsafe Sixteen(
            truncatingIfNeeded: UnsafeRawPointer(row + x).loadUnaligned(as: SIMD16<UInt8>.self))
    }

    private static func part(_ row: Row, _ from: Int, _ to: Int) -> Sixteen {
        var values = Sixteen.zero
        for x in from..<to { values[x - from] = unsafe Int16(row[x]) }
        return values
    }
}
