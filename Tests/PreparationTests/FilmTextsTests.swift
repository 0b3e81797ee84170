import Diagnostics
import Drawings
import Preparation
import SplitreelProject
import Testing

@Suite("Texts of a film") struct FilmTextsTests {
    private func text(_ string: String, width: Double = 1) -> FontText {
        FontText(TextDrawing(string: string, width: width, height: 1))
    }

    @Test func eachCountsOnceInTheOrderInWhichItIsSeen() throws {
        var texts = FilmTexts()
        for string in ["b", "a", "b", "a"] { try texts.add(text(string, width: Double(texts.list.count))) }
        #expect(texts.list.map(\.string) == ["b", "a"])
    }

    @Test func allOfThemAreBounded() throws {
        let long = String(repeating: "x", count: 1 << 20)
        var texts = FilmTexts()
        for number in 0..<15 { try texts.add(text("\(number)" + long)) }
        try texts.add(text("0" + long))
        let error = try #require(throws: SplitreelError.self) { try texts.add(text("15" + long)) }
        #expect(error.code == .settingsImpossible && error.reason.contains("16 MiB"))
    }
}
