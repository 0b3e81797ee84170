/// The bytes 3 that keep start codes out of a NAL unit: after two zeros, where a byte of 0...3 follows or the unit
/// ends.
package enum EmulationPrevention {
    /// The unit without these bytes: its header and its RBSP.
    package static func removed(from unit: some Collection<UInt8>) -> [UInt8] {
        removed(from: unit, upTo: unit.count).bytes
    }

    /// The first bytes of the unit without emulation prevention, `limit` of them or fewer where it ends before, and the
    /// number of the unit's own bytes that they stand for.
    static func removed(from unit: some Collection<UInt8>, upTo limit: Int) -> (bytes: [UInt8], length: Int) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(limit, unit.count))
        var (zeros, length) = (0, 0)
        for byte in unit {
            if zeros >= 2, byte == 3 {
                zeros = 0
            } else if bytes.count == limit {
                break
            } else {
                bytes.append(byte)
                zeros = byte == 0 ? zeros + 1 : 0
            }
            length += 1
        }
        return (bytes, length)
    }

    /// The number of zeros, at most 2, that stand in front of a place of a unit.
    static func zeros(before index: Int, of unit: ArraySlice<UInt8>) -> Int {
        unit[..<index].suffix(2).reversed().prefix { $0 == 0 }.count
    }

    /// The unit with these bytes. A unit that ends in two zeros gets one at its end.
    package static func added(to bytes: some Collection<UInt8>) -> [UInt8] {
        var unit: [UInt8] = []
        unit.reserveCapacity(bytes.count + bytes.count / 64 + 4)
        var zeros = 0
        for byte in bytes { append(byte, to: &unit, zeros: &zeros) }
        if zeros >= 2 { unit.append(3) }
        return unit
    }

    private static func append(_ byte: UInt8, to unit: inout [UInt8], zeros: inout Int) {
        if zeros >= 2, byte <= 3 {
            unit.append(3)
            zeros = 0
        }
        unit.append(byte)
        zeros = byte == 0 ? zeros + 1 : 0
    }

    /// A unit of a new `head` without emulation prevention, and the old `tail` with it. The tail began where `before`
    /// zeros stood in front of it, so that bytes 3 among its first zeros may go or come; behind its first byte that
    /// is not zero it stays as it is.
    static func joined(head: [UInt8], tail: ArraySlice<UInt8>, zerosBefore before: Int) -> [UInt8] {
        var unit: [UInt8] = []
        unit.reserveCapacity(head.count + tail.count + 8)
        var zeros = 0
        for byte in head { append(byte, to: &unit, zeros: &zeros) }
        var (old, index) = (before, tail.startIndex)
        while index < tail.endIndex {
            let byte = tail[index]
            index += 1
            if old >= 2, byte == 3 {
                old = 0
                continue
            }
            append(byte, to: &unit, zeros: &zeros)
            old = byte == 0 ? old + 1 : 0
            if byte != 0 { break }
        }
        if index == tail.endIndex, zeros >= 2 { unit.append(3) }
        unit.append(contentsOf: tail[index...])
        return unit
    }
}
