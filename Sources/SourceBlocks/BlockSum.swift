import Hashing

/// The SHA-256 by which a block or an extent is known, whichever file it is of.
///
/// An extent's sum is of its bytes. A block's sum is of its extents' sums, one behind the other, so that one pass over
/// a source makes both, and a map may leave the extents' sums out.
package struct BlockSum: Hashable, Sendable {
    /// The sum's 32 bytes.
    package let bytes: [UInt8]

    static let byteCount = 32

    /// Takes 32 bytes; nil for another number of them.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = Array(bytes)
    }

    /// The sum of a unit's bytes.
    package init(of bytes: UnsafeRawBufferPointer, grain: BlockGrain) {
        self.bytes =
            switch grain {
            case .extent: Self.sum(bytes)
            case .block: Self.sum(ofSums: Self.extentSums(bytes))
            }
    }

    /// The sum of a block by its extents' sums, one behind the other.
    init(ofExtents sums: [UInt8]) { bytes = Self.sum(ofSums: sums) }

    /// 64 lower-case hexadecimal digits.
    package var text: String { hexadecimal(bytes) }

    /// The sums of a block's extents, one behind the other.
    static func extentSums(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        let length = BlockGrain.extent.byteCount
        var sums: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: length) {
            let end = min(bytes.count, start + length)
            sums += sum(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        }
        return sums
    }

    private static func sum(ofSums sums: [UInt8]) -> [UInt8] { sums.withUnsafeBytes { sum($0) } }

    private static func sum(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var sum = SHA256Sum()
        sum.update(bytes)
        return sum.bytes
    }
}
