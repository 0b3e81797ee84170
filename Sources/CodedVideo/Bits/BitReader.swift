/// A reader of a raw byte sequence payload (RBSP) bit by bit. It never reads behind its end: that is `.ended`.
package struct BitReader: Sendable {
    private let bytes: [UInt8]
    /// The number of bits that were read.
    package private(set) var position = 0
    /// The number of bits that there are.
    package let end: Int

    /// A reader of all bits of `bytes`, from which emulation prevention was removed.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        end = bytes.count * 8
    }

    /// The number of bits that are left.
    package var left: Int { end - position }

    /// One bit.
    package mutating func flag() throws(BitstreamFault) -> Bool {
        guard position < end else { throw .ended }
        defer { position += 1 }
        return (bytes[position >> 3] >> UInt8(7 - position & 7)) & 1 == 1
    }

    /// An unsigned number of `count` bits, u(n) in the standards; 0...32 bits.
    package mutating func bits(_ count: Int) throws(BitstreamFault) -> Int {
        guard count >= 0, count <= 32 else { throw .outOfRange("a field of \(count) bits") }
        guard count <= left else { throw .ended }
        var (value, missing) = (0, count)
        while missing > 0 {
            let here = min(8 - position & 7, missing)
            let byte = Int(bytes[position >> 3]) & (0xff >> (position & 7))
            value = value << here | byte >> (8 - position & 7 - here)
            position += here
            missing -= here
        }
        return value
    }

    /// A number in Exp-Golomb code, ue(v) in the standards: 0...`limit`. Another is `.outOfRange(name)`.
    package mutating func ue(_ name: String, upTo limit: Int = 0xffff_fffe) throws(BitstreamFault) -> Int {
        var zeros = 0
        while try !flag() {
            zeros += 1
            guard zeros <= 32 else { throw .outOfRange(name) }
        }
        let value = (1 << zeros) - 1 + (try bits(zeros))
        guard value <= limit else { throw .outOfRange(name) }
        return value
    }

    /// A signed number in Exp-Golomb code, se(v) in the standards.
    @discardableResult
    package mutating func se(_ name: String) throws(BitstreamFault) -> Int {
        let code = try ue(name)
        return code & 1 == 1 ? (code + 1) / 2 : -(code / 2)
    }

    /// Skips `count` bits.
    package mutating func skip(_ count: Int) throws(BitstreamFault) {
        guard count >= 0, count <= left else { throw .ended }
        position += count
    }

    /// The length of the syntax in bits, without the trailing bits: all before the last bit that is set. Nil where no
    /// bit is set.
    package static func contentLength(_ bytes: some BidirectionalCollection<UInt8>) -> Int? {
        var count = bytes.count
        for byte in bytes.reversed() {
            if byte != 0 { return count * 8 - 1 - byte.trailingZeroBitCount }
            count -= 1
        }
        return nil
    }
}

/// The number of bits that `count` different values need: Ceil(Log2(count)); 0 for one value.
func bitsNeeded(_ count: Int) -> Int { count <= 1 ? 0 : Int.bitWidth - (count - 1).leadingZeroBitCount }
