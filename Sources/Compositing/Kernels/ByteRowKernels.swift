// The kernel of weighted sums of rows of bytes, in whole numbers.
//
// A weight is a multiple of 2⁻¹⁶, and the weights of a sum are 1 together. So each product of a byte, and each sum of
// products, is a multiple of 2⁻¹⁶ below 2⁸. A float holds it exactly: whole numbers give the bits that floats give.

/// Two rows of bytes, and how often 2⁻¹⁶ each counts in a sum: less often than 2¹⁵ times. A machine multiplies eight
/// such samples and adds neighbours by one instruction.
private struct RowPair {
    var first, second: UnsafeRawPointer
    /// The counts of the first row and the second, by turns.
    var counts: SIMD8<Int16>

    static let most: Int32 = 0x7FFF

    init(_ row: UnsafeRawPointer, _ count: Int16) {
        (first, second) = (row, row)
        counts = SIMD8(count, 0, count, 0, count, 0, count, 0)
    }

    mutating func add(_ row: UnsafeRawPointer, _ count: Int16) {
        second = row
        counts.oddHalf = SIMD4(repeating: count)
    }
}

/// Pairs the rows whose weight is above zero, and returns the number of pairs. A row that counts more often than a pair
/// can say comes again.
private func pair(
    _ stack: RowStack, _ weights: UnsafePointer<Float>, taps: Int, into pairs: UnsafeMutablePointer<RowPair>
) -> Int {
    var terms = 0
    for k in 0..<taps {
        let row = UnsafeRawPointer(stack.row(k, as: UInt8.self))
        var rest = Int32(weights[k] * 65536)
        while rest > 0 {
            let count = min(rest, RowPair.most)
            rest -= count
            if terms % 2 == 0 {
                (pairs + terms / 2).initialize(to: RowPair(row, Int16(count)))
            } else {
                pairs[terms / 2].add(row, Int16(count))
            }
            terms += 1
        }
    }
    return (terms + 1) / 2
}

@inline(__always)
private func interleaved(_ a: SIMD8<UInt8>, _ b: SIMD8<UInt8>) -> SIMD16<UInt8> {
    var both = SIMD16<UInt8>()
    (both.evenHalf, both.oddHalf) = (a, b)
    return both
}

@inline(__always)
private func productSums(_ samples: SIMD8<UInt8>, _ counts: SIMD8<Int16>) -> SIMD4<Int32> {
    let products = SIMD8<Int32>(truncatingIfNeeded: samples) &* SIMD8<Int32>(truncatingIfNeeded: counts)
    return products.evenHalf &+ products.oddHalf
}

/// The sums of a block of columns, in units of 2⁻¹⁶.
private struct BlockSums {
    static let columns = 16

    private var (a, b, c, d) = (SIMD4<Int32>(), SIMD4<Int32>(), SIMD4<Int32>(), SIMD4<Int32>())

    @inline(__always)
    mutating func add(_ pair: RowPair, at place: Int) {
        let first = (pair.first + place).loadUnaligned(as: SIMD16<UInt8>.self)
        let second = (pair.second + place).loadUnaligned(as: SIMD16<UInt8>.self)
        let left = interleaved(first.lowHalf, second.lowHalf)
        let right = interleaved(first.highHalf, second.highHalf)
        a &+= productSums(left.lowHalf, pair.counts)
        b &+= productSums(left.highHalf, pair.counts)
        c &+= productSums(right.lowHalf, pair.counts)
        d &+= productSums(right.highHalf, pair.counts)
    }

    @inline(__always)
    func write(_ out: UnsafeMutablePointer<Float>, _ place: Int, adds: Bool) {
        func write(_ sum: SIMD4<Int32>, _ place: Int) {
            let value = Four(sum) * 0x1p-16
            put(adds ? four(out, place) + value : value, out, place)
        }
        write(a, place)
        write(b, place &+ 4)
        write(c, place &+ 8)
        write(d, place &+ 12)
    }
}

/// Sums one pair of rows, two or three. Each row has a load of its own, not a turn in a loop: a machine fetches memory
/// ahead of a load that goes on in even steps, and rows come from memory that no cache holds.
@inline(__always)
private func sumPairs(
    _ pairs: UnsafePointer<RowPair>, _ number: Int, adds: Bool, into out: UnsafeMutablePointer<Float>, count: Int
) {
    let (one, two, three) = (pairs[0], pairs[number > 1 ? 1 : 0], pairs[number > 2 ? 2 : 0])
    var place = 0
    while place < count {
        var sums = BlockSums()
        sums.add(one, at: place)
        if number > 1 { sums.add(two, at: place) }
        if number > 2 { sums.add(three, at: place) }
        sums.write(out, place, adds: adds)
        place &+= BlockSums.columns
    }
}

@inline(__always)
private func sumPairs(
    _ pairs: UnsafePointer<RowPair>, upTo number: Int, adds: Bool, into out: UnsafeMutablePointer<Float>, count: Int
) {
    switch number {
    case 1: sumPairs(pairs, 1, adds: adds, into: out, count: count)
    case 2: sumPairs(pairs, 2, adds: adds, into: out, count: count)
    default: sumPairs(pairs, 3, adds: adds, into: out, count: count)
    }
}

/// Sums rows of bytes by their weights in whole blocks of columns, and returns how many columns these are. It reads
/// only rows whose weight is above zero.
func sumByteBlocks(
    _ stack: RowStack, _ weights: UnsafePointer<Float>, taps: Int, into out: UnsafeMutablePointer<Float>, count: Int
) -> Int {
    let whole = count - count % BlockSums.columns
    guard whole > 0 else { return 0 }
    // Counts are cut in two or three where weights are large: that makes two terms more in all.
    withUnsafeTemporaryAllocation(of: RowPair.self, capacity: taps / 2 + 2) { memory in
        guard let pairs = memory.baseAddress else { return }
        let number = pair(stack, weights, taps: taps, into: pairs)
        sumPairs(pairs, upTo: number, adds: false, into: out, count: whole)
        var k = 3
        while k < number {
            sumPairs(pairs + k, upTo: number - k, adds: true, into: out, count: whole)
            k += 3
        }
    }
    return whole
}
