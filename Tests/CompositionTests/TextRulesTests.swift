import Drawings
import Foundation
import JSONText
import MediaTime
import Pictures
import SplitreelProject
import Testing
import Validation

@Suite("Texts and shapes of the file")
struct TextRulesTests {
    private func drawn(_ markup: String) -> TextDrawing {
        var text = TextSettings()
        (text.string, text.markup) = (markup, true)
        return text.drawing(width: 100, height: 50)
    }

    /// The problems of contents that stand in a layer, by their paths from `contents` on.
    private func problems(_ contents: String, assets: String = "") throws -> [String] {
        let text = """
            {"format": "splitreel/1", "assets": {"a": {"kind": "color", "color": [0, 0, 1, 1]}\(assets)},
             "composition": {"tracks": [
                {"id": 1, "type": "video", "segments": [{"asset": "a", "target": ["0s", "2s"]}]}]},
             "video": {"renderSize": [200, 100], "frameDuration": "1/10", "animation": {"videoLayers": ["film"],
                "root": {"bounds": [0, 0, 200, 100], "sublayers": [
                    {"id": "film", "bounds": [0, 0, 200, 100], "position": [100, 50]},
                    {"bounds": [0, 0, 100, 50], "contents": \(contents)}]}}}}
            """
        let found = try Project(parsing: Data(text.utf8)).validate(assets: nil)
        return found.filter { $0.severity == .error }.map { String($0.path.split(separator: "contents.").last ?? "") }
    }

    @Test func markupIsPlainTextWithSpans() throws {
        let text = drawn("a<b>é<i>c</i></b>&amp;<span color='#ff000080' size='150%'>d</span>&#x20AC;")
        #expect(text.string == "aéc&d€")
        // In bytes: é has two.
        #expect(text.spans.map { [$0.start, $0.end] } == [[1, 3], [3, 4], [5, 6]])
        #expect(text.spans[0].style.weight == 700 && text.spans[0].style.isItalic == nil)
        #expect(text.spans[1].style.weight == 700 && text.spans[1].style.isItalic == true)
        #expect(text.spans[2].style.colour == Colour(red: 1, green: 0, blue: 0, alpha: 128.0 / 255))
        #expect(text.spans[2].style.scale == 1.5)
    }

    @Test(arguments: [
        "a<b>c", "a</b>", "<script>x</script>", "<span onclick='x'>a</span>", "<span color='rad'>a</span>", "a & b",
        "<",
        "<span size='-3'>a</span>", "<b><i>a</b></i>", "&#0;", "&nosuch;", String(repeating: "<b>", count: 200),
    ])
    func otherMarkupIsAnError(markup: String) throws {
        let json = String(decoding: try JSONEncoder().encode(markup), as: UTF8.self)
        #expect(try problems("{\"text\": {\"string\": \(json), \"markup\": true}}") == ["text.string"])
        #expect(try problems("{\"text\": {\"string\": \(json)}}").isEmpty)
    }

    @Test(arguments: [
        (#"{"text": {"string": "a", "size": 0}}"#, "text.size"),
        (#"{"text": {"string": "a", "weight": 2000}}"#, "text.weight"),
        (#"{"text": {"string": "a", "features": {"liga,calt": 1}}}"#, "text.features"),
        (#"{"text": {"string": "a", "variations": {"wght=1,": 1}}}"#, "text.variations"),
        (#"{"text": {"string": "a", "language": "en; rm"}}"#, "text.language"),
        (#"{"text": {"string": "a", "outline": {"width": -1}}}"#, "text.outline.width"),
        (#"{"text": {"string": "a", "shadow": {"blur": 1e9}}}"#, "text.shadow.blur"),
        (#"{"shape": {"path": "M0 0 L"}}"#, "shape.path"),
        (#"{"shape": {"rect": [0, 0, 1e9, 1]}}"#, "shape"),
        (#"{"shape": {}}"#, "shape"),
        (#"{"shape": {"path": "M0 0", "rect": [0, 0, 1, 1]}}"#, "shape"),
        (#"{"shape": {"polygon": [[0, 0], [1]]}}"#, "shape.polygon"),
        (#"{"shape": {"rect": [0, 0, 1, 1], "lineDashPattern": [0, 0]}}"#, "shape.lineDashPattern"),
        (#"{"shape": {"rect": [0, 0, 1, 1], "strokeEnd": 2}}"#, "shape.strokeEnd"),
    ])
    func numbersHaveLimits(contents: String, path: String) throws {
        #expect(try problems(contents) == [path])
    }

    @Test func fontsAreNamesOrAssets() throws {
        let json = #"{"font": "House, DejaVu Sans , Noto Sans", "string": "a"}"#
        var reader = ProjectReader()
        let text = try #require(TextSettings.read(try JSONValue(parsing: Data(json.utf8)), &reader))
        #expect(reader.problems.isEmpty)
        let drawing = text.drawing(width: 1, height: 1) { $0 == "House" ? "inner/House" : nil }
        #expect(drawing.font.names == [.asset("inner/House"), .named("DejaVu Sans"), .named("Noto Sans")])
    }

    @Test func aTextAppearsOnItsClock() throws {
        let json = #"{"string": "a", "reveal": {"begin": "1s", "duration": "2s", "by": "word", "style": "fade"}}"#
        var reader = ProjectReader()
        let text = try #require(TextSettings.read(try JSONValue(parsing: Data(json.utf8)), &reader))
        #expect(text.reveal(at: 0)?.progress == 0 && text.reveal(at: 2)?.progress == 0.5)
        #expect(text.reveal(at: 3) == nil && text.reveal(at: 2)?.unit == .word)
    }
}
