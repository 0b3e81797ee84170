import Foundation
import Hashing
import Testing

/// The sums are those of RFC 4231.
@Suite("Keyed sums")
struct HMACTests {
    private func sum(key: [UInt8], _ text: String) -> String {
        var sum = HMACSum(key: key)
        sum.update(Data(text.utf8))
        return hexadecimal(sum.bytes)
    }

    @Test func shortKeys() {
        // Test cases 1 and 2.
        let first = sum(key: [UInt8](repeating: 0x0b, count: 20), "Hi There")
        #expect(first == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
        let second = sum(key: Array("Jefe".utf8), "what do ya want for nothing?")
        #expect(second == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }

    @Test func aKeyLongerThanABlockIsSummed() {
        // Test case 6.
        let text = "Test Using Larger Than Block-Size Key - Hash Key First"
        let long = sum(key: [UInt8](repeating: 0xaa, count: 131), text)
        #expect(long == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
    }

    @Test func partsAndWhole() {
        var parts = HMACSum(key: [1, 2])
        parts.update([3])
        parts.update([4, 5])
        var whole = HMACSum(key: [1, 2])
        whole.update([3, 4, 5])
        #expect(parts.bytes == whole.bytes)
    }
}
