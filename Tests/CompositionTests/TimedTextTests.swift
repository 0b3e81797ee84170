import Diagnostics
import Foundation
import JSONText
import MediaFacts
import MediaTime
import Testing

@Suite struct TimedTextTests {
    private func read(_ text: String) throws -> TimedText {
        try TimedText(parsing: Data(text.utf8), path: "x")
    }

    private func milliseconds(_ value: Int64) -> MediaTime { MediaTime(value: value, timescale: 1000) }

    @Test func subRip() throws {
        let text = try read(
            "\u{FEFF}1\r\n00:00:01,500 --> 00:00:02,750\r\nA <b>bold</b> & <x>\r\nsecond\r\n\r\n\r\n"
                + "2\r\n01:00:00,000 --> 01:00:01,000 X1:10\r\n{\\an8}<font color=\"#FF8000\">up</font>\r\n")
        #expect(text.warnings.isEmpty)
        #expect(text.cues.count == 2)
        #expect(text.cues[0].start == milliseconds(1500))
        #expect(text.cues[0].end == milliseconds(2750))
        #expect(text.cues[0].text == "A <b>bold</b> &amp; \nsecond")
        #expect(text.cues[1].start == MediaTime(value: 3600, timescale: 1))
        #expect(text.cues[1].place == .top)
        #expect(text.cues[1].align == .center)
        #expect(text.cues[1].text == "<span color=\"#ff8000\">up</span>")
    }

    @Test func webVTT() throws {
        let text = try read(
            """
            WEBVTT some words
            Kind: captions

            NOTE nothing

            STYLE
            ::cue { color: red }

            one
            00:05.000 --> 00:06.000 align:start line:10%
            <v Ann>Hi &lt;you&gt; &amp; <i>me</i></v>

            00:01.000 --> 00:04.000 line:-1
            a <00:02.000>b <00:03.000>c
            """)
        #expect(text.warnings.isEmpty)
        // By start, not as in the file.
        #expect(text.cues.map(\.text) == ["a b c", "Hi &lt;you&gt; &amp; <i>me</i>"])
        #expect(
            text.cues[0].beats == [
                TimedCue.Beat(time: milliseconds(2000), character: 2),
                TimedCue.Beat(time: milliseconds(3000), character: 4),
            ])
        #expect(text.cues[0].place == .bottom)
        #expect(text.cues[1].place == .top)
        #expect(text.cues[1].align == .left)
    }

    @Test func jsonLines() throws {
        let text = try read(
            """
            {"start": 0, "speed": 12.5}
            {"start": "1/2", "speed": 13}

            {"start": 2, "end": 3, "speed": 14, "name": "<b>"}
            """)
        #expect(
            text.cues.map(\.end) == [
                MediaTime(value: 1, timescale: 2), MediaTime(value: 2, timescale: 1),
                MediaTime(value: 3, timescale: 1),
            ])
        #expect(text.cues[0].text == "{\"speed\":12.5}")
        #expect(text.cues(at: milliseconds(499)).map(\.text) == ["{\"speed\":12.5}"])
        #expect(text.cues(at: milliseconds(500)).map(\.text) == ["{\"speed\":13}"])
        #expect(text.cues(at: MediaTime(value: 3, timescale: 1)).isEmpty)
    }

    /// A JSON object is data, also as a film's text has it; braces alone are words.
    @Test(arguments: [("{laughs}", false), ("{}", true), (#"{"speed": 1}"#, true), ("{", false), ("[1]", false)])
    func bracesAloneAreWords(line: String, isData: Bool) throws {
        let text = try read("1\n00:00:01,000 --> 00:00:02,000\n\(line)\n")
        let cue = try #require(text.cues.first)
        #expect(cue.text == line && cue.isData == isData)
        #expect(cue.values?["speed"] == (line.contains("speed") ? JSONValue.integer(1) : nil))
        let document = try JSONEncoder().encode(text)
        #expect(try JSONDecoder().decode(TimedText.self, from: document) == text)
        #expect(!String(decoding: document, as: UTF8.self).contains("values"))
        let sample = MetadataSample(start: .zero, end: Rational(1), bytes: Array(line.utf8), codec: "text")
        #expect(sample.content == (cue.values.map { MetadataSample.Content.data($0) } ?? .words(line)))
    }

    @Test func tagsThatDoNotNestAreMadeTo() throws {
        let text = try read("1\n00:00:01,000 --> 00:00:02,000\n<b>a<i>b</b>c</i>d<u>e\n")
        #expect(text.cues[0].text == "<b>a<i>b</i></b><i>c</i>d<u>e</u>")
    }

    /// What is wrong in one cue costs that cue alone.
    @Test(arguments: [
        "1\n00:00:0x,000 --> 00:00:02,000\nbad\n", "1\n00:00:02,000 --> 00:00:02,000\nbad\n", "words\nmore words\n",
        "1\n00:00:01,000 --> 99999999:00:02,000\nbad\n",
    ])
    func badCues(bad: String) throws {
        let good = "2\n00:00:05,000 --> 00:00:06,000\ngood\n"
        let text = try read(bad + "\n" + good)
        #expect(text.cues.map(\.text) == ["good"])
        #expect(text.warnings.count == 1)
        #expect(text.warnings[0].hasPrefix("line 1: "))
        #expect(throws: SplitreelError.self) { try read(bad) }
    }

    @Test func notText() {
        for data in [Data(), Data([0xFF, 0x00, 0x12]), Data("\0".utf8), Data(repeating: 0x41, count: 9 << 20)] {
            #expect(throws: SplitreelError.self) { try TimedText(parsing: data, path: "x") }
        }
        let many = (0...TimedText.mostCues).map { "{\"start\": \($0)}" }.joined(separator: "\n")
        #expect(throws: SplitreelError.self) { try read(many) }
    }
}
