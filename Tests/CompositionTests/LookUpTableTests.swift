import Diagnostics
import MediaFacts
import Testing

/// The tables that .cube files hold, and the errors of files that lie.
@Suite struct LookUpTableTests {
    private static func table(_ text: String) throws -> LookUpTable {
        try LookUpTable(DataFile(sum: "", bytes: Array(text.utf8)), path: "/looks/a.cube")
    }

    private static let eight = (0..<8).map { "\($0 % 2) \($0 / 2 % 2) \($0 / 4)" }.joined(separator: "\n")

    @Test func latticesAreRead() throws {
        let table = try Self.table(
            "\u{FEFF}# of a program\r\nTITLE \"Look: 1\"\r\nLUT_3D_SIZE 2\r\n\r\nDOMAIN_MIN -0.5 0 0\r\n"
                + "DOMAIN_MAX 1 2 1e0\r\nSOME_OTHER_WORD 7\r\n" + Self.eight + "\r\n# the end")
        #expect(!table.isByComponent && table.size == 2)
        #expect(table.low == [-0.5, 0, 0] && table.high == [1, 2, 1])
        #expect(table.values.prefix(6) == [0, 0, 0, 1, 0, 0] && table.values.count == 24)
    }

    @Test func componentsAreRead() throws {
        let table = try Self.table(
            "LUT_1D_SIZE 3\nLUT_1D_INPUT_RANGE -1 2.5\n.5 -0.25 +1\n\t1.25E-1   0.30000001192092896 2\n1 1 1\n")
        #expect(table.isByComponent && table.size == 3 && table.low == [-1, -1, -1] && table.high == [2.5, 2.5, 2.5])
        #expect(table.values.prefix(6) == [0.5, -0.25, 1, 0.125, 0.3, 2])
    }

    @Test(arguments: [
        ("", 1, "LUT_1D_SIZE"), ("# nothing\n", 1, "LUT_3D_SIZE"), ("1 2 3\n", 1, "before LUT_1D_SIZE"),
        ("LUT_3D_SIZE 1\n", 1, "2 to 129"), ("LUT_3D_SIZE 130\n", 1, "2 to 129"),
        ("LUT_3D_SIZE 99999999999999999999\n", 1, "2 to 129"), ("LUT_1D_SIZE 65537\n", 1, "2 to 65536"),
        ("LUT_1D_SIZE -2\n", 1, "2 to 65536"), ("LUT_3D_SIZE\n", 1, "2 to 129"),
        ("LUT_1D_SIZE 2\nLUT_3D_SIZE 2\n", 2, "second size"), ("LUT_1D_SIZE 2\n0 0 0\n", 2, "after 1 of 2 rows"),
        ("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n\n2 2 2\n", 5, "more than the 2 rows"),
        ("LUT_1D_SIZE 2\n0 0\n1 1 1\n", 2, "expected 3 numbers, found 2"),
        ("LUT_1D_SIZE 2\n0 0 0 0\n1 1 1\n", 2, "expected 3 numbers, found 4"),
        ("LUT_1D_SIZE 2\n0 0 0\n1 nan 1\n", 3, "`nan` is not a number"),
        ("LUT_1D_SIZE 2\nNaN 0 0\n1 1 1\n", 2, "not a number"), ("LUT_1D_SIZE 2\n-inf 0 0\n", 2, "not a number"),
        ("LUT_1D_SIZE 2\n1e999 0 0\n", 2, "not a number"), ("LUT_1D_SIZE 2\n0x1 0 0\n", 2, "not a number"),
        ("LUT_1D_SIZE 2\n1e7 0 0\n", 2, "up to a million"), ("LUT_1D_SIZE 2\n1,5 0 0\n", 2, "not a number"),
        ("LUT_1D_SIZE 2\n0 0 0\nDOMAIN_MIN 0 0 0\n1 1 1\n", 3, "found `DOMAIN_MIN`"),
        ("DOMAIN_MIN 0 1 0\nDOMAIN_MAX 1 1 1\nLUT_1D_SIZE 2\n0 0 0\n1 1 1\n", 4, "ends at 1.0"),
        ("DOMAIN_MIN 0 0\n", 1, "expected 3 numbers"), ("LUT_1D_SIZE 2\n0 0 \0\n", 2, "no text"),
        ("\u{89}PNG\r\n\u{1A}\n", 1, "no .cube file"),
        (String(repeating: "#", count: 2000), 1, "longer than 1024 bytes"),
    ])
    func hostileFilesAreRefusedWithTheirLine(_ text: String, _ line: Int, _ words: String) throws {
        let error = try #require(throws: SplitreelError.self) { _ = try Self.table(text) }
        #expect(error.code == .mediaUnsupported && error.subject == "/looks/a.cube")
        #expect(error.reason.hasPrefix("line \(line): ") && error.reason.contains(words), "\(error.reason)")
    }
}
