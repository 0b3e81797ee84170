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

    @Test func namesSayWhatThingsAre() {
        expectNone(
            SourceTree.all.flatMap {
                $0.places(
                    of: /\b(?:class|struct|enum|actor|protocol) \w*(?:Manager|Helpers?|Utils?|Utility|Utilities)\b/)
            }, "no Manager, Helper or Util")
    }
}
