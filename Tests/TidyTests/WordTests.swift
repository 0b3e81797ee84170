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

    /// Settings have options on the command line and keys in a file; below, texts hold the settings themselves.
    @Test func onlyTheCommandLineNamesItsOptions() {
        let edge: Set = ["SplitreelCommands", "splitreel", "SplitreelCLI"]
        let allowed = [
            // These start processes of the same program by their arguments.
            "Sources/Isolation/MediaChildArguments.swift", "Sources/Worker/MediaHalfArguments.swift",
            "Sources/Worker/SlotArguments.swift", "Sources/LocalFarm/PlanFolder/JobTemplate.swift",
            // The command that makes a token, to be typed on another machine.
            "Sources/LocalFarm/FarmWorker.swift",
            // The explanations that `splitreel error` prints.
            "Sources/Diagnostics/ErrorCode+Table.swift", "Sources/Diagnostics/ErrorCode+Farm.swift",
            // The reference of the file format, which tells of the command line.
            "Sources/SplitreelProject/Model/AssetKeys.swift",
        ]
        let named = SourceTree.sources.filter { !edge.contains($0.target) }.flatMap { file in
            zip(file.text, file.code).enumerated().compactMap { index, line -> String? in
                let (text, code) = (line.0.trimmingCharacters(in: .whitespaces), line.1)
                guard !text.hasPrefix("//"), text.contains(/--[a-z]/), !code.contains(/--[a-z]/) else { return nil }
                return file.place(index, text)
            }
        }
        expectNone(
            named.filter { place in !allowed.contains { place.hasPrefix($0 + ":") } },
            "an error holds a Setting; its option is named where it is shown")
        #expect(
            allowed.allSatisfy { path in named.contains { $0.hasPrefix(path + ":") } }, "an exception without a case")
    }

    @Test func namesSayWhatThingsAre() {
        expectNone(
            SourceTree.all.flatMap {
                $0.places(
                    of: /\b(?:class|struct|enum|actor|protocol) \w*(?:Manager|Helpers?|Utils?|Utility|Utilities)\b/)
            }, "no Manager, Helper or Util")
    }
}
