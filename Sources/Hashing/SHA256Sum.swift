internal import Crypto
package import Foundation

/// The SHA-256 of bytes that come in parts.
package struct SHA256Sum {
    private var hash = SHA256()

    package init() {}

    package mutating func update(_ bytes: some DataProtocol) { hash.update(data: bytes) }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }

    /// Of what has come so far: 32 bytes.
    package var bytes: [UInt8] { Array(hash.finalize()) }

    /// The same as 64 lower-case hexadecimal digits.
    package var text: String { hexadecimal(bytes) }
}

/// SHA-256, 64 lower-case hexadecimal digits.
package func sha256(_ bytes: some DataProtocol) -> String { hexadecimal(SHA256.hash(data: bytes)) }
