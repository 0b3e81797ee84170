import CZeroMQ
import Diagnostics
package import FarmKeys

extension KeyPair {
    /// A new pair by the system's random numbers. Throws `.transportFailed` where this build of ZeroMQ has no CURVE.
    package static func make() throws -> KeyPair {
        var publicText = [CChar](repeating: 0, count: 41)
        var secretText = [CChar](repeating: 0, count: 41)
        guard unsafe zmq_curve_keypair(&publicText, &secretText) == 0 else {
            throw zeroMQError("zmq_curve_keypair", subject: "keys")
        }
        guard let publicKey = PublicKey(text(publicText)), let secretKey = SecretKey(text(secretText)) else {
            throw SplitreelError(
                .transportFailed, operation: "zmq_curve_keypair", subject: "keys", reason: "it made no keys")
        }
        return KeyPair(publicKey: publicKey, secretKey: secretKey)
    }

    /// Whether the two halves are one pair; a token that was put together by hand may have others.
    package var isPair: Bool {
        var publicText = [CChar](repeating: 0, count: 41)
        guard unsafe zmq_curve_public(&publicText, secretKey.secretText) == 0 else { return false }
        return Self.text(publicText) == publicKey.text
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
