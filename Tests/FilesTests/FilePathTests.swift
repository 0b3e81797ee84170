import Diagnostics
import SplitreelFiles
import Testing

@Suite("Paths of commands")
struct FilePathTests {
    /// Taken for a relative path it would be a folder `s3:` here.
    @Test(arguments: ["s3://bucket/film.mp4", "https://host/film.mp4"]) func anAddressIsNoFile(address: String) throws {
        let error = #expect(throws: SplitreelError.self) { try absolutePath(address) }
        #expect(error?.code == .usage)
        #expect(try absoluteName(address) == address)
    }

    @Test func aFileHasOneName() throws {
        #expect(try absolutePath("/a/../b") == "/b" && absoluteName("/a/./b") == "/a/b")
    }
}
