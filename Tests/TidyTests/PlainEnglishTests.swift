import Testing

/// A page is read once: one fact a sentence, and a table is read along its rows.
@Suite("Sentences and cells of the pages")
struct PlainEnglishTests {
    /// A sentence or a cell that may be longer.
    struct Exception: Sendable {
        let page: String
        /// The first words, as the test prints them.
        let beginning: String
        let reason: String

        func allows(_ words: [Substring], in page: MarkdownPage) -> Bool {
            page.path == self.page && words.joined(separator: " ").hasPrefix(beginning)
        }
    }

    /// Twenty at most. One that is too long is parted, as a rule; here stands what loses by that.
    static let exceptions: [Exception] = []

    static let mostWordsOfSentence = 35
    static let mostWordsOfCell = 25

    /// A sentence or a cell that has too many words.
    struct Excess: Sendable {
        let page: MarkdownPage
        let passage: MarkdownPage.Passage
        let words: [Substring]

        var isAllowed: Bool { PlainEnglishTests.exceptions.contains { $0.allows(words, in: page) } }
        var place: String {
            page.place(passage, "\(words.count) words: \(words.prefix(12).joined(separator: " "))")
        }
    }

    /// The gallery's page is made of its compositions' own words.
    static let pages = SourceTree.pages.filter { !$0.path.hasPrefix("docs/gallery/") }

    static let longSentences: [Excess] = pages.flatMap { page in sentencesBeyond(of: page) }
    static let longCells: [Excess] = pages.flatMap { page in cellsBeyond(of: page) }

    @Test func sentencesAreShort() {
        expectNone(
            Self.longSentences.filter { !$0.isAllowed }.map(\.place),
            "a sentence has \(Self.mostWordsOfSentence) words at most: part it, one fact each")
    }

    @Test func cellsAreShort() {
        expectNone(
            Self.longCells.filter { !$0.isAllowed }.map(\.place),
            "a cell of a table has \(Self.mostWordsOfCell) words at most: what else there is stands below the table")
    }

    @Test func exceptionsAreFewAndEachHasItsCase() {
        #expect(Self.exceptions.count <= 20)
        let long = Self.longSentences + Self.longCells
        for exception in Self.exceptions {
            #expect(!exception.reason.isEmpty, "\(exception.beginning)")
            #expect(
                long.contains { exception.allows($0.words, in: $0.page) },
                "an exception without a case: \(exception.beginning)")
        }
    }

    @Test func longOnesAreFound() {
        let sentence = Array(repeating: "word", count: 36).joined(separator: " ") + "."
        let cell = Array(repeating: "cell", count: 26).joined(separator: " ")
        let page = MarkdownPage(path: "x.md", text: "Short. \(sentence) Short.\n\n| \(cell) | short |\n")
        #expect(Self.sentencesBeyond(of: page).map(\.words.count) == [36])
        #expect(Self.cellsBeyond(of: page).map(\.words.count) == [26])
        let allowed = Exception(page: "x.md", beginning: "cell cell", reason: "a test")
        #expect(Self.cellsBeyond(of: page).allSatisfy { allowed.allows($0.words, in: page) })
        #expect(!Self.sentencesBeyond(of: page).contains { allowed.allows($0.words, in: page) })
    }

    private static func sentencesBeyond(of page: MarkdownPage) -> [Excess] {
        page.paragraphs.flatMap { passage -> [Excess] in
            MarkdownPage.sentences(of: passage.text).filter { $0.count > mostWordsOfSentence }
                .map { Excess(page: page, passage: passage, words: $0) }
        }
    }

    private static func cellsBeyond(of page: MarkdownPage) -> [Excess] {
        page.cells.map { Excess(page: page, passage: $0, words: MarkdownPage.words(of: $0.text)) }
            .filter { $0.words.count > mostWordsOfCell }
    }
}
