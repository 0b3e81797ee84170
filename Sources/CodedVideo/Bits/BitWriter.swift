/// A writer of a raw byte sequence payload (RBSP) bit by bit.
package struct BitWriter: Sendable {
    /// The bytes; the last one is filled up with zeros.
    package private(set) var bytes: [UInt8] = []
    /// The number of bits that were written.
    package private(set) var count = 0

    package init() {}

    /// Whether the next bit begins a byte.
    package var isAligned: Bool { count & 7 == 0 }

    /// Appends one bit.
    package mutating func flag(_ isSet: Bool) { bits(isSet ? 1 : 0, 1) }

    /// Appends the lower `width` bits of `value`; 0...56 bits.
    package mutating func bits(_ value: Int, _ width: Int) {
        precondition((0...56).contains(width), "a field has at most 56 bits")
        var missing = width
        while missing > 0 {
            if isAligned { bytes.append(0) }
            let free = 8 - count & 7
            let here = min(free, missing)
            let part = (value >> (missing - here)) & ((1 << here) - 1)
            bytes[bytes.count - 1] |= UInt8(part << (free - here))
            count += here
            missing -= here
        }
    }

    /// Appends a number in Exp-Golomb code, ue(v) in the standards; 0...2³² − 2.
    package mutating func ue(_ value: Int) {
        precondition((0...0xffff_fffe).contains(value), "Exp-Golomb codes have at most 32 bits")
        let width = Int.bitWidth - (value + 1).leadingZeroBitCount
        bits(0, width - 1)
        bits(value + 1, width)
    }

    /// Appends whole bytes; at any position.
    package mutating func append(_ more: some Collection<UInt8>) {
        guard !isAligned else {
            bytes.append(contentsOf: more)
            count += more.count * 8
            return
        }
        bytes.reserveCapacity(bytes.count + more.count)
        let shift = UInt8(count & 7)
        for byte in more {
            bytes[bytes.count - 1] |= byte >> shift
            bytes.append(byte << (8 - shift))
        }
        count += more.count * 8
    }

    /// Appends the bits `range` of `source`, which must lie in it.
    package mutating func copy(_ range: Range<Int>, of source: [UInt8]) {
        precondition(range.lowerBound >= 0 && range.upperBound <= source.count * 8, "the bits are in the source")
        var position = range.lowerBound
        func bit(_ place: Int) -> Int { Int(source[place >> 3] >> UInt8(7 - place & 7)) & 1 }
        while position < range.upperBound, position & 7 != 0 {
            bits(bit(position), 1)
            position += 1
        }
        let whole = max(position, range.upperBound & ~7)
        if whole > position { append(source[position >> 3..<whole >> 3]) }
        for place in whole..<range.upperBound { bits(bit(place), 1) }
    }

    /// Appends the trailing bits of an RBSP: a one, and zeros up to the end of the byte.
    package mutating func trailingBits() {
        flag(true)
        if !isAligned { bits(0, 8 - count & 7) }
    }

    /// Appends ones up to the end of the byte: `cabac_alignment_one_bit`.
    package mutating func alignWithOnes() {
        while !isAligned { flag(true) }
    }
}
