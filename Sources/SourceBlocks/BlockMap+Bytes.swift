import Hashing

// A map as bytes, in which it is stored and shipped. All numbers are little-endian; there is only one way to write a
// map:
//
//     "splitreel blocks 1\n"
//     8 bytes   the number of the source's bytes, at most 2⁴⁰
//     32 bytes  the SHA-256 of the source's edges
//     1 byte    0: sums of blocks follow; 1: sums of extents, of a source of at most 2³⁶ bytes
//     32 bytes  for each block, or for each extent

extension BlockMap {
    private static let head = Array("splitreel blocks 1\n".utf8)
    private static let lengthOfStart = head.count + 8 + BlockSum.byteCount + 1

    /// The most bytes that a map has.
    package static let mostLength = lengthOfStart + (mostBytes >> 20) * BlockSum.byteCount

    /// The map as bytes.
    package var written: [UInt8] { start(hasExtents: extents != nil) + (extents ?? blocks) }

    /// The SHA-256 of the map without its extents' sums: two maps of equal sums are of equal sources.
    package var sum: String { sha256(start(hasExtents: false) + blocks) }

    private func start(hasExtents: Bool) -> [UInt8] {
        let number = (0..<8).map { UInt8(truncatingIfNeeded: byteCount >> (8 * $0)) }
        return Self.head + number + (Hashing.bytes(ofSHA256: edgeHash) ?? []) + [hasExtents ? 1 : 0]
    }

    /// Reads a map; nil for bytes that are none, and for numbers beyond the limits. Nothing is trusted before it is
    /// checked: no number in the bytes makes this take more memory than the bytes have.
    package init?(_ written: [UInt8]) {
        guard written.count >= Self.lengthOfStart, written.count <= Self.mostLength else { return nil }
        var rest = written[...]
        func take(_ count: Int) -> [UInt8] {
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        guard take(Self.head.count) == Self.head else { return nil }
        let number = take(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let edges = take(BlockSum.byteCount)
        guard number <= UInt64(Self.mostBytes), let kind = take(1).first, kind <= 1 else { return nil }
        let byteCount = Int(number)
        guard kind == 0 || byteCount <= Self.mostBytesWithExtents,
            rest.count == Self.count(kind == 1 ? .extent : .block, ofBytes: byteCount) * BlockSum.byteCount
        else { return nil }
        let sums = Array(rest)
        self.init(
            byteCount: byteCount, edgeHash: hexadecimal(edges), sums: sums, grain: kind == 1 ? .extent : .block)
    }

    /// The map of sums, one behind the other, of all units of one grain.
    init(byteCount: Int, edgeHash: String, sums: [UInt8], grain: BlockGrain) {
        self.byteCount = byteCount
        self.edgeHash = edgeHash
        switch grain {
        case .block:
            blocks = sums
            extents = nil
        case .extent:
            blocks = Self.blocks(ofExtents: sums)
            extents = sums
        }
    }

    /// The sums of blocks by the sums of all extents.
    private static func blocks(ofExtents sums: [UInt8]) -> [UInt8] {
        let length = BlockSum.byteCount * BlockGrain.block.byteCount / BlockGrain.extent.byteCount
        return stride(from: 0, to: sums.count, by: length).flatMap { start in
            BlockSum(ofExtents: Array(sums[start..<min(sums.count, start + length)])).bytes
        }
    }
}
