/// Lower-case hexadecimal digits, two for each byte.
package func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in bytes {
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
}

/// Whether the text is one that `sha256` could have made.
package func isSHA256(_ text: String) -> Bool {
    text.utf8.count == 64 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
}

/// The 32 bytes of a SHA-256 that is written as `sha256` does; nil for other texts.
package func bytes(ofSHA256 text: String) -> [UInt8]? {
    guard isSHA256(text) else { return nil }
    let halves = text.utf8.map { $0 < 0x61 ? $0 - 0x30 : $0 - 0x61 + 10 }
    return stride(from: 0, to: halves.count, by: 2).map { halves[$0] << 4 | halves[$0 + 1] }
}
