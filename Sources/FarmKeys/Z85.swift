/// ZeroMQ's text form of bytes (RFC 32): five characters for each four bytes.
package enum Z85 {
    private static let digits = Array(
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#".utf8)

    private static let values: [UInt8: UInt64] = {
        var values: [UInt8: UInt64] = [:]
        for (index, digit) in digits.enumerated() { values[digit] = UInt64(index) }
        return values
    }()

    /// The bytes of a text; nil for one that is not five characters for each four bytes, or has a group that stands
    /// for no 32 bits.
    package static func bytes(_ text: String) -> [UInt8]? {
        let characters = Array(text.utf8)
        guard characters.count.isMultiple(of: 5) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count / 5 * 4)
        for start in stride(from: 0, to: characters.count, by: 5) {
            var group: UInt64 = 0
            for character in characters[start..<start + 5] {
                guard let value = values[character] else { return nil }
                group = group * 85 + value
            }
            guard let word = UInt32(exactly: group) else { return nil }
            for shift: UInt32 in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
        return bytes
    }

    /// The text of bytes; nil where their number is no multiple of four.
    package static func text(_ bytes: [UInt8]) -> String? {
        guard bytes.count.isMultiple(of: 4) else { return nil }
        var characters: [UInt8] = []
        characters.reserveCapacity(bytes.count / 4 * 5)
        for start in stride(from: 0, to: bytes.count, by: 4) {
            let word = bytes[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            var divisor: UInt32 = 85 * 85 * 85 * 85
            for _ in 0..<5 {
                characters.append(digits[Int(word / divisor % 85)])
                divisor /= 85
            }
        }
        return String(decoding: characters, as: UTF8.self)
    }
}
