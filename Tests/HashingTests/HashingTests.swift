import Foundation
import Hashing
import Testing

/// The sums are those of FIPS 180-2.
@Suite("Hashing")
struct HashingTests {
    private static let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    private static let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    @Test func wholeAndInParts() {
        #expect(sha256(Data("abc".utf8)) == Self.abc)
        var sum = SHA256Sum()
        #expect(sum.text == Self.nothing)
        sum.update([UInt8(ascii: "a")])
        Array("bc".utf8).withUnsafeBytes { sum.update($0) }
        #expect(sum.text == Self.abc && sum.bytes.count == 32 && hexadecimal(sum.bytes) == Self.abc)
    }

    @Test func textAndBytes() {
        #expect(bytes(ofSHA256: Self.abc)?.prefix(3) == [0xba, 0x78, 0x16])
        #expect(bytes(ofSHA256: Self.abc).map(hexadecimal) == Self.abc)
        let others = [
            "", "abc", Self.abc.uppercased(), Self.abc + "0", String(Self.abc.dropLast()) + "g",
            "../" + Self.abc.dropLast(3), String(repeating: "é", count: 32),
        ]
        for other in others { #expect(bytes(ofSHA256: other) == nil && !isSHA256(other)) }
    }
}
