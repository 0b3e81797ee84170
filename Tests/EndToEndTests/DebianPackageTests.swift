import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// The Debian package of the program that the tests have: made, looked at by lintian, and used under systemd on
    /// this machine with changes laid over it. The long form, on a bare Debian 12, is `make deb`.
    @Suite(.enabled(if: geteuid() == 0, "systemd as the first process of a machine needs root"))
    struct DebianPackageTests {
        @Test("services of the package make a film, and nothing is left after it was purged")
        func thePackageIsUsedAndPurged() throws {
            let root = try #require(SourceTree.root())
            let folder = try TestFolder("deb")
            let program = try Splitreel(in: folder)
            let build = URL(fileURLWithPath: program.path).deletingLastPathComponent().path
            let linked = folder.file("splitreel")
            let swift = ProcessInfo.processInfo.environment["SWIFT"] ?? "swift"
            let link = try Tool("/bin/bash", ["\(root)/deploy/link.sh", swift, build, linked], in: folder)
            let linking = link.finish(seconds: 120)
            try #require(linking.status == 0, "\(linking)")
            let words = ["\(root)/Tests/clusters/deb/run.sh", "short", linked, folder.path, folder.file("package")]
            let result = try Tool("/bin/bash", words, in: folder).finish(seconds: 300)
            #expect(result.status == 0, "\(result)\n\(result.text)")
            #expect(result.text.contains("nothing is left but the locked user"), "\(result.text)")
            #expect(result.text.contains("lintian has neither errors nor warnings"), "\(result.text)")
        }
    }
}
