import Diagnostics
import Foundation
import MediaFacts
import MediaTime
import TestTools
import Testing

/// SubRip and WebVTT that are not written by the book, and that players take.
@Suite struct LooseCueTests {
    /// Cues as their start in milliseconds, a colon and their text.
    private func cues(_ data: Data) throws -> [String] {
        let text = try TimedText(parsing: data, path: "x")
        #expect(text.warnings.isEmpty)
        return text.cues.map { cue in "\(cue.start.value * 1000 / Int64(cue.start.timescale)):\(cue.text)" }
    }

    private func cues(_ text: String) throws -> [String] { try cues(Data(text.utf8)) }

    /// The cues that ffmpeg makes of a file, by the strict SubRip that it writes.
    private func witness(_ data: Data, _ ending: String) throws -> [String] {
        let witness = Witness(in: try TestFolder())
        defer { withExtendedLifetime(witness) {} }
        let (loose, strict) = (witness.folder.file("loose." + ending), witness.folder.file("strict.srt"))
        try data.write(to: URL(filePath: loose))
        try witness.ffmpeg(["-f", ending, "-i", loose, strict])
        let text = try String(contentsOfFile: strict, encoding: .utf8).replacing("\r\n", with: "\n")
        return text.components(separatedBy: "\n\n").filter { !$0.isEmpty }.map { block in
            let lines = block.split(separator: "\n").map(String.init)
            let numbers = lines[1].prefix(12).split { ":,".contains($0) }.compactMap { Int($0) }
            let start = ((numbers[0] * 60 + numbers[1]) * 60 + numbers[2]) * 1000 + numbers[3]
            return "\(start):\(lines[2...].joined(separator: "\n"))"
        }
    }

    private static let first = "00:00:00,500 --> 00:00:01,500"
    private static let second = "00:00:02,000 --> 00:00:03,000"

    /// Texts that ffmpeg reads in the same way.
    @Test(arguments: [
        // No empty line, with numbers and without them.
        "1\n\(first)\nx\n2\n\(second)\ny\n", "\(first)\nx\n\(second)\ny\n", "1\n\(first)\nx\n\n\n\n\n2\n\(second)\ny",
        // Numbers that stand apart, twice, with blanks, from 0, out of order.
        "1\n\n\(first)\nx\n\n2\n\n\(second)\ny\n", "0\n\(first)\nx\n\n7\n\(second)\ny\n",
        " 1 \n\(first)\nx\n\t2\t\n\(second)\ny\n",
        // Line ends of three kinds, and of two at once.
        "1\r\n\(first)\r\nx\r\n2\r\n\(second)\r\ny\r\n", "1\r\(first)\rx\r\r2\r\(second)\ry\r",
        "1\r\n\(first)\nx\r\n\n2\n\(second)\r\ny",
        // Marks of the order of bytes, tabs, points.
        "\u{FEFF}1\n\(first)\nx\n\n2\n\(second)\ny\n", "1\n\t\(first)\t\nx\n\n2\n\(second)   \ny\n",
        "1\n00:00:00.500 --> 00:00:01.500\nx\n2\n00:00:02.000 --> 00:00:03.000\ny\n",
        "1\n0:0:0,500 --> 0:0:1,500\nx\n2\n0:0:2,000 --> 0:0:3,000\ny\n",
    ]) func asPlayersReadThem(text: String) throws {
        #expect(try cues(text) == ["500:x", "2000:y"])
        #expect(try witness(Data(text.utf8), "srt") == ["500:x", "2000:y"])
    }

    /// Places that SubRip may say behind the times are passed over, as they were.
    @Test func placesArePassedOver() throws {
        let text = "\n\n1\n\(Self.first)  X1:10 X2:20 Y1:30 Y2:40\nx\n2\n\(Self.second)\ny\n"
        #expect(try cues(text) == ["500:x", "2000:y"])
    }

    /// An empty line within a text, and one between the times and the text.
    @Test(arguments: [
        "1\n\(first)\nx\n\nz\n\n2\n\(second)\ny\n", "1\n\(first)\n\nx\nz\n2\n\(second)\n\ny\n",
        "1\n\(first)\nx\n \nz\n2\n\(second)\ny\n",
    ]) func textsGoOnBehindAnEmptyLine(text: String) throws {
        #expect(try cues(text) == ["500:x\nz", "2000:y"])
        let seen = try witness(Data(text.replacing("\n \n", with: "\n\n").utf8), "srt")
        #expect(seen == ["500:x\nz", "2000:y"])
    }

    /// Times in other forms, which some players read: no hours, a colon or blanks in them, other arrows.
    @Test(arguments: [
        ("00:00,500 --> 00:01,500", "00:02,000 --> 00:03,000"),
        ("00:00:00:500 --> 00:00:01:500", "00:00:02:000 --> 00:00:03:000"),
        ("00:00:00,500-->00:00:01,500", "00:00:02,000-->00:00:03,000"),
        ("00:00:00,500 -> 00:00:01,500", "00:00:02,000 —> 00:00:03,000"),
        ("00: 00: 00, 500 --> 00: 00: 01, 500", "00:00 :02,000 -- > 00:00 :03,000"),
        ("00:00:00,500\t-->\t00:00:01,500", "0:00:02 --> 0:00:03"),
    ]) func timesInOtherForms(one: String, other: String) throws {
        #expect(try cues("1\n\(one)\nx\n\n2\n\(other)\ny\n") == ["500:x", "2000:y"])
        #expect(try cues("1\n\(one)\nx\n2\n\(other)\ny\n") == ["500:x", "2000:y"])
    }

    /// A number is text where cues have none, and where text follows it.
    @Test func numbersAreTextToo() throws {
        #expect(try cues("\(Self.first)\n42\n\(Self.second)\n7\n") == ["500:42", "2000:7"])
        #expect(try cues("1\n\(Self.first)\n42\n43\n\n2\n\(Self.second)\n44\n") == ["500:42\n43", "2000:44"])
        #expect(
            try cues("1\n\(Self.first)\n1 more\n2\n\(Self.second)\n10:30 --> 11\n") == [
                "500:1 more", "2000:10:30 --&gt; 11",
            ])
    }

    /// WebVTT without an empty line behind its header or between its cues; a remark up to an empty line is none.
    @Test(arguments: [
        "WEBVTT\n00:00.500 --> 00:01.500\nx\n00:02.000 --> 00:03.000\ny\n",
        "WEBVTT\n1\n00:00.500 --> 00:01.500\nx\n2\n00:02.000 --> 00:03.000 align:left\ny\n",
        "\u{FEFF}WEBVTT - a film\nKind: captions\n\n00:00.500 --> 00:01.500\nx\n\n00:02.000 --> 00:03.000\ny",
        "WEBVTT\n\n00:00.500 --> 00:01.500\nx\n\nNOTE a\n1\n00:09.000 --> 00:10.000\nz\n\n00:02.000 --> 00:03.000\ny",
        "WEBVTT\r\r00:00.500 --> 00:01.500\rx\r\rname\r00:02.000 --> 00:03.000\ry\r",
        "WEBVTT\r\n\r\n00:00,500 --> 00:01,500\r\nx\r\n\r\n00:02,000 --> 00:03,000\r\ny\r\n",
    ]) func looseWebVTT(text: String) throws {
        #expect(try cues(text) == ["500:x", "2000:y"])
    }

    /// A line that is meant as one of times costs its own cue, also without an empty line before it.
    @Test func aBrokenLineOfTimesEndsTheCueBefore() throws {
        let text = try TimedText(
            parsing: Data("1\n\(Self.first)\nx\n2\n00:00:0x,000 --> 00:00:02,000\nbad\n3\n\(Self.second)\ny\n".utf8),
            path: "x")
        #expect(text.cues.map(\.text) == ["x", "y"])
        #expect(text.warnings.count == 1 && text.warnings[0].hasPrefix("line 4: "))
    }

    /// UTF-16 of either order of bytes, with its mark and without, also with an odd byte at its end.
    @Test func utf16() throws {
        let text = "1\n\(Self.first)\nx\n2\n\(Self.second)\ny\n"
        for (encoding, mark) in [(String.Encoding.utf16LittleEndian, [0xFF, 0xFE]), (.utf16BigEndian, [0xFE, 0xFF])]
            as [(String.Encoding, [UInt8])]
        {
            let plain = try #require(text.data(using: encoding))
            #expect(try cues(Data(mark) + plain) == ["500:x", "2000:y"])
            #expect(try cues(plain) == ["500:x", "2000:y"])
            #expect(try cues(Data(mark) + plain + Data([0])) == ["500:x", "2000:y"])
            #expect(try witness(Data(mark) + plain, "srt") == ["500:x", "2000:y"])
        }
    }

    /// Ends of old files, and marks of files that were joined.
    @Test func endsAndMarks() throws {
        let text = "\u{FEFF}\u{FEFF}1\n\(Self.first)\nx\n\n\u{FEFF}2\n\(Self.second)\ny"
        for end in ["\u{1A}", "\n\u{1A}", "\0\0", "\n\n"] { #expect(try cues(text + end) == ["500:x", "2000:y"]) }
    }

    /// What the line ends of Windows become when they are changed twice.
    @Test func doubledLineEnds() throws {
        #expect(
            try cues("1\r\r\n\(Self.first)\r\r\nx\r\r\n\r\r\n2\r\r\n\(Self.second)\r\r\ny\r\r\n") == [
                "500:x", "2000:y",
            ])
    }

    /// A cue that was moved to before the film's beginning is shown from there on; one that ends there is told.
    @Test func timesBeforeZero() throws {
        #expect(try cues("1\n-00:00:00,500 --> 00:00:01,500\nx\n\n2\n\(Self.second)\ny\n") == ["0:x", "2000:y"])
        #expect(try cues("WEBVTT\n\n-00:00.500 --> 00:01.500\nx\n") == ["0:x"])
        let text = try TimedText(
            parsing: Data("1\n-00:00:02,000 --> -00:00:01,000\nx\n\n2\n\(Self.second)\ny\n".utf8), path: "x")
        #expect(text.cues.map(\.text) == ["y"])
        #expect(text.warnings.count == 1)
    }

    /// WebVTT writes characters by their numbers, as HTML does; SubRip does not.
    @Test func charactersByTheirNumbers() throws {
        let text = "00:00.500 --> 00:01.500\n&#39;x&#x27; &apos;&#8364;&#0;&#xD800;&#;&#x;"
        let expected = "500:'x' '\u{20AC}&amp;#0;&amp;#xD800;&amp;#;&amp;#x;"
        #expect(try cues("WEBVTT\n\n\(text)\n") == [expected])
        let kept = String(text.dropFirst(24)).replacing("&", with: "&amp;")
        #expect(try cues("1\n\(text)\n") == ["500:\(kept)"])
    }

    /// Bytes of Windows's code pages for Western European, Central European and Cyrillic text.
    @Test(arguments: [[0x63, 0x61, 0x66, 0xE9], [0x9E, 0x65], [0xC4, 0xE0]] as [[UInt8]]) func codePagesAreRefused(
        word: [UInt8]
    ) throws {
        let data = Data("1\n\(Self.first)\n".utf8) + Data(word) + Data("\n".utf8)
        let error = #expect(throws: SplitreelError.self) { try TimedText(parsing: data, path: "x") }
        #expect(error?.code == .mediaUnsupported)
        #expect(error?.hint.contains("iconv -f WINDOWS-1252") == true)
    }
}
