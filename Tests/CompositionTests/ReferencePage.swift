import Foundation

/// A page of docs/reference, cut at its headings.
struct ReferencePage {
    struct Section {
        let heading: String
        var lines: [Substring] = []

        /// The place of the heading in its page, as GitHub names it.
        var anchor: String {
            let kept = heading.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
            return kept.replacingOccurrences(of: " ", with: "-")
        }

        /// The cells of each row of the table with that line of heads; empty where there is none.
        func rows(under heads: String) -> [[String]] {
            guard let start = lines.firstIndex(where: { $0 == heads }) else { return [] }
            return lines[(start + 2)...].prefix { $0.hasPrefix("| ") }.map {
                $0.dropFirst(2).dropLast(2).components(separatedBy: " | ")
            }
        }
    }

    /// The file's name, such as `assets.md`.
    let name: String
    let text: String
    let sections: [Section]

    init(_ file: URL) throws {
        name = file.lastPathComponent
        text = try String(contentsOf: file, encoding: .utf8)
        var sections: [Section] = []
        var isCode = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") { isCode.toggle() }
            if !isCode, line.hasPrefix("#") {
                sections.append(Section(heading: line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces)))
            } else if !sections.isEmpty {
                sections[sections.count - 1].lines.append(line)
            }
        }
        self.sections = sections
    }

    /// All pages beside one another.
    static func all() throws -> [ReferencePage] {
        let folder = repository.appendingPathComponent("docs/reference")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".md") }.sorted()
            .map { try ReferencePage(folder.appendingPathComponent($0)) }
    }

    /// The blocks of JSON that stand in the page.
    var examples: [String] {
        text.components(separatedBy: "```json\n").dropFirst().compactMap { $0.components(separatedBy: "```").first }
    }
}
