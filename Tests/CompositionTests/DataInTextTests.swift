import Drawings
import Foundation
import MediaFacts
import MediaTime
import Pictures
import SplitreelProject
import SplitreelTimeline
import Testing
import Validation

/// `{{name}}` in texts of the animation: values of metadata tracks at the frame's time.
@Suite("Timed data in texts") struct DataInTextTests {
    private func timeline(_ string: String, markup: Bool = false, tracks: String = "[7]") throws -> Timeline {
        let json = """
            {"format": "splitreel/1",
             "assets": {"c": {"kind": "color", "color": [0, 0, 0, 1]},
                "d": {"kind": "timedMetadata", "url": "d.jsonl"}},
             "composition": {"tracks": [
                {"id": 1, "type": "video", "segments": [{"asset": "c", "target": ["0s", "4s"]}]},
                {"id": 7, "type": "metadata", "segments": [{"target": ["0s", "1s"]},
                    {"asset": "d", "source": ["1s", "2s"], "target": ["1s", "1s"]}]}]},
             "video": {"renderSize": [64, 36], "frameDuration": "1/10", "sampleDataTracks": \(tracks),
                "animation": {"videoLayers": ["film"], "root": {"bounds": [0, 0, 64, 36], "sublayers": [
                    {"id": "film", "bounds": [0, 0, 64, 36], "position": [32, 18]},
                    {"bounds": [0, 0, 64, 36], "position": [32, 18],
                     "contents": {"text": {"string": "\(string)", "markup": \(markup)}}}]}}}}
            """
        var facts = AssetFacts(kind: .data, path: "/d.jsonl", contentSum: String(repeating: "0", count: 64))
        let lines = [
            #"{"start": 0, "speed": 1}"#, #"{"start": 1.5, "speed": 12.5, "where": "<b> & \"there\""}"#,
            #"{"start": 2, "end": 2.5, "speed": null}"#,
        ]
        facts.timedText = try TimedText(parsing: Data(lines.joined(separator: "\n").utf8), path: "d.jsonl")
        return try Timeline(
            project: Project(parsing: Data(json.utf8)), assets: ["c": AssetFacts(kind: .color, path: ""), "d": facts])
    }

    private func text(_ node: PictureNode) -> TextDrawing? {
        if case .drawing(let picture) = node, case .text(let text) = picture.drawing { return text }
        return node.children.lazy.compactMap { self.text($0) }.first
    }

    private func shown(_ timeline: Timeline, _ time: Rational) -> TextDrawing? {
        text(.group(timeline.recipe(at: time)))
    }

    /// The track begins at 1 s, at twice the file's speed: its second line at 1.25 s, its third at 1.5 s.
    @Test func valuesInTheirTime() throws {
        let timeline = try timeline("{{speed}} km/h {{ where }}!")
        #expect(shown(timeline, Rational(1, 2))?.string == " km/h !")
        #expect(shown(timeline, Rational(1))?.string == "1 km/h !")
        #expect(shown(timeline, Rational(124, 100))?.string == "1 km/h !")
        #expect(shown(timeline, Rational(5, 4))?.string == "12.5 km/h <b> & \"there\"!")
        #expect(shown(timeline, Rational(3, 2))?.string == " km/h !")
        #expect(shown(timeline, Rational(7, 4))?.string == " km/h !")
        #expect(timeline.isConstant(from: Rational(1), to: Rational(5, 4)))
        #expect(!timeline.isConstant(from: Rational(1), to: Rational(13, 10)))
    }

    /// Tags of a value are no tags, and those of the text keep their places.
    @Test func markupMovesWithValues() throws {
        let timeline = try timeline("<b>a</b>{{speed}}<i>é{{speed}}</i><u>z</u>", markup: true)
        let text = try #require(shown(timeline, Rational(5, 4)))
        #expect(text.string == "a12.5é12.5z")
        #expect(text.spans.map { [$0.start, $0.end] } == [[0, 1], [5, 11], [11, 12]])
        #expect(text.spans[1].style.isItalic == true && text.spans[2].style.isUnderlined == true)
    }

    /// Without tracks of data braces are braces.
    @Test func stringsStayAsTheyAre() throws {
        #expect(try shown(timeline("{{speed}}", tracks: "[]"), Rational(1))?.string == "{{speed}}")
        #expect(try shown(timeline("{{ open"), Rational(1))?.string == "{{ open")
    }
}
