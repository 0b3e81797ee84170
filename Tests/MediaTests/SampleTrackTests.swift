import Diagnostics
import Foundation
import MediaFacts
import MediaReading
import MediaTime
import SplitreelTimeline
import TestTools
import Testing

/// Tracks of text and data as ffprobe tells their packets.
@Suite("Samples of tracks") struct SampleTrackTests {
    private static let nasa = SourceTree.corpusFile("video/tc_nasa_13013.mp4") ?? ""
    private static let phone = SourceTree.corpusFile("video/st_ios9.mov") ?? ""

    private func packets(_ file: String, _ stream: Int, in folder: TestFolder) throws -> [(Double, Double, Int)] {
        try Witness(in: folder).packets(file, stream: "\(stream)").compactMap { packet in
            guard let start = (packet["pts_time"] as? String).flatMap(Double.init),
                let length = (packet["duration_time"] as? String).flatMap(Double.init),
                let size = (packet["size"] as? String).flatMap(Int.init)
            else { return nil }
            return (start, start + length, size)
        }
    }

    @Test(.enabled(if: SourceTree.hasCorpus, "needs the corpus"))
    func textOfAFilm() throws {
        let folder = try TestFolder("samples")
        let wanted = try packets(Self.nasa, 2, in: folder)
        let samples = try readSamples(path: Self.nasa, track: 3)
        #expect(samples.count == wanted.count && samples.count == 5)
        for (sample, (start, end, size)) in zip(samples, wanted) {
            #expect(abs(sample.start.double - start) < 1e-6 && abs(sample.end.double - end) < 1e-6)
            #expect(sample.bytes.count == size)
        }
        let text = try readTimedText(path: Self.nasa, track: 3)
        #expect(!text.cues.isEmpty && text.header == nil)
        // What ffmpeg makes of the same track, without its tags.
        let file = folder.file("a.srt")
        try Witness(in: folder).ffmpeg(["-i", Self.nasa, "-map", "0:2", "-c:s", "srt", file])
        let theirs = try TimedText(parsing: Data(contentsOf: URL(filePath: file)), path: file)
        #expect(text.cues.map(\.plainText) == theirs.cues.map(\.plainText))
    }

    @Test(.enabled(if: SourceTree.hasCorpus, "needs the corpus"))
    func dataOfAFilm() throws {
        let folder = try TestFolder("samples")
        let samples = try readSamples(path: Self.phone, track: 3)
        #expect(samples.map(\.bytes.count) == (try packets(Self.phone, 2, in: folder)).map { $0.2 })
        let error = #expect(throws: SplitreelError.self) { try readTimedText(path: Self.phone, track: 3) }
        #expect(error?.code == .mediaUnsupported && error?.reason.contains("mebx") == true)
        #expect(throws: SplitreelError.self) { try readSamples(path: Self.phone, track: 1) }
        #expect(throws: SplitreelError.self) { try readSamples(path: Self.phone, track: 99) }
    }

    /// Times, looks and places of a WebVTT and a mov_text track that ffmpeg wrote.
    @Test func looksOfTracks() throws {
        let folder = try TestFolder("samples")
        let witness = Witness(in: folder)
        let vtt = try folder.write(
            "WEBVTT\n\n00:00.250 --> 00:01.000 line:0 align:start\nup <i>here</i> &amp; there\n", to: "a.vtt")
        let srt = try folder.write(
            "1\n00:00:00,250 --> 00:00:01,000\n<b>bold</b> <font color=\"#ff0000\">red</font> \u{1F600}x\n", to: "a.srt"
        )
        for (source, codec, file) in [(vtt, "copy", "a.mkv"), (srt, "mov_text", "a.mp4")] {
            try witness.ffmpeg([
                "-f", "lavfi", "-i", "color=s=16x16:r=25:d=2", "-i", source, "-c:v", "libx264", "-c:s", codec,
                folder.file(file),
            ])
        }
        let web = try readTimedText(path: folder.file("a.mkv"), track: 2)
        #expect(web.cues.count == 1 && web.cues[0].text == "up <i>here</i> &amp; there")
        #expect(web.cues[0].place == .top && web.cues[0].align == .left)
        #expect(Rational(web.cues[0].start) == Rational(1, 4) && Rational(web.cues[0].end) == Rational(1))
        let mov = try readTimedText(path: folder.file("a.mp4"), track: 2)
        #expect(mov.cues.count == 1)
        // ffmpeg's encoder leaves colours out.
        #expect(mov.cues[0].text == "<b>bold</b> red \u{1F600}x")
        #expect(Rational(mov.cues[0].start) == Rational(1, 4) && Rational(mov.cues[0].end) == Rational(1))
    }

    /// Captions of CEA-608 in their own track of a mov, against ffmpeg's SubRip of the same: two that replace each
    /// other (the first at the top, slanted and green in parts), one that is wiped away.
    @Test func captionsOfATrack() throws {
        let folder = try TestFolder("samples")
        let witness = Witness(in: folder)
        let source = try folder.write(
            """
            Scenarist_SCC V1.0

            00:00:00:10\t9420 9420 94ae 94ae 91d0 91d0 c8e5 91ae 91ae ecec ef80 9120 9120 6162 91a2 91a2 6364 942f 942f

            00:00:01:15\t9420 9420 94ae 94ae 9452 9452 57ef f2ec 6480 9470 9470 c8e5 942f 942f

            00:00:02:20\t942c 942c

            """, to: "a.scc")
        let file = folder.file("a.mov")
        try witness.ffmpeg([
            "-f", "lavfi", "-i", "color=s=16x16:r=30:d=3", "-i", source, "-map", "0", "-map", "1", "-c:v", "libx264",
            "-c:s", "copy", file,
        ])
        let text = try readTimedText(path: file, track: 2)
        let srt = folder.file("a.srt")
        try witness.ffmpeg(["-i", file, "-map", "0:1", "-c:s", "srt", srt])
        let theirs = try TimedText(parsing: Data(contentsOf: URL(filePath: srt)), path: srt)
        #expect(text.cues.count == 2 && theirs.cues.count == 2)
        func words(_ cue: TimedCue) -> String {
            cue.plainText.replacing("\\h", with: "").replacing(/[^A-Za-z]+/, with: " ")
        }
        #expect(text.cues.map(words) == theirs.cues.map(words))
        for (own, other) in zip(text.cues, theirs.cues) {
            #expect(abs(own.start.seconds - other.start.seconds) <= 0.002)
            #expect(abs(own.end.seconds - other.end.seconds) <= 0.002)
        }
        #expect(text.cues.map(\.place) == [.top, .bottom])
        #expect(text.cues[0].text.contains("<i>") && text.cues[0].text.contains("<span color=\"#00ff00\">"))
        #expect(text.cues[1].text.contains("\n"))
    }

    /// A script of a film, with a font that is attached to it.
    @Test func scriptsAndTheirFonts() throws {
        let folder = try TestFolder("samples")
        let font = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"
        let script = try folder.write(
            """
            [Script Info]
            PlayResX: 64

            [V4+ Styles]
            Format: Name, Fontname, Fontsize
            Style: Default,DejaVu Sans Mono,20

            [Events]
            Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
            Dialogue: 3,0:00:00.10,0:00:00.90,Default,,0,0,0,,{\\b1}a, b
            """, to: "a.ass")
        let film = folder.file("a.mkv")
        try Witness(in: folder).ffmpeg([
            "-f", "lavfi", "-i", "color=s=16x16:r=25:d=2", "-i", script, "-attach", font, "-metadata:s:t",
            "mimetype=application/x-truetype-font", "-c:v", "libx264", "-c:s", "ass", film,
        ])
        let text = try readTimedText(path: film, track: 2)
        #expect(text.cues.map(\.text) == ["<b>a, b</b>"])
        #expect(text.cues.first?.script == "0,3,Default,,0,0,0,,{\\b1}a, b")
        #expect(text.header?.contains("PlayResX: 64") == true && text.hasFonts == true)
        let (fonts, sum) = try attachedFonts(path: film)
        #expect(fonts.map(\.bytes) == [[UInt8](try Data(contentsOf: URL(filePath: font)))] && sum == text.fontsSum)
    }
}
