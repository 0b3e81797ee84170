import Hashing

/// The sums of all blocks of a source, which travel to whoever reads it from afar: bytes that come from anywhere are
/// the source's own where they have these sums.
package struct BlockMap: Hashable, Sendable {
    /// The number of the source's bytes.
    package let byteCount: Int
    /// The SHA-256 of the first and the last MiB, or of all of it up to 2 MiB, in hexadecimal digits: the identity that
    /// a plan has of the source.
    package let edgeHash: String
    /// The sums of the blocks, one behind the other.
    let blocks: [UInt8]
    /// The sums of the extents, one behind the other; nil where only blocks can be checked.
    let extents: [UInt8]?

    /// The most bytes of a source that has a map: 1 TiB, of which the map has 32 MiB.
    package static let mostBytes = 1 << 40
    /// The most bytes of a source whose map has the extents' sums: 64 GiB, of which the map has 32 MiB.
    package static let mostBytesWithExtents = 1 << 36

    /// The SHA-256 of what the sums of all blocks say, in hexadecimal digits: sources of one such sum have the same
    /// bytes.
    package var contentSum: String {
        var sum = SHA256Sum()
        sum.update(Array("splitreel blocks 1 \(byteCount)\n".utf8))
        sum.update(blocks)
        return sum.text
    }

    /// The number of a source's units of one grain.
    static func count(_ grain: BlockGrain, ofBytes byteCount: Int) -> Int {
        (byteCount + grain.byteCount - 1) / grain.byteCount
    }

    /// The number of the source's units of one grain.
    package func count(_ grain: BlockGrain) -> Int { Self.count(grain, ofBytes: byteCount) }

    /// The finest grain of units whose bytes can be checked.
    package var finest: BlockGrain { extents == nil ? .block : .extent }

    /// The unit that holds the byte at a place of the source, of that grain or of the finest that can be checked.
    package func unit(at place: Int, _ grain: BlockGrain) -> BlockUnit {
        precondition((0..<byteCount).contains(place), "a place in the source")
        let grain = extents == nil ? .block : grain
        return BlockUnit(grain, place / grain.byteCount)
    }

    /// Whether the source has such a unit, and its bytes can be checked.
    package func has(_ unit: BlockUnit) -> Bool {
        (unit.grain == .block || extents != nil) && (0..<count(unit.grain)).contains(unit.number)
    }

    /// The places of a unit's bytes in the source.
    package func range(of unit: BlockUnit) -> Range<Int> {
        precondition(has(unit), "a unit of the source")
        return unit.start..<min(byteCount, unit.start + unit.grain.byteCount)
    }

    /// The sum that a unit's bytes have.
    package func sum(of unit: BlockUnit) -> BlockSum {
        precondition(has(unit), "a unit of the source")
        let all = unit.grain == .block ? blocks : extents ?? []
        let start = unit.number * BlockSum.byteCount
        guard let sum = BlockSum(all[start..<start + BlockSum.byteCount]) else {
            preconditionFailure("a sum has 32 bytes")
        }
        return sum
    }

    /// Whether the bytes are those of the unit.
    package func holds(_ bytes: [UInt8], _ unit: BlockUnit) -> Bool {
        guard has(unit), bytes.count == range(of: unit).count else { return false }
        return bytes.withUnsafeBytes { BlockSum(of: $0, grain: unit.grain) } == sum(of: unit)
    }
}
