import Foundation
import Hashing

/// The secret that seals entries of a shared cache: whoever has it made them, and no one else can have. It does not
/// print itself.
package struct CacheKey: Sendable {
    private let bytes: [UInt8]

    /// The key of a secret text, such as a farm's secret key. The same text gives the same key on every machine;
    /// nothing that the key seals tells the text.
    package init(secret: String) {
        bytes = Self.sum("splitreel cache of chunks 1", key: Array(secret.utf8))
    }

    /// The name under which its entries lie, apart from those of other keys: 16 hexadecimal digits.
    var name: String { hexadecimal(Self.sum("name", key: bytes).prefix(8)) }

    /// The seal of an entry's first line, 64 hexadecimal digits.
    func seal(of line: Data) -> String {
        var sum = HMACSum(key: bytes)
        sum.update(Data("entry\n".utf8))
        sum.update(line)
        return hexadecimal(sum.bytes)
    }

    private static func sum(_ text: String, key: [UInt8]) -> [UInt8] {
        var sum = HMACSum(key: key)
        sum.update(Array(text.utf8))
        return sum.bytes
    }
}

extension CacheKey: CustomStringConvertible, CustomReflectable {
    package var description: String { "a secret key" }
    package var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}
