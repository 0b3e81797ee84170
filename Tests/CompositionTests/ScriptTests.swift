import Diagnostics
import Drawings
import Foundation
import MediaFacts
import MediaTime
import Pictures
import SplitreelProject
import SplitreelTimeline
import Testing
import Validation

/// ASS scripts as they are read: what counts is what is written here.
@Suite("ASS scripts") struct ScriptTests {
    private static let head = """
        [Script Info]
        ; a remark
        ScriptType: v4.00+
        PlayResX: 640
        PlayResY: 360

        [V4+ Styles]
        Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, \
        Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, \
        MarginR, MarginV, Encoding
        Style: Default,DejaVu Sans,40,&H00FFFFFF,&H000000FF,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,2,0,2,10,10,20,1
        Style: Loud,DejaVu Serif,40,&H00FFFFFF,&H000000FF,&H00000000,&H00000000,-1,0,0,0,100,100,0,0,1,2,0,8,10,10,20,1

        """

    private func script(_ events: String, after: String = "") throws -> TimedText {
        let text =
            Self.head + """

                [Events]
                Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
                \(events)
                \(after)
                """
        return try TimedText(parsing: Data(text.utf8), path: "a.ass")
    }

    @Test func eventsBecomeCues() throws {
        let text = try script(
            """
            Comment: 0,0:00:00.00,0:00:09.00,Default,,0,0,0,,nothing
            Dialogue: 1,0:00:02.50,0:00:04.00,Loud,,0,0,0,,{\\i1}second{\\i0}, with a comma\\Nand <more>
            Dialogue: 0,0:00:01.00,0:00:03.25,Default,Ann,0,0,0,,{\\an8\\c&H0000FF&}red{\\r} \
            plain{\\p1}m 0 0 l 1 1{\\p0}!
            """)
        #expect(text.cues.count == 2 && text.warnings.isEmpty)
        let (first, second) = (text.cues[0], text.cues[1])
        #expect(Rational(first.start) == Rational(1))
        #expect(Rational(first.end) == Rational(13, 4))
        #expect(first.text == "<span color=\"#ff0000\">red</span> plain!")
        #expect(first.place == .top && first.align == .center)
        #expect(second.text == "<i>second</i>, with a comma\nand &lt;more&gt;")
        // The order in the file, and its layer.
        #expect(second.script?.hasPrefix("0,1,Loud,,0,0,0,,") == true)
        #expect(first.script?.hasPrefix("1,0,Default,Ann,") == true)
        let header = try #require(text.header)
        #expect(header.contains("PlayResX: 640") && header.contains("Style: Loud,") && !header.contains("Dialogue"))
    }

    @Test func syllablesAreBeats() throws {
        let text = try script("Dialogue: 0,0:00:01.00,0:00:03.00,Default,,0,0,0,,{\\k50}la{\\k25}li{\\k100}lu")
        let beats = try #require(text.cues[0].beats)
        #expect(beats.map { Rational($0.time) } == [Rational(1), Rational(3, 2), Rational(7, 4)])
        #expect(beats.map(\.character) == [0, 2, 4])
        #expect(text.cues[0].isMoving)
    }

    /// The characters that are written in each font.
    @Test func fontsOfStylesAndOverrides() throws {
        let text = try script(
            """
            Dialogue: 0,0:00:01.00,0:00:03.00,Default,,0,0,0,,ab{\\fnOther Sans}cd{\\b1}e{\\r}f
            Dialogue: 0,0:00:01.00,0:00:03.00,Loud,,0,0,0,,g h
            """)
        let fonts = text.fontTexts(suppliers: ["/a.ass"]).map { font in
            "\(font.font.names) \(font.font.weight ?? 0) \(font.string)"
        }
        #expect(
            fonts == [
                "[Drawings.FontName.named(\"DejaVu Sans\")] 0 abf",
                "[Drawings.FontName.named(\"DejaVu Serif\")] 700 gh",
                "[Drawings.FontName.named(\"Other Sans\")] 0 cd",
                "[Drawings.FontName.named(\"Other Sans\")] 700 e",
            ])
        #expect(text.fontTexts(suppliers: ["/a.ass"]).allSatisfy { $0.suppliers == ["/a.ass"] })
    }

    /// Four characters from `!` on for three bytes; the last group may be shorter.
    @Test func fontsOfTheFile() throws {
        // 0x00 0x01 0x02 | 0xFF: 000000 000000 000100 000010 | 111111 110000
        let lines = "\n[Fonts]\nfontname: one.ttf\n!!%#`Q\n"
        let text = try script("Dialogue: 0,0:00:01.00,0:00:03.00,Default,,0,0,0,,a", after: lines)
        #expect(text.hasFonts == true)
        let file = ScriptFile(Array((Self.head + lines + "\n[Events]\nDialogue: no").utf8))
        #expect(file.fonts.map(\.name) == ["one.ttf"])
        #expect(file.fonts.first?.bytes == [0, 1, 2, 255])
        #expect(String(decoding: file.text, as: UTF8.self).hasSuffix("[Events]\nDialogue: no"))
    }

    @Test func whatIsWrongIsSaid() throws {
        let text = try script(
            """
            Dialogue: 0,0:00:01.00,0:00:03.00,Default,,0,0,0,,fine
            Dialogue: 0,0:00:05.00,0:00:04.00,Default,,0,0,0,,backwards
            Dialogue: 0,soon,0:00:04.00,Default,,0,0,0,,never
            """)
        #expect(text.cues.count == 1 && text.warnings.count == 2)
        #expect(text.warnings[0].contains("not after its start"))
        let error = #expect(throws: SplitreelError.self) { try script("") }
        #expect(error?.code == .mediaUnsupported && error?.reason == "no cue was found in it")
        let long = "Dialogue: 0,0:00:01.00,0:00:03.00,Default,,0,0,0,," + String(repeating: "a", count: 70_000)
        #expect(throws: SplitreelError.self) { try script(long) }
        let many = (0...20_000).map { _ in "Dialogue: 0,0:00:01.00,0:00:03.00,Default,,0,0,0,,a" }
        #expect(throws: SplitreelError.self) { try script(many.joined(separator: "\n")) }
    }

    /// Stretches of events that overlap, without those that have places of their own.
    @Test func runs() throws {
        let text = try script(
            """
            Dialogue: 0,0:00:00.00,0:01:00.00,Default,,0,0,0,,{\\pos(10,10)}a mark
            Dialogue: 0,0:00:01.00,0:00:03.00,Default,,0,0,0,,a
            Dialogue: 0,0:00:02.00,0:00:05.00,Default,,0,0,0,,b
            Dialogue: 0,0:00:07.00,0:00:08.00,Default,,0,0,0,,c
            """)
        let runs = ScriptRun.runs(of: text)
        #expect(
            runs == [
                ScriptRun(start: 1000, end: 5000, edges: [1000, 2000, 3000]),
                ScriptRun(start: 7000, end: 8000, edges: [7000]),
            ])
        #expect(ScriptRun.run(at: 4999, in: runs) == runs[0])
        #expect(ScriptRun.run(at: 5000, in: runs) == ScriptRun(start: 5000, end: 7000, edges: []))
        let row = (0..<300).map { index in
            let start = String(format: "0:%02d:%02d.00", index / 60, index % 60)
            let end = String(format: "0:%02d:%02d.50", (index + 1) / 60, (index + 1) % 60)
            return "Dialogue: 0,\(start),\(end),Default,,0,0,0,,\(index)"
        }
        let cut = try ScriptRun.runs(of: script(row.joined(separator: "\n")))
        #expect(cut.count == 3 && cut.allSatisfy { $0.edges.count <= ScriptRun.mostEdges })
        #expect(zip(cut, cut.dropFirst()).allSatisfy { $0.end == $1.start })
    }

    private func timeline(_ events: String, scale: String = "") throws -> Timeline {
        let json = """
            {"format": "splitreel/1",
             "assets": {"c": {"kind": "color", "color": [0, 0, 0, 1]}, "s": {"kind": "subtitles", "url": "s.ass"}},
             "composition": {"tracks": [{"id": 1, "type": "video",
                "segments": [{"asset": "c", "target": ["0s", "10s"]}]}]},
             "video": {"renderSize": [640, 360]\(scale), "subtitles": [{"asset": "s", "offset": "1/2"}]}}
            """
        var facts = AssetFacts(kind: .data, path: "/s.ass", contentSum: String(repeating: "0", count: 64))
        facts.timedText = try script(events)
        return try Timeline(
            project: Project(parsing: Data(json.utf8)),
            assets: ["c": AssetFacts(kind: .color, path: ""), "s": facts])
    }

    /// One picture as long as nothing changes; one for each millisecond where something moves.
    @Test func picturesInTime() throws {
        let timeline = try timeline(
            """
            Dialogue: 0,0:00:01.00,0:00:03.00,Default,,0,0,0,,still
            Dialogue: 0,0:00:02.00,0:00:04.00,Default,,0,0,0,,{\\fad(100,100)}fades
            """, scale: ", \"renderScale\": 0.5")
        func shown(_ time: Rational) -> ScriptPicture? {
            for layer in timeline.recipe(at: time).layers {
                if case .script(let script) = layer.picture { return script }
            }
            return nil
        }
        #expect(shown(Rational(1499, 1000)) == nil && shown(Rational(9, 2)) == nil)
        let first = try #require(shown(Rational(3, 2)))
        #expect(first.milliseconds == 1000 && !first.isMoving && first.canvas == PixelSize(width: 640, height: 360))
        #expect(first.size == PixelSize(width: 320, height: 180))
        #expect(shown(Rational(24_999, 10_000)) == first)
        let moving = try #require(shown(Rational(25, 10) + Rational(1, 30)))
        #expect(moving.isMoving && moving.milliseconds == 2033)
        #expect(timeline.isConstant(from: Rational(3, 2), to: Rational(249, 100)))
        #expect(!timeline.isConstant(from: Rational(3, 2), to: Rational(5, 2)))
        #expect(!timeline.isConstant(from: Rational(3), to: Rational(31, 10)))
    }
}
