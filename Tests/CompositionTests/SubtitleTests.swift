import Diagnostics
import Drawings
import Foundation
import JSONText
import MediaFacts
import MediaTime
import Pictures
import SplitreelProject
import SplitreelTimeline
import Testing
import Validation

@Suite struct SubtitleTests {
    private func timeline(_ cues: String, _ settings: String = "", size: String = "[640, 360]") throws -> Timeline {
        let json = """
            {"format": "splitreel/1",
             "assets": {"c": {"kind": "color", "color": [0, 0, 0, 1]}, "s": {"kind": "subtitles", "url": "s.srt"}},
             "composition": {"tracks": [{"id": 1, "type": "video",
                "segments": [{"asset": "c", "target": ["0s", "10s"]}]}]},
             "video": {"renderSize": \(size), "subtitles": [{"asset": "s"\(settings)}]}}
            """
        var facts = AssetFacts(kind: .data, path: "/s.srt", contentSum: String(repeating: "0", count: 64))
        facts.timedText = try TimedText(parsing: Data(cues.utf8), path: "s.srt")
        return try Timeline(
            project: Project(parsing: Data(json.utf8)),
            assets: ["c": AssetFacts(kind: .color, path: ""), "s": facts])
    }

    private func texts(_ timeline: Timeline, _ time: Rational) -> [TextDrawing] {
        timeline.recipe(at: time).layers.compactMap { layer in
            if case .drawing(let picture) = layer.picture, case .text(let text) = picture.drawing { text } else { nil }
        }
    }

    private static let two = """
        1
        00:00:01,000 --> 00:00:03,000
        one <b>& two

        2
        00:00:02,000 --> 00:00:04,000
        three
        """

    /// Half-open, in the order of their starts where two are shown at once.
    @Test func cuesAreShownInTheirTime() throws {
        let timeline = try timeline(Self.two)
        func strings(_ time: Rational) -> [String] { texts(timeline, time).map(\.string) }
        #expect(strings(Rational(999, 1000)) == [])
        #expect(strings(Rational(1)) == ["one & two"])
        #expect(strings(Rational(2)) == ["one & two\nthree"])
        #expect(strings(Rational(3)) == ["three"])
        #expect(strings(Rational(4)) == [])
        #expect(try texts(self.timeline(Self.two, #", "offset": "2s""#), Rational(3)).map(\.string) == ["one & two"])
        // Braces do not make words data.
        let braces = try self.timeline(Self.two.replacing("three", with: "{laughs}"))
        #expect(texts(braces, Rational(3)).map(\.string) == ["{laughs}"])
    }

    /// The plain style: an eighteenth of the shorter side, 360, at the bottom of the middle 90 %.
    @Test func plainStyle() throws {
        let text = try #require(try texts(timeline(Self.two), Rational(1)).first)
        #expect(text.font.size == 20)
        #expect((text.width, text.height) == (576, 324))
        #expect(text.verticalAlign == .bottom)
        #expect(text.align == .center)
        #expect(text.spans.map(\.style.weight) == [700])
        // Upright it is as large, and not an eighteenth of 640.
        let upright = try #require(try texts(timeline(Self.two, size: "[360, 640]"), Rational(1)).first)
        #expect(upright.font.size == 20 && (upright.width, upright.height) == (324, 576))
    }

    @Test func dataFillsTheText() throws {
        let timeline = try timeline(
            #"{"start": 0, "speed": 12.5, "who": "<i>A</i> & B"}"#,
            #", "place": "top", "text": {"string": "{{ who }}: {{speed}} km/h {{no}}<"}"#)
        let text = try #require(texts(timeline, Rational(1)).first)
        #expect(text.string == "<i>A</i> & B: 12.5 km/h <")
        #expect(text.spans.isEmpty)
        #expect(text.verticalAlign == .top)
    }

    /// What has begun is red; a frame is the same as the last one only while nothing changes.
    @Test func karaoke() throws {
        let cues = "WEBVTT\n\n00:01.000 --> 00:05.000\na<i>b <00:02.000>c</i>d <00:03.000>e\n"
        let timeline = try timeline(cues, #", "highlight": [1, 0, 0, 1]"#)
        func red(_ time: Rational) throws -> String {
            let text = try #require(texts(timeline, time).first)
            #expect(text.string == "ab cd e")
            return text.spans.filter { $0.style.colour == Colour(red: 1, green: 0, blue: 0) }
                .sorted { $0.start < $1.start }
                .map { String(decoding: Array(text.string.utf8)[$0.start..<$0.end], as: UTF8.self) }.joined()
        }
        #expect(try red(Rational(1)) == "ab ")
        #expect(try red(Rational(2)) == "ab cd ")
        #expect(try red(Rational(3)) == "ab cd e")
        #expect(timeline.isConstant(from: Rational(5, 4), to: Rational(3, 2)))
        #expect(!timeline.isConstant(from: Rational(3, 2), to: Rational(5, 2)))
        #expect(!timeline.isConstant(from: Rational(9, 2), to: Rational(11, 2)))
        #expect(timeline.isConstant(from: Rational(6), to: Rational(9)))
    }

    @Test func wrongSettingsAreNamed() throws {
        var project = Project()
        project.assets["c"] = Asset()
        project.assets["c"]?.keys.kind = .color
        project.video = VideoComposition()
        var settings = SubtitleSettings()
        settings.asset = "nobody"
        settings.area = Rect(x: 0, y: 0, width: 0, height: 5)
        var other = SubtitleSettings()
        other.asset = "c"
        other.text = TextSettings()
        other.text?.string = "always this"
        project.video?.subtitles = [settings, other]
        let problems = project.validate(assets: nil).filter { $0.path.hasPrefix("video.subtitles") }
        #expect(
            problems.map(\.path) == [
                "video.subtitles[0].asset", "video.subtitles[0].area", "video.subtitles[1].asset",
                "video.subtitles[1].text.string",
            ])
        #expect(problems.map(\.severity) == [.error, .error, .error, .warning])
    }
}
