import Diagnostics
import Testing

@Suite("Texts cut to bytes") struct ByteCutTests {
    @Test(arguments: [
        ("abc", 3, "abc"), ("abc", 2, "ab"), ("abc", 0, ""), ("", 5, ""), ("aé", 2, "a"), ("aé", 3, "aé"),
        ("\u{1F600}a", 3, ""), ("\u{1F600}a", 4, "\u{1F600}"),
    ])
    func whatFitsStays(text: String, limit: Int, expected: String) {
        #expect(text.cut(toBytes: limit).utf8.elementsEqual(expected.utf8))
    }

    /// A letter and 1000 marks of two bytes each are one character.
    @Test func aLongCharacterIsCutWithinItself() {
        let long = "e" + String(repeating: "\u{301}", count: 1000)
        #expect(long.count == 1 && long.cut(toBytes: 500).utf8.count == 499)
    }
}
