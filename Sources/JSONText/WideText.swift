/// The encodings of text that are not read where UTF-8 is: two or four bytes for each letter.
package enum WideText: String {
    case utf16 = "UTF-16"
    case utf32 = "UTF-32"

    /// The encoding by a text's first bytes, a mark of the order of its bytes or the zeros beside its first letter; nil
    /// for UTF-8 and all else.
    package init?(of bytes: [UInt8]) {
        switch Array(bytes.prefix(4)) {
        case [0xFF, 0xFE, 0, 0], [0, 0, 0xFE, 0xFF]: self = .utf32
        case let head where head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]): self = .utf16
        case let head where head.count >= 2 && (head[0] == 0) != (head[1] == 0): self = .utf16
        default: return nil
        }
    }

    /// The reason why such a text is refused, and what to do about it.
    package var reason: String { "the text is \(rawValue), not UTF-8" }
    package var hint: String { "\(rawValue): save it as UTF-8" }
}
