import Diagnostics
import SplitreelFiles
import Testing

@Suite("Addresses where a file is meant") struct AddressPathTests {
    @Test(arguments: ["s3://films/a.mp4", "S3://films/a.mp4", "https://example.org/a.mp4", "http://example.org/a.mp4"])
    func addressesAreNoPaths(text: String) {
        let error = #expect(throws: SplitreelError.self) { try absolutePath(text) }
        #expect(error?.code == .usage && error?.subject.description == text, "\(String(describing: error))")
    }

    /// Names of files that look a little like it.
    @Test(arguments: ["./s3://films/a.mp4", "/s3://films/a.mp4", "s3:films", "s3/films", "https:/a.mp4"])
    func pathsStayPaths(text: String) throws {
        #expect(try absolutePath(text).hasPrefix("/"))
    }

    @Test func namesOfMediaMayBeAddresses() throws {
        #expect(try absoluteName("s3://films/a.mp4") == "s3://films/a.mp4")
        #expect(throws: SplitreelError.self) { try absoluteName("S3://films/a.mp4") }
    }
}
