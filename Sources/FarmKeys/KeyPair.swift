/// The public half of a pair of Curve25519 keys, which anybody may see.
package struct PublicKey: Hashable, Sendable {
    /// The 32 bytes as 40 characters of Z85.
    package let text: String

    /// Reads 40 characters of Z85; nil for anything else.
    package init?(_ text: String) {
        guard KeyText.isKey(text) else { return nil }
        self.text = text
    }

    /// The key of 32 bytes; nil for another number of them.
    package init?(bytes: [UInt8]) {
        guard bytes.count == KeyText.byteCount, let text = Z85.text(bytes) else { return nil }
        self.text = text
    }
}

/// The secret half of a pair of Curve25519 keys. It does not print itself: an interpolation, a dump and a debugger show
/// the words "a secret key".
package struct SecretKey: Sendable {
    /// The 32 bytes as 40 characters of Z85: for the file of its owner, and for ZeroMQ.
    package let secretText: String

    /// Reads 40 characters of Z85; nil for anything else.
    package init?(_ text: String) {
        guard KeyText.isKey(text) else { return nil }
        secretText = text
    }
}

extension SecretKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "a secret key" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}

/// Both halves of a pair of keys.
package struct KeyPair: Sendable {
    package let publicKey: PublicKey
    package let secretKey: SecretKey

    package init(publicKey: PublicKey, secretKey: SecretKey) {
        self.publicKey = publicKey
        self.secretKey = secretKey
    }
}

/// The form of a key as text.
private enum KeyText {
    static let byteCount = 32

    static func isKey(_ text: String) -> Bool { Z85.bytes(text)?.count == byteCount }
}
