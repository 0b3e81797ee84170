import Foundation
import TestTools
import Testing

/// The page that `make reference` writes of `--help`.
@Suite("The page of commands") struct CommandPageTests {
    @Test func helpIsThePages() throws {
        let folder = try TestFolder("help")
        let program = try Splitreel(in: folder)
        let place = try #require(SourceTree.root()) + "/docs/reference/commands.md"
        let page = try String(contentsOf: URL(fileURLWithPath: place), encoding: .utf8)
        func help(_ words: String...) throws -> String {
            let text = try program.run(words + ["--help"], environment: ["COLUMNS": "80"]).text
            return "```text\n\(text.trimmingCharacters(in: .newlines))\n```"
        }
        let all = try help()
        #expect(page.contains(all), "make reference: commands.md has other commands")
        let names = all.matches(of: /\n  ([a-z][a-z-]+)  +[A-Z]/).map { String($0.1) }
        #expect(names.count > 20)
        for name in names {
            let text = try help(name)
            #expect(page.contains("\n## \(name)\n\n\(text)\n"), "make reference: commands.md has another \(name)")
        }
    }
}
