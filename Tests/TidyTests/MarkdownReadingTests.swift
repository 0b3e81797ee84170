import Testing

/// The rules for pages are worth what their reading of pages is worth.
@Suite("How the tests read pages")
struct MarkdownReadingTests {
    private static let page = MarkdownPage(
        path: "x.md",
        text: """
            # A page, and `code`

            One sentence. Two *sentences*
            on two lines (of three).

                indented code. Not read.

            | key | is |
            |---|---|
            | `a|b` | a [link](b.md#c) |
            - an item
              that goes on
            - a second one

            ```json
            # no heading
            ```
            <!-- a
            comment -->
            ## Twice
            ## Twice
            <a id="own"></a>
            """)

    @Test func paragraphs() {
        #expect(
            Self.page.paragraphs.map(\.text) == [
                "A page, and `code`", "One sentence. Two *sentences* on two lines (of three).", "an item that goes on",
                "a second one", "Twice", "Twice", "<a id=\"own\"></a>",
            ])
        #expect(Self.page.paragraphs.map(\.line).prefix(4) == [1, 3, 11, 13])
    }

    @Test func cellsAndLinks() {
        #expect(Self.page.cells.map(\.text) == ["key", "is", "---", "---", "`a|b`", "a [link](b.md#c)"])
        #expect(Self.page.links == [MarkdownPage.Passage(line: 10, text: "b.md#c")])
        #expect(MarkdownPage.cells(of: #"| a \| b | c |"#) == [#"a \| b"#, "c"])
    }

    @Test func anchors() {
        #expect(Self.page.anchors == ["a-page-and-code", "twice", "twice-1", "own"])
        #expect(MarkdownPage.anchor(of: "A chunk's way: [it](x.md)") == "a-chunks-way-it")
    }

    @Test(arguments: [
        ("Three words here. Two more!", [3, 2]), ("It is `a b c` (see `d`). Yes", [5, 1]),
        ("This, e.g. that, is 1 – not 2.5 – one.", [8]), ("[A link](b.md), ![none](c.png) <b>and</b> text.", [4]),
        ("“Is it?” he asks.", [2, 2]),
    ])
    func sentences(text: String, counts: [Int]) {
        #expect(MarkdownPage.sentences(of: text).map(\.count) == counts)
    }

    @Test func thePagesAreThere() {
        #expect(SourceTree.pages.count > 20)
        #expect(SourceTree.pages.contains { $0.path == "docs/internals/decisions/README.md" })
        #expect(!SourceTree.pages.contains { $0.path.contains(".build") })
    }
}
