import Hashing

/// A question that only those can answer who have the content: a SHA-256 alone, which others may know, does not help.
/// Both ends work out the same ranges from the question's random bytes.
package struct PossessionChallenge: Sendable, Hashable {
    /// 32 random bytes of whoever asks, for one question.
    package let nonce: [UInt8]
    /// The bytes of the content.
    package let size: Int64

    /// The number of ranges that are asked for; a content that is not longer than all of them is asked for whole.
    package static let rangeCount = 64
    package static let rangeBytes: Int64 = 16 << 10

    package init(nonce: [UInt8], size: Int64) {
        self.nonce = nonce
        self.size = size
    }

    /// The ranges in the order in which they are summed. They may overlap.
    package var ranges: [Range<Int64>] {
        guard size > Int64(Self.rangeCount) * Self.rangeBytes else { return size > 0 ? [0..<size] : [] }
        return (0..<Self.rangeCount).map { number in
            var sum = SHA256Sum()
            sum.update(nonce + [UInt8(number)])
            let value = sum.bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let start = Int64(value % UInt64(size - Self.rangeBytes + 1))
            return start..<start + Self.rangeBytes
        }
    }

    /// The answer, 32 bytes: the HMAC-SHA256 of the ranges' bytes under the random bytes. `read` gives the bytes of a
    /// range, all of them.
    package func proof(_ read: (Range<Int64>) throws -> [UInt8]) rethrows -> [UInt8] {
        var sum = HMACSum(key: nonce)
        for range in ranges { sum.update(try read(range)) }
        return sum.bytes
    }
}
