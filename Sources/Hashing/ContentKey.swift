/// The key of a task's content: the SHA-256 of all that decides its bytes. Tasks with equal keys make equal bytes,
/// whichever plan they are of.
package struct ContentKey: Hashable, Sendable, Codable {
    /// 64 lower-case hexadecimal digits.
    package let text: String

    /// Takes a text that `sha256` could have made; nil for others.
    package init?(_ text: String) {
        guard isSHA256(text) else { return nil }
        self.text = text
    }

    /// The key of bytes that came in parts, which say everything that decides the content.
    package init(of sum: SHA256Sum) { text = sum.text }

    /// The key of bytes that say everything that decides the content.
    package init(of bytes: [UInt8]) { text = sha256(bytes) }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let key = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a content key is a SHA-256")
        }
        self = key
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
