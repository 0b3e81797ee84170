package import Foundation

/// The HMAC-SHA256 (RFC 2104) of bytes that come in parts: a sum that only those can make who have its key.
package struct HMACSum {
    private var inner = SHA256Sum()
    private let outerKey: [UInt8]
    /// The bytes that SHA-256 takes at a time.
    private static let blockBytes = 64

    package init(key: [UInt8]) {
        var padded = key
        if padded.count > Self.blockBytes {
            var sum = SHA256Sum()
            sum.update(key)
            padded = sum.bytes
        }
        padded += [UInt8](repeating: 0, count: Self.blockBytes - padded.count)
        outerKey = padded.map { $0 ^ 0x5c }
        inner.update(padded.map { $0 ^ 0x36 })
    }

    package mutating func update(_ bytes: some DataProtocol) { inner.update(bytes) }

    /// The sum of the bytes so far: 32 bytes.
    package var bytes: [UInt8] {
        var outer = SHA256Sum()
        outer.update(outerKey)
        outer.update(inner.bytes)
        return outer.bytes
    }
}
