import Diagnostics
import Foundation
import Testing

/// The page that `make reference` writes of the table of errors.
@Suite("The page of errors")
struct ErrorPageTests {
    @Test func everyEntryIsThere() throws {
        let place = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../docs/reference/errors.md").standardizedFileURL
        let page = try String(contentsOf: place, encoding: .utf8)
        for entry in ErrorCode.table {
            let text = "\n### \(entry.code.number)\n\n**\(entry.title)**\n\n\(entry.explanation)\n\n*"
            #expect(page.contains(text), "make reference: errors.md has another \(entry.code.number)")
        }
        #expect(page.components(separatedBy: "\n### ").count == ErrorCode.table.count + 1)
    }
}
