import Foundation
import TestTools
import Testing

extension EndToEnd {
    /// Every command and every file of README and of docs/guide, done as it stands there.
    @Suite struct GuideTests {
        private static let names = ["README.md"] + guide.map { "docs/guide/\($0).md" }
        private static let guide = [
            "colour", "demo", "effects", "farm", "first-film", "library-tutorial", "library", "outputs", "pictures",
            "sound", "titles", "troubles",
        ]

        private let root: String

        init() throws { root = try #require(SourceTree.root()) }

        private func page(_ name: String) throws -> GuidePage {
            let text = try String(contentsOfFile: root + "/" + name, encoding: .utf8)
            return GuidePage(name: name, text: text)
        }

        @Test(arguments: names) func aPageRunsAsItIsWritten(name: String) throws {
            let program = try #require(Splitreel.find())
            try GuideReader(try page(name), root: root, program: program).read()
        }

        /// A block that is not run has its reason, and a new one is a decision.
        @Test func fewBlocksAreNotRun() throws {
            let pages = try Self.names.map(page)
            for page in pages {
                #expect(page.looseCommands.isEmpty, "\(page.name) has commands in no block: \(page.looseCommands)")
            }
            #expect(pages.flatMap(\.blocks).count(where: \.isNotRun) == 13)
            #expect(pages.flatMap(\.blocks).count { $0.language == "sh" } > 50)
        }

        @Test func noPageIsForgotten() throws {
            let files = try FileManager.default.contentsOfDirectory(atPath: root + "/docs/guide")
            let pages = files.filter { $0.hasSuffix(".md") }
            #expect(pages.sorted() == Self.guide.map { $0 + ".md" })
        }

        /// A reader follows the guide in one folder, where a file that is there stays.
        @Test func noTwoPagesMakeTheSameFile() throws {
            var makers: [String: [String]] = [:]
            for name in Self.names where name.hasPrefix("docs/guide/") {
                for file in try page(name).madeFiles { makers[file, default: []].append(name) }
            }
            #expect(makers.count > 40)
            let shared = makers.filter { $0.value.count > 1 }
            #expect(shared.isEmpty, "made by several pages: \(shared)")
        }

        /// Media of the guide are small, as everybody fetches them.
        @Test func mediaOfTheGuideAreSmall() throws {
            let folder = URL(fileURLWithPath: root + "/examples/guide")
            let files = try FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: [.fileSizeKey])
            let sizes = try files.map { try $0.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0 }
            let total = sizes.reduce(0, +)
            #expect(total > 100_000 && total < 3_000_000)
        }
    }
}
