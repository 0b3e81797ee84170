internal import CCrypto
package import Foundation

/// The SHA-256 of bytes that come in parts. A copy goes on by itself.
package struct SHA256Sum {
    private var digest = SHA256Digest()

    package init() {}

    package mutating func update(_ bytes: some DataProtocol) {
        for region in bytes.regions {
            unsafe region.withUnsafeBytes { unsafe update($0) }
        }
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        if !isKnownUniquelyReferenced(&digest) { digest = digest.copy() }
        unsafe digest.update(bytes)
    }

    /// The sum of the bytes so far: 32 bytes.
    package var bytes: [UInt8] { digest.copy().finish() }

    /// The sum of the bytes so far: 64 lower-case hexadecimal digits.
    package var text: String { hexadecimal(bytes) }
}

/// SHA-256 as 64 lower-case hexadecimal digits.
package func sha256(_ bytes: some DataProtocol) -> String {
    var sum = SHA256Sum()
    sum.update(bytes)
    return sum.text
}

/// One digest of libcrypto. `SHA256Sum` changes it only while nobody else holds it.
@safe
private final class SHA256Digest {
    private let context: OpaquePointer

    init() {
        unsafe context = unsafe Self.newContext()
        let isReady = unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil)
        precondition(isReady == 1, "libcrypto has SHA-256")
    }

    private init(copying other: SHA256Digest) {
        unsafe context = unsafe Self.newContext()
        let isCopied = unsafe EVP_MD_CTX_copy_ex(context, other.context)
        precondition(isCopied == 1, "libcrypto copies a digest")
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    private static func newContext() -> OpaquePointer {
        guard let context = unsafe EVP_MD_CTX_new() else { preconditionFailure("no memory for a digest") }
        return unsafe context
    }

    func copy() -> SHA256Digest { SHA256Digest(copying: self) }

    func update(_ bytes: UnsafeRawBufferPointer) {
        let isTaken = unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
        precondition(isTaken == 1, "libcrypto takes bytes in")
    }

    /// Ends the digest: nothing can be added to it any more.
    func finish() -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: 32) { sum, count in
            let isMade = unsafe EVP_DigestFinal_ex(context, sum.baseAddress, nil)
            precondition(isMade == 1, "libcrypto ends a digest")
            count = 32
        }
    }
}
