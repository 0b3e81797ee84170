import Foundation
import Testing

@Suite("Words that do not occur")
struct WordTests {
    @Test func nothingIsForced() {
        expectNone(
            SourceTree.all.flatMap { $0.places(of: /\b(?:try|as)[!]/) }, "a failure is handled, not forced")
        expectNone(
            SourceTree.all.flatMap { $0.places(of: /[\w\)\]\}>?][!](?!=)/) }.filter { !$0.contains("try!") },
            "an optional is unwrapped with guard, if, ?? or #require")
        expectNone(SourceTree.sources.flatMap { $0.places(of: /\bfatalError\(/) }, "throw, or a precondition")
    }

    @Test func nothingIsLeftToDo() throws {
        // Not written out, so that this file does not find itself.
        let marks = try Regex("\\b(?:TO" + "DO|FIX" + "ME|X" + "XX)\\b")
        expectNone(
            SourceTree.all.flatMap { file in
                file.text.enumerated().filter { $0.element.contains(marks) }
                    .map { file.place($0.offset, $0.element) }
            }, "unfinished work is an issue, not a comment")
    }

    @Test func nothingSleepsInTests() {
        expectNone(
            SourceTree.tests.flatMap { $0.places(of: /\b(?:u|nano)?sleep\s*\(/) }, "clocks are injected, waits bounded")
    }

    /// A comment is read beside its declaration and without it. In test targets whole sentences on tests may begin so.
    @Test func documentationNamesTheThing() {
        let files = SourceTree.all.filter { $0.path.hasPrefix("Sources/") || $0.path.hasPrefix("Tests/Support/") }
            .filter { !$0.name.hasSuffix(".pb.swift") }
        expectNone(
            files.flatMap { file in
                let lines = file.text.map { $0.trimmingCharacters(in: .whitespaces) }
                return lines.indices.filter { index in
                    let isFirst = index == 0 || !lines[index - 1].hasPrefix("///")
                    return isFirst && lines[index].prefixMatch(of: /\/\/\/ (?:What|Of|By|Those|Whose|Such)\b/) != nil
                }.map { file.place($0, lines[$0]) }
            }, "a documentation comment begins with its own noun")
    }

    @Test func namesSayWhatThingsAre() {
        expectNone(
            SourceTree.all.flatMap {
                $0.places(
                    of: /\b(?:class|struct|enum|actor|protocol) \w*(?:Manager|Helpers?|Utils?|Utility|Utilities)\b/)
            }, "no Manager, Helper or Util")
    }
}
