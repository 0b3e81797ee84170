import Foundation
import Testing

/// Versions in CHANGELOG.md, by which `make tag` goes, and the program's own.
@Suite("Releases")
struct ReleaseTests {
    private struct Version {
        var name: String
        var date: String
        /// The digits of its commit; nil for the newest, which cannot name its own.
        var commit: String?
        var bullets: Int
    }

    /// The sections of the page; work that no version has yet may stand above them as `Unreleased`.
    private func versions() throws -> [Version] {
        let page = try String(contentsOf: SourceTree.root.appending(path: "CHANGELOG.md"), encoding: .utf8)
        let sections = page.components(separatedBy: "\n## ").dropFirst()
        return try sections.filter { !$0.hasPrefix("Unreleased\n") }.map { part in
            let lines = part.components(separatedBy: "\n")
            let heading = try #require(
                lines[0].wholeMatch(of: /(\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d)(?:, ([0-9a-f]{8,}))?\)/), "\(lines[0])")
            return Version(
                name: String(heading.1), date: String(heading.2), commit: heading.3.map(String.init),
                bullets: lines.count { $0.hasPrefix("- ") })
        }
    }

    @Test func theNewestVersionIsTheProgram() throws {
        let text = try #require(SourceTree.sources.first { $0.path == "Sources/Diagnostics/Release.swift" }).text
        let program = try #require(text.compactMap { $0.firstMatch(of: /version = "([^"]+)"/) }.first).1
        #expect(try versions().first?.name == String(program))
    }

    @Test func everyVersionHasItsDateAndItsCommit() throws {
        let versions = try versions()
        #expect(versions.count >= 2 && versions.map(\.date) == versions.map(\.date).sorted(by: >))
        #expect(versions.dropFirst().allSatisfy { $0.commit != nil }, "only the newest cannot name its commit")
        #expect(versions.allSatisfy { (1...60).contains($0.bullets) }, "a list that somebody reads")
    }
}
