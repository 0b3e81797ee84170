import FarmKeys
import Testing

@Suite("Keys as text") struct KeyTextTests {
    /// The examples of RFC 32 and of ZeroMQ's own tests.
    @Test(
        "Z85 is ZeroMQ's",
        arguments: [
            ("864fd26fb559f75b", "HelloWorld"),
            (
                "8e0bdd697628b91d8f245587ee95c5b04d48963f79259877b49cd9063aead3b7",
                "JTKVSB%%)wK0E.X)V>+}o?pNmC{O&4W4b!Ni{Lh6"
            ),
            (
                "bb88471d65e2659b30c55a5321cebb5aab2b70a398645c26dca2b2fcb43fc518",
                "Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID"
            ),
            ("", ""), ("00000000", "00000"), ("ffffffff", "%nSc0"),
        ])
    func z85(hex: String, text: String) {
        let bytes = Self.bytes(hex)
        #expect(Z85.bytes(text) == bytes)
        #expect(Z85.text(bytes) == text)
    }

    @Test(arguments: ["a", "abcd", "abcd\"", "%nSc1", "#####", "ab cd", "äbcd"])
    func otherTextsAreNone(text: String) { #expect(Z85.bytes(text) == nil) }

    @Test func otherNumbersOfBytesAreNone() {
        #expect(Z85.text([1, 2, 3]) == nil)
        #expect(PublicKey(bytes: [UInt8](repeating: 0, count: 28)) == nil)
    }

    @Test(arguments: ["", "HelloWorld", Samples.publicText + "0", String(Samples.publicText.dropLast())])
    func aKeyHas40Characters(text: String) {
        #expect(PublicKey(text) == nil)
        let isSecret = SecretKey(text) != nil
        #expect(!isSecret)
    }

    @Test func aPublicKeyIsItsBytes() throws {
        let key = try #require(PublicKey(Samples.publicText))
        #expect(PublicKey(bytes: Self.bytes(Samples.publicHex)) == key)
        #expect(key.text == Samples.publicText)
    }

    @Test func aSecretNeverPrintsItself() throws {
        let token = try Samples.token()
        var dumped = ""
        dump(token, to: &dumped)
        let shown = [
            "\(token)", "\(token.pair)", "\(token.pair.secretKey)", String(reflecting: token),
            String(describing: [token.pair.secretKey]), String(reflecting: token.pair.secretKey), dumped,
            "\(Optional(token.pair.secretKey) as Any)",
        ]
        #expect(shown.allSatisfy { !$0.contains(Samples.secretText) }, "\(shown)")
        #expect("\(token.pair.secretKey)" == "a secret key")
        #expect(Mirror(reflecting: token.pair.secretKey).children.isEmpty)
    }

    @Test(arguments: ["ws7", "7", "render-1.farm_a", String(repeating: "a", count: 48)])
    func names(text: String) { #expect(KeyName(text)?.text == text) }

    @Test(arguments: ["", "-a", ".a", "a b", "a:b", "a/b", "ä", "a\n", String(repeating: "a", count: 49)])
    func otherNamesAreNone(text: String) { #expect(KeyName(text) == nil) }

    @Test func namesOfTwoKeysNeverMeet() throws {
        let name = try #require(KeyName("a"))
        let other = try #require(KeyName("ab"))
        let holder = KeyHolder(name: name, role: .worker)
        #expect(holder.qualified("b:c") == "a:b:c")
        #expect(holder.own("a:b:c") == "b:c")
        #expect(KeyHolder(name: other, role: .worker).own(holder.qualified("b")) == nil)
    }

    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex)
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
    }
}
