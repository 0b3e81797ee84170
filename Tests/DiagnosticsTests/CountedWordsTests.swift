import Diagnostics
import Testing

@Suite("Numbers in words")
struct CountedWordsTests {
    /// 2^63 − 1 bytes are 2^33 GiB to the nearest tenth.
    @Test func memoryIsRoundedWhateverItsAmount() {
        let mebibyte = 1_048_576
        #expect(memoryText(-1) == "0 MiB")
        #expect(memoryText(mebibyte / 2 - 1) == "0 MiB")
        #expect(memoryText(mebibyte / 2) == "1 MiB")
        #expect(memoryText(1023 * mebibyte) == "1023 MiB")
        #expect(memoryText(1024 * mebibyte) == "1.0 GiB")
        #expect(memoryText(Int.max) == "8589934592.0 GiB")
    }
}
