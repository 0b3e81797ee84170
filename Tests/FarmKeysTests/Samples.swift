import FarmKeys
import Testing

/// Keys of RFC 26's reference code, for texts alone: they need not be pairs.
enum Samples {
    static let publicText = "Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID"
    static let publicHex = "bb88471d65e2659b30c55a5321cebb5aab2b70a398645c26dca2b2fcb43fc518"
    static let otherText = "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7"
    static let secretText = "JTKVSB%%)wK0E.X)V>+}o?pNmC{O&4W4b!Ni{Lh6"

    static func key(_ text: String = publicText) throws -> PublicKey { try #require(PublicKey(text)) }

    static func name(_ text: String) throws -> KeyName { try #require(KeyName(text)) }

    static func token() throws -> FarmToken {
        let secret = try #require(SecretKey(secretText))
        return FarmToken(
            name: try name("ws7"), role: .worker, endpoint: "tcp://farm:7733", farm: try key(otherText),
            pair: KeyPair(publicKey: try key(), secretKey: secret))
    }

    /// A key for each number, each another one.
    static func numbered(_ number: Int) throws -> PublicKey {
        var bytes = [UInt8](repeating: 0, count: 32)
        bytes[31] = UInt8(number)
        return try #require(PublicKey(bytes: bytes))
    }
}
