import Foundation
import Testing

@Suite("Links of the pages")
struct LinkTests {
    private static let pages = Dictionary(uniqueKeysWithValues: SourceTree.pages.map { ($0.path, $0) })

    /// Within the repository; addresses of the web are not asked.
    @Test func everyLinkLeadsSomewhere() {
        let dead = SourceTree.pages.flatMap { page -> [String] in
            page.links.compactMap { link in
                Self.fault(of: link.text, from: page).map { page.place(link, "\(link.text): \($0)") }
            }
        }
        expectNone(dead, "a link leads to a file that is there, and to a heading of it")
        let count = SourceTree.pages.reduce(0) { $0 + $1.links.count }
        #expect(count > 50, "is this test looking at the right place?")
    }

    /// Comments and texts name a page by its whole path.
    @Test func codeNamesPagesThatAreThere() {
        let dead = SourceTree.all.flatMap { file in
            Self.namedPages(in: file).filter { Self.pages[$0.page] == nil }.map { file.place($0.index, $0.page) }
        }
        expectNone(dead, "a page that is named is there")
    }

    /// Who has the program has no pages beside it: `splitreel error NUMBER` has what a person needs.
    @Test func textsOfTheProgramNameNoPage() {
        let naming = SourceTree.sources.flatMap { file in
            Self.namedPages(in: file).filter { named in
                !file.text[named.index].trimmingCharacters(in: .whitespaces).hasPrefix("//")
            }.map { file.place($0.index, $0.page) }
        }
        expectNone(naming, "an installed program has no pages beside it")
    }

    @Test(
        arguments: [
            ("guide/a.md", "b.md", "guide/b.md"), ("guide/a.md", "../README.md", "README.md"),
            ("a.md", "guide/./b.md", "guide/b.md"), ("a/b/c.md", "../../d/e.md", "d/e.md"),
        ])
    func places(page: String, target: String, expected: String) {
        #expect(Self.place(of: target, from: page) == expected)
    }

    @Test func faultsAreFound() {
        let page = MarkdownPage(path: "CONTRIBUTING.md", text: "# Own heading")
        #expect(Self.fault(of: "https://example.org/none", from: page) == nil)
        #expect(Self.fault(of: "Package.swift", from: page) == nil)
        #expect(Self.fault(of: "README.md", from: page) == nil)
        #expect(Self.fault(of: "none.md", from: page) == "no such file")
        #expect(Self.fault(of: "../none.md", from: page) == "outside of the repository")
        #expect(Self.fault(of: "README.md#no-such-heading-anywhere", from: page) == "no such heading")
    }

    /// The pages that a file of code names, each with its line from 0.
    private static func namedPages(in file: SourceFile) -> [(index: Int, page: String)] {
        file.text.enumerated().flatMap { index, line -> [(index: Int, page: String)] in
            guard line.contains("docs/") else { return [] }
            return line.matches(of: #/docs\/[\w\/\-]+\.md/#).map { (index: index, page: String($0.output)) }
        }
    }

    /// The reason why a link leads nowhere; nil for one that holds.
    private static func fault(of target: String, from page: MarkdownPage) -> String? {
        if target.contains("://") || target.hasPrefix("mailto:") { return nil }
        let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let path = parts[0].isEmpty ? page.path : Self.place(of: parts[0], from: page.path) else {
            return "outside of the repository"
        }
        guard FileManager.default.fileExists(atPath: SourceTree.root.appending(path: path).path) else {
            return "no such file"
        }
        guard parts.count > 1, path.hasSuffix(".md") else { return nil }
        let isThere = pages[path].map { $0.anchors.contains(parts[1]) }
        return isThere == true ? nil : "no such heading"
    }

    /// The path from the project to the target of a link; nil where that is not in the project.
    private static func place(of target: String, from page: String) -> String? {
        var folders = page.split(separator: "/").dropLast().map(String.init)
        for part in target.split(separator: "/").map(String.init) where part != "." {
            if part != ".." {
                folders.append(part)
            } else if folders.popLast() == nil {
                return nil
            }
        }
        return folders.joined(separator: "/")
    }
}
