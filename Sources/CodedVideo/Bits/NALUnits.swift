/// Packets as lists of NAL units. A unit is its bytes from the NAL header on, with emulation prevention; a slice shares
/// the packet's memory.
package enum NALUnits {
    /// The units of an Annex B byte stream: between start codes of three or four bytes, without zeros behind them.
    /// Bytes in front of the first start code belong to none.
    package static func annexB(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] { split(bytes, from: nil) }

    /// The units between start codes; the first begins at `start`, or where it is nil behind the first start code.
    private static func split(_ bytes: ArraySlice<UInt8>, from start: Int?) -> [ArraySlice<UInt8>] {
        var units: [ArraySlice<UInt8>] = []
        var (start, index) = (start, bytes.startIndex)
        func close(at end: Int) {
            guard let start else { return }
            var end = end
            while end > start, bytes[end - 1] == 0 { end -= 1 }
            if end > start { units.append(bytes[start..<end]) }
        }
        while index + 2 < bytes.endIndex {
            if bytes[index + 2] > 1 {
                index += 3
            } else if bytes[index] == 0, bytes[index + 1] == 0, bytes[index + 2] == 1 {
                close(at: index)
                index += 3
                start = index
            } else {
                index += 1
            }
        }
        close(at: bytes.endIndex)
        return units
    }

    /// The units of a packet whose units have their length in front, in `size` bytes (1, 2, 3 or 4), big endian.
    /// Units without a byte are left out. Some recorders put several units with start codes between them under one
    /// length: these come apart. Throws `.ended` where a length leads behind the packet's end.
    package static func lengthPrefixed(
        _ bytes: ArraySlice<UInt8>, lengthSize size: Int
    ) throws(BitstreamFault) -> [ArraySlice<UInt8>] {
        guard (1...4).contains(size) else { throw .outOfRange("lengthSizeMinusOne") }
        var units: [ArraySlice<UInt8>] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            guard bytes.endIndex - index >= size else { throw .ended }
            let length = bytes[index..<index + size].reduce(0) { $0 << 8 | Int($1) }
            index += size
            guard length <= bytes.endIndex - index else { throw .ended }
            units += split(bytes[index..<index + length], from: index)
            index += length
        }
        return units
    }

    /// A packet of units with lengths of four bytes in front, as MP4, MOV and Matroska hold them.
    package static func lengthPrefixed(_ units: [some Collection<UInt8>]) -> [UInt8] {
        joined(units) { count in (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) } }
    }

    /// The same as Annex B: a start code of four bytes in front of each unit.
    package static func annexB(_ units: [some Collection<UInt8>]) -> [UInt8] { joined(units) { _ in [0, 0, 0, 1] } }

    private static func joined(_ units: [some Collection<UInt8>], _ head: (Int) -> [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(units.reduce(0) { $0 + $1.count + 4 })
        for unit in units {
            bytes.append(contentsOf: head(unit.count))
            bytes.append(contentsOf: unit)
        }
        return bytes
    }
}
