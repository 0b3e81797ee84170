import Diagnostics
import Drawings
import Foundation
import Planning
import Preparation
import Rendering
import SplitreelProject
import TestTools
import Testing

/// ASS scripts in a film; the witness is ffmpeg's `ass` filter.
@Suite("ASS scripts in films") struct ScriptRenderingTests {
    private static let head = """
        [Script Info]
        ScriptType: v4.00+
        PlayResX: 384
        PlayResY: 216
        ScaledBorderAndShadow: yes

        [V4+ Styles]
        Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, \
        Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, \
        MarginR, MarginV, Encoding
        Style: Default,DejaVu Sans,24,&H00FFFFFF,&H000000FF,&H00000000,&H80000000,0,0,0,0,100,100,0,0,1,2,1,2,10,10,16,1
        Style: Top,DejaVu Serif,20,&H0000FFFF,&H000000FF,&H00402000,&H00000000,-1,0,0,0,100,100,0,0,1,1,0,8,10,10,16,1

        [Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

        """
    private static let events = """
        Dialogue: 0,0:00:00.20,0:00:01.00,Default,,0,0,0,,The first line
        Dialogue: 0,0:00:00.52,0:00:01.48,Default,,0,0,0,,gives way to none
        Dialogue: 0,0:00:00.80,0:00:02.00,Top,,0,0,0,,{\\fad(200,200)}fading {\\i1\\c&H3030FF&}red
        Dialogue: 1,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\move(80,60,300,150)\\blur2\\frz15}moving
        Dialogue: 0,0:00:01.60,0:00:02.00,Default,,0,0,0,,{\\k20}ka{\\k10}ra{\\k20}o {\\fscx150}wide
        """

    private func project(_ script: String, film: String, more: String = "") -> String {
        """
        {"format": "splitreel/1", "assets": {"a": {"url": "\(film)"},
            "s": {"kind": "subtitles", "url": "\(script)"}\(more)},
         "composition": {"tracks": [
            {"id": 1, "type": "video", "segments": [{"asset": "a", "source": ["0s", "2s"], "target": ["0s", "2s"]}]}]},
         "video": {"renderSize": [384, 216], "frameDuration": "1/25", "subtitles": [{"asset": "s"}]}}
        """
    }

    /// In BT.601, whose codes of colours are the only ones that this ffmpeg draws with.
    private func film(_ fixture: RenderFixture) throws -> String {
        let path = fixture.folder.file("film.mkv")
        try fixture.witness.ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=384x216:r=25:d=2", "-vf", "format=yuv420p,setparams=range=tv", "-c:v",
            "ffv1",
            "-color_primaries", "smpte170m", "-color_trc", "smpte170m", "-colorspace", "smpte170m", path,
        ])
        return path
    }

    /// In dB, of each frame's luma.
    private func ratios(_ left: [[UInt8]], _ right: [[UInt8]]) -> [Double] {
        zip(left, right).map { a, b in
            let sum = zip(a, b).reduce(0.0) { $0 + Double((Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1))) }
            return sum == 0 ? 100 : 10 * log10(255 * 255 * Double(a.count) / sum)
        }
    }

    @Test func looksAsFFmpegDrawsIt() throws {
        let fixture = try RenderFixture("scripts")
        let (film, script) = (
            try film(fixture), try fixture.folder.write(Data((Self.head + Self.events).utf8), to: "a.ass")
        )
        let plan = try fixture.plan(project(script, film: film))
        #expect(plan.fonts?.faces.contains { $0.path.hasSuffix("/DejaVuSans.ttf") } == true)
        #expect(plan.fonts?.faces.contains { $0.path.hasSuffix("/DejaVuSerif-Bold.ttf") } == true)
        let ours = try fixture.witness.luma(fixture.render(plan, .chunk(0)).path)
        let theirs = fixture.folder.file("theirs.mkv")
        try fixture.witness.ffmpeg(["-i", film, "-vf", "ass=\(script)", "-c:v", "ffv1", theirs])
        let found = ratios(ours, try fixture.witness.luma(theirs))
        #expect(found.count == 50)
        #expect(found.allSatisfy { $0 >= 46 }, "\(found)")
        // Something is drawn, and only in its time: from 0.2 s, the fifth frame, on.
        let plain = try fixture.witness.luma(film)
        let differs = zip(ours, plain).map { $0 != $1 }
        #expect(differs == (0..<50).map { $0 >= 5 })
    }

    /// Whatever was drawn before.
    @Test func aFrameIsTheSameWhereverDrawingBegins() throws {
        let fixture = try RenderFixture("scripts")
        let (film, script) = (
            try film(fixture), try fixture.folder.write(Data((Self.head + Self.events).utf8), to: "a.ass")
        )
        let whole = try fixture.plan(project(script, film: film))
        let cut = try fixture.plan(project(script, film: film)) { $0.rendering.chunkSeconds = "7/25" }
        let ours = try fixture.witness.luma(fixture.render(whole, .chunk(0)).path)
        #expect(cut.chunks.count > 5)
        var parts: [[UInt8]] = []
        for chunk in cut.chunks.reversed() {
            let file = try fixture.render(cut, .chunk(chunk.index), to: "\(chunk.index).nut", with: SegmentRenderer())
                .path
            parts = try fixture.witness.luma(file) + parts
        }
        #expect(parts == ours)
    }

    /// A font that stands in the script counts before those of the machine, and needs none of them.
    @Test func fontsOfTheScriptAndOfTheProject() throws {
        let fixture = try RenderFixture("scripts")
        let film = try film(fixture)
        let mono = try Data(contentsOf: URL(filePath: "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"))
        let text =
            Self.head.replacingOccurrences(of: "DejaVu Sans,24", with: "DejaVu Sans Mono,24")
            + "Dialogue: 0,0:00:00.00,0:00:02.00,Default,,0,0,0,,iiWWii\n"
        let script = try fixture.folder.write(Data((text + Self.fonts(["mono.ttf": mono])).utf8), to: "own.ass")
        let plan = try fixture.plan(project(script, film: film))
        #expect(plan.fonts == nil)
        let ours = try fixture.witness.luma(fixture.render(plan, .chunk(0)).path)
        let theirs = fixture.folder.file("theirs.mkv")
        try fixture.witness.ffmpeg(["-i", film, "-vf", "ass=\(script)", "-c:v", "ffv1", theirs])
        #expect(ratios(ours, try fixture.witness.luma(theirs)).allSatisfy { $0 >= 46 })
        let bare = try fixture.folder.write(Data(text.utf8), to: "bare.ass")
        let path = fixture.folder.file("mono.ttf")
        try mono.write(to: URL(filePath: path))
        let named = try fixture.plan(
            project(bare, film: film, more: ", \"f\": {\"kind\": \"font\", \"url\": \"\(path)\"}"))
        #expect(named.fonts == nil)
        #expect(try fixture.witness.luma(fixture.render(named, .chunk(0)).path) == ours)
        try Data(contentsOf: URL(filePath: "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")).write(
            to: URL(filePath: path))
        let error = try #require(throws: SplitreelError.self) { _ = try fixture.render(named, .chunk(0)) }
        #expect(error.code == .mediaChanged && error.subject.description == path, "\(error)")
    }

    /// As ASS has them.
    private static func fonts(_ fonts: [String: Data]) -> String {
        "\n[Fonts]\n"
            + fonts.map { name, data in
                var (lines, line) = ("fontname: \(name)\n", "")
                let bytes = [UInt8](data)
                for start in stride(from: 0, to: bytes.count, by: 3) {
                    let group = bytes[start..<min(start + 3, bytes.count)]
                    let word = (0..<3).reduce(UInt32(0)) {
                        $0 << 8 | ($1 < group.count ? UInt32(group[start + $1]) : 0)
                    }
                    for place in 0...group.count {
                        line.unicodeScalars.append(Unicode.Scalar(UInt8(word >> UInt32(18 - 6 * place) & 63) + 33))
                    }
                    if line.utf8.count >= 80 {
                        lines += line + "\n"
                        line = ""
                    }
                }
                return lines + line + "\n"
            }.joined()
    }

    /// A name that no font has is remarked, with what stands in for it, and the same everywhere.
    @Test func aNameWithoutAFont() throws {
        let fixture = try RenderFixture("scripts")
        let film = try film(fixture)
        let text =
            Self.head.replacingOccurrences(of: "DejaVu Sans,24", with: "No Such Face,24")
            + "Dialogue: 0,0:00:00.00,0:00:02.00,Default,,0,0,0,,letters \u{4E2D}\n"
        let script = try fixture.folder.write(Data(text.utf8), to: "a.ass")
        var request = OutputRequest(path: fixture.folder.file("out.mkv"))
        request.picture.codec = "ffv1"
        let prepared = try preparePlan(
            project: Project(parsing: Data(project(script, film: film).utf8)), request: request)
        #expect(prepared.notices.notices.contains { $0.reason.contains("there is no font `No Such Face`") })
        // One for the letters, another for the sign that it lacks.
        #expect((prepared.plan.fonts?.faces.count ?? 0) >= 2)
        let ours = try fixture.witness.luma(fixture.render(prepared.plan, .chunk(0)).path)
        #expect(try ours != fixture.witness.luma(film))
    }
}
