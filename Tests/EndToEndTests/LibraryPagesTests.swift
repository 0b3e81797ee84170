import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// `make docs`, as far as it goes beyond the build.
    @Suite struct LibraryPagesTests {
        /// The script fails where a page names a symbol, or another page, that is not there.
        @Test func aPageForEachTaskAndSymbol() throws {
            let root = try #require(SourceTree.root())
            let program = try #require(Splitreel.find())
            let folder = try TestFolder("library-pages")
            let build = URL(fileURLWithPath: program).deletingLastPathComponent().path
            let pages = folder.file("docs")
            let tool = try Tool("/bin/bash", [root + "/docs/library/make.sh", build, pages], in: folder)
            let result = tool.finish(seconds: 120)
            #expect(result.status == 0, "\(result)")
            let names = [
                "splitreel", "splitreel/filmsofclips", "splitreel/exportsession", "splitreel/mediatime/seconds(_:)",
                "splitreel/composition/insert(_:_:of:at:)", "splitreel/assetfacts", "splitreel/servefarmifasked()",
            ]
            for name in names {
                let page = "\(pages)/data/documentation/\(name).json"
                #expect(FileManager.default.fileExists(atPath: page), "\(name)")
            }
            #expect(FileManager.default.fileExists(atPath: pages + "/index.html"))
        }

        /// Each public type by its name, and the pages' programs, in the modes of Swift 5 and 6, without a warning.
        @Test func bothModesOfTheLanguageTakeIt() throws {
            let root = try #require(SourceTree.root())
            let program = try #require(Splitreel.find())
            let folder = try TestFolder("library-modes")
            let build = URL(fileURLWithPath: program).deletingLastPathComponent().path
            let tool = try Tool("/bin/bash", [root + "/docs/library/modes.sh", build], in: folder)
            let result = tool.finish(seconds: 120)
            #expect(result.status == 0 && result.text.hasSuffix(" types\n"), "\(result)")
        }
    }
}
